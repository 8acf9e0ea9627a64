(*  ParaProof_Evaluation.thy: evaluation of the checker by inferences of the kernel.

    The method code_simp evaluates by the simplifier.  After each "case" and each "if", the simplifier traverses the
    whole term again, and the terms here contain a whole protocol.  The method below rewrites with the same code equations
    in the order of a functional program: it evaluates arguments first, and never visits a value again.

    Nothing below has to be trusted: each step is an inference of Isabelle's kernel (instantiation of a code equation,
    congruence, transitivity, beta conversion), and a wrong program could only fail to prove something.
*)

theory ParaProof_Evaluation
  imports ParaProof_Checker
begin

text \<open>The program needs equations for the numerals in data as well.\<close>

definition numerals :: "int list \<times> nat list" where
  "numerals = ([0, 1, 2, 3], [0, 1, 2, 3])"

ML \<open>
structure ParaProof_Evaluation:
sig
  val tac: Proof.context -> int -> tactic
end =
struct

(** code equations **)

(*The left side of an equation: variables, by their numbers, below constructors.*)

datatype pattern = Hole of int | Constructor of string * pattern list

(*
  A skeleton describes what remains to be evaluated in a term.  Each right side of an equation has one: its variables
  stand for arguments, and its bound variables for what functions are applied to later; both are values by then.
*)

datatype skeleton =
    Argument of int
  | Bound of int
  | Lambda of skeleton
  | Application of head * skeleton list
and head = Constant of constant | Function of skeleton
and value =
    Data
  | Closure of skeleton * environment
  | Partial of constant * value list
  | Delayed of skeleton * environment
and environment = Environment of value Vector.vector * value list
and constant = Code of code lazy
and code = Equations of {arity: int, strict: bool list, equations: equation list}
and equation = Equation of
  {patterns: pattern list, variables: (indexname * typ) list, step: thm, right: skeleton};

fun skeleton_of constant variables =
  let
    fun position v = find_index (fn w => v = w) variables;
    fun skeleton t =
      (case strip_comb t of
        (Term.Const c, ts) => Application (Constant (constant c), map skeleton ts)
      | (h, []) => single h
      | (h, ts) => Application (Function (single h), map skeleton ts))
    and single (Term.Var v) = Argument (position v)
      | single (Term.Bound i) = Bound i
      | single (Term.Abs (_, _, t)) = Lambda (skeleton t)
      | single t = raise TERM ("evaluation: term with free variables", [t]);
  in skeleton end;

fun pattern_of variables t =
  (case strip_comb t of
    (Term.Var v, []) => Hole (find_index (fn w => v = w) variables)
  | (Term.Const (c, _), ts) => Constructor (c, map (pattern_of variables) ts)
  | _ => raise TERM ("evaluation: no pattern", [t]));

