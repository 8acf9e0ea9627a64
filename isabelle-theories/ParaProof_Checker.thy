(*  ParaProof_Checker.thy: an executable checker for the certificates of ParaProof.

    A protocol is given as data: terms, formulas, rules and cubes of the datatypes below.  The checker enumerates
    the ways in which the parameters of a rule can coincide with the elements of a cube.  In each case it refutes that
    the cube holds afterwards, from the guard and those instances of invariants that the certificate names.  The
    checker is a program in HOL: it runs by inferences of the kernel (ParaProof_Evaluation.thy, or code_simp) or as
    generated ML (eval).
    ParaProof_Computed.thy proves that it is sound; no optimization in the checker has to be trusted.
*)

theory ParaProof_Checker
  imports ParaProof
begin

section \<open>A protocol as data\<close>

text \<open>
  Elements are given by positions in a list, the environment.  Position 0 is never an element; then come the named
  elements of the model, then the parameters of a rule or the variables of a cube, then bound variables.
  \<open>Ix t p\<close> is the element at the position \<open>p\<close>, of index type \<open>t\<close>.  The bound \<open>Le x y k\<close> says that the number
  \<open>x\<close> is at most \<open>y + k\<close>; an element is there its place in the order of its type.  \<open>Pl x k\<close> is the number \<open>x + k\<close>.
\<close>

datatype (plugins only: code) dval = DC int | DE nat nat

datatype (plugins only: code) trm = Cn int | Ix nat nat | Rd int "nat list" | Pl trm int

datatype (plugins only: code) fm = T | F | Eq trm trm | Ne trm trm | And fm fm | Or fm fm | All nat fm | Exi nat fm | Le trm trm int

datatype (plugins only: code) vl = Tm trm | Any | If fm vl vl | Free_num

text \<open>
  A sort has index types and constants.  Each state variable has the types of its arguments, and a sort.  Those that are
  numbers have lists of their own, in which the sort means nothing; any number is assigned by \<open>Free_num\<close>.
\<close>

type_synonym srt = "nat list \<times> int list"
type_synonym vars = "(int \<times> nat list \<times> srt) list"

text \<open>A rule has the types of its parameters, a guard, and updates, whose arguments follow the parameters.\<close>

type_synonym ups = "(int \<times> vl) list"
type_synonym drule = "nat list \<times> fm \<times> ups"

text \<open>
  A cube has the types of its variables, and the conjunction of its literals and universal parts.  A universal part is a
  disjunction for all elements: one of its literals holds, or the element is a variable of the cube or named.
\<close>

type_synonym cube = "nat list \<times> fm"
type_synonym cubes = "(int \<times> cube) list"
type_synonym dstate = "int \<Rightarrow> nat list \<Rightarrow> dval"


section \<open>The meaning of the data\<close>

primrec at :: "nat list \<Rightarrow> nat \<Rightarrow> nat" where
  "at [] p = 0"
| "at (x # xs) p = (case p of 0 \<Rightarrow> x | Suc q \<Rightarrow> at xs q)"

primrec num_of :: "dval \<Rightarrow> int" where
  "num_of (DC c) = c"
| "num_of (DE t i) = int i"

primrec tv :: "dstate \<Rightarrow> nat list \<Rightarrow> trm \<Rightarrow> dval" where
  "tv \<sigma> e (Cn c) = DC c"
| "tv \<sigma> e (Ix t p) = DE t (at e p)"
| "tv \<sigma> e (Rd v ps) = \<sigma> v (map (at e) ps)"
| "tv \<sigma> e (Pl a k) = DC (num_of (tv \<sigma> e a) + k)"

text \<open>The list \<open>Ns\<close> has the sizes of the index types.\<close>

primrec sat :: "nat list \<Rightarrow> dstate \<Rightarrow> fm \<Rightarrow> nat list \<Rightarrow> bool" where
  "sat Ns \<sigma> T e \<longleftrightarrow> True"
| "sat Ns \<sigma> F e \<longleftrightarrow> False"
| "sat Ns \<sigma> (Eq a b) e \<longleftrightarrow> tv \<sigma> e a = tv \<sigma> e b"
| "sat Ns \<sigma> (Ne a b) e \<longleftrightarrow> tv \<sigma> e a \<noteq> tv \<sigma> e b"
| "sat Ns \<sigma> (And f g) e \<longleftrightarrow> sat Ns \<sigma> f e \<and> sat Ns \<sigma> g e"
| "sat Ns \<sigma> (Or f g) e \<longleftrightarrow> sat Ns \<sigma> f e \<or> sat Ns \<sigma> g e"
| "sat Ns \<sigma> (All t f) e \<longleftrightarrow> (\<forall>x \<in> {1..Ns ! t}. sat Ns \<sigma> f (e @ [x]))"
| "sat Ns \<sigma> (Exi t f) e \<longleftrightarrow> (\<exists>x \<in> {1..Ns ! t}. sat Ns \<sigma> f (e @ [x]))"
| "sat Ns \<sigma> (Le a b c) e \<longleftrightarrow> num_of (tv \<sigma> e a) \<le> num_of (tv \<sigma> e b) + c"

primrec fits :: "nat list \<Rightarrow> srt \<Rightarrow> dval \<Rightarrow> bool" where
  "fits Ns S (DC c) \<longleftrightarrow> c \<in> set (snd S)"
| "fits Ns S (DE t i) \<longleftrightarrow> t \<in> set (fst S) \<and> i \<in> {1..Ns ! t}"

primrec has :: "nat list \<Rightarrow> srt \<Rightarrow> dstate \<Rightarrow> nat list \<Rightarrow> vl \<Rightarrow> dval \<Rightarrow> bool" where
  "has Ns S \<sigma> e (Tm t) w \<longleftrightarrow> w = tv \<sigma> e t"
| "has Ns S \<sigma> e Any w \<longleftrightarrow> fits Ns S w"
| "has Ns S \<sigma> e (If c a b) w \<longleftrightarrow> (if sat Ns \<sigma> c e then has Ns S \<sigma> e a w else has Ns S \<sigma> e b w)"
| "has Ns S \<sigma> e Free_num w \<longleftrightarrow> True"

primrec each :: "nat list \<Rightarrow> nat list \<Rightarrow> (nat list \<Rightarrow> bool) \<Rightarrow> bool" where
  "each Ns [] P \<longleftrightarrow> P []"
| "each Ns (t # ts) P \<longleftrightarrow> (\<forall>i \<in> {1..Ns ! t}. each Ns ts (\<lambda>as. P (i # as)))"

definition ranged :: "nat list \<Rightarrow> nat list \<Rightarrow> nat list \<Rightarrow> bool" where
  "ranged Ns ts xs \<longleftrightarrow> list_all2 (\<lambda>t x. x \<in> {1..Ns ! t}) ts xs"

