(*  ParaProof_Murphi.thy: the language Murphi in HOL, as far as ParaProof proves theorems about Murphi programs.

    The abstract syntax of programs, and what they mean: evaluation of expressions, execution of statements, steps of
    rules, and the states that a program reaches.  It follows the reference manual (Dill et al., "Murphi annotated
    reference manual", release 3.1).  Everything can be executed.  It depends on no other theory of ParaProof, and
    states no axioms.
*)

theory ParaProof_Murphi
  imports Main
begin

section \<open>Values, types, stores\<close>

text \<open>
  A scalar is a truth value, a number, a member of an enumeration, or the \<open>k\<close>-th element of a scalarset.
  Members and scalarsets are numbered; a program gives the numbers names.
\<close>

datatype (plugins del: "quickcheck") scalar = Truth bool | Number int | Member nat | Element nat nat

text \<open>
  Ranges and scalarsets may have any size.  The elements of a scalarset have an order here, the one in which loops run
  through them; since elements have no names, this is any order.  Fields of records are numbered, too.
\<close>

datatype (plugins del: "quickcheck") mtype =
    Boolean
  | Enum "scalar list"
  | Range int int
  | Scalarset nat nat
  | Union "mtype list"
  | Record "(nat \<times> mtype) list"
  | Array mtype mtype

text \<open>The values of a scalar type, in ascending order.  Records and arrays are not scalar.\<close>

primrec "values" :: "mtype \<Rightarrow> scalar list" where
  "values Boolean = [Truth False, Truth True]"
| "values (Enum ms) = ms"
| "values (Range a b) = map Number [a..b]"
| "values (Scalarset t n) = map (Element t) [1..<n + 1]"
| "values (Union ts) = concat (map values ts)"
| "values (Record fs) = []"
| "values (Array d t) = []"

text \<open>
  A location is a variable and a path into it: fields, and indices of elements.  A store has a value at each location,
  or none: then the location is undefined.  The list \<open>scalars t\<close> has the paths to all scalars inside a variable of
  type \<open>t\<close>, each with its type.
\<close>

datatype (plugins del: "quickcheck") selector = Field nat | Index scalar

type_synonym path = "selector list"
type_synonym location = "nat \<times> path"
type_synonym store = "location \<Rightarrow> scalar option"

primrec scalars :: "mtype \<Rightarrow> (path \<times> mtype) list" where
  "scalars Boolean = [([], Boolean)]"
| "scalars (Enum ms) = [([], Enum ms)]"
| "scalars (Range a b) = [([], Range a b)]"
| "scalars (Scalarset t n) = [([], Scalarset t n)]"
| "scalars (Union ts) = [([], Union ts)]"
| "scalars (Record fs) =
    concat (map (\<lambda>(f, ss). map (\<lambda>(p, t). (Field f # p, t)) ss) (map (map_prod id scalars) fs))"
| "scalars (Array d t) = concat (map (\<lambda>v. map (\<lambda>(p, t). (Index v # p, t)) (scalars t)) (values d))"

text \<open>What evaluation and execution come to: a result, a run-time error, or an assertion that does not hold.\<close>

datatype (plugins del: "quickcheck") 'a outcome = Done 'a | Error | Violated

primrec bind :: "'a outcome \<Rightarrow> ('a \<Rightarrow> 'b outcome) \<Rightarrow> 'b outcome" where
  "bind (Done x) f = f x"
| "bind Error f = Error"
| "bind Violated f = Violated"


section \<open>Expressions\<close>

text \<open>
  A place is a variable, an element of an array, or a field of a record; \<open>At l t\<close> is a location of type \<open>t\<close>, which
  an alias stands for.  A variable that is bound by a quantifier (and, below, by a loop or a ruleset) is a bound
  variable of HOL.
\<close>

datatype (plugins del: "quickcheck") expr =
    Lit scalar
  | Read place
  | Not expr
  | And expr expr (infixr \<open>.&\<close> 53)
  | Or expr expr (infixr \<open>.|\<close> 52)
  | Implies expr expr (infixr \<open>.->\<close> 51)
  | Equal expr expr (infix \<open>.=\<close> 55)
  | Less expr expr (infix \<open>.<\<close> 55)
  | Arith "int \<Rightarrow> int \<Rightarrow> int option" expr expr
  | Cond expr expr expr
  | Forall mtype "scalar \<Rightarrow> expr"
  | Exists mtype "scalar \<Rightarrow> expr"
  | IsUndefined place
and place =
    Variable nat
  | Elt place expr (\<open>_\<langle>_\<rangle>\<close> [999, 0] 999)
  | Fld place nat (\<open>_\<bullet>_\<close> [999, 1000] 999)
  | At location mtype

text \<open>The operators on numbers.  Quotients are rounded towards zero.\<close>

definition "add a b = Some (a + b)" for a b :: int
definition "subtract a b = Some (a - b)" for a b :: int
definition "multiply a b = Some (a * b)" for a b :: int
definition "quo a b = (if b = 0 then None else Some (sgn a * sgn b * (\<bar>a\<bar> div \<bar>b\<bar>)))" for a b :: int
definition "rem a b = (if b = 0 then None else Some (sgn a * (\<bar>a\<bar> mod \<bar>b\<bar>)))" for a b :: int

text \<open>
  Reading an undefined location is an error, and so is an index that is no value of the array's index type.  Operators
  on conditions evaluate the second operand only if it matters; quantifiers stop at the first value that decides.
\<close>

primrec truth :: "scalar \<Rightarrow> bool outcome" where
  "truth (Truth b) = Done b"
| "truth (Number k) = Error"
| "truth (Member m) = Error"
| "truth (Element t k) = Error"

primrec number :: "scalar \<Rightarrow> int outcome" where
  "number (Truth b) = Error"
| "number (Number k) = Done k"
| "number (Member m) = Error"
| "number (Element t k) = Error"

primrec all :: "(scalar \<Rightarrow> scalar outcome) \<Rightarrow> scalar list \<Rightarrow> bool outcome" where
  "all f [] = Done True"
| "all f (v # vs) = bind (bind (f v) truth) (\<lambda>b. if b then all f vs else Done False)"

primrec some :: "(scalar \<Rightarrow> scalar outcome) \<Rightarrow> scalar list \<Rightarrow> bool outcome" where
  "some f [] = Done False"
| "some f (v # vs) = bind (bind (f v) truth) (\<lambda>b. if b then Done True else some f vs)"

definition yes :: "bool outcome \<Rightarrow> scalar outcome" where
  "yes b = bind b (\<lambda>b. Done (Truth b))"

text \<open>The argument \<open>D\<close> has the types of the variables.\<close>

primrec eval :: "(nat \<Rightarrow> mtype) \<Rightarrow> store \<Rightarrow> expr \<Rightarrow> scalar outcome"
  and locate :: "(nat \<Rightarrow> mtype) \<Rightarrow> store \<Rightarrow> place \<Rightarrow> (location \<times> mtype) outcome"
where
  "eval D s (Lit v) = Done v"
| "eval D s (Read p) = bind (locate D s p) (\<lambda>(l, t). case s l of None \<Rightarrow> Error | Some v \<Rightarrow> Done v)"
| "eval D s (Not a) = yes (bind (bind (eval D s a) truth) (\<lambda>a. Done (\<not> a)))"
| "eval D s (a .& b) = yes (bind (bind (eval D s a) truth) (\<lambda>a. if a then bind (eval D s b) truth else Done False))"
| "eval D s (a .| b) = yes (bind (bind (eval D s a) truth) (\<lambda>a. if a then Done True else bind (eval D s b) truth))"
| "eval D s (a .-> b) =
    yes (bind (bind (eval D s a) truth) (\<lambda>a. if a then bind (eval D s b) truth else Done True))"
| "eval D s (a .= b) = yes (bind (eval D s a) (\<lambda>a. bind (eval D s b) (\<lambda>b. Done (a = b))))"
| "eval D s (a .< b) =
    yes (bind (bind (eval D s a) number) (\<lambda>a. bind (bind (eval D s b) number) (\<lambda>b. Done (a < b))))"
| "eval D s (Arith f a b) =
    bind (bind (eval D s a) number) (\<lambda>a. bind (bind (eval D s b) number) (\<lambda>b.
      case f a b of None \<Rightarrow> Error | Some k \<Rightarrow> Done (Number k)))"
| "eval D s (Cond c a b) = bind (bind (eval D s c) truth) (\<lambda>c. if c then eval D s a else eval D s b)"
| "eval D s (Forall t f) = yes (all (\<lambda>v. eval D s (f v)) (values t))"
| "eval D s (Exists t f) = yes (some (\<lambda>v. eval D s (f v)) (values t))"
| "eval D s (IsUndefined p) = bind (locate D s p) (\<lambda>(l, t). Done (Truth (s l = None)))"
| "locate D s (Variable x) = Done ((x, []), D x)"
| "locate D s (p\<langle>e\<rangle>) = bind (locate D s p) (\<lambda>((x, q), t). bind (eval D s e) (\<lambda>v.
    case t of Array d t \<Rightarrow> if v \<in> set (values d) then Done ((x, q @ [Index v]), t) else Error
    | _ \<Rightarrow> Error))"
| "locate D s (p\<bullet>f) = bind (locate D s p) (\<lambda>((x, q), t).
    case t of Record fs \<Rightarrow> (case map_of fs f of None \<Rightarrow> Error | Some t \<Rightarrow> Done ((x, q @ [Field f]), t))
    | _ \<Rightarrow> Error)"
| "locate D s (At l t) = Done (l, t)"


section \<open>Statements\<close>

text \<open>
  \<open>Assign p e\<close> stores the value of an expression, which must be a value of the type of \<open>p\<close>; \<open>Copy p q\<close> stores what
  is in the place \<open>q\<close>, a scalar, record or array, and also copies what is undefined.  \<open>Let e c\<close> is \<open>c\<close> with a bound
  variable for the value of \<open>e\<close> (a \<open>switch\<close> evaluates its expression once).  \<open>Loop a b k c\<close> is a \<open>for\<close> from \<open>a\<close> to \<open>b\<close>
  by \<open>k\<close>.
\<close>

datatype (plugins del: "quickcheck") stmt =
    Skip
  | Seq stmt stmt (infixr \<open>;;\<close> 48)
  | Assign place expr (infix \<open>.:=\<close> 50)
  | Copy place place (infix \<open>.:==\<close> 50)
  | Undefine place
  | Clear place
  | If expr stmt stmt
  | Let expr "scalar \<Rightarrow> stmt"
  | For mtype "scalar \<Rightarrow> stmt"
  | Loop expr expr expr "scalar \<Rightarrow> stmt"
  | Alias place "place \<Rightarrow> stmt"
  | Assert expr

text \<open>The scalars in the place \<open>(x, p)\<close>, with the paths \<open>ss\<close> inside it, get the values that \<open>f\<close> has for them.\<close>

definition "write" :: "store \<Rightarrow> location \<Rightarrow> path list \<Rightarrow> (path \<Rightarrow> scalar option) \<Rightarrow> store" where
  "write s l ps f = (\<lambda>(x, q).
     if x = fst l \<and> q \<in> (@) (snd l) ` set ps then f (drop (length (snd l)) q) else s (x, q))"

definition copy :: "store \<Rightarrow> location \<Rightarrow> mtype \<Rightarrow> location \<Rightarrow> store outcome" where
  "copy s l t m = (let get = (\<lambda>p. s (fst m, snd m @ p)) in
     if \<forall>(p, u) \<in> set (scalars t). get p = None \<or> get p \<in> Some ` set (values u)
     then Done (write s l (map fst (scalars t)) get) else Error)"

definition clear :: "mtype \<Rightarrow> path \<Rightarrow> scalar option" where
  "clear t p = (case map_of (scalars t) p of None \<Rightarrow> None | Some u \<Rightarrow>
     (case values u of [] \<Rightarrow> None | v # vs \<Rightarrow> Some v))"

primrec each :: "(scalar \<Rightarrow> store \<Rightarrow> store outcome) \<Rightarrow> scalar list \<Rightarrow> store \<Rightarrow> store outcome" where
  "each f [] s = Done s"
| "each f (v # vs) s = bind (f v s) (each f vs)"

text \<open>The numbers \<open>a, a + k, a + 2 * k, \<dots>\<close> up to \<open>b\<close>, or down to it.\<close>

definition progression :: "int \<Rightarrow> int \<Rightarrow> int \<Rightarrow> scalar list outcome" where
  "progression a b k = (if k = 0 then Error
     else Done (map (\<lambda>n. Number (a + int n * k)) [0..<nat ((b - a) div k + 1)]))"

primrec exec :: "(nat \<Rightarrow> mtype) \<Rightarrow> stmt \<Rightarrow> store \<Rightarrow> store outcome" where
  "exec D Skip s = Done s"
| "exec D (c ;; d) s = bind (exec D c s) (exec D d)"
| "exec D (p .:= e) s = bind (locate D s p) (\<lambda>(l, t). bind (eval D s e) (\<lambda>v.
    if v \<in> set (values t) then Done (s(l := Some v)) else Error))"
