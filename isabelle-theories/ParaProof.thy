(*  ParaProof.thy: the base theory of the proofs that ParaProof generates.

    A protocol is a set of initial states and a set of rules over states; a proof shows that a list of
    formulas is consistent with it, in the sense of the causal relation invHoldRule of Li, Duan and Lv,
    and concludes that every formula holds in every reachable state.  This theory states no axioms.
*)

theory ParaProof
  imports Main
begin

section \<open>Values and states\<close>

text \<open>
  A value is a constant of the model (a boolean, a member of an enum, an integer), numbered in the order of
  the model, or an element of an index type: \<open>Elem t i\<close> is the element \<open>i\<close> of the index type \<open>t\<close>.
  The elements of an index type of size \<open>N\<close> are \<open>1, \<dots>, N\<close>; for \<open>N = 0\<close> it has no elements.

  A state maps each state variable (a number) and each list of index arguments to a value.  The generated
  definitions give each variable a name: \<open>Cache_State s i = s 3 [i]\<close>.  A boolean variable is read as a
  truth value: \<open>Pending s \<longleftrightarrow> s 4 [] = true\<close>.
\<close>

datatype (plugins del: "quickcheck") val = Const nat | Elem nat nat

type_synonym state = "nat \<Rightarrow> nat list \<Rightarrow> val"

abbreviation false :: val where "false \<equiv> Const 0"
abbreviation true :: val where "true \<equiv> Const 1"

definition elements :: "nat \<Rightarrow> nat \<Rightarrow> val set" where
  "elements t N = Elem t ` {1..N}"

lemma elements_iff [simp]: "Elem u i \<in> elements t N \<longleftrightarrow> u = t \<and> i \<in> {1..N}" "Const c \<notin> elements t N"
  by (auto simp: elements_def)

lemma elementsE: "x \<in> elements t N \<Longrightarrow> (\<And>i. i \<in> {1..N} \<Longrightarrow> x = Elem t i \<Longrightarrow> P) \<Longrightarrow> P"
  by (auto simp: elements_def)

text \<open>Only the variables in the list \<open>W\<close> may differ between two states.\<close>

definition writes :: "nat list \<Rightarrow> state \<Rightarrow> state \<Rightarrow> bool" where
  "writes W s s' \<longleftrightarrow> (\<forall>v. v \<notin> set W \<longrightarrow> s' v = s v)"

text \<open>A formula is a predicate on states.  It may read only the variables in the list \<open>V\<close>.\<close>

type_synonym formula = "state \<Rightarrow> bool"

definition reads :: "nat list \<Rightarrow> formula \<Rightarrow> bool" where
  "reads V f \<longleftrightarrow> (\<forall>s s'. (\<forall>v \<in> set V. s' v = s v) \<longrightarrow> f s' = f s)"


section \<open>Rules, systems, reachable states\<close>

text \<open>
  A rule (for given values of its parameters) is a guard and a relation between the states before and after.
  It is a relation and not a function, since a rule may make a variable undefined: it may then have any value.
  A system is a predicate on initial states and a set of rules.
\<close>

type_synonym rule = "(state \<Rightarrow> bool) \<times> (state \<Rightarrow> state \<Rightarrow> bool)"
type_synonym system = "(state \<Rightarrow> bool) \<times> rule set"

definition guard :: "rule \<Rightarrow> state \<Rightarrow> bool" where "guard = fst"
definition update :: "rule \<Rightarrow> state \<Rightarrow> state \<Rightarrow> bool" where "update = snd"
definition initial :: "system \<Rightarrow> state \<Rightarrow> bool" where "initial = fst"
definition rules :: "system \<Rightarrow> rule set" where "rules = snd"

inductive reachable :: "system \<Rightarrow> state \<Rightarrow> bool" for S where
  start: "initial S s \<Longrightarrow> reachable S s"
| step: "reachable S s \<Longrightarrow> r \<in> rules S \<Longrightarrow> guard r s \<Longrightarrow> update r s s' \<Longrightarrow> reachable S s'"


section \<open>The causal relation invHoldRule\<close>

text \<open>
  There are three ways in which one step from \<open>s\<close> to \<open>s'\<close> can preserve a formula \<open>f\<close>: the formula holds
  afterwards, whatever held before; the step leaves the truth of the formula unchanged; or the formulas \<open>F\<close>,
  which hold before, imply it afterwards (the guard holds in all three cases).
\<close>

definition holds_after :: "formula \<Rightarrow> state \<Rightarrow> bool" where
  "holds_after f s' \<longleftrightarrow> f s'"

definition unaffected :: "formula \<Rightarrow> state \<Rightarrow> state \<Rightarrow> bool" where
  "unaffected f s s' \<longleftrightarrow> (f s' \<longleftrightarrow> f s)"

definition implied :: "formula set \<Rightarrow> formula \<Rightarrow> state \<Rightarrow> state \<Rightarrow> bool" where
  "implied F f s s' \<longleftrightarrow> ((\<forall>g \<in> F. g s) \<longrightarrow> f s')"

definition invHoldRule :: "formula set \<Rightarrow> rule \<Rightarrow> formula \<Rightarrow> bool" where
  "invHoldRule F r f \<longleftrightarrow> (\<forall>s s'. guard r s \<longrightarrow> update r s s' \<longrightarrow>
     holds_after f s' \<or> unaffected f s s' \<or> implied F f s s')"

text \<open>When a set of formulas is consistent with a system.\<close>

definition consistent :: "formula set \<Rightarrow> system \<Rightarrow> bool" where
  "consistent F S \<longleftrightarrow> (\<forall>s. initial S s \<longrightarrow> (\<forall>f \<in> F. f s)) \<and> (\<forall>f \<in> F. \<forall>r \<in> rules S. invHoldRule F r f)"

