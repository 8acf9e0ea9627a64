text \<open>
  The same property as the model states it.  In a state that violates it, a rule could set the variable
  \<open>{{ noted.variable }}\<close>, which is not in the model: it is false initially, and no rule of the model reads or writes it.
\<close>

theorem {{ property.name }}:
{% for assumption in property.assumptions %}
  {% if loop.first %}assumes{% else %}  and{% endif %} {{ assumption }}
{% endfor %}
  shows {{ noted.statement }}
proof -
{% for rule in noted.rules %}
  have never{{ loop.index }}: {{ rule.never }}
{% for range in rule.ranges %}
    {% if loop.first %}if{% else %}and{% endif %} {{ range }}
{% endfor %}
{% if rule.fixed %}
    for {{ rule.fixed | join(" ") }}
{% endif %}
  proof
    assume now: {{ rule.guard }}
    let ?r = {{ rule.pair }}
    let ?t = "s({{ noted.number }} := \<lambda>_. true)"
    have "?r \<in> rules ({{ system }})"
      {% if rule.ranges %}using that {% endif %}unfolding {{ definition | default(protocol ~ "_def") }} rules_def snd_conv by blast
    moreover have "guard ?r s"
      using now by (simp only: guard_def fst_conv)
    moreover have "update ?r s ?t"
      by (simp add: update_def {{ rule.word }}_update_def writes_def {{ noted.variable }}_def)
{% if noted.assumption %}
    moreover have "{{ noted.assumption }} ?t"
      using reachable_under_assumed[OF assms({{ property.assumptions | length }})]
      by (simp add: {{ noted.unfolded }})
    ultimately have "reachable_under ({{ noted.assumption }}) ({{ system }}) ?t"
      using reachable_under.step assms({{ property.assumptions | length }}) by blast
{% else %}
    ultimately have "reachable ({{ system }}) ?t"
      using reachable.step assms({{ property.assumptions | length }}) by blast
{% endif %}
    from {{ noted.name }}[OF {% for item in named %}assms({{ loop.index }}) {% endfor %}this]
    show False by (simp add: {{ noted.variable }}_def)
  qed
{% endfor %}
  show ?thesis
    using{% for rule in noted.rules %} never{{ loop.index }}{% endfor %}

    unfolding{% for rule in noted.rules %} {{ rule.word }}_guard_def{% endfor %} by blast
qed
