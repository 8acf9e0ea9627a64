(*  ParaProof_Numbers.thy: state variables that are integers.

    The theories of a model with numbers of any size, or with an order on an index type, use this theory
    besides the base theory.
*)

theory ParaProof_Numbers
  imports ParaProof
begin

text \<open>
  A state variable that is a number is read as an integer: \<open>Ticket s i = number (s 3 [i])\<close>.  How a value stands for
  an integer does not matter, since states are read by such definitions only; what matters is that each integer
  has a value.
\<close>

fun number :: "val \<Rightarrow> int" where
  "number (Const n) = int n"
| "number (Elem t n) = - int n"

lemma each_integer_has_a_value: "\<exists>x. number x = k"
proof (cases "0 \<le> k")
  case True
  then have "number (Const (nat k)) = k" by simp
  then show ?thesis by blast
next
  case False
  then have "number (Elem 0 (nat (- k))) = k" by simp
  then show ?thesis by blast
qed

end