text \<open>The consistency lemma.\<close>

theorem consistency:
  assumes "consistent F S" and "reachable S s" and "f \<in> F"
  shows "f s"
  using assms(2,3)
proof (induct arbitrary: f)
  case (start s)
  then show ?case using assms(1) by (auto simp: consistent_def)
next
  case (step s r s')
  then have "invHoldRule F r f" using assms(1) by (simp add: consistent_def)
  moreover have "\<forall>g \<in> F. g s" using step by blast
  ultimately show ?case using step
    by (auto simp: invHoldRule_def holds_after_def unaffected_def implied_def)
qed


section \<open>Support for the generated theories\<close>

text \<open>The simplifier must not split \<open>i \<in> {1..N}\<close>, which says that an index is an element, into inequalities.\<close>

declare atLeastAtMost_iff [simp del] One_nat_def [simp del]

text \<open>
  The generated theories list the formulas together with the variables that they read.  For each rule, the lemma
  \<open>preservesI\<close> covers all formulas that read no variable that the rule writes.
\<close>

type_synonym formulas = "(nat list \<times> formula) list"

definition formulas :: "formulas \<Rightarrow> formula set" where
  "formulas F = snd ` set F"

definition holds :: "formulas \<Rightarrow> state \<Rightarrow> bool" where
  "holds F s \<longleftrightarrow> (\<forall>f \<in> formulas F. f s)"

primrec read_sets :: "formulas \<Rightarrow> bool" where
  "read_sets [] \<longleftrightarrow> True"
| "read_sets (p # F) \<longleftrightarrow> reads (fst p) (snd p) \<and> read_sets F"

primrec disjoint :: "nat list \<Rightarrow> nat list \<Rightarrow> bool" where
  "disjoint [] W \<longleftrightarrow> True"
| "disjoint (v # V) W \<longleftrightarrow> v \<notin> set W \<and> disjoint V W"

primrec affected :: "nat list \<Rightarrow> formulas \<Rightarrow> state \<Rightarrow> bool" where
  "affected W [] s' \<longleftrightarrow> True"
| "affected W (p # F) s' \<longleftrightarrow> (if disjoint (fst p) W then True else snd p s') \<and> affected W F s'"

text \<open>These lemmas evaluate \<open>affected\<close> for lists of numerals, and nothing else.\<close>

lemmas affected_simps = affected.simps disjoint.simps fst_conv snd_conv list.set insert_iff empty_iff if_True
  if_False simp_thms rel_simps

definition preserves :: "formulas \<Rightarrow> rule \<Rightarrow> bool" where
  "preserves F r \<longleftrightarrow> (\<forall>f \<in> formulas F. invHoldRule (formulas F) r f)"

lemma disjoint_iff: "disjoint V W \<longleftrightarrow> (\<forall>v \<in> set V. v \<notin> set W)"
  by (induct V) auto

lemma reads_unaffected:
  assumes "reads V f" and "writes W s s'" and "disjoint V W"
  shows "unaffected f s s'"
  using assms by (auto simp: reads_def writes_def disjoint_iff unaffected_def)

lemma affected_cases:
  assumes "read_sets F" and "writes W s s'" and "affected W F s'" and "f \<in> formulas F"
  shows "holds_after f s' \<or> unaffected f s s'"
  using assms
proof (induct F)
  case Nil
  then show ?case by (simp add: formulas_def)
next
  case (Cons p F)
  obtain V g where p: "p = (V, g)" by (cases p)
  show ?case
  proof (cases "f \<in> formulas F")
    case True
    then show ?thesis using Cons p by (auto split: if_split_asm)
  next
    case False
    then have "f = g" using Cons(5) p by (simp add: formulas_def)
    then show ?thesis using Cons p reads_unaffected[of V g W s s']
      by (auto simp: holds_after_def split: if_split_asm)
  qed
qed

lemma preservesI:
  assumes "read_sets F"
    and "\<And>s s'. g s \<Longrightarrow> u s s' \<Longrightarrow> writes W s s'"
    and "\<And>s s'. g s \<Longrightarrow> u s s' \<Longrightarrow> holds F s \<Longrightarrow> affected W F s'"
  shows "preserves F (g, u)"
  unfolding preserves_def invHoldRule_def
proof (intro ballI allI impI)
  fix f s s'
  assume f: "f \<in> formulas F" and "guard (g, u) s" "update (g, u) s s'"
  then have gu: "g s" "u s s'" by (simp_all add: guard_def update_def)
  show "holds_after f s' \<or> unaffected f s s' \<or> implied (formulas F) f s s'"
  proof (cases "holds F s")
    case True
    from affected_cases[OF assms(1) assms(2)[OF gu] assms(3)[OF gu True] f] show ?thesis by blast
  next
    case False
    then show ?thesis unfolding implied_def holds_def by blast
  qed
qed

lemma consistentI:
  assumes "\<And>s. init s \<Longrightarrow> holds F s" and "\<And>r. r \<in> R \<Longrightarrow> preserves F r"
  shows "consistent (formulas F) (init, R)"
  using assms unfolding consistent_def initial_def rules_def holds_def preserves_def by auto

theorem reachable_holds:
  assumes "consistent (formulas F) S" and "reachable S s"
  shows "holds F s"
  using consistency[OF assms] unfolding holds_def by blast

lemma holds_Nil: "holds [] s \<longleftrightarrow> True"
  by (simp add: holds_def formulas_def)

lemma holds_Cons: "holds ((V, f) # F) s \<longleftrightarrow> f s \<and> holds F s"
  by (auto simp: holds_def formulas_def)

end
