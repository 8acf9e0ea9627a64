(*  ParaProof_Assumptions.thy: protocols under assumptions about all of their states.

    The theories of a model with a top-level assume use this theory besides the base theory.
*)

theory ParaProof_Assumptions
  imports ParaProof
begin

text \<open>
  The states that are reached under an assumption: all states on the way satisfy it, the first and the last one
  included.  An assumption about variables that no rule writes restricts the initial states only.
\<close>

inductive reachable_under :: "(state \<Rightarrow> bool) \<Rightarrow> system \<Rightarrow> state \<Rightarrow> bool" for A S where
  start: "initial S s \<Longrightarrow> A s \<Longrightarrow> reachable_under A S s"
| step: "reachable_under A S s \<Longrightarrow> r \<in> rules S \<Longrightarrow> guard r s \<Longrightarrow> update r s s' \<Longrightarrow> A s' \<Longrightarrow>
    reachable_under A S s'"

lemma reachable_under_assumed: "reachable_under A S s \<Longrightarrow> A s"
  by (induct rule: reachable_under.induct)

text \<open>Without an assumption, these are the reachable states.\<close>

lemma reachable_under_True: "reachable_under (\<lambda>_. True) S s \<longleftrightarrow> reachable S s"
proof
  show "reachable_under (\<lambda>_. True) S s \<Longrightarrow> reachable S s"
    by (induct rule: reachable_under.induct) (blast intro: reachable.intros)+
  show "reachable S s \<Longrightarrow> reachable_under (\<lambda>_. True) S s"
    by (induct rule: reachable.induct) (blast intro: reachable_under.intros)+
qed

text \<open>A rule has to preserve the formulas where its guard and the assumption hold before.\<close>

definition preserves_under :: "(state \<Rightarrow> bool) \<Rightarrow> formulas \<Rightarrow> rule \<Rightarrow> bool" where
  "preserves_under A F r \<longleftrightarrow> preserves F (\<lambda>s. guard r s \<and> A s, update r)"

definition consistent_under :: "(state \<Rightarrow> bool) \<Rightarrow> formulas \<Rightarrow> system \<Rightarrow> bool" where
  "consistent_under A F S \<longleftrightarrow>
     (\<forall>s. initial S s \<longrightarrow> A s \<longrightarrow> holds F s) \<and> (\<forall>r \<in> rules S. preserves_under A F r)"

lemma preserves_underI:
  assumes "read_sets F"
    and "\<And>s s'. g s \<Longrightarrow> u s s' \<Longrightarrow> writes W s s'"
    and "\<And>s s'. g s \<Longrightarrow> u s s' \<Longrightarrow> holds F s \<Longrightarrow> A s \<Longrightarrow> affected W F s'"
  shows "preserves_under A F (g, u)"
  unfolding preserves_under_def guard_def update_def fst_conv snd_conv
  by (rule preservesI[where W = W, OF assms(1)]) (blast intro: assms(2,3))+

lemma consistent_underI:
  assumes "\<And>s. init s \<Longrightarrow> holds F s" and "\<And>r. r \<in> R \<Longrightarrow> preserves_under A F r"
  shows "consistent_under A F (init, R)"
  using assms unfolding consistent_under_def initial_def rules_def by auto

theorem reachable_under_holds:
  assumes "consistent_under A F S" and "reachable_under A S s"
  shows "holds F s"
  using assms(2)
proof (induct rule: reachable_under.induct)
  case (start s)
  then show ?case using assms(1) by (simp add: consistent_under_def)
next
  case (step s r s')
  then have "preserves F (\<lambda>s. guard r s \<and> A s, update r)"
    using assms(1) by (simp add: consistent_under_def preserves_under_def)
  moreover have "guard (\<lambda>s. guard r s \<and> A s, update r) s" and "update (\<lambda>s. guard r s \<and> A s, update r) s s'"
    using step reachable_under_assumed[OF step(1)] by (simp_all add: guard_def update_def)
  moreover have "\<forall>g \<in> formulas F. g s" using step(2) by (simp add: holds_def)
  ultimately show ?case
    unfolding preserves_def invHoldRule_def holds_def holds_after_def unaffected_def implied_def by blast
qed

end
