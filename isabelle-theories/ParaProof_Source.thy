(*  ParaProof_Source.thy: from a Murphi program to a system that it was lowered to.

    A program's executions can be read off in three steps.  First, undefined locations and run-time errors: an execution
    that ends without an error does what a total execution does, in which every location has some value (\<open>run\<close>).
    Second, loops: if each round touches only the elements at its own index, a loop is one simultaneous update.
    Third, a system simulates the program if it does so rule by rule.  This theory states no axioms.
*)

theory ParaProof_Source
  imports ParaProof ParaProof_Murphi
begin

section \<open>Total evaluation\<close>

text \<open>The store \<open>t\<close> has the values of \<open>s\<close>, and perhaps values where \<open>s\<close> has none.\<close>

definition below :: "store \<Rightarrow> store \<Rightarrow> bool" where
  "below s t \<longleftrightarrow> (\<forall>l. s l = None \<or> s l = t l)"

definition holds_true :: "scalar \<Rightarrow> bool" where "holds_true v \<longleftrightarrow> v = Truth True"

primrec num :: "scalar \<Rightarrow> int" where
  "num (Truth b) = 0"
| "num (Number k) = k"
| "num (Member m) = 0"
| "num (Element t k) = 0"

primrec value_of :: "store \<Rightarrow> expr \<Rightarrow> scalar" and place_of :: "store \<Rightarrow> place \<Rightarrow> location" where
  "value_of s (Lit v) = v"
| "value_of s (Read p) = the (s (place_of s p))"
| "value_of s (Not a) = Truth (\<not> holds_true (value_of s a))"
| "value_of s (a .& b) = Truth (holds_true (value_of s a) \<and> holds_true (value_of s b))"
| "value_of s (a .| b) = Truth (holds_true (value_of s a) \<or> holds_true (value_of s b))"
| "value_of s (a .-> b) = Truth (holds_true (value_of s a) \<longrightarrow> holds_true (value_of s b))"
| "value_of s (a .= b) = Truth (value_of s a = value_of s b)"
| "value_of s (a .< b) = Truth (num (value_of s a) < num (value_of s b))"
| "value_of s (Arith f a b) = Number (the (f (num (value_of s a)) (num (value_of s b))))"
| "value_of s (Cond c a b) = (if holds_true (value_of s c) then value_of s a else value_of s b)"
| "value_of s (Forall t f) = Truth (\<forall>v \<in> set (values t). holds_true (value_of s (f v)))"
| "value_of s (Exists t f) = Truth (\<exists>v \<in> set (values t). holds_true (value_of s (f v)))"
| "value_of s (IsUndefined p) = Truth (s (place_of s p) = None)"
| "place_of s (Variable x) = (x, [])"
| "place_of s (p\<langle>e\<rangle>) = (fst (place_of s p), snd (place_of s p) @ [Index (value_of s e)])"
| "place_of s (p\<bullet>f) = (fst (place_of s p), snd (place_of s p) @ [Field f])"
| "place_of s (At l t) = l"

text \<open>The type of a place.\<close>

primrec part :: "mtype \<Rightarrow> mtype" where
  "part Boolean = Boolean"
| "part (Enum ms) = Boolean"
| "part (Range a b) = Boolean"
| "part (Scalarset t n) = Boolean"
| "part (Union ts) = Boolean"
| "part (Record fs) = Boolean"
| "part (Array d t) = t"

primrec field :: "mtype \<Rightarrow> nat \<Rightarrow> mtype" where
  "field Boolean f = Boolean"
| "field (Enum ms) f = Boolean"
| "field (Range a b) f = Boolean"
| "field (Scalarset t n) f = Boolean"
| "field (Union ts) f = Boolean"
| "field (Record fs) f = the (map_of fs f)"
| "field (Array d t) f = Boolean"

primrec type_at :: "(nat \<Rightarrow> mtype) \<Rightarrow> place \<Rightarrow> mtype" where
  "type_at D (Variable x) = D x"
| "type_at D (p\<langle>e\<rangle>) = part (type_at D p)"
| "type_at D (p\<bullet>f) = field (type_at D p) f"
| "type_at D (At l t) = t"

text \<open>
  What does not ask whether a location is undefined, and whose aliases lead to locations that variables have.
\<close>

definition inside :: "(nat \<Rightarrow> mtype) \<Rightarrow> location \<Rightarrow> bool" where
  "inside D l \<longleftrightarrow> snd l \<in> fst ` set (scalars (D (fst l)))"

definition fits :: "(nat \<Rightarrow> mtype) \<Rightarrow> location \<Rightarrow> mtype \<Rightarrow> bool" where
  "fits D l t \<longleftrightarrow> (\<forall>r \<in> set (scalars t). inside D (fst l, snd l @ fst r))"

primrec plain :: "(nat \<Rightarrow> mtype) \<Rightarrow> expr \<Rightarrow> bool" and plain_place :: "(nat \<Rightarrow> mtype) \<Rightarrow> place \<Rightarrow> bool" where
  "plain D (Lit v) \<longleftrightarrow> True"
| "plain D (Read p) \<longleftrightarrow> plain_place D p"
| "plain D (Not a) \<longleftrightarrow> plain D a"
| "plain D (a .& b) \<longleftrightarrow> plain D a \<and> plain D b"
| "plain D (a .| b) \<longleftrightarrow> plain D a \<and> plain D b"
| "plain D (a .-> b) \<longleftrightarrow> plain D a \<and> plain D b"
| "plain D (a .= b) \<longleftrightarrow> plain D a \<and> plain D b"
| "plain D (a .< b) \<longleftrightarrow> plain D a \<and> plain D b"
| "plain D (Arith f a b) \<longleftrightarrow> plain D a \<and> plain D b"
| "plain D (Cond c a b) \<longleftrightarrow> plain D c \<and> plain D a \<and> plain D b"
| "plain D (Forall t f) \<longleftrightarrow> (\<forall>v. plain D (f v))"
| "plain D (Exists t f) \<longleftrightarrow> (\<forall>v. plain D (f v))"
| "plain D (IsUndefined p) \<longleftrightarrow> False"
| "plain_place D (Variable x) \<longleftrightarrow> True"
| "plain_place D (p\<langle>e\<rangle>) \<longleftrightarrow> plain_place D p \<and> plain D e"
| "plain_place D (p\<bullet>f) \<longleftrightarrow> plain_place D p"
| "plain_place D (At l t) \<longleftrightarrow> fits D l t"

lemma bind_Done: "bind m f = Done y \<longleftrightarrow> (\<exists>x. m = Done x \<and> f x = Done y)"
  by (cases m) auto

lemma bind_Violated: "bind m f = Violated \<longleftrightarrow> m = Violated \<or> (\<exists>x. m = Done x \<and> f x = Violated)"
  by (cases m) auto

lemma truth_Done: "truth v = Done b \<longleftrightarrow> v = Truth b"
  by (cases v) auto

lemma truth_Violated: "truth v \<noteq> Violated" "number v \<noteq> Violated"
  by (cases v; simp)+

lemma number_Done: "number v = Done k \<longleftrightarrow> v = Number k"
  by (cases v) auto

lemma yes_Done: "yes m = Done v \<longleftrightarrow> (\<exists>b. m = Done b \<and> v = Truth b)"
  by (cases m) (auto simp: yes_def)

lemma yes_Violated: "yes m = Violated \<longleftrightarrow> m = Violated"
  by (cases m) (auto simp: yes_def)

lemma all_Done: "all f vs = Done b \<Longrightarrow> (\<And>v w. v \<in> set vs \<Longrightarrow> f v = Done w \<Longrightarrow> g v = w) \<Longrightarrow>
    b = (\<forall>v \<in> set vs. holds_true (g v))"
proof (induct vs)
  case (Cons v vs)
  then obtain c where c: "f v = Done (Truth c)" and rest: "(if c then all f vs else Done False) = Done b"
    by (auto simp: bind_Done truth_Done)
  have g: "g v = Truth c" using Cons(3)[of v "Truth c"] c by simp
  show ?case
  proof (cases c)
    case True
    then show ?thesis using Cons(1) Cons(3) rest g by (auto simp: holds_true_def)
  next
    case False
    then show ?thesis using rest g by (auto simp: holds_true_def)
  qed
qed simp

lemma some_Done: "some f vs = Done b \<Longrightarrow> (\<And>v w. v \<in> set vs \<Longrightarrow> f v = Done w \<Longrightarrow> g v = w) \<Longrightarrow>
    b = (\<exists>v \<in> set vs. holds_true (g v))"
proof (induct vs)
  case (Cons v vs)
  then obtain c where c: "f v = Done (Truth c)" and rest: "(if c then Done True else some f vs) = Done b"
    by (auto simp: bind_Done truth_Done)
  have g: "g v = Truth c" using Cons(3)[of v "Truth c"] c by simp
  show ?case
  proof (cases c)
    case True
    then show ?thesis using rest g by (auto simp: holds_true_def)
  next
    case False
    then show ?thesis using Cons(1) Cons(3) rest g by (auto simp: holds_true_def)
  qed
qed simp

lemma locate_Elt: "locate D s (p\<langle>e\<rangle>) = Done (l, u) \<longleftrightarrow> (\<exists>m d v. locate D s p = Done (m, Array d u) \<and>
    eval D s e = Done v \<and> v \<in> set (values d) \<and> l = (fst m, snd m @ [Index v]))"
proof (cases "locate D s p")
  case (Done m)
  obtain x q t where m: "m = ((x, q), t)" by (metis surj_pair)
  show ?thesis by (cases t; cases "eval D s e"; auto simp: Done m)
qed auto

lemma locate_Fld: "locate D s (p\<bullet>f) = Done (l, u) \<longleftrightarrow> (\<exists>m fs. locate D s p = Done (m, Record fs) \<and>
    map_of fs f = Some u \<and> l = (fst m, snd m @ [Field f]))"
proof (cases "locate D s p")
  case (Done m)
  obtain x q t where m: "m = ((x, q), t)" by (metis surj_pair)
  show ?thesis by (cases t; auto simp: Done m split: option.splits)
qed auto

lemma eval_Read: "eval D s (Read p) = Done v \<longleftrightarrow> (\<exists>l u. locate D s p = Done (l, u) \<and> s l = Some v)"
  by (cases "locate D s p") (auto split: option.splits)

text \<open>What evaluates without an error has the value of total evaluation.\<close>

theorem eval_total:
  fixes e :: expr and p :: place
  assumes below: "below s t"
  shows "plain D e \<Longrightarrow> eval D s e = Done v \<Longrightarrow> value_of t e = v"
    and "plain_place D p \<Longrightarrow> locate D s p = Done (l, u) \<Longrightarrow> place_of t p = l \<and> type_at D p = u"
proof (induct e and p arbitrary: v and l u)
  case (Read p)
  then obtain l u where l: "locate D s p = Done (l, u)" "s l = Some v" by (auto simp only: eval_Read)
  then have "place_of t p = l" using Read by simp
  moreover have "t l = Some v" using l(2) below unfolding below_def by (metis option.distinct(1))
  ultimately show ?case by simp
next
  case (Not a)
  then show ?case by (auto simp: bind_Done truth_Done yes_Done holds_true_def)
next
  case (And a b)
  then show ?case by (auto simp: bind_Done truth_Done yes_Done holds_true_def split: if_splits)
next
  case (Or a b)
  then show ?case by (auto simp: bind_Done truth_Done yes_Done holds_true_def split: if_splits)
next
  case (Implies a b)
  then show ?case by (auto simp: bind_Done truth_Done yes_Done holds_true_def split: if_splits)
next
  case (Equal a b)
  then show ?case by (auto simp: bind_Done yes_Done)
next
  case (Less a b)
  then show ?case by (auto simp: bind_Done number_Done yes_Done)
next
  case (Arith f a b)
  then obtain x y where "eval D s a = Done (Number x)" "eval D s b = Done (Number y)" "f x y = Some (num v)" "v = Number (num v)"
    by (auto simp: bind_Done number_Done split: option.splits)
  then show ?case using Arith(1)[of "Number x"] Arith(2)[of "Number y"] Arith(3) by simp
next
  case (Cond c a b)
  then obtain x where "eval D s c = Done (Truth x)" "(if x then eval D s a else eval D s b) = Done v"
    by (auto simp: bind_Done truth_Done)
  then show ?case using Cond(1)[of "Truth x"] Cond(2)[of v] Cond(3)[of v] Cond(4)
    by (cases x) (simp_all add: holds_true_def)
