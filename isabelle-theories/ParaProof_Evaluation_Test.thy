(*  ParaProof_Evaluation_Test.thy: the method "evaluation" proves only what the checker accepts.  *)

theory ParaProof_Evaluation_Test
  imports ParaProof_Evaluation
begin

text \<open>
  A variable has the values 0 and 1, and no two elements may both have 1.  A rule that sets it to 1 for one element and
  to 0 for all others preserves this invariant.  For a rule that does not change the others, the method must not prove
  the invariant; nor must it prove that two elements have different values.
\<close>

definition held :: "vars" where "held = [(0, ([0], ([], [0, 1])))]"
definition two :: "cubes" where "two = [(1, ([0, 0], And (Eq (Rd 0 [1]) (Cn 1)) (Eq (Rd 0 [2]) (Cn 1))))]"
definition take_from_others :: "drule" where
  "take_from_others = ([0], (T, [(0, If (Eq (Ix 0 1) (Ix 0 2)) (Tm (Cn 1)) (Tm (Cn 0)))]))"
definition take_as_well :: "drule" where
  "take_as_well = ([0], (T, [(0, If (Eq (Ix 0 1) (Ix 0 2)) (Tm (Cn 1)) (Tm (Rd 0 [2])))]))"
definition both :: "part" where "both = ([0, 0], Or (Eq (Ix 0 1) (Ix 0 2)) (Ne (Rd 0 [1]) (Rd 0 [2])))"

text \<open>
  Two numbers, the next ticket and the one that is served, which is never greater.  A rule that adds one where it is less
  preserves this, and one that adds two, or does so where both are equal, does not.  Where an assumption says that both are
  never equal, the last one does.
\<close>

definition counters :: "vars" where "counters = [(0, ([], ([], []))), (1, ([], ([], [])))]"
definition passed :: "cubes" where "passed = [(1, ([], Le (Rd 0 []) (Rd 1 []) (- 1)))]"
definition never_equal :: "cubes" where "never_equal = [(2, ([], And (Le (Rd 0 []) (Rd 1 []) 0) (Le (Rd 1 []) (Rd 0 []) 0)))]"
definition serves :: "drule" where "serves = ([], (Le (Rd 1 []) (Rd 0 []) (- 1), [(1, Tm (Pl (Rd 1 []) 1))]))"
definition skips :: "drule" where "skips = ([], (Le (Rd 1 []) (Rd 0 []) (- 1), [(1, Tm (Pl (Rd 1 []) 2))]))"
definition serves_all :: "drule" where "serves_all = ([], (Le (Rd 1 []) (Rd 0 []) 0, [(1, Tm (Pl (Rd 1 []) 1))]))"
definition assumes_it :: "hints" where "assumes_it = [(1, [([], ([], [(2, [])]))])]"

lemma "check_rule held two [] take_from_others []"
  by evaluation

ML \<open>
fun proves t = is_some (SINGLE (ParaProof_Evaluation.tac \<^context> 1) (Goal.init (Thm.cterm_of \<^context> t)));

val _ = \<^assert> (proves \<^prop>\<open>check_rule held two [] take_from_others []\<close>);
val _ = \<^assert> (not (proves \<^prop>\<open>check_rule held two [] take_as_well []\<close>));
val _ = \<^assert> (not (proves \<^prop>\<open>check_part held two [] both ([], [])\<close>));
val _ = \<^assert> (proves \<^prop>\<open>check_rule_under [] counters passed [] [] serves []\<close>);
val _ = \<^assert> (not (proves \<^prop>\<open>check_rule_under [] counters passed [] [] skips []\<close>));
val _ = \<^assert> (not (proves \<^prop>\<open>check_rule_under [] counters passed [] [] serves_all []\<close>));
val _ = \<^assert> (proves \<^prop>\<open>check_rule_under [] counters passed never_equal [] serves_all assumes_it\<close>);
val _ = \<^assert> (not (proves \<^prop>\<open>check_rule_under [] counters passed never_equal [] skips assumes_it\<close>));
\<close>

end
