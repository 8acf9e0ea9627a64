{% if property.groups | length > 1 %}
  show ?thesis
  proof (intro conjI, goal_cases)
{% for group in property.groups %}
    case {{ loop.index }}
    show ?case
      using{% for part in group %} part{{ part }}{% endfor %} by blast
{% if not loop.last %}
  next
{% endif %}
{% endfor %}
  qed
{% else %}
  show ?thesis
    using{% for part in property.parts %} part{{ loop.index }}{% endfor %} by blast
{% endif %}