| "exec D (p .:== q) s = bind (locate D s p) (\<lambda>(l, t). bind (locate D s q) (\<lambda>(m, _). copy s l t m))"
| "exec D (Undefine p) s = bind (locate D s p) (\<lambda>(l, t). Done (write s l (map fst (scalars t)) (\<lambda>_. None)))"
| "exec D (Clear p) s = bind (locate D s p) (\<lambda>(l, t). Done (write s l (map fst (scalars t)) (clear t)))"
| "exec D (If e c d) s = bind (bind (eval D s e) truth) (\<lambda>b. if b then exec D c s else exec D d s)"
| "exec D (Let e f) s = bind (eval D s e) (\<lambda>v. exec D (f v) s)"
| "exec D (For t f) s = each (\<lambda>v. exec D (f v)) (values t) s"
| "exec D (Loop a b k f) s =
    bind (bind (eval D s a) number) (\<lambda>a. bind (bind (eval D s b) number) (\<lambda>b. bind (bind (eval D s k) number) (\<lambda>k.
      bind (progression a b k) (\<lambda>vs. each (\<lambda>v. exec D (f v)) vs s))))"
| "exec D (Alias p f) s = bind (locate D s p) (\<lambda>(l, t). exec D (f (At l t)) s)"
| "exec D (Assert e) s = bind (bind (eval D s e) truth) (\<lambda>b. if b then Done s else Violated)"


