(*  ParaProof_Test.thy: small systems in which each clause of the base theory's meaning matters.

    Each section has a system (or a formula) whose expected answer is known from Murphi, and proves that
    answer.  If the base theory had the clause wrong, the statement would be false.
*)

theory ParaProof_Test
  imports ParaProof
begin

section \<open>Two parameters of a rule may be the same element\<close>

text \<open>
  \<open>ruleset i, j: NODE do rule i = j ==> bad := true\<close> violates \<open>!bad\<close> in one step if there is at least
  one element, and never if there are none.
\<close>

definition bad :: "state \<Rightarrow> bool" where "bad s \<longleftrightarrow> s 0 [] = true"

definition Same_guard :: "nat \<Rightarrow> nat \<Rightarrow> nat \<Rightarrow> state \<Rightarrow> bool" where
  "Same_guard N i j s \<longleftrightarrow> i = j"
definition Same_update :: "nat \<Rightarrow> nat \<Rightarrow> nat \<Rightarrow> state \<Rightarrow> state \<Rightarrow> bool" where
  "Same_update N i j s s' \<longleftrightarrow> writes [0] s s' \<and> bad s' = True"

definition Same :: "nat \<Rightarrow> system" where
  "Same N = (\<lambda>s. \<not> bad s, {(Same_guard N i j, Same_update N i j) | i j. i \<in> {1..N} \<and> j \<in> {1..N}})"

lemma equal_parameters:
  assumes "1 \<le> N"
  shows "\<exists>s. reachable (Same N) s \<and> bad s"
proof -
  let ?s = "(\<lambda>v a. Const 0)(0 := \<lambda>a. false)" and ?t = "(\<lambda>v a. Const 0)(0 := \<lambda>a. true)"
  let ?r = "(Same_guard N 1 1, Same_update N 1 1)"
  have "reachable (Same N) ?s"
    by (rule start) (simp add: Same_def initial_def bad_def)
  moreover have "?r \<in> rules (Same N)"
    using assms by (auto simp: Same_def rules_def atLeastAtMost_iff)
  moreover have "guard ?r ?s" "update ?r ?s ?t"
    by (simp_all add: guard_def update_def Same_guard_def Same_update_def writes_def bad_def)
  ultimately have "reachable (Same N) ?t" by (rule step)
  then show ?thesis by (auto simp: bad_def)
qed

lemma no_parameters:
  "reachable (Same 0) s \<Longrightarrow> \<not> bad s"
  by (induct rule: reachable.induct) (auto simp: Same_def initial_def rules_def)


section \<open>A simultaneous update reads the state before the step\<close>

text \<open>\<open>x := y; y := x\<close> is lowered to \<open>x := y\<close>, \<open>y := y\<close>; a swap through a temporary variable swaps.\<close>

definition x :: "state \<Rightarrow> val" where "x s = s 0 []"
definition y :: "state \<Rightarrow> val" where "y s = s 1 []"

definition swap :: "state \<Rightarrow> state \<Rightarrow> bool" where
  "swap s s' \<longleftrightarrow> writes [0, 1] s s' \<and> x s' = y s \<and> y s' = x s"

lemma swap_twice: "swap s t \<Longrightarrow> swap t u \<Longrightarrow> x u = x s \<and> y u = y s"
  by (simp add: swap_def)

lemma swap_possible: "\<exists>t. swap s t"
  by (rule exI[where x = "s(0 := \<lambda>a. s 1 [], 1 := \<lambda>a. s 0 [])"]) (simp add: swap_def writes_def x_def y_def)


section \<open>Variables that are not written keep their values\<close>

definition z :: "state \<Rightarrow> val" where "z s = s 2 []"

lemma unwritten_stays: "swap s t \<Longrightarrow> z t = z s"
  by (simp add: swap_def writes_def z_def)

lemma written_may_change: "\<exists>s t. writes [0] s t \<and> x t \<noteq> x s"
  by (rule exI[where x = "\<lambda>v a. Const 0"], rule exI[where x = "(\<lambda>v a. Const 0)(0 := \<lambda>a. Const 1)"])
    (simp add: writes_def x_def)

lemma frame_is_needed: "\<exists>s t. x t = y s \<and> z t \<noteq> z s"
  by (rule exI[where x = "\<lambda>v a. Const 0"], rule exI[where x = "(\<lambda>v a. Const 0)(2 := \<lambda>a. Const 1)"])
    (simp add: x_def y_def z_def)


section \<open>Arrays: one element, the last write, all elements\<close>

definition a :: "state \<Rightarrow> nat \<Rightarrow> val" where "a s i = s 3 [i]"

text \<open>\<open>a[i] := v; a[j] := w\<close>: if \<open>i = j\<close>, the last write counts.\<close>

definition two_writes :: "nat \<Rightarrow> nat \<Rightarrow> state \<Rightarrow> state \<Rightarrow> bool" where
  "two_writes i j s s' \<longleftrightarrow>
   writes [3] s s' \<and> (\<forall>k. a s' k = (if k = j then Const 2 else if k = i then Const 1 else a s k))"

lemma last_write: "two_writes i i s t \<Longrightarrow> a t i = Const 2"
  by (simp add: two_writes_def)

lemma both_writes: "two_writes i j s t \<Longrightarrow> i \<noteq> j \<Longrightarrow> a t i = Const 1 \<and> a t j = Const 2"
  by (simp add: two_writes_def)

lemma other_elements: "two_writes i j s t \<Longrightarrow> k \<noteq> i \<Longrightarrow> k \<noteq> j \<Longrightarrow> a t k = a s k"
  by (simp add: two_writes_def)