next
  case (Forall t' f)
  then obtain b where b: "all (\<lambda>v. eval D s (f v)) (values t') = Done b" "v = Truth b"
    by (auto simp: yes_Done)
  have "b = (\<forall>w \<in> set (values t'). holds_true (value_of t (f w)))"
    by (rule all_Done[OF b(1)]) (use Forall in \<open>simp add: rangeI\<close>)
  then show ?case using b(2) by simp
next
  case (Exists t' f)
  then obtain b where b: "some (\<lambda>v. eval D s (f v)) (values t') = Done b" "v = Truth b"
    by (auto simp: yes_Done)
  have "b = (\<exists>w \<in> set (values t'). holds_true (value_of t (f w)))"
    by (rule some_Done[OF b(1)]) (use Exists in \<open>simp add: rangeI\<close>)
  then show ?case using b(2) by simp
next
  case (Elt p e)
  then obtain m d v where m: "locate D s p = Done (m, Array d u)" "eval D s e = Done v" "l = (fst m, snd m @ [Index v])"
    by (auto simp only: locate_Elt)
  then show ?case using Elt(1)[of m "Array d u"] Elt(2)[of v] Elt(3) by simp
next
  case (Fld p f)
  then obtain m fs where m: "locate D s p = Done (m, Record fs)" "map_of fs f = Some u" "l = (fst m, snd m @ [Field f])"
    by (auto simp only: locate_Fld)
  then show ?case using Fld(1)[of m "Record fs"] Fld(2) by simp
qed simp_all


section \<open>Total execution\<close>

text \<open>Execution in which nothing is an error.  Violations are told apart by \<open>violates\<close>.\<close>

definition progress :: "int \<Rightarrow> int \<Rightarrow> int \<Rightarrow> scalar list" where
  "progress a b k = map (\<lambda>n. Number (a + int n * k)) [0..<nat ((b - a) div k + 1)]"

primrec run :: "(nat \<Rightarrow> mtype) \<Rightarrow> stmt \<Rightarrow> store \<Rightarrow> store" where
  "run D Skip s = s"
| "run D (c ;; d) s = run D d (run D c s)"
| "run D (p .:= e) s = s(place_of s p := Some (value_of s e))"
| "run D (p .:== q) s = write s (place_of s p) (map fst (scalars (type_at D p)))
    (\<lambda>r. s (fst (place_of s q), snd (place_of s q) @ r))"
| "run D (Undefine p) s = write s (place_of s p) (map fst (scalars (type_at D p))) (\<lambda>_. None)"
| "run D (Clear p) s = write s (place_of s p) (map fst (scalars (type_at D p))) (clear (type_at D p))"
| "run D (If e c d) s = (if holds_true (value_of s e) then run D c s else run D d s)"
| "run D (Let e f) s = run D (f (value_of s e)) s"
| "run D (For t f) s = fold (\<lambda>v. run D (f v)) (values t) s"
| "run D (Loop a b k f) s =
    fold (\<lambda>v. run D (f v)) (progress (num (value_of s a)) (num (value_of s b)) (num (value_of s k))) s"
| "run D (Alias p f) s = run D (f (At (place_of s p) (type_at D p))) s"
| "run D (Assert e) s = s"

primrec fails :: "(scalar \<Rightarrow> store \<Rightarrow> bool) \<Rightarrow> (scalar \<Rightarrow> store \<Rightarrow> store) \<Rightarrow> scalar list \<Rightarrow> store \<Rightarrow> bool" where
  "fails f g [] s \<longleftrightarrow> False"
| "fails f g (v # vs) s \<longleftrightarrow> f v s \<or> fails f g vs (g v s)"

primrec violates :: "(nat \<Rightarrow> mtype) \<Rightarrow> stmt \<Rightarrow> store \<Rightarrow> bool" where
  "violates D Skip s \<longleftrightarrow> False"
| "violates D (c ;; d) s \<longleftrightarrow> violates D c s \<or> violates D d (run D c s)"
| "violates D (p .:= e) s \<longleftrightarrow> False"
| "violates D (p .:== q) s \<longleftrightarrow> False"
| "violates D (Undefine p) s \<longleftrightarrow> False"
| "violates D (Clear p) s \<longleftrightarrow> False"
| "violates D (If e c d) s \<longleftrightarrow> (if holds_true (value_of s e) then violates D c s else violates D d s)"
| "violates D (Let e f) s \<longleftrightarrow> violates D (f (value_of s e)) s"
| "violates D (For t f) s \<longleftrightarrow> fails (\<lambda>v. violates D (f v)) (\<lambda>v. run D (f v)) (values t) s"
| "violates D (Loop a b k f) s \<longleftrightarrow> fails (\<lambda>v. violates D (f v)) (\<lambda>v. run D (f v))
    (progress (num (value_of s a)) (num (value_of s b)) (num (value_of s k))) s"
| "violates D (Alias p f) s \<longleftrightarrow> violates D (f (At (place_of s p) (type_at D p))) s"
| "violates D (Assert e) s \<longleftrightarrow> \<not> holds_true (value_of s e)"

primrec plain_stmt :: "(nat \<Rightarrow> mtype) \<Rightarrow> stmt \<Rightarrow> bool" where
  "plain_stmt D Skip \<longleftrightarrow> True"
| "plain_stmt D (c ;; d) \<longleftrightarrow> plain_stmt D c \<and> plain_stmt D d"
| "plain_stmt D (p .:= e) \<longleftrightarrow> plain_place D p \<and> plain D e"
| "plain_stmt D (p .:== q) \<longleftrightarrow> plain_place D p \<and> plain_place D q"
| "plain_stmt D (Undefine p) \<longleftrightarrow> plain_place D p"
| "plain_stmt D (Clear p) \<longleftrightarrow> plain_place D p"
| "plain_stmt D (If e c d) \<longleftrightarrow> plain D e \<and> plain_stmt D c \<and> plain_stmt D d"
| "plain_stmt D (Let e f) \<longleftrightarrow> plain D e \<and> (\<forall>v. plain_stmt D (f v))"
| "plain_stmt D (For t f) \<longleftrightarrow> (\<forall>v. plain_stmt D (f v))"
| "plain_stmt D (Loop a b k f) \<longleftrightarrow> plain D a \<and> plain D b \<and> plain D k \<and> (\<forall>v. plain_stmt D (f v))"
| "plain_stmt D (Alias p f) \<longleftrightarrow> plain_place D p \<and> (\<forall>l t. fits D l t \<longrightarrow> plain_stmt D (f (At l t)))"
| "plain_stmt D (Assert e) \<longleftrightarrow> plain D e"

lemma scalars_Array: "v \<in> set (values d) \<Longrightarrow> (q, w) \<in> set (scalars u) \<Longrightarrow>
    (Index v # q, w) \<in> set (scalars (Array d u))"
  unfolding scalars.simps set_concat set_map
  by (rule UN_I[OF imageI], assumption, simp only: set_map) (rule image_eqI[of _ _ "(q, w)"], simp_all)

lemma scalars_Record: "(f, u) \<in> set fs \<Longrightarrow> (q, w) \<in> set (scalars u) \<Longrightarrow>
    (Field f # q, w) \<in> set (scalars (Record fs))"
proof -
  assume f: "(f, u) \<in> set fs" and q: "(q, w) \<in> set (scalars u)"
  have "(f, scalars u) \<in> map_prod id scalars ` set fs" using f by (rule image_eqI[rotated]) simp
  then show ?thesis
    unfolding scalars.simps set_concat set_map
    by (rule UN_I[OF imageI]) (simp, rule image_eqI[of _ _ "(q, w)"], simp_all add: q)
qed

lemma fitsD: "fits D m t \<Longrightarrow> (q, w) \<in> set (scalars t) \<Longrightarrow> inside D (fst m, snd m @ q)"
  unfolding fits_def by (drule (1) bspec) simp

lemma fitsI: "(\<And>q w. (q, w) \<in> set (scalars t) \<Longrightarrow> inside D (fst m, snd m @ q)) \<Longrightarrow> fits D m t"
  unfolding fits_def by (metis prod.collapse)

lemma fits_locate:
  fixes e :: expr and p :: place
  shows "e = e" and "plain_place D p \<Longrightarrow> locate D s p = Done (l, u) \<Longrightarrow> fits D l u"
proof (induct e and p arbitrary: and l u)
  case (Variable x)
  then have "l = (x, [])" "u = D x" by simp_all
  then show ?case by (intro fitsI) (simp add: inside_def rev_image_eqI)
next
  case (Elt p e)
  then obtain m d v where m: "locate D s p = Done (m, Array d u)" "v \<in> set (values d)" "l = (fst m, snd m @ [Index v])"
    by (auto simp only: locate_Elt)
  then have "fits D m (Array d u)" using Elt by simp
  then show ?case using m(3) fitsD[OF _ scalars_Array[OF m(2)]] by (intro fitsI) simp
next
  case (Fld p f)
  then obtain m fs where m: "locate D s p = Done (m, Record fs)" "map_of fs f = Some u" "l = (fst m, snd m @ [Field f])"
    by (auto simp only: locate_Fld)
  then have "fits D m (Record fs)" using Fld by simp
  then show ?case using m(3) fitsD[OF _ scalars_Record[OF map_of_SomeD[OF m(2)]]] by (intro fitsI) simp
qed simp_all

lemma below_write:
  assumes "below s t" and "\<And>p. f p = None \<or> f p = g p"
  shows "below (write s l ps f) (write t l ps g)"
  using assms unfolding below_def write_def by (auto split: prod.splits)

lemma each_total:
  assumes "\<And>v s t s'. v \<in> set vs \<Longrightarrow> below s t \<Longrightarrow> f v s = Done s' \<Longrightarrow> below s' (g v t)"
  shows "below s t \<Longrightarrow> each f vs s = Done s' \<Longrightarrow> below s' (fold g vs t)"
  using assms
proof (induct vs arbitrary: s t)
  case (Cons v vs)
  then obtain u where u: "f v s = Done u" "each f vs u = Done s'" by (auto simp: bind_Done)
  have "below u (g v t)" using Cons(4)[of v s t u] Cons(2) u by simp
  then show ?case using Cons(1)[of u "g v t"] Cons(4) u by simp
qed simp

lemma each_violates:
  assumes "\<And>v s t s'. v \<in> set vs \<Longrightarrow> below s t \<Longrightarrow> f v s = Done s' \<Longrightarrow> below s' (g v t)"
    and "\<And>v s t. v \<in> set vs \<Longrightarrow> below s t \<Longrightarrow> f v s = Violated \<Longrightarrow> h v t"
  shows "below s t \<Longrightarrow> each f vs s = Violated \<Longrightarrow> fails h g vs t"
  using assms
proof (induct vs arbitrary: s t)
  case (Cons v vs)
  show ?case
  proof (cases "f v s")
    case (Done u)
    have "below u (g v t)" using Cons(4)[of v s t u] Cons(2) Done by simp
    then show ?thesis using Cons(1)[of u "g v t"] Cons(3,4,5) Done by simp
  next
    case Error
    then show ?thesis using Cons(3) by simp
  next
    case Violated
    then show ?thesis using Cons(2) Cons(5)[of v s t] by simp
  qed
qed simp

lemma no_violation:
  fixes e :: expr and p :: place
  shows "eval D s e \<noteq> Violated" and "locate D s p \<noteq> Violated"
proof (induct e and p)
  case (Forall t f)
  have "all (\<lambda>v. eval D s (f v)) vs \<noteq> Violated" for vs
    by (induct vs) (simp_all add: bind_Violated truth_Violated Forall rangeI)
  then show ?case by (simp add: yes_Violated)
next
  case (Exists t f)
  have "some (\<lambda>v. eval D s (f v)) vs \<noteq> Violated" for vs
    by (induct vs) (simp_all add: bind_Violated truth_Violated Exists rangeI)
  then show ?case by (simp add: yes_Violated)
next
  case (Elt p e)
  show ?case
  proof (cases "locate D s p")
    case (Done m)
    obtain x q t where m: "m = ((x, q), t)" by (metis surj_pair)
    show ?thesis using Elt by (cases t; cases "eval D s e"; simp add: Done m)
  qed (use Elt in simp_all)
next
  case (Fld p f)
  show ?case
  proof (cases "locate D s p")
    case (Done m)
    obtain x q t where m: "m = ((x, q), t)" by (metis surj_pair)
    show ?thesis by (cases t; simp add: Done m split: option.split)
  qed (use Fld in simp_all)
qed (auto simp: bind_Violated truth_Violated yes_Violated split: option.splits)


lemma copy_Done: "copy s l t m = Done s' \<Longrightarrow> s' = write s l (map fst (scalars t)) (\<lambda>p. s (fst m, snd m @ p))"
  by (auto simp: copy_def Let_def split: if_splits)

lemma copy_Violated: "copy s l t m \<noteq> Violated"
  by (auto simp: copy_def Let_def)

lemma progression_Done: "progression a b k = Done vs \<Longrightarrow> vs = progress a b k"
  by (auto simp: progression_def progress_def split: if_splits)

lemma progression_Violated: "progression a b k \<noteq> Violated"
  by (auto simp: progression_def)

text \<open>What an execution without an error comes to is what total execution comes to, where it is defined.\<close>

theorem exec_total:
  "plain_stmt D c \<Longrightarrow> below s t \<Longrightarrow> exec D c s = Done s' \<Longrightarrow> below s' (run D c t)"
proof (induct c arbitrary: s t s')
  case (Seq c d)
  then obtain u where "exec D c s = Done u" "exec D d u = Done s'" by (auto simp: bind_Done)
  moreover then have "below u (run D c t)" using Seq(1)[of s t u] Seq(3,4) by simp
  ultimately show ?case using Seq(2)[of u "run D c t" s'] Seq(3) by simp
next
  case (Assign p e)
  then obtain l u v where l: "locate D s p = Done (l, u)" "eval D s e = Done v" "s' = s(l := Some v)"
    by (auto simp: bind_Done split: if_splits)
  have "place_of t p = l" "value_of t e = v" using eval_total(2)[OF Assign(2) _ l(1)] eval_total(1)[OF Assign(2) _ l(2)] Assign(1) by simp_all
  then show ?case using l Assign(2) by (auto simp: below_def)
next
  case (Copy p q)
  then obtain l u m w where l: "locate D s p = Done (l, u)" "locate D s q = Done (m, w)" "copy s l u m = Done s'"
    by (auto simp: bind_Done)
  have "place_of t p = l \<and> type_at D p = u" "place_of t q = m" using eval_total(2)[OF Copy(2) _ l(1)] eval_total(2)[OF Copy(2) _ l(2)] Copy(1) by simp_all
  moreover have "below (write s l ps (\<lambda>p. s (fst m, snd m @ p))) (write t l ps (\<lambda>p. t (fst m, snd m @ p)))" for ps
    using Copy(2) by (intro below_write) (auto simp: below_def)
  ultimately show ?case using copy_Done[OF l(3)] by simp
next
  case (Undefine p)
  then obtain l u where l: "locate D s p = Done (l, u)" "s' = write s l (map fst (scalars u)) (\<lambda>_. None)"
    by (auto simp: bind_Done)
  have "place_of t p = l \<and> type_at D p = u" using eval_total(2)[OF Undefine(2) _ l(1)] Undefine(1) by simp
  then show ?case using l Undefine(2) by (simp add: below_write)
next
  case (Clear p)
  then obtain l u where l: "locate D s p = Done (l, u)" "s' = write s l (map fst (scalars u)) (clear u)"
    by (auto simp: bind_Done)
  have "place_of t p = l \<and> type_at D p = u" using eval_total(2)[OF Clear(2) _ l(1)] Clear(1) by simp
  then show ?case using l Clear(2) by (simp add: below_write)
next
  case (If e c d)
  then obtain b where b: "eval D s e = Done (Truth b)" "(if b then exec D c s else exec D d s) = Done s'"
    by (auto simp: bind_Done truth_Done)
  have "value_of t e = Truth b" using eval_total(1)[OF If(4) _ b(1)] If(3) by simp
  then show ?case using b If by (cases b) (simp_all add: holds_true_def)
next
  case (Let e f)
  then obtain v where v: "eval D s e = Done v" "exec D (f v) s = Done s'" by (auto simp: bind_Done)
  have "value_of t e = v" using eval_total(1)[OF Let(3) _ v(1)] Let(2) by simp
  then show ?case using v Let by (simp add: rangeI)
next
  case (For u f)
  have IH: "below s' (run D (f v) t)" if "below s t" "exec D (f v) s = Done s'" for v s t s'
    using For(1)[of "f v" s t s'] For(2) that by simp
  show ?case
    unfolding run.simps
  proof (rule each_total[where f = "\<lambda>v. exec D (f v)"])
    show "\<And>v s t s'. v \<in> set (values u) \<Longrightarrow> below s t \<Longrightarrow> exec D (f v) s = Done s' \<Longrightarrow> below s' (run D (f v) t)"
      by (rule IH)
    show "below s t" by (rule For(3))
    show "each (\<lambda>v. exec D (f v)) (values u) s = Done s'" using For(4) by (simp only: exec.simps)
  qed
next
  case (Loop a b k f)
  then obtain x y z vs where x: "eval D s a = Done (Number x)" "eval D s b = Done (Number y)" "eval D s k = Done (Number z)"
    "progression x y z = Done vs" "each (\<lambda>v. exec D (f v)) vs s = Done s'"
    by (auto simp: bind_Done number_Done)
  have vals: "value_of t a = Number x" "value_of t b = Number y" "value_of t k = Number z"
    using eval_total(1)[OF Loop(3) _ x(1)] eval_total(1)[OF Loop(3) _ x(2)] eval_total(1)[OF Loop(3) _ x(3)] Loop(2)
    by simp_all
  have IH: "below s' (run D (f v) t)" if "below s t" "exec D (f v) s = Done s'" for v s t s'
    using Loop(1)[of "f v" s t s'] Loop(2) that by simp
  show ?case
    unfolding run.simps vals num.simps progression_Done[OF x(4), symmetric]
  proof (rule each_total[where f = "\<lambda>v. exec D (f v)"])
    show "\<And>v s t s'. v \<in> set vs \<Longrightarrow> below s t \<Longrightarrow> exec D (f v) s = Done s' \<Longrightarrow> below s' (run D (f v) t)"
      by (rule IH)
    show "below s t" by (rule Loop(3))
    show "each (\<lambda>v. exec D (f v)) vs s = Done s'" by (rule x(5))
  qed
next
  case (Alias p f)
  then obtain l u where l: "locate D s p = Done (l, u)" "exec D (f (At l u)) s = Done s'" by (auto simp: bind_Done)
  have "place_of t p = l \<and> type_at D p = u" using eval_total(2)[OF Alias(3) _ l(1)] Alias(2) by simp
  moreover have "plain_stmt D (f (At l u))" using Alias(2) fits_locate(2)[OF _ l(1)] by (cases l) simp
  ultimately show ?case using Alias(1)[of "f (At l u)" s t s'] Alias(3) l(2) by simp
next
  case (Assert e)
  then show ?case by (auto simp: bind_Done split: if_splits)
qed simp

theorem exec_violates:
  "plain_stmt D c \<Longrightarrow> below s t \<Longrightarrow> exec D c s = Violated \<Longrightarrow> violates D c t"
proof (induct c arbitrary: s t)
  case (Seq c d)
  then show ?case using exec_total[of D c s t] by (auto simp: bind_Violated)
next
  case (Assign p e)
  then show ?case by (auto simp: bind_Violated no_violation split: if_splits)
next
  case (Copy p q)
  then show ?case by (auto simp: bind_Violated no_violation copy_Violated)
next
  case (Undefine p)
  then show ?case by (auto simp: bind_Violated no_violation)
next
  case (Clear p)
  then show ?case by (auto simp: bind_Violated no_violation)
next
  case (If e c d)
  then obtain b where b: "eval D s e = Done (Truth b)" "(if b then exec D c s else exec D d s) = Violated"
    by (auto simp: bind_Violated bind_Done truth_Done truth_Violated no_violation)
  have "value_of t e = Truth b" using eval_total(1)[OF If(4) _ b(1)] If(3) by simp
  then show ?case using b If by (cases b) (simp_all add: holds_true_def)
next
  case (Let e f)
  then obtain v where v: "eval D s e = Done v" "exec D (f v) s = Violated"
    by (auto simp: bind_Violated no_violation)
  have "value_of t e = v" using eval_total(1)[OF Let(3) _ v(1)] Let(2) by simp
  then show ?case using v Let by (simp add: rangeI)
next
  case (For u f)
  have IH: "violates D (f v) t" if "below s t" "exec D (f v) s = Violated" for v s t
    using For(1)[of "f v" s t] For(2) that by simp
  have "below s' (run D (f v) t)" if "below s t" "exec D (f v) s = Done s'" for v s t s'
    using exec_total[of D "f v" s t s'] For(2) that by simp
  note total = this
  show ?case
    unfolding violates.simps
  proof (rule each_violates[where f = "\<lambda>v. exec D (f v)"])
    show "\<And>v s t s'. v \<in> set (values u) \<Longrightarrow> below s t \<Longrightarrow> exec D (f v) s = Done s' \<Longrightarrow> below s' (run D (f v) t)"
      by (rule total)
    show "\<And>v s t. v \<in> set (values u) \<Longrightarrow> below s t \<Longrightarrow> exec D (f v) s = Violated \<Longrightarrow> violates D (f v) t"
      by (rule IH)
    show "below s t" by (rule For(3))
    show "each (\<lambda>v. exec D (f v)) (values u) s = Violated" using For(4) by (simp only: exec.simps)
  qed
next
  case (Loop a b k f)
  then obtain x y z vs where x: "eval D s a = Done (Number x)" "eval D s b = Done (Number y)" "eval D s k = Done (Number z)"
    "progression x y z = Done vs" "each (\<lambda>v. exec D (f v)) vs s = Violated"
    by (auto simp: bind_Violated bind_Done number_Done truth_Violated no_violation progression_Violated)
  have vals: "value_of t a = Number x" "value_of t b = Number y" "value_of t k = Number z"
    using eval_total(1)[OF Loop(3) _ x(1)] eval_total(1)[OF Loop(3) _ x(2)] eval_total(1)[OF Loop(3) _ x(3)] Loop(2)
    by simp_all
  have IH: "violates D (f v) t" if "below s t" "exec D (f v) s = Violated" for v s t
    using Loop(1)[of "f v" s t] Loop(2) that by simp
  have "below s' (run D (f v) t)" if "below s t" "exec D (f v) s = Done s'" for v s t s'
    using exec_total[of D "f v" s t s'] Loop(2) that by simp
  note total = this
  show ?case
    unfolding violates.simps vals num.simps progression_Done[OF x(4), symmetric]
  proof (rule each_violates[where f = "\<lambda>v. exec D (f v)"])
    show "\<And>v s t s'. v \<in> set (vs) \<Longrightarrow> below s t \<Longrightarrow> exec D (f v) s = Done s' \<Longrightarrow> below s' (run D (f v) t)"
      by (rule total)
    show "\<And>v s t. v \<in> set (vs) \<Longrightarrow> below s t \<Longrightarrow> exec D (f v) s = Violated \<Longrightarrow> violates D (f v) t"
      by (rule IH)
    show "below s t" by (rule Loop(3))
    show "each (\<lambda>v. exec D (f v)) (vs) s = Violated" by (rule x(5))
  qed
next
  case (Alias p f)
  then obtain l u where l: "locate D s p = Done (l, u)" "exec D (f (At l u)) s = Violated"
    by (auto simp: bind_Violated no_violation)
  have "place_of t p = l \<and> type_at D p = u" using eval_total(2)[OF Alias(3) _ l(1)] Alias(2) by simp
  moreover have "plain_stmt D (f (At l u))" using Alias(2) fits_locate(2)[OF _ l(1)] by (cases l) simp
  ultimately show ?case using Alias(1)[of "f (At l u)" s t] Alias(3) l(2) by simp
next
  case (Assert e)
  then obtain b where b: "eval D s e = Done (Truth b)" "\<not> b"
    by (auto simp: bind_Violated bind_Done truth_Done truth_Violated no_violation split: if_splits)
  have "value_of t e = Truth b" using eval_total(1)[OF Assert(2) _ b(1)] Assert(1) by simp
  then show ?case using b(2) by (simp add: holds_true_def)
qed simp

text \<open>A statement without assertions violates none.\<close>

primrec quiet :: "stmt \<Rightarrow> bool" where
  "quiet Skip \<longleftrightarrow> True"
| "quiet (c ;; d) \<longleftrightarrow> quiet c \<and> quiet d"
| "quiet (p .:= e) \<longleftrightarrow> True"
| "quiet (p .:== q) \<longleftrightarrow> True"
| "quiet (Undefine p) \<longleftrightarrow> True"
| "quiet (Clear p) \<longleftrightarrow> True"
| "quiet (If e c d) \<longleftrightarrow> quiet c \<and> quiet d"
| "quiet (Let e f) \<longleftrightarrow> (\<forall>v. quiet (f v))"
| "quiet (For t f) \<longleftrightarrow> (\<forall>v. quiet (f v))"
| "quiet (Loop a b k f) \<longleftrightarrow> (\<forall>v. quiet (f v))"
| "quiet (Alias p f) \<longleftrightarrow> (\<forall>q. quiet (f q))"
| "quiet (Assert e) \<longleftrightarrow> False"

lemma fails_False: "(\<And>v s. \<not> f v s) \<Longrightarrow> \<not> fails f g vs s"
  by (induct vs arbitrary: s) auto

lemma quiet_violates: "quiet c \<Longrightarrow> \<not> violates D c s"
  by (induct c arbitrary: s) (simp_all add: fails_False rangeI)

text \<open>Only locations inside of variables are ever defined.\<close>

definition tidy :: "(nat \<Rightarrow> mtype) \<Rightarrow> store \<Rightarrow> bool" where
  "tidy D s \<longleftrightarrow> (\<forall>l. s l \<noteq> None \<longrightarrow> inside D l)"

lemma tidy_write: "tidy D s \<Longrightarrow> fits D l u \<Longrightarrow> tidy D (write s l (map fst (scalars u)) f)"
  unfolding tidy_def write_def
proof (intro allI impI)
  fix m
  assume s: "\<forall>l. s l \<noteq> None \<longrightarrow> inside D l" and l: "fits D l u"
    and m: "(\<lambda>(x, q). if x = fst l \<and> q \<in> (@) (snd l) ` set (map fst (scalars u)) then f (drop (length (snd l)) q)
      else s (x, q)) m \<noteq> None"
  obtain x q where xq: "m = (x, q)" by (cases m)
  show "inside D m"
  proof (cases "x = fst l \<and> q \<in> (@) (snd l) ` set (map fst (scalars u))")
    case True
    then obtain r w where "(r, w) \<in> set (scalars u)" "q = snd l @ r" by auto
    then show ?thesis using fitsD[OF l] True xq by auto
  next
    case False
    then show ?thesis using m s xq by auto
  qed
qed

lemma scalars_values: "v \<in> set (values t) \<Longrightarrow> ([], t) \<in> set (scalars t)"
  by (cases t) auto

lemma tidy_each:
  assumes "\<And>v s s'. v \<in> set vs \<Longrightarrow> tidy D s \<Longrightarrow> f v s = Done s' \<Longrightarrow> tidy D s'"
  shows "tidy D s \<Longrightarrow> each f vs s = Done s' \<Longrightarrow> tidy D s'"
  using assms
proof (induct vs arbitrary: s)
  case (Cons v vs)
  then obtain u where u: "f v s = Done u" "each f vs u = Done s'" by (auto simp: bind_Done)
  then have "tidy D u" using Cons(2) Cons(4)[of v s u] by simp
  then show ?case
    by (rule Cons(1)[OF _ u(2)]) (meson Cons(4) list.set_intros(2))
qed simp

lemma exec_tidy: "plain_stmt D c \<Longrightarrow> tidy D s \<Longrightarrow> exec D c s = Done s' \<Longrightarrow> tidy D s'"
proof (induct c arbitrary: s s')
  case (Seq c d)
  from Seq(5) obtain u where u: "exec D c s = Done u" "exec D d u = Done s'" by (auto simp: bind_Done)
  have "tidy D u" using Seq(1)[of s u] Seq(3,4) u(1) by simp
  then show ?case using Seq(2)[of u s'] Seq(3) u(2) by simp
next
  case (Assign p e)
  then obtain l u v where l: "locate D s p = Done (l, u)" "v \<in> set (values u)" "s' = s(l := Some v)"
    by (auto simp: bind_Done split: if_splits)
  have "inside D l" using fitsD[OF fits_locate(2)[OF _ l(1)] scalars_values[OF l(2)]] Assign(1) by simp
  then show ?case using l Assign(2) by (auto simp: tidy_def)
next
  case (Copy p q)
  then obtain l u m w where l: "locate D s p = Done (l, u)" "locate D s q = Done (m, w)" "copy s l u m = Done s'"
    by (auto simp: bind_Done)
  then show ?case using Copy fits_locate(2)[OF _ l(1)] copy_Done[OF l(3)] tidy_write by simp
next
  case (Undefine p)
  then obtain l u where l: "locate D s p = Done (l, u)" "s' = write s l (map fst (scalars u)) (\<lambda>_. None)"
    by (auto simp: bind_Done)
  then show ?case using Undefine fits_locate(2)[OF _ l(1)] tidy_write by simp
next
  case (Clear p)
  then obtain l u where l: "locate D s p = Done (l, u)" "s' = write s l (map fst (scalars u)) (clear u)"
    by (auto simp: bind_Done)
  then show ?case using Clear fits_locate(2)[OF _ l(1)] tidy_write by simp
next
  case (If e c d)
  from If(5) obtain b where "(if b then exec D c s else exec D d s) = Done s'" by (auto simp: bind_Done)
  then show ?case using If(1)[of s s'] If(2)[of s s'] If(3,4) by (cases b) simp_all
next
  case (Let e f)
  from Let(4) obtain v where "exec D (f v) s = Done s'" by (auto simp: bind_Done)
  then show ?case using Let(1)[of "f v" s s'] Let(2,3) by simp
next
  case (For u f)
  have vs: "each (\<lambda>v. exec D (f v)) (values u) s = Done s'" using For(4) by (simp only: exec.simps)
  have "tidy D s'" if "tidy D s" "exec D (f v) s = Done s'" for v s s'
    using For(1)[of "f v" s s'] For(2) that by simp
  then show ?case by (rule tidy_each[where f = "\<lambda>v. exec D (f v)", OF _ For(3) vs])
next
  case (Loop a b k f)
  from Loop(4) obtain x y z vs where "eval D s a = Done (Number x)" "eval D s b = Done (Number y)"
    "eval D s k = Done (Number z)" "progression x y z = Done vs" and vs: "each (\<lambda>v. exec D (f v)) vs s = Done s'"
    by (auto simp: bind_Done number_Done)
  have "tidy D s'" if "tidy D s" "exec D (f v) s = Done s'" for v s s'
    using Loop(1)[of "f v" s s'] Loop(2) that by simp
  then show ?case by (rule tidy_each[where f = "\<lambda>v. exec D (f v)", OF _ Loop(3) vs])
next
  case (Alias p f)
  from Alias(4) obtain l u where l: "locate D s p = Done (l, u)" "exec D (f (At l u)) s = Done s'" by (auto simp: bind_Done)
  have "plain_stmt D (f (At l u))" using Alias(2) fits_locate(2)[OF _ l(1)] by (cases l) simp
  then show ?case using Alias(1)[of "f (At l u)" s s'] Alias(3) l(2) by simp
next
  case (Assert e)
  then show ?case by (auto simp: bind_Done split: if_splits)
qed simp


section \<open>Loops\<close>

text \<open>
  A list \<open>W\<close> of patterns says which arrays a loop writes; where a pattern has no selector, any will do.  The locations
  inside of an element of such an array belong to the index of the element, their key; all other locations belong to none.
\<close>

type_synonym pattern = "nat \<times> selector option list"

primrec after :: "selector option list \<Rightarrow> path \<Rightarrow> scalar option" where
  "after [] r = (case r of [] \<Rightarrow> None | b # r \<Rightarrow> (case b of Index v \<Rightarrow> Some v | Field f \<Rightarrow> None))"
| "after (a # q) r = (case r of [] \<Rightarrow> None | b # r \<Rightarrow> if a = None \<or> a = Some b then after q r else None)"

primrec key :: "pattern list \<Rightarrow> location \<Rightarrow> scalar option" where
  "key [] l = None"
| "key (m # W) l = (if fst m = fst l \<and> after (snd m) (snd l) \<noteq> None then after (snd m) (snd l) else key W l)"

text \<open>What is known of the path of a place before it is evaluated.\<close>

primrec lit :: "expr \<Rightarrow> selector option" where
  "lit (Lit v) = Some (Index v)"
| "lit (Read p) = None"
| "lit (Not a) = None"
| "lit (a .& b) = None"
| "lit (a .| b) = None"
| "lit (a .-> b) = None"
| "lit (a .= b) = None"
| "lit (a .< b) = None"
| "lit (Arith f a b) = None"
| "lit (Cond c a b) = None"
| "lit (Forall t f) = None"
| "lit (Exists t f) = None"
| "lit (IsUndefined p) = None"

primrec root :: "place \<Rightarrow> nat" where
  "root (Variable x) = x"
| "root (p\<langle>e\<rangle>) = root p"
| "root (p\<bullet>f) = root p"
| "root (At l t) = fst l"

primrec steps :: "place \<Rightarrow> selector option list" where
  "steps (Variable x) = []"
| "steps (p\<langle>e\<rangle>) = steps p @ [lit e]"
| "steps (p\<bullet>f) = steps p @ [Some (Field f)]"
| "steps (At l t) = map Some (snd l)"

primrec differ :: "selector option list \<Rightarrow> selector option list \<Rightarrow> bool" where
  "differ [] ps \<longleftrightarrow> False"
| "differ (a # q) ps \<longleftrightarrow> (case ps of [] \<Rightarrow> False | b # ps \<Rightarrow> a \<noteq> None \<and> b \<noteq> None \<and> b \<noteq> a \<or> differ q ps)"

primrec own :: "selector option list \<Rightarrow> selector option list \<Rightarrow> scalar \<Rightarrow> bool" where
  "own [] ps v \<longleftrightarrow> (case ps of [] \<Rightarrow> False | b # ps \<Rightarrow> b = Some (Index v))"
| "own (a # q) ps v \<longleftrightarrow> (case ps of [] \<Rightarrow> False | b # ps \<Rightarrow> (a = None \<or> b = a) \<and> own q ps v)"

definition apart :: "pattern list \<Rightarrow> place \<Rightarrow> bool" where
  "apart W p \<longleftrightarrow> (\<forall>m \<in> set W. fst m \<noteq> root p \<or> differ (snd m) (steps p))"

definition owned :: "pattern list \<Rightarrow> scalar \<Rightarrow> place \<Rightarrow> bool" where
  "owned W v p \<longleftrightarrow> (\<exists>m \<in> set W. fst m = root p \<and> own (snd m) (steps p) v) \<and>
    (\<forall>m \<in> set W. fst m \<noteq> root p \<or> differ (snd m) (steps p) \<or> own (snd m) (steps p) v)"

text \<open>The index \<open>v\<close> may read its own elements and what belongs to no index, and write its own elements.\<close>

primrec local_expr :: "pattern list \<Rightarrow> scalar \<Rightarrow> expr \<Rightarrow> bool"
  and local_place :: "pattern list \<Rightarrow> scalar \<Rightarrow> place \<Rightarrow> bool"
where
  "local_expr W v (Lit w) \<longleftrightarrow> True"
| "local_expr W v (Read p) \<longleftrightarrow> local_place W v p \<and> (apart W p \<or> owned W v p)"
| "local_expr W v (Not a) \<longleftrightarrow> local_expr W v a"
| "local_expr W v (a .& b) \<longleftrightarrow> local_expr W v a \<and> local_expr W v b"
| "local_expr W v (a .| b) \<longleftrightarrow> local_expr W v a \<and> local_expr W v b"
| "local_expr W v (a .-> b) \<longleftrightarrow> local_expr W v a \<and> local_expr W v b"
| "local_expr W v (a .= b) \<longleftrightarrow> local_expr W v a \<and> local_expr W v b"
| "local_expr W v (a .< b) \<longleftrightarrow> local_expr W v a \<and> local_expr W v b"
| "local_expr W v (Arith f a b) \<longleftrightarrow> local_expr W v a \<and> local_expr W v b"
| "local_expr W v (Cond c a b) \<longleftrightarrow> local_expr W v c \<and> local_expr W v a \<and> local_expr W v b"
| "local_expr W v (Forall t f) \<longleftrightarrow> (\<forall>w. local_expr W v (f w))"
| "local_expr W v (Exists t f) \<longleftrightarrow> (\<forall>w. local_expr W v (f w))"
| "local_expr W v (IsUndefined p) \<longleftrightarrow> False"
| "local_place W v (Variable x) \<longleftrightarrow> True"
| "local_place W v (p\<langle>e\<rangle>) \<longleftrightarrow> local_place W v p \<and> local_expr W v e"
| "local_place W v (p\<bullet>f) \<longleftrightarrow> local_place W v p"
| "local_place W v (At l t) \<longleftrightarrow> True"

primrec local :: "pattern list \<Rightarrow> scalar \<Rightarrow> stmt \<Rightarrow> bool" where
  "local W v Skip \<longleftrightarrow> True"
| "local W v (c ;; d) \<longleftrightarrow> local W v c \<and> local W v d"
| "local W v (p .:= e) \<longleftrightarrow> local_place W v p \<and> owned W v p \<and> local_expr W v e"
| "local W v (p .:== q) \<longleftrightarrow> local_place W v p \<and> owned W v p \<and> local_place W v q \<and> (apart W q \<or> owned W v q)"
| "local W v (Undefine p) \<longleftrightarrow> local_place W v p \<and> owned W v p"
| "local W v (Clear p) \<longleftrightarrow> local_place W v p \<and> owned W v p"
| "local W v (If e c d) \<longleftrightarrow> local_expr W v e \<and> local W v c \<and> local W v d"
| "local W v (Let e f) \<longleftrightarrow> local_expr W v e \<and> (\<forall>w. local W v (f w))"
| "local W v (For t f) \<longleftrightarrow> (\<forall>w. local W v (f w))"
| "local W v (Loop a b k f) \<longleftrightarrow> False"
| "local W v (Alias p f) \<longleftrightarrow> False"
| "local W v (Assert e) \<longleftrightarrow> local_expr W v e"

primrec matches :: "selector option list \<Rightarrow> path \<Rightarrow> bool" where
  "matches [] q \<longleftrightarrow> q = []"
| "matches (b # ps) q \<longleftrightarrow> (case q of [] \<Rightarrow> False | a # q \<Rightarrow> (b = None \<or> b = Some a) \<and> matches ps q)"

lemma matches_snoc: "matches (ps @ [b]) (q @ [a]) \<longleftrightarrow> matches ps q \<and> (b = None \<or> b = Some a)"
proof (induct ps arbitrary: q)
  case Nil
  show ?case by (cases q) auto
next
  case (Cons c ps)
  have "\<not> matches (ps @ [b]) []" by (cases ps) simp_all
  then show ?case by (cases q) (auto simp: Cons)
qed

lemma matches_Some: "matches (map Some q) q"
  by (induct q) auto

lemma lit_value: "lit e = None \<or> lit e = Some (Index (value_of t e))"
  by (cases e) auto

lemma place_matches:
  fixes e :: expr and p :: place
  shows "e = e" and "fst (place_of t p) = root p \<and> matches (steps p) (snd (place_of t p))"
proof (induct e and p)
  case (Elt p e)
  then show ?case using lit_value[of e t] by (auto simp: matches_snoc)
qed (auto simp: matches_snoc matches_Some)

lemmas place_of_matches = place_matches(2)

lemma after_differ: "matches ps p \<Longrightarrow> differ q ps \<Longrightarrow> after q (p @ r) = None"
proof (induct q arbitrary: ps p)
  case (Cons a q)
  then show ?case by (cases ps; cases p) (auto split: if_splits)
qed simp

lemma after_own: "matches ps p \<Longrightarrow> own q ps v \<Longrightarrow> after q (p @ r) = Some v"
proof (induct q arbitrary: ps p)
  case Nil
  then show ?case by (cases ps; cases p) auto
next
  case (Cons a q)
  then show ?case by (cases ps; cases p) auto
qed

lemma key_apart: "apart W p \<Longrightarrow> key W (fst (place_of t p), snd (place_of t p) @ r) = None"
  using place_of_matches[of t p] by (induct W) (auto simp: apart_def after_differ)

lemma key_owned: "owned W v p \<Longrightarrow> key W (fst (place_of t p), snd (place_of t p) @ r) = Some v"
proof -
  assume owned: "owned W v p"
  note m = place_of_matches[of t p]
  have "key W' (fst (place_of t p), snd (place_of t p) @ r) \<in> {None, Some v} \<and>
      ((\<exists>m \<in> set W'. fst m = root p \<and> own (snd m) (steps p) v) \<longrightarrow>
        key W' (fst (place_of t p), snd (place_of t p) @ r) = Some v)"
    if "set W' \<subseteq> set W" for W'
    using that
  proof (induct W')
    case (Cons n W')
    have "fst n \<noteq> root p \<or> differ (snd n) (steps p) \<or> own (snd n) (steps p) v"
      using owned Cons(2) by (auto simp: owned_def)
    then have "fst n = root p \<Longrightarrow> after (snd n) (snd (place_of t p) @ r) \<in> {None, Some v}"
      and "fst n = root p \<Longrightarrow> own (snd n) (steps p) v \<Longrightarrow> after (snd n) (snd (place_of t p) @ r) = Some v"
      using after_differ[of "steps p" _ "snd n" r] after_own[of "steps p" _ "snd n" v r] m by auto
    then show ?case using Cons m by auto
  qed simp
  from this[of W] show ?thesis using owned by (auto simp: owned_def)
qed

lemma key_owned_here: "owned W v p \<Longrightarrow> key W (place_of t p) = Some v"
  using key_owned[of W v p t "[]"] by simp

lemma key_apart_here: "apart W p \<Longrightarrow> key W (place_of t p) = None"
  using key_apart[of W p t "[]"] by simp

definition agree :: "pattern list \<Rightarrow> scalar \<Rightarrow> store \<Rightarrow> store \<Rightarrow> bool" where
  "agree W v s t \<longleftrightarrow> (\<forall>l. key W l = None \<or> key W l = Some v \<longrightarrow> s l = t l)"

lemma agreeD: "agree W v s t \<Longrightarrow> key W l = None \<or> key W l = Some v \<Longrightarrow> s l = t l"
  unfolding agree_def by blast

lemma local_value:
  fixes e :: expr and p :: place
  assumes "agree W v s t"
  shows "local_expr W v e \<Longrightarrow> value_of s e = value_of t e"
    and "local_place W v p \<Longrightarrow> place_of s p = place_of t p"
proof (induct e and p)
  case (Read p)
  then have "key W (place_of t p) = None \<or> key W (place_of t p) = Some v"
    using key_owned_here[of W v p t] key_apart_here[of W p t] by auto
  then have "s (place_of t p) = t (place_of t p)" by (rule agreeD[OF assms])
  then show ?case using Read by simp
qed (simp_all add: rangeI)

lemma local_writes: "local W v c \<Longrightarrow> key W l \<noteq> Some v \<Longrightarrow> run D c s l = s l"
proof (induct c arbitrary: s)
  case (Assign p e)
  then show ?case using key_owned_here[of W v p s] by auto
next
  case (Copy p q)
  then show ?case using key_owned[of W v p s] by (cases l) (auto simp: write_def)
next
  case (Undefine p)
  then show ?case using key_owned[of W v p s] by (cases l) (auto simp: write_def)
next
  case (Clear p)
  then show ?case using key_owned[of W v p s] by (cases l) (auto simp: write_def)
next
  case (For u f)
  have "fold (\<lambda>w. run D (f w)) ws s l = s l" for ws s
    by (induct ws arbitrary: s) (use For in \<open>simp_all add: rangeI\<close>)
  then show ?case by (simp add: run.simps(9))
qed (simp_all add: rangeI)

lemma local_agrees: "local W v c \<Longrightarrow> agree W v s t \<Longrightarrow> agree W v (run D c s) (run D c t)"
proof (induct c arbitrary: s t)
  case (Assign p e)
  then have "place_of s p = place_of t p" "value_of s e = value_of t e"
    using local_value[OF Assign(2)] by auto
  then show ?case using Assign(2) by (auto simp: agree_def)
next
  case (Copy p q)
  then have "place_of s p = place_of t p" "place_of s q = place_of t q"
    using local_value[OF Copy(2)] by auto
  moreover have "s (fst (place_of t q), snd (place_of t q) @ r) = t (fst (place_of t q), snd (place_of t q) @ r)" for r
    using Copy key_owned[of W v q t r] key_apart[of W q t r] by (auto simp: agree_def)
  ultimately show ?case using Copy(2) by (auto simp: agree_def write_def)
next
  case (Undefine p)
  then have "place_of s p = place_of t p" using local_value[OF Undefine(2)] by auto
  then show ?case using Undefine(2) by (auto simp: agree_def write_def)
next
  case (Clear p)
  then have "place_of s p = place_of t p" using local_value[OF Clear(2)] by auto
  then show ?case using Clear(2) by (auto simp: agree_def write_def)
next
  case (If e c d)
  then have "value_of s e = value_of t e" using local_value(1)[OF If(4)] by auto
  then show ?case using If by simp
next
  case (Let e f)
  then have "value_of s e = value_of t e" using local_value(1)[OF Let(3)] by auto
  then show ?case using Let by (simp add: rangeI)
next
  case (For u f)
  have "agree W v (fold (\<lambda>w. run D (f w)) ws s) (fold (\<lambda>w. run D (f w)) ws t)" if "agree W v s t" for ws s t
    using that by (induct ws arbitrary: s t) (use For in \<open>simp_all add: rangeI\<close>)
  then show ?case using For(3) by (simp add: run.simps(9))
qed simp_all

declare run.simps(9) [simp del]

text \<open>Then each round sees what was there before the loop, and a loop is one update.\<close>

definition spread :: "pattern list \<Rightarrow> (scalar \<Rightarrow> store) \<Rightarrow> scalar set \<Rightarrow> store \<Rightarrow> store" where
  "spread W g V s = (\<lambda>l. case key W l of None \<Rightarrow> s l | Some v \<Rightarrow> if v \<in> V then g v l else s l)"

lemma fold_spread:
  "distinct vs \<Longrightarrow> (\<And>v. local W v (f v)) \<Longrightarrow>
    fold (\<lambda>v. run D (f v)) vs s = spread W (\<lambda>v. run D (f v) s) (set vs) s"
proof (induct vs arbitrary: s)
  case Nil
  show ?case by (auto simp: spread_def split: option.splits)
next
  case (Cons v vs)
  have unchanged: "key W l \<noteq> Some v \<Longrightarrow> run D (f v) s l = s l" for l
    using local_writes[OF Cons(3)] by blast
  have others: "run D (f w) (run D (f v) s) l = run D (f w) s l" if "w \<noteq> v" "key W l = Some w" for w l
  proof -
    have "agree W w (run D (f v) s) s" using that(1) unchanged by (auto simp: agree_def)
    from local_agrees[OF Cons(3) this] show ?thesis by (rule agreeD) (simp add: that(2))
  qed
  show ?case
  proof (rule ext)
    fix l
    have "fold (\<lambda>v. run D (f v)) (v # vs) s l = spread W (\<lambda>w. run D (f w) (run D (f v) s)) (set vs) (run D (f v) s) l"
      using Cons(1)[of "run D (f v) s"] Cons(2,3) by simp
    also have "\<dots> = spread W (\<lambda>w. run D (f w) s) (set (v # vs)) s l"
    proof (cases "key W l")
      case None
      then show ?thesis using unchanged[of l] by (simp add: spread_def)
    next
      case (Some w)
      then show ?thesis using unchanged[of l] others[of w l] Cons(2) by (cases "w = v") (auto simp: spread_def)
    qed
    finally show "fold (\<lambda>v. run D (f v)) (v # vs) s l = spread W (\<lambda>w. run D (f w) s) (set (v # vs)) s l" .
  qed
qed

text \<open>
  The arrays that a loop writes at its own index, which \<open>v\<close> stands for.  The indices of loops inside, for which
  \<open>Member 1\<close> stands, may be any.
\<close>

primrec place_heads :: "scalar \<Rightarrow> place \<Rightarrow> pattern list" where
  "place_heads v (Variable x) = []"
| "place_heads v (p\<langle>e\<rangle>) =
    (if lit e = Some (Index v) then
      [(root p, map (\<lambda>b. if b = Some (Index (Member 1)) then None else b) (steps p))]
    else place_heads v p)"
| "place_heads v (p\<bullet>f) = place_heads v p"
| "place_heads v (At l t) = []"

primrec heads :: "scalar \<Rightarrow> stmt \<Rightarrow> pattern list" where
  "heads v Skip = []"
| "heads v (c ;; d) = heads v c @ heads v d"
| "heads v (p .:= e) = place_heads v p"
| "heads v (p .:== q) = place_heads v p"
| "heads v (Undefine p) = place_heads v p"
| "heads v (Clear p) = place_heads v p"
| "heads v (If e c d) = heads v c @ heads v d"
| "heads v (Let e f) = heads v (f (Member 1))"
| "heads v (For t f) = heads v (f (Member 1))"
| "heads v (Loop a b k f) = heads v (f (Member 1))"
| "heads v (Alias p f) = []"
| "heads v (Assert e) = []"

definition written :: "(scalar \<Rightarrow> stmt) \<Rightarrow> pattern list" where
  "written f = remdups (heads (Member 0) (f (Member 0)))"

lemma run_For:
  assumes "distinct (values t)" and "\<forall>v. local (written f) v (f v)"
  shows "run D (For t f) s = spread (written f) (\<lambda>v. run D (f v) s) (set (values t)) s"
  using fold_spread[OF assms(1), of "written f" f] assms(2) by (simp add: run.simps(9))

text \<open>The number of an element.  It tells the values of a range or scalarset apart.\<close>

primrec index_of :: "scalar \<Rightarrow> nat" where
  "index_of (Truth b) = 0"
| "index_of (Number k) = nat k"
| "index_of (Member m) = m"
| "index_of (Element t k) = k"

lemma spread_indices: "(\<And>v. v \<in> V \<Longrightarrow> h (index_of v) = v) \<Longrightarrow>
    spread W (\<lambda>v. run D (f v) s) V s = spread W (\<lambda>v. run D (f (h (index_of v))) s) V s"
  by (auto simp: spread_def fun_eq_iff split: option.split)

lemma spread_at: "spread W g V s (x, p) = (case key W (x, p) of None \<Rightarrow> s (x, p) | Some v \<Rightarrow>
    if v \<in> V then g v (x, p) else s (x, p))"
  by (simp add: spread_def)

lemma spread_cong [cong]: "W = W' \<Longrightarrow> V = V' \<Longrightarrow> s = s' \<Longrightarrow> spread W g V s = spread W' g V' s'"
  by simp


section \<open>Simulation\<close>

definition agrees :: "program \<Rightarrow> store \<Rightarrow> store \<Rightarrow> bool" where
  "agrees P s t \<longleftrightarrow> (\<forall>l. inside (type_of P) l \<longrightarrow> s l = None \<or> s l = t l)"

text \<open>\<open>V s\<close> is the store that corresponds to the state \<open>s\<close> of the system.\<close>

definition covered :: "program \<Rightarrow> (state \<Rightarrow> store) \<Rightarrow> system \<Rightarrow> mrule \<Rightarrow> bool" where
  "covered P V S m \<longleftrightarrow> (\<forall>xs g c. (xs, g, c) \<in> set (instances m) \<longrightarrow>
     plain (type_of P) g \<and> plain_stmt (type_of P) c \<and>
     (\<forall>s. reachable S s \<longrightarrow> holds_true (value_of (V s) g) \<longrightarrow> \<not> violates (type_of P) c (V s) \<and>
       (\<exists>r \<in> ParaProof.rules S. \<exists>s'. guard r s \<and> update r s s' \<and>
         agrees P (leave xs (run (type_of P) c (V s))) (V s'))))"

definition started :: "program \<Rightarrow> (state \<Rightarrow> store) \<Rightarrow> system \<Rightarrow> mrule \<Rightarrow> bool" where
  "started P V S m \<longleftrightarrow> (\<forall>xs g c. (xs, g, c) \<in> set (instances m) \<longrightarrow>
     plain_stmt (type_of P) c \<and> \<not> violates (type_of P) c (\<lambda>l. None) \<and>
     (\<exists>s. initial S s \<and> agrees P (leave xs (run (type_of P) c (\<lambda>l. None))) (V s)))"

lemma below_leave: "below s t \<Longrightarrow> below (leave xs s) (leave xs t)"
  by (auto simp: below_def leave_def)

lemma tidy_leave: "tidy D s \<Longrightarrow> tidy D (leave xs s)"
  by (auto simp: tidy_def leave_def)

lemma below_agrees: "tidy (type_of P) s \<Longrightarrow> below s t \<Longrightarrow> agrees P t u \<Longrightarrow> below s u"
  unfolding below_def agrees_def tidy_def by (metis (no_types))

lemma fired:
  assumes "plain_stmt (type_of P) c" and "below s t" and "tidy (type_of P) s" and "fire P (xs, g, c) s = Done s'"
  shows "below s' (leave xs (run (type_of P) c t))" and "tidy (type_of P) s'"
proof -
  obtain u where u: "exec (type_of P) c s = Done u" "s' = leave xs u"
    using assms(4) by (auto simp: fire_def bind_Done)
  show "below s' (leave xs (run (type_of P) c t))"
    using exec_total[OF assms(1,2) u(1)] u(2) by (simp add: below_leave)
  show "tidy (type_of P) s'" using exec_tidy[OF assms(1,3) u(1)] u(2) by (simp add: tidy_leave)
qed

text \<open>
  A startstate may choose an element that no rule changes.  There is then a system for each choice \<open>h\<close>, and each instance
  of a startstate is one of the system for some choice.
\<close>

definition started_in :: "program \<Rightarrow> ('h \<Rightarrow> state \<Rightarrow> store) \<Rightarrow> ('h \<Rightarrow> system) \<Rightarrow> 'h set \<Rightarrow> mrule \<Rightarrow> bool" where
  "started_in P V S H m \<longleftrightarrow> (\<forall>xs g c. (xs, g, c) \<in> set (instances m) \<longrightarrow> (\<exists>h \<in> H. started P (V h) (S h) (Rule xs g c)))"

theorem simulated:
  assumes starts: "\<forall>m \<in> set (starts P). started_in P V S H m"
    and rules: "\<forall>h \<in> H. \<forall>m \<in> set (ParaProof_Murphi.rules P). covered P (V h) (S h) m"
  shows "reaches P t \<Longrightarrow> tidy (type_of P) t \<and> (\<exists>h \<in> H. \<exists>s. reachable (S h) s \<and> below t (V h s))"
proof (induct rule: reaches.induct)
  case (start m r t)
  obtain xs g c where r: "r = (xs, g, c)" by (cases r)
  obtain h where h: "h \<in> H" "started P (V h) (S h) (Rule xs g c)"
    using start(1,2) starts r unfolding started_in_def by blast
  have m: "plain_stmt (type_of P) c"
    "\<exists>s. initial (S h) s \<and> agrees P (leave xs (run (type_of P) c (\<lambda>l. None))) (V h s)"
    using h(2) unfolding started_def by simp_all
  have none: "below (\<lambda>l. None) (\<lambda>l. None)" "tidy (type_of P) (\<lambda>l. None)" by (simp_all add: below_def tidy_def)
  note t = fired[OF m(1) none start(3)[unfolded r]]
  obtain s where s: "initial (S h) s" "agrees P (leave xs (run (type_of P) c (\<lambda>l. None))) (V h s)" using m(2) by blast
  have "below t (V h s)" by (rule below_agrees[OF t(2) t(1) s(2)])
  then show ?case using t(2) h(1) reachable.start[OF s(1)] by blast
next
  case (step t m r t')
  obtain xs g c where r: "r = (xs, g, c)" by (cases r)
  obtain h s where s: "h \<in> H" "reachable (S h) s" "below t (V h s)" "tidy (type_of P) t" using step(2) by blast
  have m: "plain (type_of P) g" "plain_stmt (type_of P) c" using step(3,4) rules r s(1) unfolding covered_def by blast+
  have "eval (type_of P) t g = Done (Truth True)" using step(5) r by (simp add: enabled_def)
  then have "holds_true (value_of (V h s) g)" using eval_total(1)[OF s(3) m(1)] by (simp add: holds_true_def)
  then obtain q s' where q: "q \<in> ParaProof.rules (S h)" "guard q s" "update q s s'"
      "agrees P (leave xs (run (type_of P) c (V h s))) (V h s')"
    using step(3,4) rules r s(1,2) unfolding covered_def by blast
  note t = fired[OF m(2) s(3,4) step(6)[unfolded r]]
  have "below t' (V h s')" by (rule below_agrees[OF t(2) t(1) q(4)])
  then show ?case using t(2) s(1) reachable.step[OF s(2) q(1,2,3)] by blast
qed

text \<open>The last theorem of a program follows from three kinds of facts, each about one part of it.\<close>

theorem program_safe_in:
  assumes starts: "\<forall>m \<in> set (starts P). started_in P V S H m"
    and rules: "\<forall>h \<in> H. \<forall>m \<in> set (ParaProof_Murphi.rules P). covered P (V h) (S h) m"
    and invariants: "\<forall>h \<in> H. \<forall>e \<in> set (ParaProof_Murphi.invariants P). plain (type_of P) e \<and>
      (\<forall>s. reachable (S h) s \<longrightarrow> value_of (V h s) e = Truth True)"
  shows "safe P"
  unfolding safe_def
proof (intro conjI allI impI)
  fix t e v
  assume t: "reaches P t" "e \<in> set (ParaProof_Murphi.invariants P)" "eval (type_of P) t e = Done v"
  obtain h s where s: "h \<in> H" "reachable (S h) s" "below t (V h s)" using simulated[OF starts rules t(1)] by blast
  have e: "plain (type_of P) e" "value_of (V h s) e = Truth True" using invariants t(2) s(1,2) by blast+
  show "v = Truth True" using eval_total(1)[OF s(3) e(1) t(3)] e(2) by simp
next
  fix t m r
  assume t: "reaches P t" "m \<in> set (ParaProof_Murphi.rules P)" "r \<in> set (instances m)" "enabled P r t"
  obtain xs g c where r: "r = (xs, g, c)" by (cases r)
  obtain h s where s: "h \<in> H" "reachable (S h) s" "below t (V h s)" using simulated[OF starts rules t(1)] by blast
  have m: "plain (type_of P) g" "plain_stmt (type_of P) c" using t(2,3) rules r s(1) unfolding covered_def by blast+
  have "eval (type_of P) t g = Done (Truth True)" using t(4) r by (simp add: enabled_def)
  then have "holds_true (value_of (V h s) g)" using eval_total(1)[OF s(3) m(1)] by (simp add: holds_true_def)
  then have "\<not> violates (type_of P) c (V h s)" using t(2,3) rules r s(1,2) unfolding covered_def by blast
  then show "fire P r t \<noteq> Violated"
    using exec_violates[OF m(2) s(3)] r by (auto simp: fire_def bind_Violated)
next
  fix m r
  assume t: "m \<in> set (starts P)" "r \<in> set (instances m)"
  obtain xs g c where r: "r = (xs, g, c)" by (cases r)
  obtain h where h: "started P (V h) (S h) (Rule xs g c)"
    using t starts r unfolding started_in_def by blast
  have m: "plain_stmt (type_of P) c" "\<not> violates (type_of P) c (\<lambda>l. None)"
    using h unfolding started_def by simp_all
  have "below (\<lambda>l. None) (\<lambda>l. None)" by (simp add: below_def)
  then show "fire P r (\<lambda>l. None) \<noteq> Violated"
    using exec_violates[OF m(1)] m(2) r by (auto simp: fire_def bind_Violated)
qed

corollary program_safe:
  assumes "\<forall>m \<in> set (starts P). started P V S m"
    and "\<forall>m \<in> set (ParaProof_Murphi.rules P). covered P V S m"
    and "\<forall>e \<in> set (ParaProof_Murphi.invariants P). plain (type_of P) e \<and>
      (\<forall>s. reachable S s \<longrightarrow> value_of (V s) e = Truth True)"
  shows "safe P"
proof (rule program_safe_in[where V = "\<lambda>_ :: unit. V" and S = "\<lambda>_. S" and H = UNIV])
  show "\<forall>m \<in> set (starts P). started_in P (\<lambda>_ :: unit. V) (\<lambda>_. S) UNIV m"
    using assms(1) by (fastforce simp: started_in_def started_def)
qed (use assms(2,3) in blast)+


section \<open>Support for the generated theories\<close>

text \<open>Values of the system as values of the program.\<close>

primrec plain_value :: "val \<Rightarrow> scalar" where
  "plain_value (Const k) = Member k"
| "plain_value (Elem t i) = Element t i"

definition truth_value :: "val \<Rightarrow> scalar" where "truth_value x = Truth (x = true)"

text \<open>The elements of the index type \<open>t\<close> are numbers in the program, and those of others are not.\<close>

definition number_value :: "nat \<Rightarrow> val \<Rightarrow> scalar" where
  "number_value t x = (case x of Const k \<Rightarrow> Member k | Elem u i \<Rightarrow> if u = t then Number (int i) else Element u i)"

lemma plain_value_iff [simp]:
  "plain_value x = Member k \<longleftrightarrow> x = Const k" "Member k = plain_value x \<longleftrightarrow> x = Const k"
  "plain_value x = Element t i \<longleftrightarrow> x = Elem t i" "Element t i = plain_value x \<longleftrightarrow> x = Elem t i"
  "plain_value x = plain_value y \<longleftrightarrow> x = y"
  by (cases x; cases y; auto)+

lemma number_value_iff [simp]:
  "number_value t x = Member k \<longleftrightarrow> x = Const k" "Member k = number_value t x \<longleftrightarrow> x = Const k"
  "number_value t x = Number (int i) \<longleftrightarrow> x = Elem t i" "Number (int i) = number_value t x \<longleftrightarrow> x = Elem t i"
  "number_value t x = number_value t y \<longleftrightarrow> x = y"
  by (cases x; cases y; auto simp: number_value_def split: if_splits)+

lemma number_value_Elem [simp]: "number_value t (Elem t i) = Number (int i)" "number_value t (Const k) = Member k"
  by (simp_all add: number_value_def)

text \<open>The index arguments of a variable of the system are in the path where the pattern has nothing.\<close>

primrec argument :: "selector \<Rightarrow> nat" where
  "argument (Field f) = f"
| "argument (Index v) = (case v of Truth b \<Rightarrow> 0 | Number k \<Rightarrow> nat k | Member m \<Rightarrow> m | Element t k \<Rightarrow> k)"

primrec arguments :: "selector option list \<Rightarrow> path \<Rightarrow> nat list option" where
  "arguments [] q = (case q of [] \<Rightarrow> Some [] | a # q \<Rightarrow> None)"
| "arguments (b # ps) q = (case q of [] \<Rightarrow> None | a # q \<Rightarrow>
    if b = None then map_option ((#) (argument a)) (arguments ps q) else if b = Some a then arguments ps q else None)"

primrec store_of :: "(nat \<times> selector option list \<times> nat \<times> (val \<Rightarrow> scalar)) list \<Rightarrow> state \<Rightarrow> store" where
  "store_of [] s l = None"
| "store_of (e # es) s l = (case arguments (fst (snd e)) (snd l) of
    None \<Rightarrow> store_of es s l
  | Some is \<Rightarrow> if fst e = fst l then Some (snd (snd (snd e)) (s (fst (snd (snd e))) is)) else store_of es s l)"

lemma store_of_other: "x \<notin> fst ` set es \<Longrightarrow> store_of es s (x, q) = None"
  by (induct es) (auto split: option.split)

text \<open>The values of types of any size.\<close>

declare values.simps(3,4) [simp del]

lemma set_Range: "set (values (Range 1 (int n))) = (\<lambda>i. Number (int i)) ` {1..n}"
proof -
  have "{1..int n} = int ` {1..n}"
  proof
    show "{1..int n} \<subseteq> int ` {1..n}"
    proof
      fix k assume "k \<in> {1..int n}"
      then have "k = int (nat k)" "nat k \<in> {1..n}" by (auto simp: atLeastAtMost_iff)
      then show "k \<in> int ` {1..n}" by blast
    qed
  qed (auto simp: atLeastAtMost_iff)
  then show ?thesis by (simp add: values.simps image_image)
qed

lemma set_Scalarset: "set (values (Scalarset t n)) = Element t ` {1..n}"
  by (auto simp: values.simps atLeastAtMost_iff)

lemma in_values [simp]:
  "Number (int i) \<in> set (values (Range 1 (int n))) \<longleftrightarrow> i \<in> {1..n}"
  "Element u i \<in> set (values (Scalarset t n)) \<longleftrightarrow> u = t \<and> i \<in> {1..n}"
  by (auto simp: set_Range set_Scalarset)

lemma all_values [simp]:
  "(\<forall>v \<in> set (values (Range 1 (int n))). Q v) \<longleftrightarrow> (\<forall>i \<in> {1..n}. Q (Number (int i)))"
  "(\<forall>v \<in> set (values (Scalarset t n)). Q v) \<longleftrightarrow> (\<forall>i \<in> {1..n}. Q (Element t i))"
  "(\<exists>v \<in> set (values (Range 1 (int n))). Q v) \<longleftrightarrow> (\<exists>i \<in> {1..n}. Q (Number (int i)))"
  "(\<exists>v \<in> set (values (Scalarset t n)). Q v) \<longleftrightarrow> (\<exists>i \<in> {1..n}. Q (Element t i))"
  by (auto simp: set_Range set_Scalarset)

lemma distinct_values [simp]: "distinct (values (Range a b))" "distinct (values (Scalarset t n))"
  by (auto simp: values.simps distinct_map inj_on_def)

text \<open>
  A loop over such a type is one update, too, in which the form of the index is known: then loops inside can be run
  before the index is.
\<close>

lemma run_For_indices:
  "\<forall>v. local (written f) v (f v) \<Longrightarrow> run D (For (Range 1 (int n)) f) s =
    spread (written f) (\<lambda>v. run D (f (Number (int (index_of v)))) s) (set (values (Range 1 (int n)))) s"
  "\<forall>v. local (written f) v (f v) \<Longrightarrow> run D (For (Scalarset t n) f) s =
    spread (written f) (\<lambda>v. run D (f (Element t (index_of v))) s) (set (values (Scalarset t n))) s"
  by (simp add: run_For, rule spread_indices, force simp: set_Range set_Scalarset)+

text \<open>A fact about every scalar inside a variable.\<close>

definition each_scalar :: "mtype \<Rightarrow> (path \<Rightarrow> bool) \<Rightarrow> bool" where
  "each_scalar t Q \<longleftrightarrow> (\<forall>q \<in> fst ` set (scalars t). Q q)"

lemma each_scalar_simps:
  "each_scalar Boolean Q \<longleftrightarrow> Q []"
  "each_scalar (Enum ms) Q \<longleftrightarrow> Q []"
  "each_scalar (Range a b) Q \<longleftrightarrow> Q []"
  "each_scalar (Scalarset u n) Q \<longleftrightarrow> Q []"
  "each_scalar (Union ts) Q \<longleftrightarrow> Q []"
  "each_scalar (Record fs) Q \<longleftrightarrow> (\<forall>f \<in> set fs. each_scalar (snd f) (\<lambda>q. Q (Field (fst f) # q)))"
  "each_scalar (Array d t) Q \<longleftrightarrow> (\<forall>v \<in> set (values d). each_scalar t (\<lambda>q. Q (Index v # q)))"
  by (auto simp: each_scalar_def case_prod_beta)

definition same :: "store \<Rightarrow> store \<Rightarrow> location \<Rightarrow> bool" where
  "same s t l \<longleftrightarrow> s l = None \<or> s l = t l"

lemma agrees_types:
  assumes "\<forall>w \<in> set (types P). \<forall>x. fst w = Variable x \<longrightarrow> each_scalar (snd w) (\<lambda>q. same s t (x, q))"
  shows "agrees P s t"
  unfolding agrees_def
proof (intro allI impI)
  fix l
  assume l: "inside (type_of P) l"
  show "s l = None \<or> s l = t l"
  proof (cases "map_of (types P) (Variable (fst l))")
    case None
    then show ?thesis using l by (simp add: inside_def type_of_def)
  next
    case (Some u)
    then have "(Variable (fst l), u) \<in> set (types P)" by (rule map_of_SomeD)
    from bspec[OF assms this] have each: "each_scalar u (\<lambda>q. same s t (fst l, q))" by simp
    have "snd l \<in> fst ` set (scalars u)" using l Some by (simp add: inside_def type_of_def)
    from bspec[OF each[unfolded each_scalar_def] this] show ?thesis by (simp add: same_def)
  qed
qed

lemma covered_Ruleset: "(\<And>v. v \<in> set (values t) \<Longrightarrow> covered P V S (f v)) \<Longrightarrow> covered P V S (Ruleset t f)"
  by (auto simp: covered_def)

lemma started_Ruleset: "(\<And>v. v \<in> set (values t) \<Longrightarrow> started P V S (f v)) \<Longrightarrow> started P V S (Ruleset t f)"
  by (auto simp: started_def)

lemma covered_Range:
  "(\<And>i. i \<in> {1..n} \<Longrightarrow> covered P V S (f (Number (int i)))) \<Longrightarrow> covered P V S (Ruleset (Range 1 (int n)) f)"
  by (rule covered_Ruleset) (auto simp: set_Range)

lemma covered_Scalarset:
  "(\<And>i. i \<in> {1..n} \<Longrightarrow> covered P V S (f (Element t i))) \<Longrightarrow> covered P V S (Ruleset (Scalarset t n) f)"
  by (rule covered_Ruleset) (auto simp: set_Scalarset)

lemma started_Range:
  "(\<And>i. i \<in> {1..n} \<Longrightarrow> started P V S (f (Number (int i)))) \<Longrightarrow> started P V S (Ruleset (Range 1 (int n)) f)"
  by (rule started_Ruleset) (auto simp: set_Range)

lemma started_Scalarset:
  "(\<And>i. i \<in> {1..n} \<Longrightarrow> started P V S (f (Element t i))) \<Longrightarrow> started P V S (Ruleset (Scalarset t n) f)"
  by (rule started_Ruleset) (auto simp: set_Scalarset)

lemma started_inI: "h \<in> H \<Longrightarrow> started P (V h) (S h) (Rule xs g c) \<Longrightarrow> started_in P V S H (Rule xs g c)"
  by (auto simp: started_in_def)

lemma started_in_Ruleset:
  "(\<And>v. v \<in> set (values t) \<Longrightarrow> started_in P V S H (f v)) \<Longrightarrow> started_in P V S H (Ruleset t f)"
  by (auto simp: started_in_def)

lemma started_in_Range: "(\<And>i. i \<in> {1..n} \<Longrightarrow> started_in P V S H (f (Number (int i)))) \<Longrightarrow>
    started_in P V S H (Ruleset (Range 1 (int n)) f)"
  by (rule started_in_Ruleset) (auto simp: set_Range)

lemma started_in_Scalarset: "(\<And>i. i \<in> {1..n} \<Longrightarrow> started_in P V S H (f (Element t i))) \<Longrightarrow>
    started_in P V S H (Ruleset (Scalarset t n) f)"
  by (rule started_in_Ruleset) (auto simp: set_Scalarset)

lemma covered_by:
  assumes "plain (type_of P) g \<and> plain_stmt (type_of P) c"
    and "r \<in> ParaProof.rules S"
    and "\<And>s. reachable S s \<Longrightarrow> holds_true (value_of (V s) g) \<Longrightarrow> guard r s"
    and "\<And>s. reachable S s \<Longrightarrow> guard r s \<Longrightarrow> \<not> violates (type_of P) c (V s)"
    and "\<And>s. guard r s \<Longrightarrow> \<exists>s'. update r s s'"
    and "\<And>s s'. reachable S s \<Longrightarrow> guard r s \<Longrightarrow> update r s s' \<Longrightarrow>
      agrees P (leave xs (run (type_of P) c (V s))) (V s')"
  shows "covered P V S (Rule xs g c)"
  unfolding covered_def
proof (intro allI impI conjI)
  fix ys h d
  assume "(ys, h, d) \<in> set (instances (Rule xs g c))"
  then have eq: "ys = xs" "h = g" "d = c" by simp_all
  show "plain (type_of P) h" "plain_stmt (type_of P) d" using assms(1) eq by simp_all
  fix s
  assume s: "reachable S s" "holds_true (value_of (V s) h)"
  have g: "guard r s" using assms(3)[OF s(1)] s(2) eq by simp
  show "\<not> violates (type_of P) d (V s)" using assms(4)[OF s(1) g] eq by simp
  obtain s' where u: "update r s s'" using assms(5)[OF g] by blast
  show "\<exists>r \<in> ParaProof.rules S. \<exists>s'. guard r s \<and> update r s s' \<and> agrees P (leave ys (run (type_of P) d (V s))) (V s')"
    using assms(2) g u assms(6)[OF s(1) g u] eq by blast
qed

text \<open>
  A rule of the program may be several rules of the system, which may have parameters of their own: the witness of an
  \<open>exists\<close>, or the element that a pointer points to.  They are a set, and one of them can fire where the program's rule can.
\<close>

lemma covered_cases:
  assumes "plain (type_of P) g \<and> plain_stmt (type_of P) c"
    and "\<And>r. r \<in> R \<Longrightarrow> r \<in> ParaProof.rules S"
    and "\<And>s. reachable S s \<Longrightarrow> holds_true (value_of (V s) g) \<Longrightarrow> \<exists>r \<in> R. guard r s"
    and "\<And>r s. r \<in> R \<Longrightarrow> reachable S s \<Longrightarrow> guard r s \<Longrightarrow> \<not> violates (type_of P) c (V s)"
    and "\<And>r s. r \<in> R \<Longrightarrow> \<exists>s'. update r s s'"
    and "\<And>r s s'. r \<in> R \<Longrightarrow> reachable S s \<Longrightarrow> guard r s \<Longrightarrow> update r s s' \<Longrightarrow>
      agrees P (leave xs (run (type_of P) c (V s))) (V s')"
  shows "covered P V S (Rule xs g c)"
  unfolding covered_def
proof (intro allI impI conjI)
  fix ys h d
  assume "(ys, h, d) \<in> set (instances (Rule xs g c))"
  then have eq: "ys = xs" "h = g" "d = c" by simp_all
  show "plain (type_of P) h" "plain_stmt (type_of P) d" using assms(1) eq by simp_all
  fix s
  assume s: "reachable S s" "holds_true (value_of (V s) h)"
  obtain r where r: "r \<in> R" "guard r s" using assms(3)[OF s(1)] s(2) eq by blast
  show "\<not> violates (type_of P) d (V s)" using assms(4)[OF r(1) s(1) r(2)] eq by simp
  obtain s' where u: "update r s s'" using assms(5)[OF r(1)] by blast
  show "\<exists>r \<in> ParaProof.rules S. \<exists>s'. guard r s \<and> update r s s' \<and> agrees P (leave ys (run (type_of P) d (V s))) (V s')"
    using assms(2)[OF r(1)] r(2) u assms(6)[OF r(1) s(1) r(2) u] eq by blast
qed

lemma guard_cases:
  "(\<exists>r \<in> A \<union> B. guard r s) \<longleftrightarrow> (\<exists>r \<in> A. guard r s) \<or> (\<exists>r \<in> B. guard r s)"
  "(\<exists>r \<in> {(g, u)}. guard r s) \<longleftrightarrow> g s"
  "(\<exists>r \<in> {(g1 x, u1 x) | x. x \<in> X}. guard r s) \<longleftrightarrow> (\<exists>x \<in> X. g1 x s)"
  "(\<exists>r \<in> {(g2 x y, u2 x y) | x y. x \<in> X \<and> y \<in> Y}. guard r s) \<longleftrightarrow> (\<exists>x \<in> X. \<exists>y \<in> Y. g2 x y s)"
  "(\<exists>r \<in> {(g3 x y z, u3 x y z) | x y z. x \<in> X \<and> y \<in> Y \<and> z \<in> Z}. guard r s) \<longleftrightarrow>
    (\<exists>x \<in> X. \<exists>y \<in> Y. \<exists>z \<in> Z. g3 x y z s)"
  by (force simp: guard_def)+

lemma started_by:
  assumes "plain_stmt (type_of P) c"
    and "\<not> violates (type_of P) c (\<lambda>l. None)"
    and "\<And>s. G s \<Longrightarrow> initial S s"
    and "\<exists>s. G s"
    and "\<And>s. G s \<Longrightarrow> agrees P (leave xs (run (type_of P) c (\<lambda>l. None))) (V s)"
  shows "started P V S (Rule xs g c)"
  unfolding started_def
proof (intro allI impI conjI)
  fix ys h d
  assume "(ys, h, d) \<in> set (instances (Rule xs g c))"
  then have eq: "ys = xs" "d = c" by simp_all
  show "plain_stmt (type_of P) d" "\<not> violates (type_of P) d (\<lambda>l. None)" using assms(1,2) eq by simp_all
  obtain s where s: "G s" using assms(4) by blast
  show "\<exists>s. initial S s \<and> agrees P (leave ys (run (type_of P) d (\<lambda>l. None))) (V s)"
    using assms(3)[OF s] assms(5)[OF s] eq by blast
qed

text \<open>States of the system, by their variables.\<close>

definition at0 :: "val \<Rightarrow> nat list \<Rightarrow> val" where "at0 x = (\<lambda>a. x)"
definition at1 :: "(nat \<Rightarrow> val) \<Rightarrow> nat list \<Rightarrow> val" where "at1 f = (\<lambda>a. f (hd a))"
definition at2 :: "(nat \<Rightarrow> nat \<Rightarrow> val) \<Rightarrow> nat list \<Rightarrow> val" where "at2 f = (\<lambda>a. f (hd a) (hd (tl a)))"
definition at3 :: "(nat \<Rightarrow> nat \<Rightarrow> nat \<Rightarrow> val) \<Rightarrow> nat list \<Rightarrow> val" where
  "at3 f = (\<lambda>a. f (hd a) (hd (tl a)) (hd (tl (tl a))))"
definition truth_val :: "bool \<Rightarrow> val" where "truth_val b = (if b then true else false)"

lemma truth_val_iff [simp]: "truth_val b = true \<longleftrightarrow> b"
  by (simp add: truth_val_def)

lemmas at_simps = at0_def at1_def at2_def at3_def

lemma if_apply: "(if b then f else g) l = (if b then f l else g l)"
  by simp

lemma write_scalar: "write s l [[]] f = s(l := f [])"
  by (cases l) (auto simp: write_def)

lemma write_at: "write s l ps f (x, q) =
    (if x = fst l \<and> q \<in> (@) (snd l) ` set ps then f (drop (length (snd l)) q) else s (x, q))"
  by (simp add: write_def)

text \<open>What a statement leaves alone, told without looking at the store.\<close>

primrec begins :: "selector option list \<Rightarrow> path \<Rightarrow> bool" where
  "begins [] q \<longleftrightarrow> True"
| "begins (b # ps) q \<longleftrightarrow> (case q of [] \<Rightarrow> False | a # q \<Rightarrow>
    (case b of None \<Rightarrow> True | Some c \<Rightarrow> (case c of Field f \<Rightarrow> a = Field f | Index v \<Rightarrow> True)) \<and> begins ps q)"

primrec may_write :: "stmt \<Rightarrow> nat \<Rightarrow> path \<Rightarrow> bool" where
  "may_write Skip x q \<longleftrightarrow> False"
| "may_write (c ;; d) x q \<longleftrightarrow> may_write c x q \<or> may_write d x q"
| "may_write (p .:= e) x q \<longleftrightarrow> x = root p \<and> begins (steps p) q"
| "may_write (p .:== r) x q \<longleftrightarrow> x = root p \<and> begins (steps p) q"
| "may_write (Undefine p) x q \<longleftrightarrow> x = root p \<and> begins (steps p) q"
| "may_write (Clear p) x q \<longleftrightarrow> x = root p \<and> begins (steps p) q"
| "may_write (If e c d) x q \<longleftrightarrow> may_write c x q \<or> may_write d x q"
| "may_write (Let e f) x q \<longleftrightarrow> (\<exists>v. may_write (f v) x q)"
| "may_write (For t f) x q \<longleftrightarrow> (\<exists>v. may_write (f v) x q)"
| "may_write (Loop a b k f) x q \<longleftrightarrow> (\<exists>v. may_write (f v) x q)"
| "may_write (Alias p f) x q \<longleftrightarrow> True"
| "may_write (Assert e) x q \<longleftrightarrow> False"

lemma begins_matches: "matches ps p \<Longrightarrow> begins ps (p @ r)"
proof (induct ps arbitrary: p)
  case (Cons b ps)
  then show ?case by (cases p) (auto split: option.split selector.split)
qed simp

lemma write_elsewhere: "\<not> (x = root p \<and> begins (steps p) q) \<Longrightarrow> write s (place_of s p) ps f (x, q) = s (x, q)"
  using place_of_matches[of s p] begins_matches[of "steps p" "snd (place_of s p)"] by (auto simp: write_def)

lemma fold_elsewhere: "(\<And>v s. g v s l = s l) \<Longrightarrow> fold g vs s l = s l"
  by (induct vs arbitrary: s) auto

lemma run_elsewhere: "\<not> may_write c x q \<Longrightarrow> run D c s (x, q) = s (x, q)"
proof (induct c arbitrary: s)
  case (Assign p e)
  then show ?case
    using place_of_matches[of s p] begins_matches[of "steps p" "snd (place_of s p)" "[]"] by (cases "place_of s p") auto
next
  case (For t f)
  then show ?case by (simp add: run.simps(9) fold_elsewhere rangeI)
next
  case (Loop a b k f)
  then show ?case by (simp add: fold_elsewhere rangeI)
qed (auto simp: write_elsewhere)

text \<open>The variables that a statement writes.\<close>

primrec roots :: "stmt \<Rightarrow> nat list" where
  "roots Skip = []"
| "roots (c ;; d) = roots c @ roots d"
| "roots (p .:= e) = [root p]"
| "roots (p .:== q) = [root p]"
| "roots (Undefine p) = [root p]"
| "roots (Clear p) = [root p]"
| "roots (If e c d) = roots c @ roots d"
| "roots (Let e f) = roots (f (Member 1))"
| "roots (For t f) = roots (f (Member 1))"
| "roots (Loop a b k f) = roots (f (Member 1))"
| "roots (Alias p f) = roots (f (At (root p, []) Boolean))"
| "roots (Assert e) = []"

primrec rooted :: "nat set \<Rightarrow> stmt \<Rightarrow> bool" where
  "rooted R Skip \<longleftrightarrow> True"
| "rooted R (c ;; d) \<longleftrightarrow> rooted R c \<and> rooted R d"
| "rooted R (p .:= e) \<longleftrightarrow> root p \<in> R"
| "rooted R (p .:== q) \<longleftrightarrow> root p \<in> R"
| "rooted R (Undefine p) \<longleftrightarrow> root p \<in> R"
| "rooted R (Clear p) \<longleftrightarrow> root p \<in> R"
| "rooted R (If e c d) \<longleftrightarrow> rooted R c \<and> rooted R d"
| "rooted R (Let e f) \<longleftrightarrow> (\<forall>v. rooted R (f v))"
| "rooted R (For t f) \<longleftrightarrow> (\<forall>v. rooted R (f v))"
| "rooted R (Loop a b k f) \<longleftrightarrow> (\<forall>v. rooted R (f v))"
| "rooted R (Alias p f) \<longleftrightarrow> (\<forall>q t. rooted R (f (At (root p, q) t)))"
| "rooted R (Assert e) \<longleftrightarrow> True"

lemma rooted_elsewhere: "rooted R c \<Longrightarrow> x \<notin> R \<Longrightarrow> run D c s (x, q) = s (x, q)"
proof (induct c arbitrary: s)
  case (Assign p e)
  then show ?case using place_of_matches[of s p] by (cases "place_of s p") auto
next
  case (For t f)
  then show ?case by (simp add: run.simps(9) fold_elsewhere rangeI)
next
  case (Loop a b k f)
  then show ?case by (simp add: fold_elsewhere rangeI)
next
  case (Alias p f)
  then show ?case using place_of_matches[of s p] by (cases "place_of s p") (auto simp: rangeI)
qed (auto intro!: write_elsewhere)

text \<open>
  Execution step by step.  A job \<open>(c, s, t)\<close> says that \<open>c\<close> leads from the store \<open>s\<close> to the store \<open>t\<close>.  Each store has a
  name, and of a store is known what it has at a location in terms of the one before.
\<close>

definition follows :: "(nat \<Rightarrow> mtype) \<Rightarrow> (stmt \<times> store \<times> store) list \<Rightarrow> bool \<Rightarrow> bool" where
  "follows D js Q \<longleftrightarrow> ((\<forall>(c, s, t) \<in> set js. t = run D c s) \<longrightarrow> Q)"

text \<open>What is left to show speaks of no store but the first.\<close>

definition becomes :: "bool \<Rightarrow> bool \<Rightarrow> bool" where "becomes A B \<longleftrightarrow> A = B"

lemma becomes_cong [cong]: "A = A' \<Longrightarrow> becomes A B = becomes A' B"
  by simp

lemma becomes_refl: "becomes A A"
  by (simp add: becomes_def)

definition meets :: "scalar option \<Rightarrow> scalar option \<Rightarrow> bool" where "meets a b \<longleftrightarrow> a = None \<or> a = b"

lemma meets_simps:
  "meets None b" "meets (Some v) (Some w) \<longleftrightarrow> v = w"
  "meets (if c then a else b) d = (if c then meets a d else meets b d)"
  by (simp_all add: meets_def)

lemma if_not: "(if \<not> c then a else b) = (if c then b else a)"
  by simp

lemma follows_start:
  assumes "remdups (roots c) = R" and rooted: "rooted (set R) c"
    and follows: "\<And>s'. follows (type_of P) [(c, s, s')]
      (becomes (\<forall>w \<in> set (types P). \<forall>x. fst w = Variable x \<longrightarrow> Variable x \<notin> set xs \<longrightarrow>
        each_scalar (snd w) (\<lambda>q. meets ((if x \<in> set R then s' else s) (x, q)) (u (x, q)))) Q)"
    and Q: "Q"
  shows "agrees P (leave xs (run (type_of P) c s)) u"
proof (rule agrees_types, intro ballI allI impI)
  fix w x assume w: "w \<in> set (types P)" "fst w = Variable x"
  let ?s = "if x \<in> set R then run (type_of P) c s else s"
  show "each_scalar (snd w) (\<lambda>q. same (leave xs (run (type_of P) c s)) u (x, q))"
  proof (cases "Variable x \<in> set xs")
    case True
    then show ?thesis by (simp add: each_scalar_def same_def leave_def)
  next
    case False
    have "each_scalar (snd w) (\<lambda>q. meets (?s (x, q)) (u (x, q)))"
      using follows[of "run (type_of P) c s"] Q w False by (simp add: follows_def becomes_def)
    moreover have "?s (x, q) = leave xs (run (type_of P) c s) (x, q)" for q
      using rooted_elsewhere[OF rooted, of x "type_of P" s q] False by (auto simp: leave_def)
    ultimately show ?thesis by (simp add: each_scalar_def same_def meets_def)
  qed
qed

lemma follows_end: "Q \<Longrightarrow> follows D [] Q"
  by (simp add: follows_def)

lemma follows_Skip: "((\<And>l. t l = s l) \<Longrightarrow> follows D js Q) \<Longrightarrow> follows D ((Skip, s, t) # js) Q"
  by (simp add: follows_def)

lemma follows_Assert: "((\<And>l. t l = s l) \<Longrightarrow> follows D js Q) \<Longrightarrow> follows D ((Assert e, s, t) # js) Q"
  by (simp add: follows_def)

lemma follows_Seq: "(\<And>s'. follows D ((c, s, s') # (d, s', t) # js) Q) \<Longrightarrow> follows D ((c ;; d, s, t) # js) Q"
  by (simp add: follows_def)

lemma follows_Alias: "place_of s p = l \<Longrightarrow> type_at D p = r \<Longrightarrow> follows D ((f (At l r), s, t) # js) Q \<Longrightarrow>
    follows D ((Alias p f, s, t) # js) Q"
  by (simp add: follows_def)

lemma follows_Assign: "place_of s p = (y, r) \<Longrightarrow> value_of s e = v \<Longrightarrow>
    ((\<And>x q. t (x, q) = (case x = y of True \<Rightarrow> if q = r then Some v else s (x, q) | False \<Rightarrow> s (x, q))) \<Longrightarrow> follows D js Q) \<Longrightarrow>
    follows D ((p .:= e, s, t) # js) Q"
  by (auto simp: follows_def split: bool.split)

lemma follows_Copy: "map fst (scalars (type_at D p)) = [[]] \<Longrightarrow> place_of s p = (y, r) \<Longrightarrow> s (place_of s z) = v \<Longrightarrow>
    ((\<And>x q. t (x, q) = (case x = y of True \<Rightarrow> if q = r then v else s (x, q) | False \<Rightarrow> s (x, q))) \<Longrightarrow> follows D js Q) \<Longrightarrow>
    follows D ((p .:== z, s, t) # js) Q"
  by (auto simp: follows_def write_scalar split: bool.split)

lemma follows_Undefine: "map fst (scalars (type_at D p)) = [[]] \<Longrightarrow> place_of s p = (y, r) \<Longrightarrow>
    ((\<And>x q. t (x, q) = (case x = y of True \<Rightarrow> if q = r then None else s (x, q) | False \<Rightarrow> s (x, q))) \<Longrightarrow> follows D js Q) \<Longrightarrow>
    follows D ((Undefine p, s, t) # js) Q"
  by (auto simp: follows_def write_scalar split: bool.split)

lemma follows_Set: "((\<And>x q. t (x, q) = (case x = y of True \<Rightarrow> if q = [] then Some v else s (x, q) | False \<Rightarrow> s (x, q))) \<Longrightarrow> follows D js Q) \<Longrightarrow>
    follows D ((Variable y .:= Lit v, s, t) # js) Q"
  by (auto simp: follows_def split: bool.split)

lemma follows_Set_value: "value_of s e = v \<Longrightarrow>
    ((\<And>x q. t (x, q) = (case x = y of True \<Rightarrow> if q = [] then Some v else s (x, q) | False \<Rightarrow> s (x, q))) \<Longrightarrow> follows D js Q) \<Longrightarrow>
    follows D ((Variable y .:= e, s, t) # js) Q"
  by (auto simp: follows_def split: bool.split)

lemma follows_Lit: "place_of s p = (y, r) \<Longrightarrow>
    ((\<And>x q. t (x, q) = (case x = y of True \<Rightarrow> if q = r then Some v else s (x, q) | False \<Rightarrow> s (x, q))) \<Longrightarrow> follows D js Q) \<Longrightarrow>
    follows D ((p .:= Lit v, s, t) # js) Q"
  by (auto simp: follows_def split: bool.split)

lemma follows_If: "holds_true (value_of s e) = b \<Longrightarrow> (\<And>x q. may_write (If e c d) x q = T x q) \<Longrightarrow>
    (\<And>u w. (\<And>x q. t (x, q) = (case T x q of True \<Rightarrow> if b then u (x, q) else w (x, q) | False \<Rightarrow> s (x, q))) \<Longrightarrow>
      follows D ((c, s, u) # (d, s, w) # js) Q) \<Longrightarrow> follows D ((If e c d, s, t) # js) Q"
proof (unfold follows_def, intro impI, goal_cases)
  case 1
  have t: "t = run D (If e c d) s" using 1(4) by simp
  show ?case
  proof (rule 1(3)[of "run D c s" "run D d s", THEN mp])
    fix x q
    show "t (x, q) = (case T x q of True \<Rightarrow> if b then run D c s (x, q) else run D d s (x, q) | False \<Rightarrow> s (x, q))"
      using run_elsewhere[of "If e c d" x q D s]
      by (cases "may_write (If e c d) x q") (auto simp: t 1(1) simp flip: 1(2) simp del: may_write.simps)
    show "\<forall>(c, s, t) \<in> set ((c, s, run D c s) # (d, s, run D d s) # js). t = run D c s" using 1(4) by auto
  qed
qed

lemma follows_For: "distinct (values k) \<Longrightarrow> written f = W \<Longrightarrow> \<forall>v. local W v (f v) \<Longrightarrow>
    (\<And>v x q. run D (f v) s (x, q) = T v x q) \<Longrightarrow>
    ((\<And>x q. t (x, q) = (case key W (x, q) of None \<Rightarrow> s (x, q) | Some v \<Rightarrow>
      if v \<in> set (values k) then T v x q else s (x, q))) \<Longrightarrow> follows D js Q) \<Longrightarrow>
    follows D ((For k f, s, t) # js) Q"
  by (auto simp: follows_def run_For spread_def split: option.split)

lemma follows_other: "(\<And>x q. run D c s (x, q) = T x q) \<Longrightarrow>
    ((\<And>x q. t (x, q) = T x q) \<Longrightarrow> follows D js Q) \<Longrightarrow> follows D ((c, s, t) # js) Q"
  by (auto simp: follows_def split: bool.split)

lemmas program_simps =
  write_scalar write_at guard_def update_def holds_true_def if_apply spread_at run_For written_def
  apart_def owned_def truth_value_def leave_def same_def each_scalar_simps

text \<open>
  Where loops are inside of others, an execution is run once, and then compared with the state array by array.
\<close>

lemmas run_simps =
  write_scalar write_at guard_def update_def holds_true_def if_apply spread_at run_For_indices written_def
  apart_def owned_def truth_value_def leave_def

lemmas parts_simps =
  list.set ball_simps fst_conv snd_conv simp_thms place.inject each_scalar_simps all_values
  ParaProof_Murphi.values.simps(1,2,5) same_def

text \<open>For execution step by step: the values in the stores, the parts of the variables, and what the parts come to.\<close>

lemmas value_simps = holds_true_def truth_value_def

lemmas parts_left_simps =
  list.set ball_simps fst_conv snd_conv simp_thms place.inject each_scalar_simps all_values
  ParaProof_Murphi.values.simps(1,2,5) insert_iff empty_iff eq_numeral_simps num.inject num.distinct
  zero_neq_numeral one_eq_numeral_iff numeral_eq_one_iff zero_neq_one one_neq_zero numeral_neq_zero if_True if_False

lemmas look_up_simps = truth_value_def meets_simps if_not if_apply write_at

end
