(*  ParaProof_Computed.thy: the checker of ParaProof_Checker.thy is sound.

    Each lemma says that a step of the checker is sound: if the formulas that it is given hold for some elements that
    the symbols denote, it does not find a contradiction.
*)

theory ParaProof_Computed
  imports ParaProof_Checker ParaProof_Assumptions ParaProof_Numbers
begin

section \<open>Positions and symbols\<close>

lemma at_nth: "at xs p = (if p < length xs then xs ! p else 0)"
  by (induct xs arbitrary: p) (auto split: nat.split)

lemma at_map: "at e 0 = 0 \<Longrightarrow> at (map (at e) m) p = at e (at m p)"
  by (induct m arbitrary: p) (auto split: nat.split)

lemma tv_gt: "at e 0 = 0 \<Longrightarrow> tv \<sigma> (map (at e) m) a = tv \<sigma> e (gt m a)"
  by (induct a) (auto simp: at_map comp_def intro!: arg_cong[where f = "\<sigma> _"])

lemma tv_gt_0: "tv \<sigma> (map (at (0 # es)) m) a = tv \<sigma> (0 # es) (gt m a)"
  by (rule tv_gt) simp

lemma at_append: "p \<le> length es \<Longrightarrow> at (0 # es @ more) p = at (0 # es) p"
  by (auto simp: at_nth nth_append nth_Cons split: nat.split)

lemma at_new: "n = length es \<Longrightarrow> at (0 # es @ x # ys) (Suc n) = x"
  by (simp add: at_nth nth_append)

lemma map_at_append: "\<forall>p \<in> set ps. p \<le> length es \<Longrightarrow> map (at (0 # es @ more)) ps = map (at (0 # es)) ps"
  by (auto simp: at_append simp del: at.simps)

lemma map_at_prefix: "map (at (0 # es @ more)) [0..<Suc (length es)] = 0 # es"
  by (rule nth_equalityI) (auto simp: at_nth nth_append nth_Cons simp del: upt_Suc split: nat.split)

lemma map_at_named: "map (at (0 # es @ more)) [Suc 0..<Suc (length es)] = es"
  by (rule nth_equalityI) (auto simp: at_nth nth_append simp del: upt_Suc)

lemma ofty_iff: "ofty ts p t \<longleftrightarrow> (\<exists>q. p = Suc q \<and> q < length ts \<and> ts ! q = t)"
proof (induct ts arbitrary: p)
  case (Cons u us)
  then show ?case by (cases p) (auto simp: less_Suc_eq_0_disj split: nat.split)
qed simp

lemma ofty_le: "ofty ts p t \<Longrightarrow> p \<le> length ts"
  by (auto simp: ofty_iff)

lemma ofty_snoc: "ofty (ts @ [u]) p t \<longleftrightarrow> ofty ts p t \<or> p = Suc (length ts) \<and> u = t"
  by (cases p) (auto simp: ofty_iff nth_append less_Suc_eq)

lemma syms_from_iff: "p \<in> set (syms_from n ts t) \<longleftrightarrow> (\<exists>q. p = n + q \<and> q < length ts \<and> ts ! q = t)"
proof (induct ts arbitrary: n)
  case (Cons u us)
  have "(\<exists>q. p = n + q \<and> q < length (u # us) \<and> (u # us) ! q = t) \<longleftrightarrow>
    p = n \<and> u = t \<or> (\<exists>q. p = Suc n + q \<and> q < length us \<and> us ! q = t)"
    by (rule iffI) (auto simp: less_Suc_eq_0_disj)
  then show ?case using Cons by auto
qed simp

lemma syms_iff: "p \<in> set (syms ts t) \<longleftrightarrow> ofty ts p t"
  by (auto simp: syms_from_iff ofty_iff)

lemma wf_more: "wf Ns ts es \<Longrightarrow> length es = length ts \<Longrightarrow> wf Ns ts (es @ more)"
  unfolding wf_def using ofty_le by (metis at_append)

lemma wf_range: "wf Ns ts es \<Longrightarrow> ofty ts p t \<Longrightarrow> at (0 # es) p \<in> {1..Ns ! t}"
  by (simp add: wf_def)

lemma wf_differ: "wf Ns ts es \<Longrightarrow> ofty ts p t \<Longrightarrow> ofty ts q t \<Longrightarrow> p \<noteq> q \<Longrightarrow> at (0 # es) p \<noteq> at (0 # es) q"
  unfolding wf_def by blast

lemma wf_snoc:
  assumes "wf Ns ts es" "length es = length ts" "x \<in> {1..Ns ! t}" "\<And>p. ofty ts p t \<Longrightarrow> at (0 # es) p \<noteq> x"
  shows "wf Ns (ts @ [t]) (es @ [x])"
proof -
  have old: "at (0 # es @ [x]) p = at (0 # es) p" if "ofty ts p u" for p u
    using that assms(2) ofty_le at_append by metis
  have new: "at (0 # es @ [x]) (Suc (length ts)) = x"
    using assms(2) by (simp add: at_nth nth_append)
  have no: "\<not> ofty ts (Suc (length ts)) u" for u by (simp add: ofty_iff)
  show ?thesis
    unfolding wf_def ofty_snoc
    using assms old new no wf_range[OF assms(1)] wf_differ[OF assms(1)]
    by (auto simp: old new)
qed


section \<open>Equations between data, formulas\<close>

lemma diff_sound: "wf Ns ts es \<Longrightarrow> diff ts a b \<Longrightarrow> tv \<sigma> (0 # es) a \<noteq> tv \<sigma> (0 # es) b"
  using wf_differ[of Ns ts es] by (cases a; cases b) (auto simp: diff_def simp del: at.simps split: if_split_asm)

lemma sat_eqf: "wf Ns ts es \<Longrightarrow> sat Ns \<sigma> (eqf ts a b) (0 # es) \<longleftrightarrow> tv \<sigma> (0 # es) a = tv \<sigma> (0 # es) b"
  using diff_sound by (auto simp: eqf_def)

lemma sat_nef: "wf Ns ts es \<Longrightarrow> sat Ns \<sigma> (nef ts a b) (0 # es) \<longleftrightarrow> tv \<sigma> (0 # es) a \<noteq> tv \<sigma> (0 # es) b"
  using diff_sound by (auto simp: nef_def)

lemma num_base: "num_of (tv \<sigma> e a) = num_of (tv \<sigma> e (base_of a)) + added_to a"
  by (cases a) (simp_all add: base_of_def added_to_def)

lemma sat_bound: "sat Ns \<sigma> (bound_fm a b c) e \<longleftrightarrow> num_of (tv \<sigma> e a) \<le> num_of (tv \<sigma> e b) + c"
  by (simp add: bound_fm_def)

lemma sat_lef: "sat Ns \<sigma> (lef c a b) e \<longleftrightarrow> num_of (tv \<sigma> e a) \<le> num_of (tv \<sigma> e b) + c"
  using num_base[of \<sigma> e a] num_base[of \<sigma> e b] by (auto simp: lef_def sat_bound)

lemma sat_conj: "sat Ns \<sigma> (conj f g) e \<longleftrightarrow> sat Ns \<sigma> f e \<and> sat Ns \<sigma> g e"
  by (cases f; cases g) (simp_all add: conj_def)

lemma sat_disj: "sat Ns \<sigma> (disj f g) e \<longleftrightarrow> sat Ns \<sigma> f e \<or> sat Ns \<sigma> g e"
  by (cases f; cases g) (simp_all add: disj_def)

lemma sat_conjs: "sat Ns \<sigma> (conjs fs) e \<longleftrightarrow> (\<forall>f \<in> set fs. sat Ns \<sigma> f e)"
  by (induct fs) (simp_all add: sat_conj)

lemma sat_disjs: "sat Ns \<sigma> (disjs fs) e \<longleftrightarrow> (\<exists>f \<in> set fs. sat Ns \<sigma> f e)"
  by (induct fs) (simp_all add: sat_disj)

lemma neg_sound: "\<not> sat Ns \<sigma> f e \<Longrightarrow> sat Ns \<sigma> (neg f) e"
  by (induct f arbitrary: e) auto

lemma gnd_sound:
  assumes w: "wf Ns ts es" and "sat Ns \<sigma> f (map (at (0 # es)) m)"
  shows "sat Ns \<sigma> (gnd ts f m) (0 # es)"
  using assms(2)
proof (induct f arbitrary: m)
  case (All t f)
  have "sat Ns \<sigma> (gnd ts f (m @ [p])) (0 # es)" if "p \<in> set (syms ts t)" for p
  proof (rule All(1))
    have "at (0 # es) p \<in> {1..Ns ! t}" using that w wf_range by (simp add: syms_iff del: at.simps)
    then show "sat Ns \<sigma> f (map (at (0 # es)) (m @ [p]))" using All(2) by (simp del: at.simps)
  qed
  then show ?case by (simp add: sat_conjs)
qed (simp_all add: sat_conj sat_disj sat_eqf[OF w] sat_nef[OF w] sat_lef tv_gt_0 del: at.simps, auto)


section \<open>Known equations\<close>

definition okp :: "dstate \<Rightarrow> nat list \<Rightarrow> pairs \<Rightarrow> bool" where
  "okp \<sigma> e eqs \<longleftrightarrow> (\<forall>p \<in> set eqs. tv \<sigma> e (fst p) = tv \<sigma> e (snd p))"

definition okn :: "dstate \<Rightarrow> nat list \<Rightarrow> pairs \<Rightarrow> bool" where
  "okn \<sigma> e nes \<longleftrightarrow> (\<forall>p \<in> set nes. tv \<sigma> e (fst p) \<noteq> tv \<sigma> e (snd p))"

definition okl :: "dstate \<Rightarrow> nat list \<Rightarrow> bounds \<Rightarrow> bool" where
  "okl \<sigma> e les \<longleftrightarrow> (\<forall>l \<in> set les. num_of (tv \<sigma> e (fst l)) \<le> num_of (tv \<sigma> e (fst (snd l))) + snd (snd l))"

definition ok :: "nat list \<Rightarrow> dstate \<Rightarrow> nat list \<Rightarrow> known \<Rightarrow> bool" where
  "ok Ns \<sigma> e k \<longleftrightarrow> (case k of (eqs, nes, les, later, ch) \<Rightarrow>
     okp \<sigma> e eqs \<and> okn \<sigma> e nes \<and> okl \<sigma> e les \<and> (\<forall>f \<in> set later. sat Ns \<sigma> f e))"

lemma okI: "okp \<sigma> e eqs \<Longrightarrow> okn \<sigma> e nes \<Longrightarrow> okl \<sigma> e les \<Longrightarrow> \<forall>f \<in> set later. sat Ns \<sigma> f e \<Longrightarrow>
    ok Ns \<sigma> e (eqs, nes, les, later, ch)"
  by (simp add: ok_def)

lemma bound_of_sound: "okl \<sigma> e les \<Longrightarrow> bound_of a b les = Some d \<Longrightarrow> num_of (tv \<sigma> e a) \<le> num_of (tv \<sigma> e b) + d"
  by (induct les) (auto simp: okl_def split: if_split_asm)

lemma is_within_sound: "okl \<sigma> e les \<Longrightarrow> is_within les a b c \<Longrightarrow> num_of (tv \<sigma> e a) \<le> num_of (tv \<sigma> e b) + c"
  by (force simp: is_within_def split: option.split_asm dest: bound_of_sound[of \<sigma> e les a b])

lemma is_beyond_sound: "okl \<sigma> e les \<Longrightarrow> is_beyond les a b c \<Longrightarrow> \<not> num_of (tv \<sigma> e a) \<le> num_of (tv \<sigma> e b) + c"
  by (force simp: is_beyond_def split: option.split_asm dest: bound_of_sound[of \<sigma> e les b a])

lemma okl_Cons: "okl \<sigma> e (l # les) \<longleftrightarrow>
    num_of (tv \<sigma> e (fst l)) \<le> num_of (tv \<sigma> e (fst (snd l))) + snd (snd l) \<and> okl \<sigma> e les"
  by (simp add: okl_def)

lemma paths_to_sound:
  "okl \<sigma> e les \<Longrightarrow> num_of (tv \<sigma> e a) \<le> num_of (tv \<sigma> e b) + c \<Longrightarrow> okl \<sigma> e (paths_to a b c les)"
  by (induct les) (auto simp: okl_Cons okl_def[of \<sigma> e "[]"])

lemma paths_from_sound:
  "okl \<sigma> e les \<Longrightarrow> num_of (tv \<sigma> e a) \<le> num_of (tv \<sigma> e b) + c \<Longrightarrow> okl \<sigma> e (paths_from a b c les)"
  by (induct les) (auto simp: okl_Cons okl_def[of \<sigma> e "[]"])

lemma put_bounds_sound: "okl \<sigma> e ls \<Longrightarrow> okl \<sigma> e les \<Longrightarrow> okl \<sigma> e (put_bounds ls les)"
proof (induct ls arbitrary: les)
  case (Cons l ls)
  then show ?case unfolding put_bounds.simps by (intro Cons(1)) (simp_all add: okl_Cons)
qed simp