section \<open>Programs\<close>

text \<open>
  A rule has local variables, a guard and a body.  A startstate is a rule whose guard is \<open>true\<close>.  A ruleset is a rule
  for each value of a type.
\<close>

datatype (plugins del: "quickcheck") mrule =
    Rule "place list" expr stmt
  | Ruleset mtype "scalar \<Rightarrow> mrule"

primrec instances :: "mrule \<Rightarrow> (place list \<times> expr \<times> stmt) list" where
  "instances (Rule xs g c) = [(xs, g, c)]"
| "instances (Ruleset t f) = concat (map (\<lambda>v. instances (f v)) (values t))"

text \<open>A program: the types of its variables, its startstates, rules, and invariants.\<close>

datatype (plugins del: "quickcheck") program =
  Program (types: "(place \<times> mtype) list") (starts: "mrule list") (rules: "mrule list") (invariants: "expr list")

definition type_of :: "program \<Rightarrow> nat \<Rightarrow> mtype" where
  "type_of P x = (case map_of (types P) (Variable x) of None \<Rightarrow> Record [] | Some t \<Rightarrow> t)"

text \<open>Places have no equality that can be executed, since they may contain functions; names of variables have.\<close>

definition is_variable :: "nat \<Rightarrow> place \<Rightarrow> bool" where
  "is_variable x p = (case p of Variable y \<Rightarrow> x = y | Elt q e \<Rightarrow> False | Fld q f \<Rightarrow> False | At l t \<Rightarrow> False)"