definition upd :: "nat list \<Rightarrow> vars \<Rightarrow> dstate \<Rightarrow> nat list \<Rightarrow> dstate \<Rightarrow> int \<times> vl \<Rightarrow> bool" where
  "upd Ns V \<sigma> e \<sigma>' u \<longleftrightarrow> (case map_of V (fst u) of None \<Rightarrow> True
     | Some (ats, S) \<Rightarrow> each Ns ats (\<lambda>as. has Ns S \<sigma> (e @ as) (snd u) (\<sigma>' (fst u) as)))"

definition dstep :: "nat list \<Rightarrow> nat list \<Rightarrow> vars \<Rightarrow> drule \<Rightarrow> dstate \<Rightarrow> dstate \<Rightarrow> bool" where
  "dstep Ns nmd V r \<sigma> \<sigma>' \<longleftrightarrow> (\<exists>xs. ranged Ns (fst r) xs \<and> sat Ns \<sigma> (fst (snd r)) (0 # nmd @ xs) \<and>
     list_all (upd Ns V \<sigma> (0 # nmd @ xs) \<sigma>') (snd (snd r)) \<and>
     (\<forall>v. v \<notin> fst ` set (snd (snd r)) \<longrightarrow> \<sigma>' v = \<sigma> v))"

text \<open>
  A startstate is a rule that writes everything but numbers, and reads nothing but numbers that nothing writes.  The states that are
  reached are those that are reached through states that satisfy \<open>Q\<close>.
\<close>

inductive dreach :: "(dstate \<Rightarrow> bool) \<Rightarrow> nat list \<Rightarrow> nat list \<Rightarrow> vars \<Rightarrow> drule list \<Rightarrow> drule list \<Rightarrow> dstate \<Rightarrow> bool"
  for Q Ns nmd V ss rs where
  start: "st \<in> set ss \<Longrightarrow> dstep Ns nmd V st \<sigma> \<sigma>' \<Longrightarrow> Q \<sigma>' \<Longrightarrow> dreach Q Ns nmd V ss rs \<sigma>'"
| step: "dreach Q Ns nmd V ss rs \<sigma> \<Longrightarrow> r \<in> set rs \<Longrightarrow> dstep Ns nmd V r \<sigma> \<sigma>' \<Longrightarrow> Q \<sigma>' \<Longrightarrow> dreach Q Ns nmd V ss rs \<sigma>'"

text \<open>Symbols are positions of elements.  Different symbols of one type are different elements; \<open>ts\<close> has the types.\<close>

primrec ofty :: "nat list \<Rightarrow> nat \<Rightarrow> nat \<Rightarrow> bool" where
  "ofty [] p t \<longleftrightarrow> False"
| "ofty (u # us) p t \<longleftrightarrow> (case p of 0 \<Rightarrow> False | Suc q \<Rightarrow> (case q of 0 \<Rightarrow> u = t | Suc _ \<Rightarrow> ofty us q t))"

definition wf :: "nat list \<Rightarrow> nat list \<Rightarrow> nat list \<Rightarrow> bool" where
  "wf Ns ts es \<longleftrightarrow>
     (\<forall>p t. ofty ts p t \<longrightarrow> at (0 # es) p \<in> {1..Ns ! t}) \<and>
     (\<forall>p q t. ofty ts p t \<longrightarrow> ofty ts q t \<longrightarrow> p \<noteq> q \<longrightarrow> at (0 # es) p \<noteq> at (0 # es) q)"

text \<open>The invariant of a cube; \<open>nt\<close> has the types of the named elements.\<close>

definition excludes :: "nat list \<Rightarrow> nat list \<Rightarrow> nat list \<Rightarrow> dstate \<Rightarrow> cube \<Rightarrow> bool" where
  "excludes Ns nt nmd \<sigma> c \<longleftrightarrow> (\<forall>xs. length xs = length (fst c) \<longrightarrow> wf Ns (nt @ fst c) (nmd @ xs) \<longrightarrow>
     \<not> sat Ns \<sigma> (snd c) (0 # nmd @ xs))"

definition typed :: "nat list \<Rightarrow> vars \<Rightarrow> dstate \<Rightarrow> bool" where
  "typed Ns V \<sigma> \<longleftrightarrow> (\<forall>v ats S. map_of V v = Some (ats, S) \<longrightarrow> each Ns ats (\<lambda>as. fits Ns S (\<sigma> v as)))"


section \<open>The checker: known equations\<close>

text \<open>Three-valued equations between data: different symbols are different elements.\<close>

definition diff :: "nat list \<Rightarrow> trm \<Rightarrow> trm \<Rightarrow> bool" where
  "diff ts a b = (case a of
     Cn c \<Rightarrow> (case b of Cn d \<Rightarrow> c \<noteq> d | Ix _ _ \<Rightarrow> True | Rd _ _ \<Rightarrow> False | Pl _ _ \<Rightarrow> False)
   | Ix t p \<Rightarrow> (case b of Cn _ \<Rightarrow> True
       | Ix u q \<Rightarrow> if t = u then if p = q then False else if ofty ts p t then ofty ts q t else False else True
       | Rd _ _ \<Rightarrow> False | Pl _ _ \<Rightarrow> False)
   | Rd _ _ \<Rightarrow> False | Pl _ _ \<Rightarrow> False)"

definition eqf :: "nat list \<Rightarrow> trm \<Rightarrow> trm \<Rightarrow> fm" where
  "eqf ts a b = (if a = b then T else if diff ts a b then F else Eq a b)"

definition nef :: "nat list \<Rightarrow> trm \<Rightarrow> trm \<Rightarrow> fm" where
  "nef ts a b = (if a = b then F else if diff ts a b then T else Ne a b)"

text \<open>A bound between numbers to which others are added.\<close>

definition base_of :: "trm \<Rightarrow> trm" where
  "base_of a = (case a of Cn _ \<Rightarrow> a | Ix _ _ \<Rightarrow> a | Rd _ _ \<Rightarrow> a | Pl b _ \<Rightarrow> b)"

definition added_to :: "trm \<Rightarrow> int" where
  "added_to a = (case a of Cn _ \<Rightarrow> 0 | Ix _ _ \<Rightarrow> 0 | Rd _ _ \<Rightarrow> 0 | Pl _ k \<Rightarrow> k)"

definition bound_fm :: "trm \<Rightarrow> trm \<Rightarrow> int \<Rightarrow> fm" where
  "bound_fm a b c = (if a = b then if 0 \<le> c then T else F else Le a b c)"

definition lef :: "int \<Rightarrow> trm \<Rightarrow> trm \<Rightarrow> fm" where
  "lef c a b = bound_fm (base_of a) (base_of b) (c + added_to b - added_to a)"

definition conj :: "fm \<Rightarrow> fm \<Rightarrow> fm" where
  "conj f g = (case f of T \<Rightarrow> g | F \<Rightarrow> F | _ \<Rightarrow> (case g of T \<Rightarrow> f | F \<Rightarrow> F | _ \<Rightarrow> And f g))"

definition disj :: "fm \<Rightarrow> fm \<Rightarrow> fm" where
  "disj f g = (case f of F \<Rightarrow> g | T \<Rightarrow> T | _ \<Rightarrow> (case g of F \<Rightarrow> f | T \<Rightarrow> T | _ \<Rightarrow> Or f g))"

primrec conjs :: "fm list \<Rightarrow> fm" where
  "conjs [] = T"
| "conjs (f # fs) = conj f (conjs fs)"

primrec disjs :: "fm list \<Rightarrow> fm" where
  "disjs [] = F"
| "disjs (f # fs) = disj f (disjs fs)"

text \<open>The negation of a formula.\<close>

primrec neg :: "fm \<Rightarrow> fm" where
  "neg T = F"
| "neg F = T"
| "neg (Eq a b) = Ne a b"
| "neg (Ne a b) = Eq a b"
| "neg (And f g) = Or (neg f) (neg g)"
| "neg (Or f g) = And (neg f) (neg g)"
| "neg (All t f) = Exi t (neg f)"
| "neg (Exi t f) = All t (neg f)"
| "neg (Le a b c) = Le b a (- c - 1)"

text \<open>
  Translation of positions to symbols.  What holds for all elements holds for the symbols.  That an element exists is left
  out: see \<open>ways\<close>.
\<close>

primrec gt :: "nat list \<Rightarrow> trm \<Rightarrow> trm" where
  "gt m (Cn c) = Cn c"
| "gt m (Ix t p) = Ix t (at m p)"
| "gt m (Rd v ps) = Rd v (map (at m) ps)"
| "gt m (Pl a k) = Pl (gt m a) k"

primrec syms_from :: "nat \<Rightarrow> nat list \<Rightarrow> nat \<Rightarrow> nat list" where
  "syms_from n [] t = []"
| "syms_from n (u # us) t = (if u = t then n # syms_from (Suc n) us t else syms_from (Suc n) us t)"

abbreviation syms :: "nat list \<Rightarrow> nat \<Rightarrow> nat list" where "syms \<equiv> syms_from (Suc 0)"

primrec gnd :: "nat list \<Rightarrow> fm \<Rightarrow> nat list \<Rightarrow> fm" where
  "gnd ts T m = T"
| "gnd ts F m = F"
| "gnd ts (Eq a b) m = eqf ts (gt m a) (gt m b)"
| "gnd ts (Ne a b) m = nef ts (gt m a) (gt m b)"
| "gnd ts (And f g) m = conj (gnd ts f m) (gnd ts g m)"
| "gnd ts (Or f g) m = disj (gnd ts f m) (gnd ts g m)"
| "gnd ts (All t f) m = conjs (map (gnd ts f) (map (\<lambda>p. m @ [p]) (syms ts t)))"
| "gnd ts (Exi t f) m = T"
| "gnd ts (Le a b c) m = lef c (gt m a) (gt m b)"

text \<open>Known equations replace terms: \<open>eqs\<close> maps terms to their representatives, \<open>nes\<close> has pairs that differ.\<close>

type_synonym pairs = "(trm \<times> trm) list"

definition rep :: "pairs \<Rightarrow> trm \<Rightarrow> trm" where
  "rep eqs a = (case map_of eqs a of None \<Rightarrow> a | Some b \<Rightarrow> b)"

definition sub :: "trm \<Rightarrow> trm \<Rightarrow> trm \<Rightarrow> trm" where
  "sub l r a = (if a = l then r else a)"

primrec among :: "trm \<Rightarrow> trm \<Rightarrow> pairs \<Rightarrow> bool" where
  "among a b [] \<longleftrightarrow> False"
| "among a b (p # ps) \<longleftrightarrow> (if p = (a, b) then True else if p = (b, a) then True else among a b ps)"

primrec clash :: "pairs \<Rightarrow> bool" where
  "clash [] \<longleftrightarrow> False"
| "clash (p # ps) \<longleftrightarrow> (if fst p = snd p then True else clash ps)"

primrec argsok :: "nat list \<Rightarrow> nat list \<Rightarrow> nat list \<Rightarrow> bool" where
  "argsok ts [] ps \<longleftrightarrow> (case ps of [] \<Rightarrow> True | _ # _ \<Rightarrow> False)"
| "argsok ts (t # ats) ps \<longleftrightarrow> (case ps of [] \<Rightarrow> False | p # qs \<Rightarrow> if ofty ts p t then argsok ts ats qs else False)"

text \<open>A value outside the sort of a read, or another read whose sort has no value in common with it.\<close>

primrec apart :: "'a list \<Rightarrow> 'a list \<Rightarrow> bool" where
  "apart [] ys = True"
| "apart (x # xs) ys = (if x \<in> set ys then False else apart xs ys)"

definition misfit :: "vars \<Rightarrow> nat list \<Rightarrow> trm \<Rightarrow> trm \<Rightarrow> bool" where
  "misfit K ts a b = (case a of Cn _ \<Rightarrow> False | Ix _ _ \<Rightarrow> False | Pl _ _ \<Rightarrow> False | Rd v ps \<Rightarrow>
     (case map_of K v of None \<Rightarrow> False | Some (ats, S) \<Rightarrow>
       (case b of Cn c \<Rightarrow> if c \<in> set (snd S) then False else argsok ts ats ps
         | Ix t p \<Rightarrow> if t \<in> set (fst S) then False else argsok ts ats ps
         | Pl _ _ \<Rightarrow> False
         | Rd w qs \<Rightarrow> (case map_of K w of None \<Rightarrow> False | Some (bts, S') \<Rightarrow>
             if apart (fst S) (fst S') then if apart (snd S) (snd S')
               then if argsok ts ats ps then argsok ts bts qs else False else False else False))))"

primrec misfits :: "vars \<Rightarrow> nat list \<Rightarrow> trm \<Rightarrow> pairs \<Rightarrow> bool" where
  "misfits K ts r [] \<longleftrightarrow> False"
| "misfits K ts r (p # ps) \<longleftrightarrow>
     (if snd p = r then if misfit K ts (fst p) r then True else misfits K ts r ps else misfits K ts r ps)"

fun sub2 :: "trm \<Rightarrow> trm \<Rightarrow> trm \<times> trm \<Rightarrow> trm \<times> trm" where
  "sub2 l r (a, b) = (sub l r a, sub l r b)"

fun subr :: "trm \<Rightarrow> trm \<Rightarrow> trm \<times> trm \<Rightarrow> trm \<times> trm" where
  "subr l r (a, b) = (a, sub l r b)"

text \<open>
  Known bounds are closed under addition: with \<open>x \<le> y + a\<close> and \<open>y \<le> z + b\<close>, a bound is there that implies
  \<open>x \<le> z + (a + b)\<close>.  So bounds contradict each other only if a new one does with one that is there.
\<close>

type_synonym bounds = "(trm \<times> trm \<times> int) list"

primrec bound_of :: "trm \<Rightarrow> trm \<Rightarrow> bounds \<Rightarrow> int option" where
  "bound_of a b [] = None"
| "bound_of a b (l # ls) = (if fst l = a then if fst (snd l) = b then Some (snd (snd l)) else bound_of a b ls
     else bound_of a b ls)"

definition is_within :: "bounds \<Rightarrow> trm \<Rightarrow> trm \<Rightarrow> int \<Rightarrow> bool" where
  "is_within les a b c = (case bound_of a b les of None \<Rightarrow> False | Some d \<Rightarrow> d \<le> c)"

definition is_beyond :: "bounds \<Rightarrow> trm \<Rightarrow> trm \<Rightarrow> int \<Rightarrow> bool" where
  "is_beyond les a b c = (case bound_of b a les of None \<Rightarrow> False | Some d \<Rightarrow> d + c < 0)"

text \<open>The bounds \<open>x \<le> b + _\<close> that follow from \<open>a \<le> b + c\<close>, and all that follow from one of them.\<close>

primrec paths_to :: "trm \<Rightarrow> trm \<Rightarrow> int \<Rightarrow> bounds \<Rightarrow> bounds" where
  "paths_to a b c [] = [(a, b, c)]"
| "paths_to a b c (l # ls) =
     (if fst (snd l) = a then (fst l, b, snd (snd l) + c) # paths_to a b c ls else paths_to a b c ls)"

primrec paths_from :: "trm \<Rightarrow> trm \<Rightarrow> int \<Rightarrow> bounds \<Rightarrow> bounds" where
  "paths_from a b c [] = [(a, b, c)]"
| "paths_from a b c (l # ls) =
     (if fst l = b then (a, fst (snd l), c + snd (snd l)) # paths_from a b c ls else paths_from a b c ls)"

primrec put_bounds :: "bounds \<Rightarrow> bounds \<Rightarrow> bounds" where
  "put_bounds [] les = les"
| "put_bounds (l # ls) les = put_bounds ls (if fst l = fst (snd l) then les
     else if is_within les (fst l) (fst (snd l)) (snd (snd l)) then les else l # les)"

primrec join_paths :: "bounds \<Rightarrow> bounds \<Rightarrow> bounds \<Rightarrow> bounds" where
  "join_paths old [] les = les"
| "join_paths old (l # ls) les = join_paths old ls (put_bounds (paths_from (fst l) (fst (snd l)) (snd (snd l)) old) les)"

text \<open>Assumed formulas: known equations and bounds, and disjunctions for later (the last one first).\<close>

type_synonym known = "pairs \<times> pairs \<times> bounds \<times> fm list \<times> bool"

definition add_le :: "trm \<Rightarrow> trm \<Rightarrow> int \<Rightarrow> known \<Rightarrow> known option" where
  "add_le a b c k = (case k of (eqs, nes, les, later, ch) \<Rightarrow>
     if a = b then if 0 \<le> c then Some k else None
     else if is_within les a b c then Some k else if is_beyond les a b c then None
     else Some (eqs, nes, join_paths les (paths_to a b c les) les, later, True))"

definition link :: "vars \<Rightarrow> nat list \<Rightarrow> trm \<Rightarrow> trm \<Rightarrow> pairs \<Rightarrow> pairs \<Rightarrow> bounds \<Rightarrow> fm list \<Rightarrow> known option" where
  "link K ts l r eqs nes les later =
     (let eqs' = (l, r) # map (subr l r) eqs; nes' = map (sub2 l r) nes
      in if clash nes' then None else if misfits K ts r eqs' then None else Some (eqs', nes', les, later, True))"

definition is_read :: "trm \<Rightarrow> bool" where
  "is_read a = (case a of Cn _ \<Rightarrow> False | Ix _ _ \<Rightarrow> False | Pl _ _ \<Rightarrow> False | Rd _ _ \<Rightarrow> True)"

definition add_eq :: "vars \<Rightarrow> nat list \<Rightarrow> trm \<Rightarrow> trm \<Rightarrow> known \<Rightarrow> known option" where
  "add_eq K ts a b k = (case k of (eqs, nes, les, later, ch) \<Rightarrow>
     (let a' = rep eqs a; b' = rep eqs b
      in if a' = b' then Some k else if diff ts a' b' then None
         else if is_read a' then link K ts a' b' eqs nes les later
         else if is_read b' then link K ts b' a' eqs nes les later else Some k))"

primrec rest_of :: "trm \<Rightarrow> pairs \<Rightarrow> int list \<Rightarrow> int list" where
  "rest_of a nes [] = []"
| "rest_of a nes (c # cs) = (if among a (Cn c) nes then rest_of a nes cs else c # rest_of a nes cs)"

text \<open>
  If only one of the finitely many values of a read is not excluded, the read has it; if none is left, that is a contradiction.
\<close>

definition tight :: "vars \<Rightarrow> nat list \<Rightarrow> trm \<Rightarrow> pairs \<Rightarrow> int list option" where
  "tight K ts a nes = (case a of Cn _ \<Rightarrow> None | Ix _ _ \<Rightarrow> None | Pl _ _ \<Rightarrow> None | Rd v ps \<Rightarrow>
     (case map_of K v of None \<Rightarrow> None | Some (ats, S) \<Rightarrow>
       (case fst S of [] \<Rightarrow> if argsok ts ats ps then Some (rest_of a nes (snd S)) else None | _ # _ \<Rightarrow> None)))"

definition add_ne :: "vars \<Rightarrow> nat list \<Rightarrow> trm \<Rightarrow> trm \<Rightarrow> known \<Rightarrow> known option" where
  "add_ne K ts a b k = (case k of (eqs, nes, les, later, ch) \<Rightarrow>
     (let a' = rep eqs a; b' = rep eqs b
      in if a' = b' then None else if diff ts a' b' then Some k else if among a' b' nes then Some k
         else let nes' = (a', b') # nes
         in case tight K ts (if is_read a' then a' else b') nes' of None \<Rightarrow> Some (eqs, nes', les, later, True)
            | Some cs \<Rightarrow> (case cs of [] \<Rightarrow> None
                | c # ds \<Rightarrow> (case ds of [] \<Rightarrow> link K ts (if is_read a' then a' else b') (Cn c) eqs nes' les later
                     | _ # _ \<Rightarrow> Some (eqs, nes', les, later, True)))))"

text \<open>Simplification of a formula by what is known.\<close>

definition redeq :: "vars \<Rightarrow> nat list \<Rightarrow> pairs \<Rightarrow> pairs \<Rightarrow> trm \<Rightarrow> trm \<Rightarrow> fm" where
  "redeq K ts eqs nes a b = (let a' = rep eqs a; b' = rep eqs b
     in if a' = b' then T else if diff ts a' b' then F else if among a' b' nes then F
        else if misfit K ts a' b' then F else Eq a' b')"

definition redne :: "vars \<Rightarrow> nat list \<Rightarrow> pairs \<Rightarrow> pairs \<Rightarrow> trm \<Rightarrow> trm \<Rightarrow> fm" where
  "redne K ts eqs nes a b = (let a' = rep eqs a; b' = rep eqs b
     in if a' = b' then F else if diff ts a' b' then T else if among a' b' nes then T else Ne a' b')"

definition redle :: "bounds \<Rightarrow> trm \<Rightarrow> trm \<Rightarrow> int \<Rightarrow> fm" where
  "redle les a b c = (if is_within les a b c then T else if is_beyond les a b c then F else bound_fm a b c)"

primrec red :: "vars \<Rightarrow> nat list \<Rightarrow> pairs \<Rightarrow> pairs \<Rightarrow> bounds \<Rightarrow> fm \<Rightarrow> fm" where
  "red K ts eqs nes les T = T"
| "red K ts eqs nes les F = F"
| "red K ts eqs nes les (Eq a b) = redeq K ts eqs nes a b"
| "red K ts eqs nes les (Ne a b) = redne K ts eqs nes a b"
| "red K ts eqs nes les (And f g) = conj (red K ts eqs nes les f) (red K ts eqs nes les g)"
| "red K ts eqs nes les (Or f g) = disj (red K ts eqs nes les f) (red K ts eqs nes les g)"
| "red K ts eqs nes les (All t f) = T"
| "red K ts eqs nes les (Exi t f) = T"
| "red K ts eqs nes les (Le a b c) = redle les a b c"

text \<open>Assuming a formula; \<open>None\<close> is a contradiction.\<close>

primrec asm :: "vars \<Rightarrow> nat list \<Rightarrow> fm \<Rightarrow> known \<Rightarrow> known option" where
  "asm K ts T k = Some k"
| "asm K ts F k = None"
| "asm K ts (Eq a b) k = add_eq K ts a b k"
| "asm K ts (Ne a b) k = add_ne K ts a b k"
| "asm K ts (And f g) k = (case asm K ts f k of None \<Rightarrow> None | Some k' \<Rightarrow> asm K ts g k')"
| "asm K ts (Or f g) k = (case k of (eqs, nes, les, later, ch) \<Rightarrow> Some (eqs, nes, les, Or f g # later, ch))"
| "asm K ts (All t f) k = Some k"
| "asm K ts (Exi t f) k = Some k"
| "asm K ts (Le a b c) k = add_le a b c k"

primrec pass :: "vars \<Rightarrow> nat list \<Rightarrow> fm list \<Rightarrow> known \<Rightarrow> known option" where
  "pass K ts [] k = Some k"
| "pass K ts (f # fs) k = (case k of (eqs, nes, les, later, ch) \<Rightarrow>
     (case asm K ts (red K ts eqs nes les f) k of None \<Rightarrow> None | Some k' \<Rightarrow> pass K ts fs k'))"

text \<open>Unit propagation, then a split on the first remaining disjunction.\<close>

primrec refute :: "vars \<Rightarrow> nat list \<Rightarrow> nat \<Rightarrow> pairs \<Rightarrow> pairs \<Rightarrow> bounds \<Rightarrow> fm list \<Rightarrow> bool" where
  "refute K ts 0 eqs nes les fs = False"
| "refute K ts (Suc n) eqs nes les fs = (case pass K ts fs (eqs, nes, les, [], False) of None \<Rightarrow> True
     | Some k \<Rightarrow> (case k of (eqs', nes', les', later, ch) \<Rightarrow>
         if ch then refute K ts n eqs' nes' les' (rev later)
         else (case rev later of [] \<Rightarrow> False
           | h # hs \<Rightarrow> (case h of Or f g \<Rightarrow>
               if refute K ts n eqs' nes' les' (f # hs) then refute K ts n eqs' nes' les' (g # hs) else False
             | T \<Rightarrow> False | F \<Rightarrow> False | Eq _ _ \<Rightarrow> False | Ne _ _ \<Rightarrow> False | And _ _ \<Rightarrow> False | All _ _ \<Rightarrow> False | Exi _ _ \<Rightarrow> False
             | Le _ _ _ \<Rightarrow> False))))"


section \<open>The checker: obligations\<close>

text \<open>The ways to match parameters of the types \<open>pts\<close> with symbols: each is a symbol of its type or a new one.\<close>

primrec matches :: "nat list \<Rightarrow> nat list \<Rightarrow> nat list \<Rightarrow> (nat list \<times> nat list) list" where
  "matches [] ts ms = [(ts, ms)]"
| "matches (t # pts) ts ms = concat (map (matches pts ts) (map (\<lambda>p. ms @ [p]) (syms ts t))) @
     matches pts (ts @ [t]) (ms @ [Suc (length ts)])"

text \<open>The values that an update can assign, each with its condition; \<open>None\<close> stands for any value.\<close>

type_synonym leaves = "(fm \<times> trm option) list"

primrec under :: "fm \<Rightarrow> leaves \<Rightarrow> leaves" where
  "under c [] = []"
| "under c (l # ls) = (conj c (fst l), snd l) # under c ls"

primrec leaves :: "nat list \<Rightarrow> nat list \<Rightarrow> vl \<Rightarrow> leaves" where
  "leaves ts m (Tm t) = [(T, Some (gt m t))]"
| "leaves ts m Any = [(T, None)]"
| "leaves ts m Free_num = [(T, None)]"
| "leaves ts m (If c a b) = (let c' = gnd ts c m; n' = gnd ts (neg c) m
     in (case c' of F \<Rightarrow> [] | T \<Rightarrow> leaves ts m a | _ \<Rightarrow> under c' (leaves ts m a)) @
        (case n' of F \<Rightarrow> [] | T \<Rightarrow> leaves ts m b | _ \<Rightarrow> under n' (leaves ts m b)))"

definition after :: "vars \<Rightarrow> nat list \<Rightarrow> ups \<Rightarrow> nat list \<Rightarrow> trm \<Rightarrow> leaves" where
  "after V ts us m a = (case a of Cn _ \<Rightarrow> [(T, Some a)] | Ix _ _ \<Rightarrow> [(T, Some a)] | Pl _ _ \<Rightarrow> [(T, None)] | Rd v ps \<Rightarrow>
     (case map_of us v of None \<Rightarrow> [(T, Some a)] | Some w \<Rightarrow>
       (case map_of V v of None \<Rightarrow> [(T, None)] | Some (ats, S) \<Rightarrow>
         if argsok ts ats ps then leaves ts (m @ ps) w else [(T, None)])))"

definition lit :: "(trm \<Rightarrow> trm \<Rightarrow> fm) \<Rightarrow> fm \<times> trm option \<Rightarrow> fm \<times> trm option \<Rightarrow> fm" where
  "lit q l r = conj (fst l) (conj (fst r) (case snd l of None \<Rightarrow> T | Some a \<Rightarrow> (case snd r of None \<Rightarrow> T
     | Some b \<Rightarrow> q a b)))"

primrec lits :: "(trm \<Rightarrow> trm \<Rightarrow> fm) \<Rightarrow> leaves \<Rightarrow> leaves \<Rightarrow> fm" where
  "lits q [] rs = F"
| "lits q (l # ls) rs = disj (disjs (map (lit q l) rs)) (lits q ls rs)"

text \<open>
  The precondition: what must hold before a step if a cube holds after it.  What holds for all elements after the step
  holds for the symbols.
\<close>

primrec pre :: "vars \<Rightarrow> nat list \<Rightarrow> ups \<Rightarrow> nat list \<Rightarrow> fm \<Rightarrow> nat list \<Rightarrow> fm" where
  "pre V ts us m T i = T"
| "pre V ts us m F i = F"
| "pre V ts us m (Eq a b) i = lits (eqf ts) (after V ts us m (gt i a)) (after V ts us m (gt i b))"
| "pre V ts us m (Ne a b) i = lits (nef ts) (after V ts us m (gt i a)) (after V ts us m (gt i b))"
| "pre V ts us m (And f g) i =
     (let f' = pre V ts us m f i in case f' of F \<Rightarrow> F | _ \<Rightarrow> conj f' (pre V ts us m g i))"
| "pre V ts us m (Or f g) i = disj (pre V ts us m f i) (pre V ts us m g i)"
| "pre V ts us m (All t f) i = conjs (map (pre V ts us m f) (map (\<lambda>p. i @ [p]) (syms ts t)))"
| "pre V ts us m (Exi t f) i = T"
| "pre V ts us m (Le a b c) i = lits (lef c) (after V ts us m (gt i a)) (after V ts us m (gt i b))"

text \<open>The universal parts of a cube.\<close>

primrec universal :: "fm \<Rightarrow> fm" where
  "universal T = T"
| "universal F = T"
| "universal (Eq a b) = T"
| "universal (Ne a b) = T"
| "universal (And f g) = conj (universal f) (universal g)"
| "universal (Or f g) = T"
| "universal (All t f) = All t f"
| "universal (Exi t f) = T"
| "universal (Le a b c) = T"

text \<open>
  A premise is the number of a cube and symbols for its variables.  If the symbols do not fit, it states nothing.
\<close>

primrec fitting :: "nat list \<Rightarrow> nat list \<Rightarrow> nat list \<Rightarrow> bool" where
  "fitting ts [] ps \<longleftrightarrow> (case ps of [] \<Rightarrow> True | _ # _ \<Rightarrow> False)"
| "fitting ts (t # us) ps \<longleftrightarrow> (case ps of [] \<Rightarrow> False | p # qs \<Rightarrow>
     if ofty ts p t then if p \<in> set qs then False else fitting ts us qs else False)"

definition instance_of :: "nat list \<Rightarrow> nat list \<Rightarrow> nat list \<Rightarrow> cube \<Rightarrow> nat list \<Rightarrow> fm" where
  "instance_of nt ns ts c ps = (if fitting ts (nt @ fst c) (ns @ ps) then gnd ts (neg (snd c)) (0 # ns @ ps) else T)"

type_synonym premise = "int \<times> nat list"

primrec given ::
    "(int \<times> cube) list \<Rightarrow> nat list \<Rightarrow> nat list \<Rightarrow> nat list \<Rightarrow> premise list \<Rightarrow> fm list" where
  "given I nt ns ts [] = []"
| "given I nt ns ts (p # ps) = (case map_of I (fst p) of None \<Rightarrow> given I nt ns ts ps
     | Some c \<Rightarrow> instance_of nt ns ts c (snd p) # given I nt ns ts ps)"

text \<open>
  Case splits.  A case has symbols, which may be one more, and a formula.  The value of a read is a constant of its sort,
  a symbol, or a new symbol.
\<close>

type_synonym setting = "nat list \<times> fm"

primrec cases_c :: "int \<Rightarrow> nat list \<Rightarrow> nat list \<Rightarrow> int list \<Rightarrow> setting list" where
  "cases_c v ps ts [] = []"
| "cases_c v ps ts (c # cs) = (ts, Eq (Rd v ps) (Cn c)) # cases_c v ps ts cs"

primrec cases_p :: "int \<Rightarrow> nat list \<Rightarrow> nat list \<Rightarrow> nat \<Rightarrow> nat list \<Rightarrow> setting list" where
  "cases_p v ps ts t [] = []"
| "cases_p v ps ts t (q # qs) = (ts, Eq (Rd v ps) (Ix t q)) # cases_p v ps ts t qs"

primrec cases_t :: "int \<Rightarrow> nat list \<Rightarrow> nat list \<Rightarrow> nat list \<Rightarrow> setting list" where
  "cases_t v ps ts [] = []"
| "cases_t v ps ts (t # us) = cases_p v ps ts t (syms ts t) @
     (ts @ [t], Eq (Rd v ps) (Ix t (Suc (length ts)))) # cases_t v ps ts us"

text \<open>The ways in which a formula can hold: an element that exists is a symbol, or a new one.\<close>

primrec ways :: "fm \<Rightarrow> nat list \<Rightarrow> nat list \<Rightarrow> setting list" where
  "ways T ts m = [(ts, T)]"
| "ways F ts m = []"
| "ways (Eq a b) ts m = [(ts, gnd ts (Eq a b) m)]"
| "ways (Ne a b) ts m = [(ts, gnd ts (Ne a b) m)]"
| "ways (And f g) ts m = [(ts, gnd ts (And f g) m)]"
| "ways (Or f g) ts m = ways f ts m @ ways g ts m"
| "ways (All t f) ts m = [(ts, gnd ts (All t f) m)]"
| "ways (Exi t f) ts m = concat (map (ways f ts) (map (\<lambda>p. m @ [p]) (syms ts t))) @
     ways f (ts @ [t]) (m @ [Suc (length ts)])"
| "ways (Le a b c) ts m = [(ts, gnd ts (Le a b c) m)]"

text \<open>
  A split names a state variable and symbols, or, with a minus, the number of a cube and symbols for its variables.  Since
  no state satisfies the cube, one of its literals does not hold, or there is an element for which a universal part does not.
\<close>

type_synonym split = "int \<times> nat list"

definition cases_of :: "vars \<Rightarrow> (int \<times> cube) list \<Rightarrow> nat list \<Rightarrow> nat list \<Rightarrow> nat list \<Rightarrow> split \<Rightarrow> setting list" where
  "cases_of K I nt ns ts rd = (case map_of K (fst rd) of
     Some (ats, S) \<Rightarrow> if argsok ts ats (snd rd)
       then cases_c (fst rd) (snd rd) ts (snd S) @ cases_t (fst rd) (snd rd) ts (fst S) else [(ts, T)]
   | None \<Rightarrow> (case map_of I (- fst rd) of None \<Rightarrow> [(ts, T)]
     | Some c \<Rightarrow> if fitting ts (nt @ fst c) (ns @ snd rd) then ways (neg (snd c)) ts (0 # ns @ snd rd) else [(ts, T)]))"

text \<open>The hints of a certificate for a match: splits, and premises.\<close>

type_synonym hint = "split list \<times> premise list"
type_synonym hints = "(int \<times> (nat list \<times> hint) list) list"
type_synonym hinted_rules = "(drule \<times> hints) list"

definition fuel :: nat where
  "fuel = 40"

primrec every :: "('a \<Rightarrow> bool) \<Rightarrow> 'a list \<Rightarrow> bool" where
  "every P [] = True"
| "every P (x # xs) = (if P x then every P xs else False)"

definition refuted :: "vars \<Rightarrow> nat list \<Rightarrow> pairs \<Rightarrow> pairs \<Rightarrow> bounds \<Rightarrow> fm list \<Rightarrow> bool" where
  "refuted K ts eqs nes les fs = refute K ts fuel eqs nes les fs"

text \<open>
  Formulas are refuted by \<open>finish\<close> in each case of the splits.  A case with a new symbol has the formulas \<open>more\<close> about it, and
  a case in which there is a contradiction already is not split.
\<close>

primrec resolve :: "(nat list \<Rightarrow> pairs \<Rightarrow> pairs \<Rightarrow> bounds \<Rightarrow> fm list \<Rightarrow> bool) \<Rightarrow> vars \<Rightarrow> (int \<times> cube) list \<Rightarrow> nat list \<Rightarrow>
    nat list \<Rightarrow> (nat list \<Rightarrow> fm list) \<Rightarrow> split list \<Rightarrow>
    nat list \<Rightarrow> pairs \<Rightarrow> pairs \<Rightarrow> bounds \<Rightarrow> fm list \<Rightarrow> bool" where
  "resolve finish K I nt ns more [] ts eqs nes les fs = finish ts eqs nes les fs"
| "resolve finish K I nt ns more (rd # rds) ts eqs nes les fs = (case pass K ts fs (eqs, nes, les, [], False) of None \<Rightarrow> True
     | Some k \<Rightarrow> (case k of (eqs', nes', les', later, ch) \<Rightarrow>
         every (\<lambda>s. resolve finish K I nt ns more rds (fst s) eqs' nes' les'
             (snd s # (if fst s = ts then rev later else rev later @ more (fst s))))
           (cases_of K I nt ns ts rd)))"

primrec hint_of :: "nat list \<Rightarrow> (nat list \<times> hint) list \<Rightarrow> hint" where
  "hint_of ms [] = ([], [])"
| "hint_of ms (h # hs) = (if fst h = ms then snd h else hint_of ms hs)"

definition check_match :: "vars \<Rightarrow> vars \<Rightarrow> (int \<times> cube) list \<Rightarrow> nat list \<Rightarrow> nat list \<Rightarrow> fm \<Rightarrow> ups \<Rightarrow>
    (nat list \<times> hint) list \<Rightarrow> fm list \<Rightarrow> nat list \<Rightarrow> fm \<Rightarrow> nat list \<Rightarrow> nat list \<Rightarrow> bool" where
  "check_match V K I nt ns g us hs own i f ts ms =
     (case pass K ts (pre V ts us (0 # ns @ ms) f i # own) ([], [], [], [], False) of None \<Rightarrow> True
      | Some k \<Rightarrow> (case k of (eqs, nes, les, later, ch) \<Rightarrow> (case hint_of ms hs of (rds, ps) \<Rightarrow>
          resolve (refuted K) K I nt ns
            (\<lambda>us'. pre V us' us (0 # ns @ ms) (universal f) i # gnd us' g (0 # ns @ ms) # given I nt ns us' ps)
            rds ts eqs nes les (rev later @ gnd ts g (0 # ns @ ms) # given I nt ns ts ps))))"

primrec check_matches :: "vars \<Rightarrow> vars \<Rightarrow> (int \<times> cube) list \<Rightarrow> nat list \<Rightarrow> nat list \<Rightarrow> fm \<Rightarrow> ups \<Rightarrow>
    (nat list \<times> hint) list \<Rightarrow> fm list \<Rightarrow> nat list \<Rightarrow> fm \<Rightarrow> (nat list \<times> nat list) list \<Rightarrow> bool" where
  "check_matches V K I nt ns g us hs own i f [] = True"
| "check_matches V K I nt ns g us hs own i f (m # mm) =
     (if check_match V K I nt ns g us hs own i f (fst m) (snd m)
      then check_matches V K I nt ns g us hs own i f mm else False)"

definition read_in :: "ups \<Rightarrow> trm \<Rightarrow> bool" where
  "read_in us a = (case a of Cn _ \<Rightarrow> False | Ix _ _ \<Rightarrow> False | Pl _ _ \<Rightarrow> True | Rd v _ \<Rightarrow>
     (case map_of us v of None \<Rightarrow> False | Some _ \<Rightarrow> True))"

primrec touches :: "ups \<Rightarrow> fm \<Rightarrow> bool" where
  "touches us T = False"
| "touches us F = False"
| "touches us (Eq a b) = (if read_in us a then True else read_in us b)"
| "touches us (Ne a b) = (if read_in us a then True else read_in us b)"
| "touches us (And f g) = (if touches us f then True else touches us g)"
| "touches us (Or f g) = (if touches us f then True else touches us g)"
| "touches us (All t f) = touches us f"
| "touches us (Exi t f) = touches us f"
| "touches us (Le a b c) = (if read_in us a then True else read_in us b)"

text \<open>
  What is left of a cube that holds after a step: a universal part that reads nothing that is updated held before.
\<close>

primrec rest :: "ups \<Rightarrow> fm \<Rightarrow> fm" where
  "rest us T = T"
| "rest us F = F"
| "rest us (Eq a b) = Eq a b"
| "rest us (Ne a b) = Ne a b"
| "rest us (And f g) = And (rest us f) (rest us g)"
| "rest us (Or f g) = Or f g"
| "rest us (All t f) = (if touches us f then All t f else T)"
| "rest us (Exi t f) = Exi t f"
| "rest us (Le a b c) = Le a b c"

text \<open>
  One rule and one cube.  If \<open>start\<close> holds, the rule is a startstate, and nothing is known about the state before.
\<close>

definition check_pair :: "vars \<Rightarrow> vars \<Rightarrow> (int \<times> cube) list \<Rightarrow> nat list \<Rightarrow> drule \<Rightarrow> bool \<Rightarrow>
    (nat list \<times> hint) list \<Rightarrow> cube \<Rightarrow> bool" where
  "check_pair V K I nt r start hs c = (case r of (pts, g, us) \<Rightarrow>
     if (if start then True else touches us (snd c)) then
       (let ts = nt @ fst c; ns = [Suc 0..<Suc (length nt)]; i = [0..<Suc (length ts)];
            mm = matches pts ts []
        in check_matches V (if start then [] else K) (if start then [] else I) nt ns g us hs
             (if start then [] else [gnd ts (neg (rest us (snd c))) i]) i (snd c) mm)
     else True)"

primrec hints_of :: "int \<Rightarrow> (int \<times> (nat list \<times> hint) list) list \<Rightarrow> (nat list \<times> hint) list" where
  "hints_of j [] = []"
| "hints_of j (h # hs) = (if fst h = j then snd h else hints_of j hs)"

primrec check_cubes :: "vars \<Rightarrow> vars \<Rightarrow> (int \<times> cube) list \<Rightarrow> nat list \<Rightarrow> drule \<Rightarrow> bool \<Rightarrow>
    (int \<times> (nat list \<times> hint) list) list \<Rightarrow> (int \<times> cube) list \<Rightarrow> bool" where
  "check_cubes V K I nt r start hs [] = True"
| "check_cubes V K I nt r start hs (c # cs) =
     (if check_pair V K I nt r start (hints_of (fst c) hs) (snd c) then check_cubes V K I nt r start hs cs else False)"

text \<open>Updates stay within the sorts of their variables; those of startstates read nothing.\<close>

primrec subset_of :: "'a list \<Rightarrow> 'a list \<Rightarrow> bool" where
  "subset_of [] ys = True"
| "subset_of (x # xs) ys = (if x \<in> set ys then subset_of xs ys else False)"

definition stays_t :: "vars \<Rightarrow> bool \<Rightarrow> nat list \<Rightarrow> srt \<Rightarrow> trm \<Rightarrow> bool" where
  "stays_t V start ts S a = (case a of Cn c \<Rightarrow> c \<in> set (snd S)
     | Ix t p \<Rightarrow> if t \<in> set (fst S) then ofty ts p t else False
     | Pl _ _ \<Rightarrow> False
     | Rd v ps \<Rightarrow> if start then False else (case map_of V v of None \<Rightarrow> False
         | Some (ats, S') \<Rightarrow> if argsok ts ats ps
             then if subset_of (fst S') (fst S) then subset_of (snd S') (snd S) else False else False))"

primrec stays :: "vars \<Rightarrow> bool \<Rightarrow> nat list \<Rightarrow> srt \<Rightarrow> vl \<Rightarrow> bool" where
  "stays V start ts S (Tm a) = stays_t V start ts S a"
| "stays V start ts S Any = True"
| "stays V start ts S Free_num = False"
| "stays V start ts S (If c a b) = (if stays V start ts S a then stays V start ts S b else False)"

primrec check_types :: "vars \<Rightarrow> nat list \<Rightarrow> bool \<Rightarrow> nat list \<Rightarrow> ups \<Rightarrow> bool" where
  "check_types V nt start pts [] = True"
| "check_types V nt start pts (u # us) = (case map_of V (fst u) of None \<Rightarrow> check_types V nt start pts us
     | Some (ats, S) \<Rightarrow> if stays V start (nt @ pts @ ats) S (snd u) then check_types V nt start pts us else False)"

primrec covered :: "ups \<Rightarrow> vars \<Rightarrow> bool" where
  "covered us [] = True"
| "covered us (v # vs) = (case map_of us (fst v) of None \<Rightarrow> False | Some _ \<Rightarrow> covered us vs)"

text \<open>
  \<open>Z\<close> has the state variables that are numbers, and \<open>X\<close> what the assumptions exclude.  Startstates have to exclude the
  invariants without the assumptions.
\<close>

definition check_rule_under :: "vars \<Rightarrow> vars \<Rightarrow> cubes \<Rightarrow> cubes \<Rightarrow> nat list \<Rightarrow> drule \<Rightarrow> hints \<Rightarrow> bool" where
  "check_rule_under V Z I X nt r hs = (if check_types V nt False (fst r) (snd (snd r))
     then check_cubes (V @ Z) V (I @ X) nt r False hs I else False)"

definition check_start_under :: "vars \<Rightarrow> vars \<Rightarrow> cubes \<Rightarrow> nat list \<Rightarrow> drule \<Rightarrow> bool" where
  "check_start_under V Z I nt r = (if check_types V nt True (fst r) (snd (snd r))
     then if covered (snd (snd r)) V then check_cubes (V @ Z) V I nt r True [] I else False else False)"

text \<open>
  A part of a property is a formula that holds for all elements of its types.  The certificate names the invariants that
  imply it; all their instances over the symbols are premises.  It also names state variables, and with a minus
  invariants, in the order of the splits: the checker splits on all reads of them and on all their instances over the
  symbols that there are by then.
\<close>

primrec choices :: "nat list \<Rightarrow> nat list \<Rightarrow> nat list list" where
  "choices ts [] = [[]]"
| "choices ts (t # us) = concat (map (\<lambda>ps. map (\<lambda>p. p # ps) (syms ts t)) (choices ts us))"

primrec all_given :: "(int \<times> cube) list \<Rightarrow> nat list \<Rightarrow> int list \<Rightarrow> premise list" where
  "all_given I ts [] = []"
| "all_given I ts (j # js) = (case map_of I j of None \<Rightarrow> all_given I ts js
     | Some c \<Rightarrow> map (Pair j) (choices ts (fst c)) @ all_given I ts js)"

definition splits_of :: "vars \<Rightarrow> (int \<times> cube) list \<Rightarrow> nat list \<Rightarrow> int \<Rightarrow> split list" where
  "splits_of K I ts v = (case map_of K v of Some c \<Rightarrow> map (Pair v) (choices ts (fst c))
     | None \<Rightarrow> (case map_of I (- v) of None \<Rightarrow> [] | Some c \<Rightarrow> map (Pair v) (choices ts (fst c))))"

primrec resolve_named :: "vars \<Rightarrow> (int \<times> cube) list \<Rightarrow> nat list \<Rightarrow> nat list \<Rightarrow> (nat list \<Rightarrow> fm list) \<Rightarrow> int list \<Rightarrow>
    nat list \<Rightarrow> pairs \<Rightarrow> pairs \<Rightarrow> bounds \<Rightarrow> fm list \<Rightarrow> bool" where
  "resolve_named K I nt ns more [] ts eqs nes les fs = refuted K ts eqs nes les fs"
| "resolve_named K I nt ns more (v # vs) ts eqs nes les fs =
     resolve (resolve_named K I nt ns more vs) K I nt ns more (splits_of K I ts v) ts eqs nes les fs"

type_synonym part = "nat list \<times> fm"
type_synonym part_hint = "int list \<times> int list"

definition at_part :: "(int \<times> cube) list \<Rightarrow> nat list \<Rightarrow> nat list \<Rightarrow> fm \<Rightarrow> nat list \<Rightarrow> int list \<Rightarrow> nat list \<Rightarrow> fm list" where
  "at_part I nt ns f m js ts = gnd ts f m # given I nt ns ts (all_given I ts js)"

primrec check_parts :: "vars \<Rightarrow> (int \<times> cube) list \<Rightarrow> nat list \<Rightarrow> nat list \<Rightarrow> fm \<Rightarrow> part_hint \<Rightarrow>
    (nat list \<times> nat list) list \<Rightarrow> bool" where
  "check_parts V I nt ns f h [] = True"
| "check_parts V I nt ns f h (m # mm) =
     (if resolve_named V I nt ns (at_part I nt ns f (0 # ns @ snd m) (snd h)) (fst h) (fst m) [] [] []
          (at_part I nt ns f (0 # ns @ snd m) (snd h) (fst m))
      then check_parts V I nt ns f h mm else False)"

text \<open>All rules, each with the hints of the certificate, all startstates, and all parts of properties.\<close>

primrec check_rules_under :: "vars \<Rightarrow> vars \<Rightarrow> cubes \<Rightarrow> cubes \<Rightarrow> nat list \<Rightarrow> hinted_rules \<Rightarrow> bool" where
  "check_rules_under V Z I X nt [] = True"
| "check_rules_under V Z I X nt (r # rs) =
     (if check_rule_under V Z I X nt (fst r) (snd r) then check_rules_under V Z I X nt rs else False)"

primrec check_starts_under :: "vars \<Rightarrow> vars \<Rightarrow> cubes \<Rightarrow> nat list \<Rightarrow> drule list \<Rightarrow> bool" where
  "check_starts_under V Z I nt [] = True"
| "check_starts_under V Z I nt (r # rs) =
     (if check_start_under V Z I nt r then check_starts_under V Z I nt rs else False)"

text \<open>A protocol without numbers and assumptions.\<close>

definition check_rule :: "vars \<Rightarrow> cubes \<Rightarrow> nat list \<Rightarrow> drule \<Rightarrow> hints \<Rightarrow> bool" where
  "check_rule V I nt r hs = check_rule_under V [] I [] nt r hs"

primrec check_rules :: "vars \<Rightarrow> cubes \<Rightarrow> nat list \<Rightarrow> hinted_rules \<Rightarrow> bool" where
  "check_rules V I nt [] = True"
| "check_rules V I nt (r # rs) = (if check_rule V I nt (fst r) (snd r) then check_rules V I nt rs else False)"

definition check_starts :: "vars \<Rightarrow> cubes \<Rightarrow> nat list \<Rightarrow> drule list \<Rightarrow> bool" where
  "check_starts V I nt rs = check_starts_under V [] I nt rs"

definition check_part :: "vars \<Rightarrow> (int \<times> cube) list \<Rightarrow> nat list \<Rightarrow> part \<Rightarrow> part_hint \<Rightarrow> bool" where
  "check_part V I nt c h = check_parts V I nt [Suc 0..<Suc (length nt)] (neg (snd c)) h (matches (fst c) nt [])"

definition check_all_under :: "vars \<Rightarrow> vars \<Rightarrow> cubes \<Rightarrow> cubes \<Rightarrow> nat list \<Rightarrow> drule list \<Rightarrow> hinted_rules \<Rightarrow>
    (part \<times> part_hint) list \<Rightarrow> bool" where
  "check_all_under V Z I X nt ss rs ps = (if check_starts_under V Z I nt ss then if check_rules_under V Z I X nt rs
     then list_all (\<lambda>p. check_part V (I @ X) nt (fst p) (snd p)) ps else False else False)"

lemma check_all_underD:
  assumes "check_all_under V Z I X nt ss rs ps"
  shows "check_starts_under V Z I nt ss" "check_rules_under V Z I X nt rs"
    "\<forall>p \<in> set ps. check_part V (I @ X) nt (fst p) (snd p)"
  using assms by (auto simp: check_all_under_def list_all_iff split: if_split_asm)

definition check_all :: "vars \<Rightarrow> cubes \<Rightarrow> nat list \<Rightarrow> drule list \<Rightarrow> hinted_rules \<Rightarrow> (part \<times> part_hint) list \<Rightarrow> bool" where
  "check_all V I nt ss rs ps = check_all_under V [] I [] nt ss rs ps"

lemma check_rules_under: "check_rules V I nt rs \<longleftrightarrow> check_rules_under V [] I [] nt rs"
  by (induct rs) (simp_all add: check_rule_def)

lemma check_allD:
  assumes "check_all V I nt ss rs ps"
  shows "check_starts V I nt ss" "check_rules V I nt rs" "\<forall>p \<in> set ps. check_part V I nt (fst p) (snd p)"
  using check_all_underD[OF assms[unfolded check_all_def]] by (simp_all add: check_starts_def check_rules_under)

end