text \<open>\<open>for k: NODE do if a[k] = 1 then a[k] := 2\<close> reads each element before it is written.\<close>

definition all_writes :: "state \<Rightarrow> state \<Rightarrow> bool" where
  "all_writes s s' \<longleftrightarrow> writes [3] s s' \<and> (\<forall>k. a s' k = (if a s k = Const 1 then Const 2 else a s k))"

lemma universal_update: "all_writes s t \<Longrightarrow> a t k \<noteq> Const 1"
  by (simp add: all_writes_def)


section \<open>Quantifiers for 0, 1, 2, 3 elements\<close>

lemma elements_0: "(\<forall>i \<in> {1..0::nat}. P i) \<and> \<not> (\<exists>i \<in> {1..0::nat}. P i)"
  by simp

lemma elements_1: "((\<forall>i \<in> {1..1}. P i) \<longleftrightarrow> P (1::nat)) \<and> ((\<exists>i \<in> {1..1}. P i) \<longleftrightarrow> P (1::nat))"
  by simp

lemma range_2: "{1..2} = {1, 2::nat}"
  by (auto simp: atLeastAtMost_iff)

lemma range_3: "{1..3} = {1, 2, 3::nat}"
  by (auto simp: atLeastAtMost_iff)

lemma elements_2: "((\<forall>i \<in> {1..2}. P i) \<longleftrightarrow> P 1 \<and> P (2::nat)) \<and> ((\<exists>i \<in> {1..2}. P i) \<longleftrightarrow> P 1 \<or> P (2::nat))"
  by (simp add: range_2)

lemma elements_3:
  "((\<forall>i \<in> {1..3}. P i) \<longleftrightarrow> P 1 \<and> P 2 \<and> P (3::nat)) \<and>
   ((\<exists>i \<in> {1..3}. P i) \<longleftrightarrow> P 1 \<or> P 2 \<or> P (3::nat))"
  by (simp add: range_3)

text \<open>There is no node 0, and no node beyond \<open>N\<close>.\<close>

lemma no_node_too_many: "0 \<notin> {1..N::nat}" "Suc N \<notin> {1..N}"
  by (simp_all add: atLeastAtMost_iff)


section \<open>Types of pointers, several index types, unions\<close>

lemma pointer_bound: "Elem 0 i \<in> elements 0 N \<longleftrightarrow> 1 \<le> i \<and> i \<le> N"
  by (simp add: atLeastAtMost_iff One_nat_def)

lemma pointer_types_differ: "Elem 1 i \<notin> elements 0 N"
  by simp

lemma types_have_own_sizes: "Elem 1 3 \<in> elements 1 3 \<and> Elem 0 3 \<notin> elements 0 2"
  by (simp add: atLeastAtMost_iff)

lemma union_of_types: "Const 5 \<in> elements 0 N \<union> {Const 5}" "Const 6 \<notin> elements 0 N \<union> {Const 5}"
  by simp_all

lemma empty_type: "elements 0 0 = {}"
  by (simp add: elements_def)

lemma constants_are_no_elements: "Const i \<noteq> Elem t i" "true \<noteq> false"
  by simp_all


section \<open>All startstates count\<close>

text \<open>A \<open>ruleset\<close> around a startstate gives one initial state for each element, not only for the first.\<close>

definition Token :: "nat \<Rightarrow> system" where
  "Token N = (\<lambda>s. \<exists>i \<in> {1..N}. \<forall>k. a s k = (if k = i then true else false), {})"

lemma each_startstate:
  assumes "i \<in> {1..N}"
  shows "\<exists>s. reachable (Token N) s \<and> a s i = true"
proof -
  let ?s = "(\<lambda>v b. Const 0)(3 := \<lambda>b. if b = [i] then true else false)"
  have "reachable (Token N) ?s"
    using assms by (intro start) (auto simp: Token_def initial_def a_def)
  then show ?thesis by (auto simp: a_def)
qed

lemma no_other_startstate: "reachable (Token N) s \<Longrightarrow> \<exists>i \<in> {1..N}. a s i = true"
  by (induct rule: reachable.induct) (auto simp: Token_def initial_def rules_def)


section \<open>The causal relation\<close>

text \<open>A formula that a rule breaks is not consistent with the system.\<close>

lemma broken_is_refused:
  assumes "1 \<le> N"
  shows "\<not> consistent {\<lambda>s. \<not> bad s} (Same N)"
  using consistency[of "{\<lambda>s. \<not> bad s}" "Same N" _ "\<lambda>s. \<not> bad s"] equal_parameters[OF assms] by blast

text \<open>Each of the three relations suffices on its own, and none of them always holds.\<close>

lemma three_relations:
  "holds_after (\<lambda>s. x s = x s) t"
  "writes [1] s t \<Longrightarrow> unaffected (\<lambda>s. x s = Const 1) s t"
  "swap s t \<Longrightarrow> implied {\<lambda>s. y s = Const 1} (\<lambda>s. x s = Const 1) s t"
  by (simp_all add: holds_after_def unaffected_def implied_def writes_def swap_def x_def)

lemma not_for_nothing:
  "\<exists>s t. swap s t \<and> \<not> holds_after (\<lambda>s. x s = Const 1) t \<and> \<not> implied {\<lambda>s. x s = Const 1} (\<lambda>s. x s = Const 1) s t"
  by (rule exI[where x = "(\<lambda>v a. Const 0)(0 := \<lambda>a. Const 1)"], rule exI[where x = "(\<lambda>v a. Const 0)(1 := \<lambda>a. Const 1)"])
    (auto simp: swap_def holds_after_def implied_def writes_def x_def y_def)

end
