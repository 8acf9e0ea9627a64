(*  ParaProof_Evaluation_Test.thy: the method "evaluation" proves what the checker accepts, and nothing else.  *)

theory ParaProof_Evaluation_Test
  imports ParaProof_Evaluation
begin

text \<open>
  One variable with the values 0 and 1, and two elements may not both have 1.  The rule sets it for one element, and all
  others to 0, and the invariant is proven.  Where it leaves the others alone, the method must not prove it, nor that
  two elements have different values.
\<close>

definition held :: "vars" where "held = [(0, ([0], ([], [0, 1])))]"
definition two :: "cubes" where "two = [(1, ([0, 0], And (Eq (Rd 0 [1]) (Cn 1)) (Eq (Rd 0 [2]) (Cn 1))))]"
definition take_from_others :: "drule" where
  "take_from_others = ([0], (T, [(0, If (Eq (Ix 0 1) (Ix 0 2)) (Tm (Cn 1)) (Tm (Cn 0)))]))"
definition take_as_well :: "drule" where
  "take_as_well = ([0], (T, [(0, If (Eq (Ix 0 1) (Ix 0 2)) (Tm (Cn 1)) (Tm (Rd 0 [2])))]))"
definition both :: "part" where "both = ([0, 0], Or (Eq (Ix 0 1) (Ix 0 2)) (Ne (Rd 0 [1]) (Rd 0 [2])))"

lemma "check_rule held two [] take_from_others []"
  by evaluation

ML \<open>
fun proves t = is_some (SINGLE (ParaProof_Evaluation.tac \<^context> 1) (Goal.init (Thm.cterm_of \<^context> t)));

val _ = \<^assert> (proves \<^prop>\<open>check_rule held two [] take_from_others []\<close>);
val _ = \<^assert> (not (proves \<^prop>\<open>check_rule held two [] take_as_well []\<close>));
val _ = \<^assert> (not (proves \<^prop>\<open>check_part held two [] both ([], [])\<close>));
\<close>

end