(*The equation for one type of its constant, if that is an instance of the equation's type.*)

fun equation_of ctxt constant T equation =
  let val general = fastype_of (head_of (Thm.term_of (Thm.lhs_of equation))) in
    (case try (Type.raw_match (general, T)) Vartab.empty of
      NONE => NONE
    | SOME types =>
        let
          val instances = TVars.build (types |> Vartab.fold (fn (xi, (S, U)) =>
            TVars.add ((xi, S), Thm.ctyp_of ctxt U)));
          val step = Thm.instantiate (instances, Vars.empty) equation;
          val (left, right) = Logic.dest_equals (Thm.prop_of step);
          val variables = rev (Term.add_vars left []);
        in
          SOME (Equation {patterns = map (pattern_of variables) (snd (strip_comb left)),
            variables = variables, step = step, right = skeleton_of constant variables right})
        end)
  end;

(*
  Arguments are evaluated first, except for "case", "if", "let", and connectives: of their arguments, only those that are
  matched are evaluated, or else the first.  A constant without equations is a constructor; its arity is negative.
*)

fun code_of ctxt constant (table, lazies) (c, T) =
  let
    val equations =
      map_filter (equation_of ctxt constant T o Thm.transfer' ctxt) (Symtab.lookup_list table c);
    val arity = (case equations of [] => ~1 | Equation {patterns, ...} :: _ => length patterns);
    fun is_matched i = exists (fn Equation {patterns, ...} =>
      (case nth patterns i of Hole _ => false | Constructor _ => true)) equations;
    val matched = map_range is_matched arity;
    val strict =
      if not (Symtab.defined lazies c) then map_range (K true) arity
      else if c = \<^const_name>\<open>HOL.conj\<close> orelse c = \<^const_name>\<open>HOL.disj\<close> orelse not (exists I matched)
      then map_range (fn i => i = 0) arity
      else matched;
  in Equations {arity = arity, strict = strict, equations = equations} end;

(*Each constant is looked up once for each instance of its type.*)

fun lookup ctxt tables =
  let
    val known = Unsynchronized.ref (Symtab.empty: (typ * constant) list Symtab.table);
    fun constant (c, T) =
      (case AList.lookup (op =) (Symtab.lookup_list (! known) c) T of
        SOME found => found
      | NONE =>
          let val new = Code (Lazy.lazy (fn () => code_of ctxt constant tables (c, T)))
          in Unsynchronized.change known (Symtab.cons_list (c, (T, new))); new end);
  in constant end;


(** inferences: a theorem "t == u", or NONE if u is t **)

fun transitive (SOME th1) (SOME th2) = SOME (Thm.transitive th1 th2)
  | transitive NONE th = th
  | transitive th NONE = th;

fun combination NONE _ NONE _ = NONE
  | combination (SOME f) _ NONE ca = SOME (Thm.combination f (Thm.reflexive ca))
  | combination NONE cf (SOME a) _ = SOME (Thm.combination (Thm.reflexive cf) a)
  | combination (SOME f) _ (SOME a) _ = SOME (Thm.combination f a);

fun result NONE ct = ct
  | result (SOME th) _ = Thm.rhs_of th;

fun dest_args n ct =
  let
    fun dest 0 cf cas = (cf, cas)
      | dest i cf cas = let val (cg, ca) = Thm.dest_comb cf in dest (i - 1) cg (ca :: cas) end;
  in dest n ct [] end;


(** matching **)

fun fits (Hole _) _ = true
  | fits (Constructor (c, ps)) t =
      (case strip_comb t of
        (Term.Const (d, _), ts) => c = d andalso fit ps ts
      | _ => false)
and fit ps ts = ListPair.allEq (fn (p, t) => fits p t) (ps, ts);

fun fill (Hole i) ct = cons (i, ct)
  | fill (Constructor (_, [])) _ = I
  | fill (Constructor (_, ps)) ct = fold2 fill ps (snd (dest_args (length ps) ct));

(*A variable that occurs twice on the left matches equal terms only.*)

fun agree [] = true
  | agree ((i, ct) :: rest) =
      (case AList.lookup (op =) rest i of NONE => true | SOME ct' => ct aconvc ct') andalso agree rest;

fun find _ [] = NONE
  | find cas (Equation (e as {patterns, ...}) :: rest) =
      if fit patterns (map Thm.term_of cas) then
        let val filled = fold2 fill patterns cas []
        in if agree filled then SOME (e, filled) else find cas rest end
      else find cas rest;

fun instance variables filled step =
  let
    fun add (i, ct) instances =
      let val v = nth variables i
      in if Vars.defined instances v then instances else Vars.add (v, ct) instances end;
  in
    if null variables then step
    else Thm.instantiate (TVars.empty, Vars.build (fold add filled)) step
  end;


(** evaluation **)

val outermost = Environment (Vector.fromList [], []);

(*
  Evaluates a term, given its skeleton and values for its variables.  The result is the theorem that the term equals its
  value, and what is known about the value.  If a value is needed as a function, its skeleton is made from its term (skeleton).
*)

fun evaluate skeleton =
  let
    fun eval (Environment (args, _)) (Argument i) ct = force (Vector.sub (args, i)) ct
      | eval (Environment (_, bounds)) (Bound i) ct = force (nth bounds i) ct
      | eval env (Lambda body) _ = (NONE, Closure (body, env))
      | eval env (Application (Constant c, ss)) ct = call env c [] ss ct
      | eval env (Application (Function s, ss)) ct =
          let
            val (cf, cas) = dest_args (length ss) ct;
            val (th, v) = eval env s cf;
          in apply env (th, cf, v) ss cas end

    and force (Delayed (s, env)) ct = eval env s ct
      | force v _ = (NONE, v)

    (*cf equals a function with the value v; it is applied to the terms cas with the skeletons ss*)
    and apply env (th, cf, v) (s :: ss) (ca :: cas) =
          (case v of
            Closure (body, Environment (args, bounds)) =>
              let
                val (tha, va) = eval env s ca;
                val cfa = Thm.apply cf ca;
                val th1 = combination th cf tha ca;
                val beta = Thm.beta_conversion false (result th1 cfa);
                val (th2, v2) = eval (Environment (args, va :: bounds)) body (Thm.rhs_of beta);
              in apply env (transitive (transitive th1 (SOME beta)) th2, cfa, v2) ss cas end
          | Partial (c, vs) =>
              let
                val th1 = Option.map (fold (fn ca => fn th => Thm.combination th (Thm.reflexive ca)) (ca :: cas)) th;
                val (th2, v2) = call env c vs (s :: ss) (fold (fn ca => fn cf => Thm.apply cf ca) (ca :: cas) (result th cf));
              in (transitive th1 th2, v2) end
          | Delayed (s', env') => again env (th, cf) (eval env' s' (result th cf)) (s :: ss) (ca :: cas)
          | Data =>
              let val cf1 = result th cf
              in again env (th, cf) (eval outermost (skeleton (Thm.term_of cf1)) cf1) (s :: ss) (ca :: cas) end)
      | apply _ (th, _, v) _ _ = (th, v)

    and again _ (_, cf) (_, Data) _ _ = raise CTERM ("evaluation: no function", [cf])
      | again env (th, cf) (th', v) ss cas = apply env (transitive th th', cf, v) ss cas

    (*a constant that is applied to values vs and then to terms with the skeletons ss, together ct*)
    and call env (c as Code code) vs ss ct =
      let
        val Equations {arity, strict, equations} = Lazy.force code;
        val (k, n) = (length vs, length ss);
        val (cf, cas) = dest_args n ct;
      in
        if arity >= 0 andalso k + n >= arity then
          let
            val (ss1, ss2) = chop (arity - k) ss;
            val (cas1, cas2) = chop (arity - k) cas;
            val (th, cf1, ws) = arguments env (drop k strict) ss1 cas1 (NONE, cf);
            val (th', v) = unfold equations arity (vs @ ws) (result th cf1);
          in apply env (transitive th th', cf1, v) ss2 cas2 end
        else if n = 0 then (NONE, Partial (c, vs))
        else
          let val (th, _, ws) = arguments env (map (K true) ss) ss cas (NONE, cf) in
            (th, if arity < 0 andalso not (can dest_funT (Thm.typ_of_cterm ct)) then Data else Partial (c, vs @ ws))
          end
      end

    and arguments env (b :: bs) (s :: ss) (ca :: cas) (th, cf) =
          let
            val (tha, va) = if b then eval env s ca else (NONE, Delayed (s, env));
            val (th', cf', vs) = arguments env bs ss cas (combination th cf tha ca, Thm.apply cf ca);
          in (th', cf', va :: vs) end
      | arguments _ _ _ _ (th, cf) = (th, cf, [])

    (*one equation, and the evaluation of its right side*)
    and unfold equations arity vs ct =
      (case find (snd (dest_args arity ct)) equations of
        NONE => raise CTERM ("evaluation: no equation fits", [ct])
      | SOME ({patterns, variables, step, right}, filled) =>
          let
            val known = map_filter (fn (Hole i, v) => SOME (i, v) | _ => NONE) (patterns ~~ vs);
            val args = Vector.tabulate (length variables, fn i => the_default Data (AList.lookup (op =) known i));
            val th = instance variables filled step;
            val (th', v) = eval (Environment (args, [])) right (Thm.rhs_of th);
          in (transitive (SOME th) th', v) end);
  in eval outermost end;


(** the checker's program **)

fun tables_of program =
  let
    fun add equation =
      apfst (Symtab.cons_list (fst (dest_Const (head_of (Thm.term_of (Thm.lhs_of equation)))), equation));
    fun statement (Code_Symbol.Constant c, Code_Thingol.Fun ((_, equations), cong)) =
          fold add (map_filter (fst o snd) equations) #> is_some cong ? apsnd (Symtab.insert_set c)
      | statement (_, Code_Thingol.Classinst {inst_params, ...}) = fold (add o fst o snd) inst_params
      | statement _ = I;
    val connectives = Symtab.make_set [\<^const_name>\<open>HOL.conj\<close>, \<^const_name>\<open>HOL.disj\<close>];
  in
    Code_Symbol.Graph.fold (fn (symbol, (stmt, _)) => statement (symbol, stmt)) program (Symtab.empty, connectives)
    |> apfst (Symtab.map (K rev))
  end;

val checker_conv =
  Code_Thingol.static_conv_isa
    {ctxt = \<^context>,
     consts = [\<^const_name>\<open>check_starts\<close>, \<^const_name>\<open>check_rule\<close>, \<^const_name>\<open>check_rules\<close>, \<^const_name>\<open>check_part\<close>,
       \<^const_name>\<open>check_all\<close>, \<^const_name>\<open>check_starts_under\<close>, \<^const_name>\<open>check_rule_under\<close>,
       \<^const_name>\<open>check_rules_under\<close>, \<^const_name>\<open>check_all_under\<close>, \<^const_name>\<open>numerals\<close>]}
    (fn program =>
      let val tables = tables_of program in
        fn ctxt => fn _ => fn ct =>
          let val skeleton = skeleton_of (lookup ctxt tables) []
          in the_default (Thm.reflexive ct) (fst (evaluate skeleton (skeleton (Thm.term_of ct)) ct)) end
      end);

(*A constant that is not in this theory is data: its definition c_def is unfolded.*)

val base = \<^theory>;

fun data_conv ctxt ct =
  (case Thm.term_of ct of
    Const (c, _) =>
      if Sign.declared_const base c then Conv.all_conv ct
      else
        let val definition = mk_meta_eq (Proof_Context.get_thm ctxt (c ^ "_def"))
        in (Conv.rewr_conv definition then_conv data_conv ctxt) ct end
  | _ $ _ => Conv.comb_conv (data_conv ctxt) ct
  | _ => Conv.all_conv ct);

fun tac ctxt =
  CONVERSION (HOLogic.Trueprop_conv (data_conv ctxt then_conv checker_conv ctxt)) THEN' resolve_tac ctxt [TrueI];

end
\<close>

hide_const (open) numerals

method_setup evaluation = \<open>Scan.succeed (SIMPLE_METHOD' o ParaProof_Evaluation.tac)\<close>
  "evaluation of the checker by inferences of the kernel"

end