lemma join_paths_sound: "okl \<sigma> e old \<Longrightarrow> okl \<sigma> e ls \<Longrightarrow> okl \<sigma> e les \<Longrightarrow> okl \<sigma> e (join_paths old ls les)"
proof (induct ls arbitrary: les)
  case (Cons l ls)
  then have l: "num_of (tv \<sigma> e (fst l)) \<le> num_of (tv \<sigma> e (fst (snd l))) + snd (snd l)" "okl \<sigma> e ls"
    by (simp_all only: okl_Cons)
  show ?case unfolding join_paths.simps by (rule Cons(1)[OF Cons(2) l(2) put_bounds_sound[OF paths_from_sound[OF Cons(2) l(1)] Cons(4)]])
qed simp

lemma add_le_sound:
  assumes "ok Ns \<sigma> e k" and "num_of (tv \<sigma> e a) \<le> num_of (tv \<sigma> e b) + c"
  shows "\<exists>k'. add_le a b c k = Some k' \<and> ok Ns \<sigma> e k'"
proof -
  obtain eqs nes les later ch where k: "k = (eqs, nes, les, later, ch)" by (cases k)
  then have les: "okl \<sigma> e les" using assms(1) by (simp add: ok_def)
  have "\<not> is_beyond les a b c" using is_beyond_sound[OF les] assms(2) by blast
  moreover have "okl \<sigma> e (join_paths les (paths_to a b c les) les)"
    by (rule join_paths_sound[OF les paths_to_sound[OF les assms(2)] les])
  ultimately show ?thesis using assms k by (auto simp: add_le_def ok_def)
qed

lemma rep_sound: "okp \<sigma> e eqs \<Longrightarrow> tv \<sigma> e (rep eqs a) = tv \<sigma> e a"
  unfolding okp_def rep_def by (force split: option.split dest!: map_of_SomeD)

lemma sub_sound: "tv \<sigma> e l = tv \<sigma> e r \<Longrightarrow> tv \<sigma> e (sub l r a) = tv \<sigma> e a"
  by (simp add: sub_def)

lemma among_sound: "okn \<sigma> e nes \<Longrightarrow> among a b nes \<Longrightarrow> tv \<sigma> e a \<noteq> tv \<sigma> e b"
  by (induct nes) (auto simp: okn_def split: if_split_asm)

lemma clash_sound: "okn \<sigma> e nes \<Longrightarrow> \<not> clash nes"
  by (induct nes) (auto simp: okn_def)

lemma okp_subr: "tv \<sigma> e l = tv \<sigma> e r \<Longrightarrow> okp \<sigma> e eqs \<Longrightarrow> okp \<sigma> e (map (subr l r) eqs)"
  by (force simp: okp_def sub_def)

lemma okn_sub2: "tv \<sigma> e l = tv \<sigma> e r \<Longrightarrow> okn \<sigma> e nes \<Longrightarrow> okn \<sigma> e (map (sub2 l r) nes)"
  by (force simp: okn_def sub_sound)

lemma each_argsok:
  assumes "\<And>p t. ofty ts p t \<Longrightarrow> at (0 # es) p \<in> {1..Ns ! t}" "argsok ts ats ps" "each Ns ats P"
  shows "P (map (at (0 # es)) ps)"
  using assms(2,3)
proof (induct ats arbitrary: ps P)
  case Nil
  then show ?case by (simp split: list.split_asm)
next
  case (Cons t ats)
  then obtain p qs where ps: "ps = p # qs" "ofty ts p t" "argsok ts ats qs"
    by (auto split: list.split_asm if_split_asm)
  then have "each Ns ats (\<lambda>as. P (at (0 # es) p # as))"
    using Cons(3) assms(1) by (simp del: at.simps)
  from Cons(1)[OF ps(3) this] show ?case using ps by (simp del: at.simps)
qed

lemma argsok_le: "argsok ts ats ps \<Longrightarrow> \<forall>p \<in> set ps. p \<le> length ts"
proof (induct ats arbitrary: ps)
  case Nil
  then show ?case by (simp split: list.split_asm)
next
  case (Cons t ats)
  then show ?case by (fastforce split: list.split_asm if_split_asm dest: ofty_le)
qed

lemma apart_iff: "apart xs ys \<longleftrightarrow> set xs \<inter> set ys = {}"
  by (induct xs) auto

lemma apart_fits: "fits Ns S x \<Longrightarrow> fits Ns S' x \<Longrightarrow> apart (fst S) (fst S') \<Longrightarrow> apart (snd S) (snd S') \<Longrightarrow> False"
  by (cases x) (auto simp: apart_iff)

context
  fixes Ns ts es :: "nat list" and \<sigma> :: dstate and K :: vars
  assumes w: "wf Ns ts es" and typed: "typed Ns K \<sigma>"
begin

lemma read_fits:
  assumes "map_of K v = Some (ats, S)" "argsok ts ats ps"
  shows "fits Ns S (tv \<sigma> (0 # es) (Rd v ps))"
proof -
  have "each Ns ats (\<lambda>as. fits Ns S (\<sigma> v as))" using typed assms(1) unfolding typed_def by blast
  from each_argsok[OF wf_range[OF w] assms(2) this] show ?thesis by (simp del: at.simps)
qed

lemma misfit_sound:
  assumes "misfit K ts a b"
  shows "tv \<sigma> (0 # es) a \<noteq> tv \<sigma> (0 # es) b"
proof
  assume eq: "tv \<sigma> (0 # es) a = tv \<sigma> (0 # es) b"
  obtain v ps ats S where a: "a = Rd v ps" "map_of K v = Some (ats, S)" "argsok ts ats ps"
    and b: "(\<exists>c. b = Cn c \<and> c \<notin> set (snd S)) \<or> (\<exists>t p. b = Ix t p \<and> t \<notin> set (fst S)) \<or>
      (\<exists>w qs bts S'. b = Rd w qs \<and> map_of K w = Some (bts, S') \<and> argsok ts bts qs \<and>
         apart (fst S) (fst S') \<and> apart (snd S) (snd S'))"
    using assms by (cases a; cases b) (auto simp: misfit_def split: option.split_asm if_split_asm)
  from read_fits[OF a(2,3)] eq have f: "fits Ns S (tv \<sigma> (0 # es) b)" using a(1) by metis
  from b show False
  proof (elim disjE exE conjE)
    fix w qs bts S'
    assume c: "b = Rd w qs" "map_of K w = Some (bts, S')" "argsok ts bts qs"
      "apart (fst S) (fst S')" "apart (snd S) (snd S')"
    from read_fits[OF c(2,3)] c(1) have "fits Ns S' (tv \<sigma> (0 # es) b)" by (simp only:)
    from apart_fits[OF f this c(4,5)] show False .
  qed (use f in simp_all)
qed

lemma misfits_sound: "okp \<sigma> (0 # es) eqs \<Longrightarrow> \<not> misfits K ts r eqs"
  using misfit_sound by (induct eqs) (auto simp: okp_def simp del: at.simps)

lemma link_sound:
  assumes "okp \<sigma> (0 # es) eqs" "okn \<sigma> (0 # es) nes" "okl \<sigma> (0 # es) les" "\<forall>f \<in> set later. sat Ns \<sigma> f (0 # es)"
    and eq: "tv \<sigma> (0 # es) l = tv \<sigma> (0 # es) r"
  shows "\<exists>k. link K ts l r eqs nes les later = Some k \<and> ok Ns \<sigma> (0 # es) k"
proof -
  have p: "okp \<sigma> (0 # es) ((l, r) # map (subr l r) eqs)"
    using okp_subr[OF eq assms(1)] eq by (auto simp: okp_def simp del: at.simps)
  have n: "okn \<sigma> (0 # es) (map (sub2 l r) nes)" by (rule okn_sub2[OF eq assms(2)])
  have "link K ts l r eqs nes les later = Some ((l, r) # map (subr l r) eqs, map (sub2 l r) nes, les, later, True)"
    using clash_sound[OF n] misfits_sound[OF p, of r] by (simp only: link_def Let_def if_False)
  then show ?thesis using okI[OF p n assms(3,4)] by blast
qed

lemma add_eq_sound:
  assumes "ok Ns \<sigma> (0 # es) k" and "tv \<sigma> (0 # es) a = tv \<sigma> (0 # es) b"
  shows "\<exists>k'. add_eq K ts a b k = Some k' \<and> ok Ns \<sigma> (0 # es) k'"
proof -
  obtain eqs nes les later ch where k: "k = (eqs, nes, les, later, ch)" by (cases k)
  then have *: "okp \<sigma> (0 # es) eqs" "okn \<sigma> (0 # es) nes" "okl \<sigma> (0 # es) les"
    "\<forall>f \<in> set later. sat Ns \<sigma> f (0 # es)"
    using assms(1) by (simp_all add: ok_def)
  have eq: "tv \<sigma> (0 # es) (rep eqs a) = tv \<sigma> (0 # es) (rep eqs b)"
    using rep_sound[OF *(1)] assms(2) by simp
  then have "\<not> diff ts (rep eqs a) (rep eqs b)" using diff_sound[OF w] by blast
  then show ?thesis
    using link_sound[OF * eq] link_sound[OF * eq[symmetric]] assms(1) k by (auto simp: add_eq_def Let_def)
qed

lemma tight_sound:
  assumes "okn \<sigma> (0 # es) nes" "tight K ts a nes = Some cs"
  shows "\<exists>c \<in> set cs. tv \<sigma> (0 # es) a = DC c"
proof -
  obtain v ps ats S where a: "a = Rd v ps" "map_of K v = Some (ats, S)" "fst S = []" "argsok ts ats ps"
      "cs = rest_of a nes (snd S)"
    using assms(2) by (auto simp: tight_def split: trm.split_asm option.split_asm list.split_asm if_split_asm)
  from read_fits[OF a(2,4)] a(1,3) obtain c where c: "tv \<sigma> (0 # es) a = DC c" "c \<in> set (snd S)"
    by (cases "tv \<sigma> (0 # es) a") (auto simp del: at.simps)
  have "c \<in> set (rest_of a nes ds)" if "c \<in> set ds" for ds
    using that among_sound[OF assms(1), of a "Cn c"] c(1) by (induct ds) (auto simp del: at.simps)
  then show ?thesis using a(5) c by blast
qed

lemma add_ne_sound:
  assumes "ok Ns \<sigma> (0 # es) k" and "tv \<sigma> (0 # es) a \<noteq> tv \<sigma> (0 # es) b"
  shows "\<exists>k'. add_ne K ts a b k = Some k' \<and> ok Ns \<sigma> (0 # es) k'"
proof -
  obtain eqs nes les later ch where k: "k = (eqs, nes, les, later, ch)" by (cases k)
  then have *: "okp \<sigma> (0 # es) eqs" "okn \<sigma> (0 # es) nes" "okl \<sigma> (0 # es) les"
    "\<forall>f \<in> set later. sat Ns \<sigma> f (0 # es)"
    using assms(1) by (simp_all add: ok_def)
  let ?a = "rep eqs a" and ?b = "rep eqs b"
  let ?n = "(?a, ?b) # nes" and ?r = "if is_read ?a then ?a else ?b"
  have ne: "tv \<sigma> (0 # es) ?a \<noteq> tv \<sigma> (0 # es) ?b"
    using rep_sound[OF *(1)] assms(2) by simp
  then have n: "okn \<sigma> (0 # es) ?n" using *(2) by (auto simp: okn_def simp del: at.simps)
  have same: "?a \<noteq> ?b" using ne by auto
  show ?thesis
  proof (cases "diff ts ?a ?b \<or> among ?a ?b nes")
    case True
    then show ?thesis using k same assms(1) by (auto simp: add_ne_def Let_def)
  next
    case False
    have keep: "ok Ns \<sigma> (0 # es) (eqs, ?n, les, later, True)" by (rule okI[OF *(1) n *(3,4)])
    show ?thesis
    proof (cases "tight K ts ?r ?n")
      case None
      then show ?thesis using k same False keep by (simp add: add_ne_def Let_def)
    next
      case (Some cs)
      from tight_sound[OF n Some] obtain c where c: "c \<in> set cs" "tv \<sigma> (0 # es) ?r = DC c" by blast
      then obtain d ds where cs: "cs = d # ds" by (cases cs) auto
      show ?thesis
      proof (cases ds)
        case Nil
        then have "tv \<sigma> (0 # es) ?r = tv \<sigma> (0 # es) (Cn d)" using c cs by simp
        from link_sound[OF *(1) n *(3,4) this] show ?thesis
          using k same False Some cs Nil by (simp add: add_ne_def Let_def del: if_split)
      next
        case (Cons d' ds')
        then show ?thesis using k same False Some cs keep by (simp add: add_ne_def Let_def)
      qed
    qed
  qed
qed

lemma red_sound:
  assumes "okp \<sigma> (0 # es) eqs" "okn \<sigma> (0 # es) nes" "okl \<sigma> (0 # es) les"
  shows "sat Ns \<sigma> f (0 # es) \<Longrightarrow> sat Ns \<sigma> (red K ts eqs nes les f) (0 # es)"