lemma is_variable: "is_variable x p \<longleftrightarrow> Variable x = p"
  by (cases p) (simp_all add: is_variable_def)

lemma type_of_code [code]:
  "type_of P x = (case find (is_variable x \<circ> fst) (types P) of None \<Rightarrow> Record [] | Some (p, t) \<Rightarrow> t)"
proof -
  have "map_of ts (Variable x) = map_option snd (find (is_variable x \<circ> fst) ts)" for ts :: "(place \<times> mtype) list"
    by (induction ts) (auto simp: is_variable)
  then show ?thesis
    by (simp add: type_of_def split: option.split)
qed

text \<open>
  A rule fires if its guard evaluates to true.  Its local variables are undefined before and afterwards.  An execution
  that ends in a run-time error has no next state.
\<close>

definition leave :: "place list \<Rightarrow> store \<Rightarrow> store" where
  "leave xs s = (\<lambda>l. if Variable (fst l) \<in> set xs then None else s l)"

lemma leave_code [code]: "leave xs s = (\<lambda>l. if list_ex (is_variable (fst l)) xs then None else s l)"
  by (auto simp: leave_def is_variable list_ex_iff fun_eq_iff)

definition fire :: "program \<Rightarrow> place list \<times> expr \<times> stmt \<Rightarrow> store \<Rightarrow> store outcome" where
  "fire P r s = (case r of (xs, g, c) \<Rightarrow> bind (exec (type_of P) c s) (\<lambda>s'. Done (leave xs s')))"

