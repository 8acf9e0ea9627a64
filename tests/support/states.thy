(*  The states that a program of PROTOCOL reaches, counted by executing its meaning. *)

theory PROTOCOL_States
  imports PROTOCOL_Program
begin

definition locations :: "program \<Rightarrow> location list" where
  "locations P = concat (map (\<lambda>(x, t). case x of
     Variable n \<Rightarrow> map (\<lambda>(p, _). (n, p)) (scalars t) | _ \<Rightarrow> []) (types P))"

definition stored :: "program \<Rightarrow> scalar option list \<Rightarrow> store" where
  "stored P vs = (let at = zip (locations P) vs in (\<lambda>l. case map_of at l of None \<Rightarrow> None | Some v \<Rightarrow> v))"

definition results :: "program \<Rightarrow> mrule list \<Rightarrow> store \<Rightarrow> scalar option list list" where
  "results P ms s = concat (map (\<lambda>m. concat (map (\<lambda>r. if enabled P r s then (case fire P r s of
     Done s' \<Rightarrow> [map s' (locations P)] | _ \<Rightarrow> []) else []) (instances m))) ms)"

definition first :: "program \<Rightarrow> scalar option list list" where
  "first P = results P (starts P) (\<lambda>l. None)"

definition successors :: "program \<Rightarrow> scalar option list \<Rightarrow> scalar option list list" where
  "successors P vs = results P (rules P) (stored P vs)"

definition holding :: "program \<Rightarrow> scalar option list \<Rightarrow> bool" where
  "holding P vs = list_all (\<lambda>e. eval (type_of P) (stored P vs) e = Done (Truth True)) (invariants P)"

definition encoded :: "scalar option list \<Rightarrow> integer list" where
  "encoded vs = concat (map (\<lambda>v. case v of None \<Rightarrow> [0] | Some (Truth b) \<Rightarrow> [1, if b then 1 else 0]
    | Some (Number k) \<Rightarrow> [2, integer_of_int k] | Some (Member m) \<Rightarrow> [3, integer_of_nat m]
    | Some (Element t k) \<Rightarrow> [4, integer_of_nat t, integer_of_nat k]) vs)"

ML \<open>
fun counted P =
  let
    fun key s = space_implode "," (map Int.toString (@{code encoded} s))
    fun add s (seen, open_) =
      if Symtab.defined seen (key s) then (seen, open_) else (Symtab.update (key s, ()) seen, s :: open_)
    fun go (seen, []) = length (Symtab.keys seen)
      | go (seen, s :: rest) =
          if @{code holding} P s then go (fold add (@{code successors} P s) (seen, rest))
          else error "an invariant does not hold"
  in go (fold add (@{code first} P) (Symtab.empty, [])) end

val nat = @{code nat_of_integer}
fun same (P, expected) =
  let val found = counted P
  in if found = expected then () else error ("PROTOCOL has " ^ Int.toString found ^ " states in HOL, not " ^ Int.toString expected) end
val _ = List.app same [INSTANCES]
\<close>

end
