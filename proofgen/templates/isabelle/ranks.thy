{% for item in ranks %}
lemma {{ item.name }}:
{% for assumption in item.assumptions %}
  {% if loop.first %}assumes{% else %}  and{% endif %} {{ assumption }}
{% endfor %}
  shows {{ item.statement }}
  unfolding {{ item.facts }} atLeastAtMost_iff by presburger

{% endfor %}
