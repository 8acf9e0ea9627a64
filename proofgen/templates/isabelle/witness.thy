{% if witness %}

lemma {{ witness.name }}:
{% for assumption in witness.assumptions %}
  {% if loop.first %}assumes{% else %}  and{% endif %} {{ assumption }}
{% endfor %}
  shows {{ witness.goal }}
  using {{ witness.fact }} {{ witness.rest }} by blast
{% endif %}