proof (induct f)
  case (Eq a b)
  then have eq: "tv \<sigma> (0 # es) (rep eqs a) = tv \<sigma> (0 # es) (rep eqs b)"
    using rep_sound[OF assms(1)] by simp
  then show ?case
    using diff_sound[OF w, of "rep eqs a" "rep eqs b" \<sigma>] among_sound[OF assms(2), of "rep eqs a" "rep eqs b"]
      misfit_sound[of "rep eqs a" "rep eqs b"]
    by (auto simp: redeq_def Let_def simp del: at.simps)
next
  case (Ne a b)
  then have "tv \<sigma> (0 # es) (rep eqs a) \<noteq> tv \<sigma> (0 # es) (rep eqs b)"
    using rep_sound[OF assms(1)] by simp
  then show ?case by (auto simp: redne_def Let_def simp del: at.simps)
next
  case (Le a b c)
  then show ?case using is_beyond_sound[OF assms(3), of a b c] by (auto simp: redle_def sat_bound simp del: at.simps)
qed (auto simp: sat_conj sat_disj)

lemma asm_sound:
  "ok Ns \<sigma> (0 # es) k \<Longrightarrow> sat Ns \<sigma> f (0 # es) \<Longrightarrow> \<exists>k'. asm K ts f k = Some k' \<and> ok Ns \<sigma> (0 # es) k'"
