{% for item in assumptions %}
lemma {{ item.name }}:
{% for assumption in item.assumptions %}
  {% if loop.first %}assumes{% else %}  and{% endif %} {{ assumption }}
{% endfor %}
  shows {{ item.statement }}
{% if item.elements %}
  by (insert assms[unfolded assumed_def {{ item.axiom }}], intro impI notI, elim conjE,
      {% for element in item.elements %}drule bspec[where x = {{ element }}], assumption, {% endfor %}simp)
{% else %}
  using assms unfolding assumed_def {{ item.axiom }}{% if item.differs %} de_Morgan_conj not_le{% endif %} by (blast | fastforce | force)
{% endif %}
{% with witness = item.witness %}{% include "witness" %}{% endwith %}

{% endfor %}