definition enabled :: "program \<Rightarrow> place list \<times> expr \<times> stmt \<Rightarrow> store \<Rightarrow> bool" where
  "enabled P r s = (case r of (xs, g, c) \<Rightarrow> eval (type_of P) s g = Done (Truth True))"

inductive reaches :: "program \<Rightarrow> store \<Rightarrow> bool" for P where
  start: "m \<in> set (starts P) \<Longrightarrow> r \<in> set (instances m) \<Longrightarrow> fire P r (\<lambda>l. None) = Done s \<Longrightarrow> reaches P s"
| step: "reaches P s \<Longrightarrow> m \<in> set (rules P) \<Longrightarrow> r \<in> set (instances m) \<Longrightarrow> enabled P r s \<Longrightarrow>
    fire P r s = Done s' \<Longrightarrow> reaches P s'"

text \<open>
  What is proven about a program: in every state that it reaches, no invariant evaluates to false, and no execution of
  a rule or startstate fails in an assertion.
\<close>

definition safe :: "program \<Rightarrow> bool" where
  "safe P \<longleftrightarrow>
    (\<forall>s e v. reaches P s \<longrightarrow> e \<in> set (invariants P) \<longrightarrow> eval (type_of P) s e = Done v \<longrightarrow> v = Truth True) \<and>
    (\<forall>s m r. reaches P s \<longrightarrow> m \<in> set (rules P) \<longrightarrow> r \<in> set (instances m) \<longrightarrow> enabled P r s \<longrightarrow>
      fire P r s \<noteq> Violated) \<and>
    (\<forall>m r. m \<in> set (starts P) \<longrightarrow> r \<in> set (instances m) \<longrightarrow> fire P r (\<lambda>l. None) \<noteq> Violated)"

end