proof (induct f arbitrary: k)
  case (And f g)
  then have "sat Ns \<sigma> f (0 # es)" "sat Ns \<sigma> g (0 # es)" by (simp_all only: sat.simps)
  from And(1)[OF And(3) this(1)] obtain k' where k': "asm K ts f k = Some k'" "ok Ns \<sigma> (0 # es) k'" by blast
  from And(2)[OF k'(2) \<open>sat Ns \<sigma> g (0 # es)\<close>] k'(1) show ?case by (simp only: asm.simps option.case)
next
  case (Or f g)
  then show ?case by (cases k) (auto simp: ok_def)
next
  case (Eq a b)
  then show ?case using add_eq_sound[OF Eq(1)] by (simp only: asm.simps sat.simps)
next
  case (Ne a b)
  then show ?case using add_ne_sound[OF Ne(1)] by (simp only: asm.simps sat.simps)
next
  case (Le a b c)
  then show ?case using add_le_sound[OF Le(1)] by (simp only: asm.simps sat.simps)
qed simp_all

lemma pass_sound:
  "ok Ns \<sigma> (0 # es) k \<Longrightarrow> \<forall>f \<in> set fs. sat Ns \<sigma> f (0 # es) \<Longrightarrow>
    \<exists>k'. pass K ts fs k = Some k' \<and> ok Ns \<sigma> (0 # es) k'"
proof (induct fs arbitrary: k)
  case (Cons f fs)
  obtain eqs nes les later ch where k: "k = (eqs, nes, les, later, ch)" by (cases k)
  then have "okp \<sigma> (0 # es) eqs" "okn \<sigma> (0 # es) nes" "okl \<sigma> (0 # es) les" using Cons(2) by (simp_all add: ok_def)
  from red_sound[OF this] Cons(3) have "sat Ns \<sigma> (red K ts eqs nes les f) (0 # es)" by simp
  from asm_sound[OF Cons(2) this] obtain k' where "asm K ts (red K ts eqs nes les f) k = Some k'"
    and "ok Ns \<sigma> (0 # es) k'" by blast
  with Cons(1)[of k'] Cons(3) k show ?case by simp
qed simp

lemma refute_sound:
  "refute K ts n eqs nes les fs \<Longrightarrow> okp \<sigma> (0 # es) eqs \<Longrightarrow> okn \<sigma> (0 # es) nes \<Longrightarrow> okl \<sigma> (0 # es) les \<Longrightarrow>
    \<exists>f \<in> set fs. \<not> sat Ns \<sigma> f (0 # es)"
proof (induct n arbitrary: eqs nes les fs)
  case (Suc n)
  show ?case
  proof (rule ccontr)
    assume "\<not> (\<exists>f \<in> set fs. \<not> sat Ns \<sigma> f (0 # es))"
    then have all: "\<forall>f \<in> set fs. sat Ns \<sigma> f (0 # es)" by blast
    have "ok Ns \<sigma> (0 # es) (eqs, nes, les, [], False)" using Suc by (simp add: ok_def)
    from pass_sound[OF this all] obtain eqs' nes' les' later ch where
      k: "pass K ts fs (eqs, nes, les, [], False) = Some (eqs', nes', les', later, ch)"
        "ok Ns \<sigma> (0 # es) (eqs', nes', les', later, ch)" by auto
    then have *: "okp \<sigma> (0 # es) eqs'" "okn \<sigma> (0 # es) nes'" "okl \<sigma> (0 # es) les'"
      "\<forall>f \<in> set (rev later). sat Ns \<sigma> f (0 # es)"
      by (simp_all add: ok_def)
    show False
    proof (cases ch)
      case True
      then have "refute K ts n eqs' nes' les' (rev later)" using Suc(2) k(1) by simp
      from Suc(1)[OF this *(1-3)] *(4) show False by blast
    next
      case False
      then obtain f g hs where h: "rev later = Or f g # hs"
        "refute K ts n eqs' nes' les' (f # hs)" "refute K ts n eqs' nes' les' (g # hs)"
        using Suc(2) k(1) by (auto split: list.split_asm fm.split_asm if_split_asm)
      from Suc(1)[OF h(2) *(1-3)] Suc(1)[OF h(3) *(1-3)] *(4) h(1) show False by auto
    qed
  qed
qed simp

end


section \<open>Matches\<close>

lemma ranged_Cons: "ranged Ns (t # ts) ys \<longleftrightarrow> (\<exists>x xs. ys = x # xs \<and> x \<in> {1..Ns ! t} \<and> ranged Ns ts xs)"
  by (auto simp: ranged_def list_all2_Cons1)

lemma matches_sound:
  assumes "wf Ns ts es" "length es = length ts" "ranged Ns pts xs" "\<forall>p \<in> set ms. p \<le> length ts"
  shows "\<exists>ts' qs more. (ts', ms @ qs) \<in> set (matches pts ts ms) \<and> wf Ns ts' (es @ more) \<and>
    length (es @ more) = length ts' \<and>
    map (at (0 # es @ more)) qs = xs \<and> (\<forall>p \<in> set (ms @ qs). p \<le> length ts')"
  using assms
proof (induct pts arbitrary: ts es ms xs)
  case Nil
  then show ?case by (intro exI[of _ ts] exI[of _ "[]"]) (auto simp: ranged_def)
next
  case (Cons t pts)
  then obtain x ys where xs: "xs = x # ys" "x \<in> {1..Ns ! t}" "ranged Ns pts ys" by (auto simp: ranged_Cons)
  note len = Cons(3)
  show ?case
  proof (cases "\<exists>p. ofty ts p t \<and> at (0 # es) p = x")
    case True
    then obtain p where p: "ofty ts p t" "at (0 # es) p = x" by blast
    then have le: "p \<le> length es" using ofty_le len by simp
    have "\<forall>q \<in> set (ms @ [p]). q \<le> length ts" using Cons(5) le len by auto
    from Cons(1)[OF Cons(2) len xs(3) this] obtain ts' qs more where
      *: "(ts', (ms @ [p]) @ qs) \<in> set (matches pts ts (ms @ [p]))"
        "wf Ns ts' (es @ more) \<and> length (es @ more) = length ts'"
        "map (at (0 # es @ more)) qs = ys" "\<forall>q \<in> set ((ms @ [p]) @ qs). q \<le> length ts'" by blast
    have "(ts', ms @ p # qs) \<in> set (matches (t # pts) ts ms)"
      using *(1) p(1) by (auto simp: syms_iff)
    moreover have "map (at (0 # es @ more)) (p # qs) = xs"
      using *(3) xs(1) p(2) at_append[OF le] by (simp del: at.simps)
    ultimately show ?thesis using *(2,4)
      by (intro exI[of _ ts'] exI[of _ "p # qs"] exI[of _ more]) (simp del: at.simps matches.simps)
  next
    case False
    then have w: "wf Ns (ts @ [t]) (es @ [x])" using wf_snoc[OF Cons(2) len xs(2)] by blast
    have len2: "length (es @ [x]) = length (ts @ [t])" using len by simp
    let ?n = "Suc (length ts)"
    have "\<forall>q \<in> set (ms @ [?n]). q \<le> length (ts @ [t])" using Cons(5) by auto
    from Cons(1)[OF w len2 xs(3) this] obtain ts' qs more where
      *: "(ts', (ms @ [?n]) @ qs) \<in> set (matches pts (ts @ [t]) (ms @ [?n]))"
        "wf Ns ts' ((es @ [x]) @ more) \<and> length ((es @ [x]) @ more) = length ts'"
        "map (at (0 # (es @ [x]) @ more)) qs = ys" "\<forall>q \<in> set ((ms @ [?n]) @ qs). q \<le> length ts'" by blast
    have "(ts', ms @ ?n # qs) \<in> set (matches (t # pts) ts ms)" using *(1) by auto
    moreover have "map (at (0 # es @ x # more)) (?n # qs) = xs"
      using *(3) xs(1) len by (simp add: at_nth nth_append)
    ultimately show ?thesis using *(2,4)
      by (intro exI[of _ ts'] exI[of _ "?n # qs"] exI[of _ "x # more"]) (simp del: at.simps matches.simps)
  qed
qed


section \<open>The state after a step\<close>

lemma under_set: "set (under c ls) = (\<lambda>l. (conj c (fst l), snd l)) ` set ls"
  by (induct ls) auto

lemma under_case:
  assumes "sat Ns \<sigma> c e" "l \<in> set ls" "sat Ns \<sigma> (fst l) e"
  shows "\<exists>l' \<in> set (case c of F \<Rightarrow> [] | T \<Rightarrow> ls | _ \<Rightarrow> under c ls). snd l' = snd l \<and> sat Ns \<sigma> (fst l') e"
proof (intro bexI[of _ "(conj c (fst l), snd l)"] conjI)
  have "l = (fst l, snd l)" by simp
  then show "(conj c (fst l), snd l) \<in> set (case c of F \<Rightarrow> [] | T \<Rightarrow> ls | _ \<Rightarrow> under c ls)"
    using assms(1,2) by (cases c) (auto simp: under_set conj_def[of T])
qed (use assms in \<open>simp_all add: sat_conj\<close>)

lemma leaves_sound:
  assumes w: "wf Ns ts es" and "has Ns S \<sigma> (map (at (0 # es)) m) v x"
  shows "\<exists>l \<in> set (leaves ts m v). sat Ns \<sigma> (fst l) (0 # es) \<and> (\<forall>a. snd l = Some a \<longrightarrow> tv \<sigma> (0 # es) a = x)"
  using assms(2)
proof (induct v)
  case (Tm a)
  then show ?case using tv_gt[of "0 # es" \<sigma> m a] by (simp del: at.simps(2), simp)
next
  case Any
  then show ?case by simp
next
  case Free_num
  then show ?case by simp
next
  case (If c a b)
  show ?case
  proof (cases "sat Ns \<sigma> c (map (at (0 # es)) m)")
    case True
    then have c: "sat Ns \<sigma> (gnd ts c m) (0 # es)" by (rule gnd_sound[OF w])
    from If True obtain l where l: "l \<in> set (leaves ts m a)" "sat Ns \<sigma> (fst l) (0 # es)"
      "\<forall>a. snd l = Some a \<longrightarrow> tv \<sigma> (0 # es) a = x" by (auto simp del: at.simps)
    have "\<exists>l' \<in> set (leaves ts m (If c a b)). snd l' = snd l \<and> sat Ns \<sigma> (fst l') (0 # es)"
      using under_case[OF c l(1,2)] by (auto simp: Let_def)
    then show ?thesis using l(3) by metis
  next
    case False
    then have c: "sat Ns \<sigma> (gnd ts (neg c) m) (0 # es)" using gnd_sound[OF w] neg_sound by blast
    from If False obtain l where l: "l \<in> set (leaves ts m b)" "sat Ns \<sigma> (fst l) (0 # es)"
      "\<forall>a. snd l = Some a \<longrightarrow> tv \<sigma> (0 # es) a = x" by (auto simp del: at.simps)
    have "\<exists>l' \<in> set (leaves ts m (If c a b)). snd l' = snd l \<and> sat Ns \<sigma> (fst l') (0 # es)"
      using under_case[OF c l(1,2)] by (auto simp: Let_def)
    then show ?thesis using l(3) by metis
  qed
qed

context
  fixes Ns ts es m :: "nat list" and \<sigma> \<sigma>' :: dstate and V :: vars and us :: ups
  assumes w: "wf Ns ts es"
    and up: "list_all (upd Ns V \<sigma> (map (at (0 # es)) m) \<sigma>') us"
    and frame: "\<forall>v. v \<notin> fst ` set us \<longrightarrow> \<sigma>' v = \<sigma> v"
begin

lemma after_sound:
  "\<exists>l \<in> set (after V ts us m a). sat Ns \<sigma> (fst l) (0 # es) \<and>
    (\<forall>b. snd l = Some b \<longrightarrow> tv \<sigma> (0 # es) b = tv \<sigma>' (0 # es) a)"
proof (cases a)
  case (Rd v ps)
  show ?thesis
  proof (cases "map_of us v")
    case None
    then have "\<sigma>' v = \<sigma> v" using frame by (simp add: map_of_eq_None_iff)
    then show ?thesis using Rd None by (simp add: after_def)
  next
    case (Some x)
    then have u: "upd Ns V \<sigma> (map (at (0 # es)) m) \<sigma>' (v, x)" using up map_of_SomeD by (force simp: list_all_iff)
    show ?thesis
    proof (cases "map_of V v")
      case None
      then show ?thesis using Rd Some by (simp add: after_def)
    next
      case (Some y)
      then obtain ats S where y: "map_of V v = Some (ats, S)" by (cases y) auto
      show ?thesis
      proof (cases "argsok ts ats ps")
        case True
        from u y have "each Ns ats (\<lambda>as. has Ns S \<sigma> (map (at (0 # es)) m @ as) x (\<sigma>' v as))"
          by (simp add: upd_def)
        from each_argsok[OF wf_range[OF w] True this] have "has Ns S \<sigma> (map (at (0 # es)) (m @ ps)) x (tv \<sigma>' (0 # es) a)"
          using Rd by simp
        from leaves_sound[OF w this] show ?thesis using Rd y True \<open>map_of us v = Some x\<close> by (simp add: after_def)
      next
        case False
        then show ?thesis using Rd y \<open>map_of us v = Some x\<close> by (simp add: after_def)
      qed
    qed
  qed
qed (simp_all add: after_def)

lemma lits_iff: "sat Ns \<sigma> (lits q ls rs) e \<longleftrightarrow> (\<exists>l \<in> set ls. \<exists>r \<in> set rs. sat Ns \<sigma> (lit q l r) e)"
  by (induct ls) (auto simp: sat_disj sat_disjs)

lemma lits_sound:
  assumes "\<And>c d. tv \<sigma> (0 # es) c = tv \<sigma>' (0 # es) a \<Longrightarrow> tv \<sigma> (0 # es) d = tv \<sigma>' (0 # es) b \<Longrightarrow>
    sat Ns \<sigma> (q c d) (0 # es)"
  shows "sat Ns \<sigma> (lits q (after V ts us m a) (after V ts us m b)) (0 # es)"
proof -
  from after_sound[of a] obtain l where l: "l \<in> set (after V ts us m a)" "sat Ns \<sigma> (fst l) (0 # es)"
    "\<forall>c. snd l = Some c \<longrightarrow> tv \<sigma> (0 # es) c = tv \<sigma>' (0 # es) a" by blast
  from after_sound[of b] obtain r where r: "r \<in> set (after V ts us m b)" "sat Ns \<sigma> (fst r) (0 # es)"
    "\<forall>c. snd r = Some c \<longrightarrow> tv \<sigma> (0 # es) c = tv \<sigma>' (0 # es) b" by blast
  have "sat Ns \<sigma> (lit q l r) (0 # es)"
    using l(2,3) r(2,3) assms by (auto simp: lit_def sat_conj simp del: at.simps split: option.split)
  then show ?thesis using l(1) r(1) unfolding lits_iff by blast
qed

lemma pre_sound:
  "sat Ns \<sigma>' f (map (at (0 # es)) i) \<Longrightarrow> sat Ns \<sigma> (pre V ts us m f i) (0 # es)"
proof (induct f arbitrary: i)
  case (Eq a b)
  then show ?case using lits_sound[of "gt i a" "gt i b" "eqf ts"] by (simp add: tv_gt_0 sat_eqf[OF w] del: at.simps)
next
  case (Ne a b)
  then show ?case using lits_sound[of "gt i a" "gt i b" "nef ts"] by (simp add: tv_gt_0 sat_nef[OF w] del: at.simps)
next
  case (Le a b c)
  then show ?case using lits_sound[of "gt i a" "gt i b" "lef c"] by (simp add: tv_gt_0 sat_lef del: at.simps)
next
  case (And f g)
  then have "sat Ns \<sigma> (pre V ts us m f i) (0 # es)" "sat Ns \<sigma> (pre V ts us m g i) (0 # es)"
    by (simp_all del: at.simps)
  then show ?case by (cases "pre V ts us m f i") (simp_all add: Let_def sat_conj del: at.simps)
next
  case (All t f)
  have "sat Ns \<sigma> (pre V ts us m f (i @ [p])) (0 # es)" if "p \<in> set (syms ts t)" for p
  proof (rule All(1))
    have "at (0 # es) p \<in> {1..Ns ! t}" using that w wf_range by (simp add: syms_iff del: at.simps)
    then show "sat Ns \<sigma>' f (map (at (0 # es)) (i @ [p]))" using All(2) by (simp del: at.simps)
  qed
  then show ?case by (simp add: sat_conjs)
qed (simp_all add: sat_disj del: at.simps, blast)

end

lemma universal_sound: "sat Ns \<sigma> f e \<Longrightarrow> sat Ns \<sigma> (universal f) e"
  by (induct f) (simp_all add: sat_conj)

lemma touches_sound:
  assumes "\<forall>v. v \<notin> fst ` set us \<longrightarrow> \<sigma>' v = \<sigma> v" and "\<not> touches us f"
  shows "sat Ns \<sigma>' f e = sat Ns \<sigma> f e"
proof -
  have t: "tv \<sigma>' e a = tv \<sigma> e a" if "\<not> read_in us a" for a e
    using that assms(1) by (cases a) (auto simp: read_in_def map_of_eq_None_iff split: option.split_asm)
  show ?thesis using assms(2) by (induct f arbitrary: e) (auto simp: t split: if_split_asm)
qed

lemma rest_sound:
  assumes "\<forall>v. v \<notin> fst ` set us \<longrightarrow> \<sigma>' v = \<sigma> v" and "sat Ns \<sigma>' f e" and "\<not> sat Ns \<sigma> f e"
  shows "\<not> sat Ns \<sigma> (rest us f) e"
  using assms(2,3)
proof (induct f)
  case (All t f)
  then have "touches us (All t f)" using touches_sound[OF assms(1)] by blast
  then show ?case using All(3) by simp
qed auto


section \<open>Premises\<close>

lemma fitting_iff: "fitting ts us ps \<longleftrightarrow>
    length ps = length us \<and> (\<forall>q < length us. ofty ts (ps ! q) (us ! q)) \<and> distinct ps"
proof (induct us arbitrary: ps)
  case Nil
  then show ?case by (auto split: list.split)
next
  case (Cons t us)
  then show ?case by (cases ps) (auto simp: less_Suc_eq_0_disj)
qed

lemma fitting_le: "fitting ts us ps \<Longrightarrow> \<forall>p \<in> set ps. p \<le> length ts"
  using ofty_le unfolding fitting_iff by (metis in_set_conv_nth)

lemma fitting_wf:
  assumes "wf Ns ts es" "fitting ts us ps"
  shows "wf Ns us (map (at (0 # es)) ps)"
  using assms wf_range[OF assms(1)] wf_differ[OF assms(1)]
  unfolding wf_def fitting_iff
  by (auto simp: ofty_iff[of us] at_nth[of "_ # map _ _"] simp del: at.simps)
    (metis nth_eq_iff_index_eq)

context
  fixes Ns nt nmd ts es :: "nat list" and \<sigma> :: dstate and I :: "(int \<times> cube) list"
  assumes w: "wf Ns ts (nmd @ es)" and nt: "length nmd = length nt"
    and before: "\<forall>c \<in> snd ` set I. excludes Ns nt nmd \<sigma> c"
begin

lemma negated_sound:
  assumes "c \<in> snd ` set I" and fits: "fitting ts (nt @ fst c) ([Suc 0..<Suc (length nt)] @ ps)"
  shows "sat Ns \<sigma> (neg (snd c)) (map (at (0 # nmd @ es)) (0 # [Suc 0..<Suc (length nt)] @ ps))"
proof -
  let ?e = "0 # nmd @ es" and ?ns = "[Suc 0..<Suc (length nt)]"
  have ns: "map (at ?e) ?ns = nmd" using map_at_named[of nmd es] nt by simp
  from fitting_wf[OF w fits] have "wf Ns (nt @ fst c) (nmd @ map (at ?e) ps)" unfolding map_append ns .
  moreover have "length (map (at ?e) ps) = length (fst c)" using fits by (simp add: fitting_iff del: upt_Suc)
  ultimately have "\<not> sat Ns \<sigma> (snd c) (0 # nmd @ map (at ?e) ps)"
    using before assms(1) unfolding excludes_def by blast
  then show ?thesis unfolding list.map map_append ns using neg_sound by simp
qed

lemma instance_sound:
  assumes "c \<in> snd ` set I"
  shows "sat Ns \<sigma> (instance_of nt [Suc 0..<Suc (length nt)] ts c ps) (0 # nmd @ es)"
  using gnd_sound[OF w negated_sound[OF assms]] by (simp add: instance_of_def del: at.simps upt_Suc)

lemma given_sound: "f \<in> set (given I nt [Suc 0..<Suc (length nt)] ts ps) \<Longrightarrow> sat Ns \<sigma> f (0 # nmd @ es)"
proof (induct ps)
  case (Cons p ps)
  show ?case
  proof (cases "map_of I (fst p)")
    case None
    then show ?thesis using Cons by (simp del: upt_Suc)
  next
    case (Some c)
    then have "c \<in> snd ` set I" using map_of_SomeD by force
    from instance_sound[OF this] show ?thesis using Cons Some by (auto simp del: upt_Suc)
  qed
qed simp

end


section \<open>Case splits\<close>

definition fine :: "nat list \<Rightarrow> dstate \<Rightarrow> nat list \<Rightarrow> setting \<Rightarrow> bool" where
  "fine Ns \<sigma> es s \<longleftrightarrow> (\<exists>new. wf Ns (fst s) (es @ new) \<and> length (es @ new) = length (fst s) \<and>
     (\<forall>ys. sat Ns \<sigma> (snd s) (0 # es @ new @ ys)))"

lemma fineI: "wf Ns ts es \<Longrightarrow> length es = length ts \<Longrightarrow> (\<And>ys. sat Ns \<sigma> f (0 # es @ ys)) \<Longrightarrow> fine Ns \<sigma> es (ts, f)"
  by (auto simp: fine_def intro: exI[of _ "[]"])

lemma fine_snoc: "fine Ns \<sigma> (es @ [x]) s \<Longrightarrow> fine Ns \<sigma> es s"
  by (force simp: fine_def)

lemma cases_c_iff: "s \<in> set (cases_c v ps ts cs) \<longleftrightarrow> (\<exists>c \<in> set cs. s = (ts, Eq (Rd v ps) (Cn c)))"
  by (induct cs) auto

lemma cases_p_iff: "s \<in> set (cases_p v ps ts t qs) \<longleftrightarrow> (\<exists>q \<in> set qs. s = (ts, Eq (Rd v ps) (Ix t q)))"
  by (induct qs) auto

lemma cases_t_iff: "s \<in> set (cases_t v ps ts us) \<longleftrightarrow> (\<exists>t \<in> set us.
    s \<in> set (cases_p v ps ts t (syms ts t)) \<or> s = (ts @ [t], Eq (Rd v ps) (Ix t (Suc (length ts)))))"
  by (induct us) auto

lemma map_at_more: "\<forall>p \<in> set m. p \<le> length es \<Longrightarrow> map (at (0 # es @ more)) (0 # m) = map (at (0 # es)) (0 # m)"
  using map_at_append[of "0 # m" es more] by (simp del: at.simps)

lemma element_cases:
  assumes w: "wf Ns ts es" and len: "length es = length ts" and x: "x \<in> {1..Ns ! t}"
  obtains p where "p \<in> set (syms ts t)" "at (0 # es) p = x" "p \<le> length es"
  | "wf Ns (ts @ [t]) (es @ [x])" "length (es @ [x]) = length (ts @ [t])"
proof (cases "\<exists>p. ofty ts p t \<and> at (0 # es) p = x")
  case True
  then show ?thesis using that(1) ofty_le len by (auto simp: syms_iff simp del: at.simps)
next
  case False
  then show ?thesis using that(2) wf_snoc[OF w len x] len by auto
qed

lemma gnd_fine:
  assumes "wf Ns ts es" "length es = length ts" "\<forall>p \<in> set m. p \<le> length es" "sat Ns \<sigma> f (map (at (0 # es)) m)"
  shows "fine Ns \<sigma> es (ts, gnd ts f m)"
proof (rule fineI[OF assms(1,2)])
  fix ys
  have "sat Ns \<sigma> f (map (at (0 # es @ ys)) m)" using assms(4) unfolding map_at_append[OF assms(3)] .
  then show "sat Ns \<sigma> (gnd ts f m) (0 # es @ ys)" by (rule gnd_sound[OF wf_more[OF assms(1,2)]])
qed

lemma ways_sound:
  "wf Ns ts es \<Longrightarrow> length es = length ts \<Longrightarrow> \<forall>p \<in> set m. p \<le> length es \<Longrightarrow> sat Ns \<sigma> f (map (at (0 # es)) m) \<Longrightarrow>
    \<exists>s \<in> set (ways f ts m). fine Ns \<sigma> es s"
proof (induct f arbitrary: ts es m)
  case T
  then show ?case using fineI[of Ns ts es \<sigma> T] by simp
next
  case F
  then show ?case by simp
next
  case (Or f g)
  then show ?case by (simp del: at.simps) blast
next
  case (Exi t f)
  then obtain x where x: "x \<in> {1..Ns ! t}" "sat Ns \<sigma> f (map (at (0 # es)) m @ [x])" by (auto simp del: at.simps)
  from Exi(2,3) x(1) show ?case
  proof (cases rule: element_cases)
    case (1 p)
    have "\<exists>s \<in> set (ways f ts (m @ [p])). fine Ns \<sigma> es s"
      by (rule Exi(1)[OF Exi(2,3)]) (use Exi(4) x(2) 1 in \<open>auto simp del: at.simps\<close>)
    then show ?thesis using 1(1) by auto
  next
    case 2
    have old: "map (at (0 # es @ [x])) m = map (at (0 # es)) m" by (rule map_at_append[OF Exi(4)])
    have new: "at (0 # es @ [x]) (Suc (length ts)) = x" using at_new[of "length ts" es x "[]"] Exi(3) by simp
    have "\<exists>s \<in> set (ways f (ts @ [t]) (m @ [Suc (length ts)])). fine Ns \<sigma> (es @ [x]) s"
      by (rule Exi(1)[OF 2]) (use Exi(3,4) x(2) old new in \<open>auto simp del: at.simps map_eq_conv\<close>)
    then show ?thesis unfolding ways.simps set_append using fine_snoc by blast
  qed
qed (auto intro!: gnd_fine simp del: at.simps sat.simps gnd.simps)

lemma cases_of_sound:
  assumes w: "wf Ns ts (nmd @ es)" and len: "length (nmd @ es) = length ts" and nt: "length nmd = length nt"
    and typed: "typed Ns K \<sigma>" and before: "\<forall>c \<in> snd ` set I. excludes Ns nt nmd \<sigma> c"
  shows "\<exists>s \<in> set (cases_of K I nt [Suc 0..<Suc (length nt)] ts rd). fine Ns \<sigma> (nmd @ es) s"
proof -
  obtain v ps where rd: "rd = (v, ps)" by (cases rd)
  let ?e = "0 # nmd @ es" and ?ns = "[Suc 0..<Suc (length nt)]"
  let ?cases = "set (cases_of K I nt ?ns ts rd)"
  have trivial: "fine Ns \<sigma> (nmd @ es) (ts, T)" by (rule fineI[OF w len]) simp
  show ?thesis
  proof (cases "map_of K v")
    case None
    show ?thesis
    proof (cases "\<exists>c. map_of I (- v) = Some c \<and> fitting ts (nt @ fst c) (?ns @ ps)")
      case False
      then have "(ts, T) \<in> ?cases" using rd None by (auto simp: cases_of_def split: option.split)
      with trivial show ?thesis by (rule bexI)
    next
      case True
      then obtain c where c: "map_of I (- v) = Some c" "fitting ts (nt @ fst c) (?ns @ ps)" by blast
      have "c \<in> snd ` set I" using map_of_SomeD[OF c(1)] by force
      from negated_sound[OF w nt before this c(2)] have "sat Ns \<sigma> (neg (snd c)) (map (at ?e) (0 # ?ns @ ps))" .
      moreover have "\<forall>p \<in> set (0 # ?ns @ ps). p \<le> length (nmd @ es)"
        using fitting_le[OF c(2)] unfolding len by auto
      moreover have "?cases = set (ways (neg (snd c)) ts (0 # ?ns @ ps))" using rd None c by (simp add: cases_of_def)
      ultimately show ?thesis using ways_sound[OF w len] by blast
    qed
  next
    case (Some k)
    then obtain ats S where v: "map_of K v = Some (ats, S)" by (cases k) auto
    show ?thesis
    proof (cases "argsok ts ats ps")
      case False
      then have "(ts, T) \<in> ?cases" using rd v by (auto simp: cases_of_def split: option.split)
      with trivial show ?thesis by (rule bexI)
    next
      case True
      have set: "?cases = set (cases_c v ps ts (snd S)) \<union> set (cases_t v ps ts (fst S))"
        using rd v True by (simp add: cases_of_def)
      have le: "\<forall>p \<in> set ps. p \<le> length (nmd @ es)" using argsok_le[OF True] len by simp
      have rd_at: "tv \<sigma> (0 # nmd @ es @ ys) (Rd v ps) = tv \<sigma> ?e (Rd v ps)" for ys
        using map_at_append[OF le, of ys] by (simp only: tv.simps append_assoc)
      have fits: "fits Ns S (tv \<sigma> ?e (Rd v ps))" using read_fits[OF w typed v True] by simp
      show ?thesis
      proof (cases "tv \<sigma> ?e (Rd v ps)")
        case (DC c)
        then have "c \<in> set (snd S)" using fits by (simp del: tv.simps)
        then have "(ts, Eq (Rd v ps) (Cn c)) \<in> ?cases" unfolding set Un_iff cases_c_iff by simp
        moreover have "fine Ns \<sigma> (nmd @ es) (ts, Eq (Rd v ps) (Cn c))"
          by (rule fineI[OF w len]) (use rd_at DC in \<open>simp del: at.simps tv.simps(3)\<close>)
        ultimately show ?thesis by (rule bexI[rotated])
      next
        case (DE t i)
        then have t: "t \<in> set (fst S)" "i \<in> {1..Ns ! t}" using fits by (simp_all del: tv.simps)
        from w len t(2) show ?thesis
        proof (cases rule: element_cases)
          case (1 q)
          have *: "at (0 # nmd @ es @ ys) q = i" for ys
            using at_append[of q "nmd @ es" ys] 1(2,3) by (simp del: at.simps)
          have "(ts, Eq (Rd v ps) (Ix t q)) \<in> set (cases_p v ps ts t (syms ts t))"
            using 1(1) unfolding cases_p_iff by blast
          then have "(ts, Eq (Rd v ps) (Ix t q)) \<in> ?cases" using t(1) unfolding set Un_iff cases_t_iff by blast
          moreover have "fine Ns \<sigma> (nmd @ es) (ts, Eq (Rd v ps) (Ix t q))"
            by (rule fineI[OF w len]) (use rd_at DE * in \<open>simp del: at.simps tv.simps(3)\<close>)
          ultimately show ?thesis by (rule bexI[rotated])
        next
          case 2
          have *: "at (0 # nmd @ es @ i # ys) (Suc (length ts)) = i" for ys
            using at_new[of "length ts" "nmd @ es" i ys] len by (simp del: at.simps)
          have "tv \<sigma> (0 # nmd @ es @ i # ys) (Rd v ps) = DE t i" for ys using rd_at[of "i # ys"] DE by simp
          then have "fine Ns \<sigma> (nmd @ es) (ts @ [t], Eq (Rd v ps) (Ix t (Suc (length ts))))"
            unfolding fine_def using 2 * by (intro exI[of _ "[i]"]) (simp del: at.simps tv.simps(3))
          moreover have "(ts @ [t], Eq (Rd v ps) (Ix t (Suc (length ts)))) \<in> ?cases"
            using t(1) unfolding set Un_iff cases_t_iff by blast
          ultimately show ?thesis by (rule bexI)
        qed
      qed
    qed
  qed
qed

text \<open>What is known about elements stays true where there are more of them.\<close>

definition known_at :: "nat list \<Rightarrow> dstate \<Rightarrow> nat list \<Rightarrow> pairs \<Rightarrow> pairs \<Rightarrow> bounds \<Rightarrow> fm list \<Rightarrow> bool" where
  "known_at Ns \<sigma> es eqs nes les fs \<longleftrightarrow> (\<forall>ys. okp \<sigma> (0 # es @ ys) eqs \<and> okn \<sigma> (0 # es @ ys) nes \<and>
     okl \<sigma> (0 # es @ ys) les \<and> (\<forall>f \<in> set fs. sat Ns \<sigma> f (0 # es @ ys)))"

lemma pass_known:
  assumes w: "wf Ns ts es" and len: "length es = length ts" and typed: "typed Ns K \<sigma>"
    and "known_at Ns \<sigma> es eqs nes les fs"
  obtains eqs' nes' les' later ch where "pass K ts fs (eqs, nes, les, [], False) = Some (eqs', nes', les', later, ch)"
    "known_at Ns \<sigma> es eqs' nes' les' (rev later)"
proof -
  have "\<exists>k. pass K ts fs (eqs, nes, les, [], False) = Some k \<and> ok Ns \<sigma> (0 # es @ ys) k" for ys
    using assms(4) by (intro pass_sound[OF wf_more[OF w len] typed]) (simp_all add: known_at_def ok_def)
  then obtain k where k: "pass K ts fs (eqs, nes, les, [], False) = Some k" "\<And>ys. ok Ns \<sigma> (0 # es @ ys) k"
    by (metis option.inject)
  then show ?thesis using that by (cases k) (auto simp: known_at_def ok_def)
qed

lemma every_iff: "every P xs \<longleftrightarrow> (\<forall>x \<in> set xs. P x)"
  by (induct xs) auto

lemma refuted_sound:
  assumes "refuted K ts eqs nes les fs" "wf Ns ts es" "typed Ns K \<sigma>" "known_at Ns \<sigma> es eqs nes les fs"
  shows False
proof -
  have "\<forall>f \<in> set fs. sat Ns \<sigma> f (0 # es)" "okp \<sigma> (0 # es) eqs" "okn \<sigma> (0 # es) nes" "okl \<sigma> (0 # es) les"
    using assms(4) unfolding known_at_def by (metis append_Nil2)+
  with refute_sound[OF assms(2,3)] assms(1) show False unfolding refuted_def by metis
qed

lemma resolve_sound:
  assumes nt: "length nmd = length nt"
    and typed: "typed Ns K \<sigma>" and before: "\<forall>c \<in> snd ` set I. excludes Ns nt nmd \<sigma> c"
    and finish: "\<And>us ys eqs nes les fs. finish us eqs nes les fs \<Longrightarrow> wf Ns us (nmd @ es @ ys) \<Longrightarrow>
      length (nmd @ es @ ys) = length us \<Longrightarrow> known_at Ns \<sigma> (nmd @ es @ ys) eqs nes les fs \<Longrightarrow> False"
    and more: "\<And>us ys zs f. wf Ns us (nmd @ es @ ys) \<Longrightarrow> length (nmd @ es @ ys) = length us \<Longrightarrow> f \<in> set (more us) \<Longrightarrow>
      sat Ns \<sigma> f (0 # nmd @ es @ ys @ zs)"
  shows "resolve finish K I nt [Suc 0..<Suc (length nt)] more rds ts eqs nes les fs \<Longrightarrow> wf Ns ts (nmd @ es @ new) \<Longrightarrow>
    length (nmd @ es @ new) = length ts \<Longrightarrow> known_at Ns \<sigma> (nmd @ es @ new) eqs nes les fs \<Longrightarrow> False"
proof (induct rds arbitrary: ts eqs nes les fs new)
  case Nil
  then show False using finish by (simp only: resolve.simps)
next
  case (Cons rd rds)
  from pass_known[OF Cons(3,4) typed Cons(5)] obtain eqs' nes' les' later ch where
    k: "pass K ts fs (eqs, nes, les, [], False) = Some (eqs', nes', les', later, ch)"
      "known_at Ns \<sigma> (nmd @ es @ new) eqs' nes' les' (rev later)" .
  from cases_of_sound[OF Cons(3,4) nt typed before] obtain s where
    s: "s \<in> set (cases_of K I nt [Suc 0..<Suc (length nt)] ts rd)" "fine Ns \<sigma> (nmd @ es @ new) s" by blast
  let ?fs = "snd s # (if fst s = ts then rev later else rev later @ more (fst s))"
  from s(2) obtain zs where w: "wf Ns (fst s) (nmd @ es @ new @ zs)" and len: "length (nmd @ es @ new @ zs) = length (fst s)"
    and f: "\<And>ys. sat Ns \<sigma> (snd s) (0 # nmd @ es @ new @ zs @ ys)" by (auto simp: fine_def)
  have "resolve finish K I nt [Suc 0..<Suc (length nt)] more rds (fst s) eqs' nes' les' ?fs"
    using Cons(2) k(1) s(1) by (simp add: every_iff del: upt_Suc)
  moreover have "known_at Ns \<sigma> (nmd @ es @ new @ zs) eqs' nes' les' ?fs"
    using k(2) f more[of "fst s" "new @ zs", OF w len] unfolding known_at_def by auto
  ultimately show False using Cons(1)[of "fst s" eqs' nes' les' ?fs "new @ zs"] w len by blast
qed

lemma resolve_named_sound:
  assumes nt: "length nmd = length nt"
    and typed: "typed Ns K \<sigma>" and before: "\<forall>c \<in> snd ` set I. excludes Ns nt nmd \<sigma> c"
    and more: "\<And>us ys zs f. wf Ns us (nmd @ es @ ys) \<Longrightarrow> length (nmd @ es @ ys) = length us \<Longrightarrow> f \<in> set (more us) \<Longrightarrow>
      sat Ns \<sigma> f (0 # nmd @ es @ ys @ zs)"
  shows "resolve_named K I nt [Suc 0..<Suc (length nt)] more vs ts eqs nes les fs \<Longrightarrow> wf Ns ts (nmd @ es @ new) \<Longrightarrow>
    length (nmd @ es @ new) = length ts \<Longrightarrow> known_at Ns \<sigma> (nmd @ es @ new) eqs nes les fs \<Longrightarrow> False"
proof (induct vs arbitrary: ts eqs nes les fs new)
  case Nil
  from Nil(1) show False unfolding resolve_named.simps by (rule refuted_sound[OF _ Nil(2) typed Nil(4)])
next
  case (Cons v vs)
  have split: "resolve (resolve_named K I nt [Suc 0..<Suc (length nt)] more vs) K I nt [Suc 0..<Suc (length nt)] more
      (splits_of K I ts v) ts eqs nes les fs"
    using Cons(2) by (simp only: resolve_named.simps)
  show False
    by (rule resolve_sound[where finish = "resolve_named K I nt [Suc 0..<Suc (length nt)] more vs" and more = more and es = es,
          OF nt typed before _ _ split Cons(3-5)])
      (fact Cons(1), fact more)
qed


section \<open>Obligations\<close>

lemma check_matches_sound:
  "check_matches V K I nt ns g us hs own i f mm \<Longrightarrow> (ts, ms) \<in> set mm \<Longrightarrow>
    check_match V K I nt ns g us hs own i f ts ms"
  by (induct mm) (auto split: if_split_asm)

lemma check_match_sound:
  assumes check: "check_match V K I nt [Suc 0..<Suc (length nt)] g us hs own i f ts ms"
    and w: "wf Ns ts (nmd @ es)" and len: "length (nmd @ es) = length ts" and nt: "length nmd = length nt"
    and before: "\<forall>c \<in> snd ` set I. excludes Ns nt nmd \<sigma> c" and typed: "typed Ns K \<sigma>"
    and le: "\<forall>p \<in> set ms. p \<le> length ts" and xs: "map (at (0 # nmd @ es)) ms = xs"
    and guard: "sat Ns \<sigma> g (0 # nmd @ xs)"
    and up: "list_all (upd Ns V \<sigma> (0 # nmd @ xs) \<sigma>') us"
    and frame: "\<forall>v. v \<notin> fst ` set us \<longrightarrow> \<sigma>' v = \<sigma> v"
    and own: "\<And>f ys. f \<in> set own \<Longrightarrow> sat Ns \<sigma> f (0 # nmd @ es @ ys)"
    and after: "\<And>ys. sat Ns \<sigma>' f (map (at (0 # nmd @ es @ ys)) i)"
  shows False
proof -
  let ?ns = "[Suc 0..<Suc (length nt)]" and ?e = "0 # nmd @ es"
  let ?m = "0 # ?ns @ ms"
  have ns: "map (at ?e) ?ns = nmd" using map_at_named[of nmd es] nt by simp
  then have m: "map (at ?e) ?m = 0 # nmd @ xs" using xs by (simp del: upt_Suc)
  have "\<forall>p \<in> set (?ns @ ms). p \<le> length (nmd @ es)" using le len nt by auto
  from map_at_more[OF this] m have m': "map (at (0 # nmd @ es @ ys)) ?m = 0 # nmd @ xs" for ys
    by (simp only: append_assoc)
  obtain rds ps where h: "hint_of ms hs = (rds, ps)" by (cases "hint_of ms hs")
  let ?given = "\<lambda>us'. gnd us' g ?m # given I nt ?ns us' ps"
  let ?more = "\<lambda>us'. pre V us' us ?m (universal f) i # ?given us'"
  have given: "sat Ns \<sigma> h (0 # nmd @ es @ ys)" if "wf Ns us' (nmd @ es @ ys)" "h \<in> set (?given us')" for us' ys h
    using that gnd_sound[OF that(1), of \<sigma> g ?m] guard m' given_sound[OF that(1) nt before] by auto
  have pre: "sat Ns \<sigma> (pre V us' us ?m f' i) (0 # nmd @ es @ ys)"
    if "wf Ns us' (nmd @ es @ ys)" "\<And>e. sat Ns \<sigma>' f e \<Longrightarrow> sat Ns \<sigma>' f' e" for us' ys f'
    using pre_sound[OF that(1) _ frame that(2)[OF after], of V ?m] up m' by metis
  have more: "sat Ns \<sigma> h (0 # nmd @ es @ ys @ zs)"
    if "wf Ns us' (nmd @ es @ ys)" "length (nmd @ es @ ys) = length us'" "h \<in> set (?more us')" for us' ys zs h
  proof -
    have "wf Ns us' (nmd @ es @ ys @ zs)" using wf_more[OF that(1,2), of zs] by simp
    then show ?thesis using that(3) pre[of us' "ys @ zs", OF _ universal_sound] given[of us' "ys @ zs" h] by auto
  qed
  have wf: "wf Ns ts (nmd @ es @ ys)" for ys using wf_more[OF w len, of ys] by simp
  have "known_at Ns \<sigma> (nmd @ es) [] [] [] (pre V ts us ?m f i # own)"
    using pre[OF wf] own by (auto simp: known_at_def okp_def okn_def okl_def)
  from pass_known[OF w len typed this] obtain eqs nes les later ch where
    k: "pass K ts (pre V ts us ?m f i # own) ([], [], [], [], False) = Some (eqs, nes, les, later, ch)"
      "known_at Ns \<sigma> (nmd @ es) eqs nes les (rev later)" .
  have finish: False if "refuted K us' eqs nes les fs" "wf Ns us' (nmd @ es @ ys)" "length (nmd @ es @ ys) = length us'"
    "known_at Ns \<sigma> (nmd @ es @ ys) eqs nes les fs" for us' ys eqs nes les fs
    by (rule refuted_sound[OF that(1,2) typed that(4)])
  have r: "resolve (refuted K) K I nt ?ns ?more rds ts eqs nes les (rev later @ ?given ts)"
    using check k(1) h by (simp add: check_match_def del: upt_Suc)
  have known: "known_at Ns \<sigma> (nmd @ es) eqs nes les (rev later @ ?given ts)"
    using k(2) given[OF wf] unfolding known_at_def by auto
  show False
    by (rule resolve_sound[where finish = "refuted K" and more = ?more and es = es and new = "[]", OF nt typed before _ _ r])
      (fact finish, fact more, use w len known in simp_all)
qed

lemma check_pair_sound:
  assumes check: "check_pair V K I nt r start hs c" and nt: "length nmd = length nt"
    and dstep: "dstep Ns nmd V r \<sigma> \<sigma>'"
    and before: "start \<or> typed Ns K \<sigma> \<and> (\<forall>c \<in> snd ` set I. excludes Ns nt nmd \<sigma> c) \<and> c \<in> snd ` set I"
  shows "excludes Ns nt nmd \<sigma>' c"
  unfolding excludes_def
proof (intro allI impI notI)
  fix xs
  assume len: "length xs = length (fst c)" and w: "wf Ns (nt @ fst c) (nmd @ xs)"
    and bad: "sat Ns \<sigma>' (snd c) (0 # nmd @ xs)"
  obtain pts g us where r: "r = (pts, g, us)" by (cases r)
  from dstep r obtain ps where ps: "ranged Ns pts ps" "sat Ns \<sigma> g (0 # nmd @ ps)"
    "list_all (upd Ns V \<sigma> (0 # nmd @ ps) \<sigma>') us" "\<forall>v. v \<notin> fst ` set us \<longrightarrow> \<sigma>' v = \<sigma> v"
    by (auto simp: dstep_def)
  let ?ts = "nt @ fst c" and ?i = "[0..<Suc (length (nt @ fst c))]"
  have len': "length (nmd @ xs) = length ?ts" using len nt by simp
  have own: "sat Ns \<sigma> (neg (rest us (snd c))) (0 # nmd @ xs)" if "\<not> start"
    using before that len w neg_sound rest_sound[OF ps(4) bad] unfolding excludes_def by blast
  have i: "map (at (0 # (nmd @ xs) @ ys)) ?i = 0 # nmd @ xs" for ys
    using map_at_prefix[of "nmd @ xs" ys] unfolding len' by simp
  show False
  proof (cases "start \<or> touches us (snd c)")
    case False
    then have "sat Ns \<sigma> (snd c) (0 # nmd @ xs)" using touches_sound[OF ps(4)] bad by blast
    then show False using before False len w unfolding excludes_def by blast
  next
    case True
    let ?K = "if start then [] else K" and ?I = "if start then [] else I"
    from matches_sound[OF w len' ps(1), of "[]"] obtain ts' qs more where
      m: "(ts', qs) \<in> set (matches pts ?ts [])" "wf Ns ts' (nmd @ xs @ more)" "length (nmd @ xs @ more) = length ts'"
        "map (at (0 # nmd @ xs @ more)) qs = ps" "\<forall>p \<in> set qs. p \<le> length ts'" by (auto simp del: at.simps)
    have "check_match V ?K ?I nt [Suc 0..<Suc (length nt)] g us hs
        (if start then [] else [gnd ?ts (neg (rest us (snd c))) ?i]) ?i (snd c) ts' qs"
      using check r True m(1) check_matches_sound
      by (cases start) (auto simp: check_pair_def Let_def simp del: upt_Suc)
    from check_match_sound[OF this m(2,3) nt _ _ m(5,4) ps(2-4)] show False
    proof (rule)
      show "\<forall>c \<in> snd ` set ?I. excludes Ns nt nmd \<sigma> c" "typed Ns ?K \<sigma>"
        using before by (auto simp: typed_def)
    next
      fix f ys
      assume f: "f \<in> set (if start then [] else [gnd ?ts (neg (rest us (snd c))) ?i])"
      then have "\<not> start" "f = gnd ?ts (neg (rest us (snd c))) ?i" by (auto split: if_split_asm)
      moreover have "wf Ns ?ts (nmd @ xs @ more @ ys)" using wf_more[OF w len', of "more @ ys"] by simp
      ultimately show "sat Ns \<sigma> f (0 # nmd @ (xs @ more) @ ys)"
        using gnd_sound[of Ns ?ts "nmd @ xs @ more @ ys" \<sigma> "neg (rest us (snd c))" ?i] own i[of "more @ ys"] by simp
    next
      fix ys
      show "sat Ns \<sigma>' (snd c) (map (at (0 # nmd @ (xs @ more) @ ys)) ?i)"
        using bad i[of "more @ ys"] by simp
    qed
  qed
qed

lemma check_cubes_sound:
  "check_cubes V K I nt r start hs cs \<Longrightarrow> c \<in> snd ` set cs \<Longrightarrow> \<exists>h. check_pair V K I nt r start h c"
  by (induct cs) (auto split: if_split_asm)


section \<open>Types\<close>

lemma each_iff: "each Ns ats P \<longleftrightarrow> (\<forall>as. ranged Ns ats as \<longrightarrow> P as)"
proof (induct ats arbitrary: P)
  case Nil
  then show ?case by (simp add: ranged_def)
next
  case (Cons t ats)
  then show ?case by (auto simp: ranged_Cons)
qed

lemma ranged_ofty: "ranged Ns us es \<Longrightarrow> ofty us p t \<Longrightarrow> at (0 # es) p \<in> {1..Ns ! t}"
  by (auto simp: ranged_def ofty_iff at_nth list_all2_conv_all_nth)

lemma ranged_append: "ranged Ns us es \<Longrightarrow> ranged Ns us' es' \<Longrightarrow> ranged Ns (us @ us') (es @ es')"
  unfolding ranged_def by (rule list_all2_appendI)

lemma wf_ranged:
  assumes "wf Ns us es" "length es = length us"
  shows "ranged Ns us es"
  unfolding ranged_def list_all2_conv_all_nth
proof (intro conjI allI impI)
  fix q
  assume q: "q < length us"
  then have "ofty us (Suc q) (us ! q)" by (simp add: ofty_iff)
  from wf_range[OF assms(1) this] q assms(2) show "es ! q \<in> {1..Ns ! (us ! q)}" by (simp add: at_nth)
qed (simp add: assms)

lemma subset_of_iff: "subset_of xs ys \<longleftrightarrow> set xs \<subseteq> set ys"
  by (induct xs) auto

lemma fits_mono: "fits Ns S x \<Longrightarrow> set (fst S) \<subseteq> set (fst S') \<Longrightarrow> set (snd S) \<subseteq> set (snd S') \<Longrightarrow> fits Ns S' x"
  by (cases x) auto

lemma stays_sound:
  assumes r: "\<And>p t. ofty ts p t \<Longrightarrow> at (0 # es) p \<in> {1..Ns ! t}" and before: "start \<or> typed Ns V \<sigma>"
  shows "stays V start ts S v \<Longrightarrow> has Ns S \<sigma> (0 # es) v x \<Longrightarrow> fits Ns S x"
proof (induct v)
  case (Tm a)
  show ?case
  proof (cases a)
    case (Rd v ps)
    then obtain ats S' where v: "map_of V v = Some (ats, S')" "argsok ts ats ps" "\<not> start"
      "set (fst S') \<subseteq> set (fst S)" "set (snd S') \<subseteq> set (snd S)"
      using Tm(1) by (auto simp: stays_t_def subset_of_iff split: option.split_asm if_split_asm)
    then have "each Ns ats (\<lambda>as. fits Ns S' (\<sigma> v as))" using before unfolding typed_def by blast
    from each_argsok[OF r v(2) this] Rd Tm(2) have "fits Ns S' x" by simp
    then show ?thesis using v(4,5) by (rule fits_mono)
  qed (use Tm r in \<open>auto simp: stays_t_def simp del: at.simps split: if_split_asm\<close>)
qed (auto split: if_split_asm)

lemma check_types_sound:
  assumes "check_types V nt start pts us" "(v, a) \<in> set us" "map_of V v = Some (ats, S)"
  shows "stays V start (nt @ pts @ ats) S a"
  using assms by (induct us) (auto split: option.split_asm if_split_asm)

lemma covered_iff: "covered us vs \<longleftrightarrow> (\<forall>v \<in> fst ` set vs. map_of us v \<noteq> None)"
  by (induct vs) (auto split: option.split)

lemma typed_after:
  assumes check: "check_types V nt start (fst r) (snd (snd r))" and dstep: "dstep Ns nmd (V @ Z) r \<sigma> \<sigma>'"
    and named: "ranged Ns nt nmd"
    and before: "start \<and> covered (snd (snd r)) V \<or> \<not> start \<and> typed Ns V \<sigma>"
  shows "typed Ns V \<sigma>'"
  unfolding typed_def
proof (intro allI impI)
  fix v ats S
  assume v: "map_of V v = Some (ats, S)"
  obtain pts g us where r: "r = (pts, g, us)" by (cases r)
  from dstep r obtain xs where xs: "ranged Ns pts xs" "list_all (upd Ns (V @ Z) \<sigma> (0 # nmd @ xs) \<sigma>') us"
    "\<forall>v. v \<notin> fst ` set us \<longrightarrow> \<sigma>' v = \<sigma> v" by (auto simp: dstep_def)
  show "each Ns ats (\<lambda>as. fits Ns S (\<sigma>' v as))"
  proof (cases "v \<in> fst ` set us")
    case True
    then obtain a where a: "(v, a) \<in> set us" by force
    then have "upd Ns (V @ Z) \<sigma> (0 # nmd @ xs) \<sigma>' (v, a)" using xs(2) by (auto simp: list_all_iff)
    then have h: "each Ns ats (\<lambda>as. has Ns S \<sigma> (0 # (nmd @ xs @ as)) a (\<sigma>' v as))" using v by (simp add: upd_def map_add_def)
    have st: "stays V start (nt @ pts @ ats) S a" using check_types_sound[OF _ a v] check r by simp
    have "start \<or> typed Ns V \<sigma>" using before by blast
    note * = stays_sound[OF ranged_ofty this st]
    show ?thesis
      unfolding each_iff
    proof (intro allI impI)
      fix as
      assume as: "ranged Ns ats as"
      have "ranged Ns (nt @ pts @ ats) (nmd @ xs @ as)" using named xs(1) as by (intro ranged_append)
      from *[OF this] h as show "fits Ns S (\<sigma>' v as)" unfolding each_iff by blast
    qed
  next
    case False
    have "\<not> covered us V"
    proof
      assume "covered us V"
      moreover have "v \<in> fst ` set V" using map_of_SomeD[OF v] by force
      ultimately show False using False unfolding covered_iff map_of_eq_None_iff by blast
    qed
    then have "typed Ns V \<sigma>" using before r by auto
    then have "each Ns ats (\<lambda>as. fits Ns S (\<sigma> v as))" using v unfolding typed_def by blast
    moreover have "\<sigma>' v = \<sigma> v" using xs(3) False by blast
    ultimately show ?thesis by simp
  qed
qed


section \<open>The properties of an accepted protocol\<close>

lemma check_rules_iff: "check_rules_under V Z I X nt rs \<longleftrightarrow> (\<forall>r \<in> set rs. check_rule_under V Z I X nt (fst r) (snd r))"
  by (induct rs) auto

lemma check_starts_iff: "check_starts_under V Z I nt rs \<longleftrightarrow> (\<forall>r \<in> set rs. check_start_under V Z I nt r)"
  by (induct rs) auto

definition safe :: "nat list \<Rightarrow> nat list \<Rightarrow> nat list \<Rightarrow> vars \<Rightarrow> (int \<times> cube) list \<Rightarrow> dstate \<Rightarrow> bool" where
  "safe Ns nt nmd V I \<sigma> \<longleftrightarrow> typed Ns V \<sigma> \<and> (\<forall>c \<in> snd ` set I. excludes Ns nt nmd \<sigma> c)"

theorem computed_dreach:
  assumes named: "wf Ns nt nmd" "length nmd = length nt"
    and rules: "check_rules_under V Z I X nt rs" and starts: "check_starts_under V Z I nt ss"
    and assumed: "\<And>\<sigma> c. Q \<sigma> \<Longrightarrow> c \<in> snd ` set X \<Longrightarrow> excludes Ns nt nmd \<sigma> c"
    and reach: "dreach Q Ns nmd (V @ Z) ss (map fst rs) \<sigma>"
  shows "safe Ns nt nmd V (I @ X) \<sigma>"
  using reach
proof (induct)
  case (start st \<sigma> \<sigma>')
  have c: "check_types V nt True (fst st) (snd (snd st))" "covered (snd (snd st)) V"
      "check_cubes (V @ Z) V I nt st True [] I"
    using starts start(1) by (auto simp: check_starts_iff check_start_under_def split: if_split_asm)
  have "typed Ns V \<sigma>'" using typed_after[OF c(1) start(2) wf_ranged[OF named]] c(2) by blast
  moreover have "excludes Ns nt nmd \<sigma>' c" if "c \<in> snd ` set I" for c
    using check_cubes_sound[OF c(3) that] check_pair_sound[OF _ named(2) start(2)] by blast
  ultimately show ?case using assumed[OF start(3)] unfolding safe_def set_append image_Un by blast
next
  case (step \<sigma> r \<sigma>')
  from step(3) obtain hs where "(r, hs) \<in> set rs" by auto
  then have "check_rule_under V Z I X nt r hs" using rules by (auto simp: check_rules_iff)
  then have c: "check_types V nt False (fst r) (snd (snd r))" "check_cubes (V @ Z) V (I @ X) nt r False hs I"
    by (auto simp: check_rule_under_def split: if_split_asm)
  have b: "typed Ns V \<sigma>" "\<forall>c \<in> snd ` set (I @ X). excludes Ns nt nmd \<sigma> c" using step(2) by (simp_all add: safe_def)
  have "typed Ns V \<sigma>'" using typed_after[OF c(1) step(4) wf_ranged[OF named]] b by blast
  moreover have "excludes Ns nt nmd \<sigma>' c" if "c \<in> snd ` set I" for c
  proof -
    from that have "c \<in> snd ` set (I @ X)" by auto
    then show ?thesis using check_cubes_sound[OF c(2) that] check_pair_sound[OF _ named(2) step(4)] b by blast
  qed
  ultimately show ?case using assumed[OF step(5)] unfolding safe_def set_append image_Un by blast
qed

lemma check_parts_sound:
  "check_parts V I nt ns f h mm \<Longrightarrow> (ts, ms) \<in> set mm \<Longrightarrow>
    resolve_named V I nt ns (at_part I nt ns f (0 # ns @ ms) (snd h)) (fst h) ts [] [] []
      (at_part I nt ns f (0 # ns @ ms) (snd h) ts)"
  by (induct mm) (auto split: if_split_asm)

theorem computed_part:
  assumes check: "check_part V I nt c h" and safe: "safe Ns nt nmd V I \<sigma>"
    and named: "wf Ns nt nmd" "length nmd = length nt" and xs: "ranged Ns (fst c) xs"
  shows "sat Ns \<sigma> (snd c) (0 # nmd @ xs)"
proof (rule ccontr)
  assume bad: "\<not> sat Ns \<sigma> (snd c) (0 # nmd @ xs)"
  let ?ns = "[Suc 0..<Suc (length nt)]"
  from matches_sound[OF named xs, of "[]"] obtain ts' qs more where
    m: "(ts', qs) \<in> set (matches (fst c) nt [])" "wf Ns ts' (nmd @ more)" "length (nmd @ more) = length ts'"
      "map (at (0 # nmd @ more)) qs = xs" "\<forall>p \<in> set qs. p \<le> length ts'" by (auto simp del: at.simps)
  have typed: "typed Ns V \<sigma>" and before: "\<forall>c \<in> snd ` set I. excludes Ns nt nmd \<sigma> c"
    using safe by (simp_all add: safe_def)
  let ?m = "0 # ?ns @ qs"
  have "map (at (0 # nmd @ more)) ?ns = nmd" using map_at_named[of nmd more] named(2) by simp
  then have e: "map (at (0 # nmd @ more)) ?m = 0 # nmd @ xs" using m(4) by (simp del: upt_Suc)
  have "\<forall>p \<in> set (?ns @ qs). p \<le> length (nmd @ more)" using m(3,5) named(2) by auto
  from map_at_more[OF this] e have e': "map (at (0 # nmd @ more @ ys)) ?m = 0 # nmd @ xs" for ys
    by (simp only: append_assoc)
  let ?at = "at_part I nt ?ns (neg (snd c)) ?m (snd h)"
  have at: "sat Ns \<sigma> f (0 # nmd @ more @ ys)" if "wf Ns us (nmd @ more @ ys)" "f \<in> set (?at us)" for us ys f
    using that gnd_sound[OF that(1), of \<sigma> "neg (snd c)" ?m] e' bad neg_sound given_sound[OF that(1) named(2) before]
    by (auto simp: at_part_def)
  have later: "sat Ns \<sigma> f (0 # nmd @ more @ ys @ zs)"
    if "wf Ns us (nmd @ more @ ys)" "length (nmd @ more @ ys) = length us" "f \<in> set (?at us)" for us ys zs f
    using at[of us "ys @ zs" f] wf_more[OF that(1,2), of zs] that(3) by simp
  have "resolve_named V I nt ?ns ?at (fst h) ts' [] [] [] (?at ts')"
    using check check_parts_sound[OF _ m(1)] by (simp only: check_part_def)
  moreover have "known_at Ns \<sigma> (nmd @ more) [] [] [] (?at ts')"
    using later[of ts' "[]"] m(2,3) by (simp add: known_at_def okp_def okn_def okl_def)
  ultimately show False using resolve_named_sound[OF named(2) typed before, of more ?at _ ts' _ _ _ _ "[]"] later m(2,3) by auto
qed


section \<open>From states of the model to data\<close>

text \<open>\<open>B\<close> has the numbers of the state variables that are read as truth values.\<close>

primrec of_val :: "val \<Rightarrow> dval" where
  "of_val (Const n) = DC (int n)"
| "of_val (Elem t i) = DE t i"

definition of_truth :: "bool \<Rightarrow> dval" where
  "of_truth b = (if b then DC 1 else DC 0)"

definition as_data :: "int list \<Rightarrow> state \<Rightarrow> dstate" where
  "as_data B s v as = (if v < 0 then DC 0 else if v \<in> set B then of_truth (s (nat v) as = true)
     else of_val (s (nat v) as))"

text \<open>\<open>Z\<close> has the state variables that are read as numbers.\<close>

definition with_numbers :: "vars \<Rightarrow> int list \<Rightarrow> state \<Rightarrow> dstate" where
  "with_numbers Z B s v as = (if 0 \<le> v \<and> v \<in> fst ` set Z then DC (number (s (nat v) as)) else as_data B s v as)"

text \<open>Lemmas to show that the data simulate a step of the model.\<close>

lemma frame_data:
  assumes "writes W s s'" "list_all (\<lambda>n. int n \<in> set U) W" "v \<notin> set U"
  shows "with_numbers Z B s' v = with_numbers Z B s v"
proof (cases "v < 0")
  case False
  then have "nat v \<notin> set W" using assms(2,3) by (auto simp: list_all_iff)
  then show ?thesis using assms(1) by (intro ext) (simp add: with_numbers_def as_data_def writes_def)
qed (intro ext, simp add: with_numbers_def as_data_def)

lemma no_numbers: "with_numbers [] = as_data"
  by (intro ext) (simp add: with_numbers_def)

lemma dstep_data:
  fixes Z B
  defines "D \<equiv> with_numbers Z B"
  assumes "ranged Ns pts xs" "sat Ns (D s) g (0 # nmd @ xs)" "writes W s s'"
    and "list_all (\<lambda>n. int n \<in> set (map fst us)) W"
    and "list_all (upd Ns V (D s) (0 # nmd @ xs) (D s')) us"
  shows "dstep Ns nmd V (pts, g, us) (D s) (D s')"
  unfolding dstep_def fst_conv snd_conv
  using assms(2,3,6) frame_data[OF assms(4,5)] unfolding D_def by (intro exI[of _ xs]) auto

definition simulated_by :: "(state \<Rightarrow> dstate) \<Rightarrow> nat list \<Rightarrow> nat list \<Rightarrow> vars \<Rightarrow> drule list \<Rightarrow> rule \<Rightarrow> bool" where
  "simulated_by D Ns nmd V rs r \<longleftrightarrow> (\<forall>s s'. guard r s \<longrightarrow> update r s s' \<longrightarrow>
     (\<exists>d \<in> set rs. dstep Ns nmd V d (D s) (D s')))"

lemma simulated_byI:
  fixes Z B
  defines "D \<equiv> with_numbers Z B"
  assumes "d \<in> set rs" "d = (pts, g', us)" "ranged Ns pts xs"
    and "\<And>s. g s \<Longrightarrow> sat Ns (D s) g' (0 # nmd @ xs)"
    and "\<And>s s'. u s s' \<Longrightarrow> writes W s s'"
    and "list_all (\<lambda>n. int n \<in> set (map fst us)) W"
    and "\<And>s s'. u s s' \<Longrightarrow> list_all (upd Ns V (D s) (0 # nmd @ xs) (D s')) us"
  shows "simulated_by D Ns nmd V rs (g, u)"
  unfolding simulated_by_def guard_def update_def fst_conv snd_conv
  using dstep_data[of Ns pts xs Z B, OF assms(4,5,6,7,8)[unfolded D_def]] assms(2,3) unfolding D_def by blast

lemma started_by:
  assumes "d \<in> set ss" "d = (pts, g, us)" "ranged Ns pts xs" "sat Ns (D s) g (0 # nmd @ xs)"
    and "list_all (upd Ns V (D s) (0 # nmd @ xs) (D s)) us"
  shows "\<exists>r \<in> set ss. \<exists>\<sigma>. dstep Ns nmd V r \<sigma> (D s)"
proof -
  have "dstep Ns nmd V (pts, g, us) (D s) (D s)"
    unfolding dstep_def fst_conv snd_conv using assms(3-5) by (intro exI[of _ xs]) auto
  then show ?thesis using assms(1,2) by blast
qed

theorem computed_under:
  assumes named: "wf Ns nt nmd" "length nmd = length nt"
    and checked: "check_rules_under V Z I X nt rs" "check_starts_under V Z I nt ss"
    and assumed: "\<And>s c. A s \<Longrightarrow> c \<in> snd ` set X \<Longrightarrow> excludes Ns nt nmd (D s) c"
    and start: "\<And>s. initial S s \<Longrightarrow> \<exists>r \<in> set ss. \<exists>\<sigma>. dstep Ns nmd (V @ Z) r \<sigma> (D s)"
    and step: "\<And>r. r \<in> rules S \<Longrightarrow> simulated_by D Ns nmd (V @ Z) (map fst rs) r"
    and reach: "reachable_under A S s"
  shows "safe Ns nt nmd V (I @ X) (D s)"
proof (rule computed_dreach[OF named checked])
  let ?Q = "\<lambda>\<sigma>. \<exists>s. A s \<and> \<sigma> = D s"
  show "excludes Ns nt nmd \<sigma> c" if "?Q \<sigma>" "c \<in> snd ` set X" for \<sigma> c using that assumed by blast
  show "dreach ?Q Ns nmd (V @ Z) ss (map fst rs) (D s)"
    using reach
  proof (induct)
    case (start s)
    then obtain r \<sigma> where "r \<in> set ss" "dstep Ns nmd (V @ Z) r \<sigma> (D s)" using assms(6) by blast
    then show ?case using start(2) dreach.start[of r ss Ns nmd "V @ Z" \<sigma> "D s" ?Q] by blast
  next
    case (step s r s')
    then obtain d where "d \<in> set (map fst rs)" "dstep Ns nmd (V @ Z) d (D s) (D s')"
      using assms(7) unfolding simulated_by_def by blast
    then show ?case using step(2,6) dreach.step[of ?Q Ns nmd "V @ Z" ss "map fst rs" "D s" d "D s'"] by blast
  qed
qed

text \<open>The same for protocols without numbers and assumptions.\<close>

abbreviation simulated :: "nat list \<Rightarrow> nat list \<Rightarrow> vars \<Rightarrow> int list \<Rightarrow> drule list \<Rightarrow> rule \<Rightarrow> bool" where
  "simulated Ns nmd V B \<equiv> simulated_by (as_data B) Ns nmd V"

lemmas simulatedI = simulated_byI[where Z = "[]", unfolded no_numbers]

lemmas started = started_by[where D = "as_data B" for B]

theorem computed:
  assumes "wf Ns nt nmd" "length nmd = length nt"
    and "check_rules V I nt rs" "check_starts V I nt ss"
    and "\<And>s. initial S s \<Longrightarrow> \<exists>r \<in> set ss. \<exists>\<sigma>. dstep Ns nmd V r \<sigma> (as_data B s)"
    and "\<And>r. r \<in> rules S \<Longrightarrow> simulated Ns nmd V B (map fst rs) r"
    and "reachable S s"
  shows "safe Ns nt nmd V I (as_data B s)"
  using computed_under[of Ns nt nmd V "[]" I "[]" rs ss "\<lambda>_. True" "as_data B" S s] assms
  by (simp add: check_rules_under check_starts_def reachable_under_True)

lemma wf_listI:
  assumes "length es = length ts" "\<forall>q < length ts. es ! q \<in> {1..Ns ! (ts ! q)}"
    and "\<forall>p < length ts. \<forall>q < p. ts ! p = ts ! q \<longrightarrow> es ! q \<noteq> es ! p"
  shows "wf Ns ts es"
proof -
  have *: "es ! p \<noteq> es ! q" if "p < length ts" "q < length ts" "ts ! p = ts ! q" "p \<noteq> q" for p q
    using assms(3) that by (cases "p < q") (force, metis linorder_neqE_nat)
  have at: "at (0 # es) p = es ! (p - 1) \<and> 0 < p \<and> p - 1 < length ts \<and> ts ! (p - 1) = t" if "ofty ts p t" for p t
    using that assms(1) by (auto simp: ofty_iff at_nth)
  show ?thesis
    unfolding wf_def
  proof (intro conjI allI impI)
    fix p t
    assume "ofty ts p t"
    from at[OF this] assms(2) show "at (0 # es) p \<in> {1..Ns ! t}" by auto
  next
    fix p q t
    assume "ofty ts p t" "ofty ts q t" "p \<noteq> q"
    note at[OF this(1)] at[OF this(2)]
    moreover from this \<open>p \<noteq> q\<close> have "p - 1 \<noteq> q - 1" by arith
    ultimately show "at (0 # es) p \<noteq> at (0 # es) q" using *[of "p - 1" "q - 1"] by (simp del: at.simps)
  qed
qed

text \<open>That elements of one type differ, and what is to show so that a cube is excluded.\<close>

primrec differs_from :: "nat \<Rightarrow> nat \<Rightarrow> nat list \<Rightarrow> nat list \<Rightarrow> bool" where
  "differs_from t x [] es \<longleftrightarrow> True"
| "differs_from t x (u # us) es \<longleftrightarrow>
     (case es of [] \<Rightarrow> True | y # ys \<Rightarrow> (t = u \<longrightarrow> x \<noteq> y) \<and> differs_from t x us ys)"

primrec all_differ :: "nat list \<Rightarrow> nat list \<Rightarrow> bool" where
  "all_differ [] es \<longleftrightarrow> True"
| "all_differ (t # ts) es \<longleftrightarrow> (case es of [] \<Rightarrow> True | x # xs \<Rightarrow> differs_from t x ts xs \<and> all_differ ts xs)"

lemma differs_from_iff: "length us = length es \<Longrightarrow>
    differs_from t x us es \<longleftrightarrow> (\<forall>q < length us. us ! q = t \<longrightarrow> es ! q \<noteq> x)"
proof (induct us arbitrary: es)
  case (Cons u us)
  then obtain y ys where "es = y # ys" by (cases es) auto
  then show ?case using Cons by (auto simp: All_less_Suc2)
qed simp

lemma all_differ_iff: "length ts = length es \<Longrightarrow>
    all_differ ts es \<longleftrightarrow> (\<forall>q < length ts. \<forall>p < q. ts ! p = ts ! q \<longrightarrow> es ! p \<noteq> es ! q)"
proof (induct ts arbitrary: es)
  case (Cons t ts)
  then obtain x xs where es: "es = x # xs" "length ts = length xs" by (cases es) auto
  show ?case unfolding es(1) all_differ.simps list.case Cons(1)[OF es(2)] differs_from_iff[OF es(2)] length_Cons All_less_Suc2
    by auto
qed simp

lemma excludesI:
  assumes named: "length nmd = length nt"
    and all: "each Ns ts (\<lambda>xs. all_differ (nt @ ts) (nmd @ xs) \<longrightarrow> \<not> sat Ns \<sigma> f (0 # nmd @ xs))"
  shows "excludes Ns nt nmd \<sigma> (ts, f)"
  unfolding excludes_def fst_conv snd_conv
proof (intro allI impI)
  fix xs
  assume len: "length xs = length ts" and w: "wf Ns (nt @ ts) (nmd @ xs)"
  have both: "length (nmd @ xs) = length (nt @ ts)" using len named by simp
  have "ranged Ns (nt @ ts) (nmd @ xs)" by (rule wf_ranged[OF w both])
  then have "ranged Ns ts xs" using named by (simp add: ranged_def list_all2_append)
  moreover have "all_differ (nt @ ts) (nmd @ xs)"
    unfolding all_differ_iff[OF both[symmetric]]
  proof (intro allI impI)
    fix q p
    assume q: "q < length (nt @ ts)" "p < q" "(nt @ ts) ! p = (nt @ ts) ! q"
    then have "ofty (nt @ ts) (Suc p) ((nt @ ts) ! q)" "ofty (nt @ ts) (Suc q) ((nt @ ts) ! q)"
      unfolding ofty_iff by auto
    from wf_differ[OF w this] q show "(nmd @ xs) ! p \<noteq> (nmd @ xs) ! q" using both by (simp add: at_nth)
  qed
  ultimately show "\<not> sat Ns \<sigma> f (0 # nmd @ xs)" using all unfolding each_iff by blast
qed

text \<open>Simplification rules for the interpretation of data.\<close>

lemma of_val_eq:
  "of_val x = of_val y \<longleftrightarrow> x = y"
  "of_val x = DE t i \<longleftrightarrow> x = Elem t i"
  "DE t i = of_val x \<longleftrightarrow> Elem t i = x"
  "of_val x = DC 0 \<longleftrightarrow> x = Const 0"
  "of_val x = DC 1 \<longleftrightarrow> x = Const 1"
  "of_val x = DC (numeral k) \<longleftrightarrow> x = Const (numeral k)"
  "DC 0 = of_val x \<longleftrightarrow> Const 0 = x"
  "DC 1 = of_val x \<longleftrightarrow> Const 1 = x"
  "DC (numeral k) = of_val x \<longleftrightarrow> Const (numeral k) = x"
  by (cases x; cases y; auto simp: One_nat_def)+

lemma of_truth_eq:
  "of_truth a = of_truth b \<longleftrightarrow> a = b"
  "of_truth a = DC 1 \<longleftrightarrow> a"
  "of_truth a = DC 0 \<longleftrightarrow> \<not> a"
  "DC 1 = of_truth a \<longleftrightarrow> a"
  "DC 0 = of_truth a \<longleftrightarrow> \<not> a"
  "of_truth a = of_val x \<longleftrightarrow> (if a then true else false) = x"
  "of_val x = of_truth a \<longleftrightarrow> x = (if a then true else false)"
  by (cases x; auto simp: of_truth_def One_nat_def)+

lemma fits_of:
  "fits Ns S (of_val x) \<longleftrightarrow> (\<exists>t \<in> set (fst S). x \<in> elements t (Ns ! t)) \<or> (\<exists>c \<in> set (snd S). of_val x = DC c)"
  "fits Ns S (of_truth a) \<longleftrightarrow> (if a then 1 \<in> set (snd S) else 0 \<in> set (snd S))"
  by (cases x; auto) (simp add: of_truth_def)

lemma at_numeral: "at (x # xs) (numeral k) = at xs (pred_numeral k)" "at (x # xs) 0 = x" "at (x # xs) 1 = at xs 0"
  by (simp_all add: numeral_eq_Suc One_nat_def)

lemma nth_number: "(x # xs) ! numeral k = xs ! pred_numeral k" "(x # xs) ! 0 = x" "(x # xs) ! 1 = xs ! 0"
  by (simp_all add: numeral_eq_Suc One_nat_def)

lemma ranged_simps: "ranged Ns [] []" "ranged Ns (t # ts) (x # xs) \<longleftrightarrow> x \<in> {1..Ns ! t} \<and> ranged Ns ts xs"
  by (simp_all add: ranged_def)

lemmas data_simps = tv.simps sat.simps has.simps each.simps of_val_eq of_truth_eq fits_of at_numeral nth_number
  ranged_simps list.map list_all_simps append.simps fst_conv snd_conv option.case prod.case upd_def
  pred_numeral_simps num_of.simps all_differ.simps differs_from.simps list.case list.set Un_iff insert_iff empty_iff

end
