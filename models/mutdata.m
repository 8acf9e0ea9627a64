-- paraproof: verdict = proven
-- paraproof: rules = 5
-- paraproof: properties = 2
-- paraproof: states NODE_NUM=2 DATA_NUM=2 40
-- paraproof: states NODE_NUM=3 DATA_NUM=2 112
-- paraproof: states NODE_NUM=4 DATA_NUM=2 288

-- Mutual exclusion that protects data.
--
-- The four phases and the semaphore of mutualex.m. A node that becomes critical
-- fetches the shared value Mem to a copy of its own, may change it any number
-- of times, and writes it back on its way out, together with the release of the
-- semaphore. Aux is a ghost: the value written last by anybody.
--
-- A semaphore after E. W. Dijkstra, 'Cooperating sequential processes', 1965;
-- a version with data accompanies the tools on the causal relation between
-- rules and invariants: Y. Li, K. Duan, D. Jansen, J. Pang, L. Zhang, Y. Lv and
-- S. Cai, 'An automatic proving approach to parameterized verification', ACM
-- Transactions on Computational Logic 19(4), 2018.

const
  NODE_NUM : 3;
  DATA_NUM : 2;

type
  NODE  : scalarset(NODE_NUM);
  DATA  : scalarset(DATA_NUM);
  PHASE : enum { I, T, C, E };

var
  n : array [NODE] of record
        st   : PHASE;
        data : DATA;    -- undefined in I and T
      end;
  x   : boolean;
  Mem : DATA;
  Aux : DATA;

ruleset d : DATA do
  startstate "Init"
    for i : NODE do
      n[i].st := I;
      undefine n[i].data;
    endfor;
    x := true;
    Mem := d;
    Aux := d;
  endstartstate;
endruleset;

ruleset i : NODE do

  rule "Try"
    n[i].st = I
  ==>
    n[i].st := T;
  endrule;

  rule "Crit"
    n[i].st = T & x
  ==>
    n[i].st := C;
    n[i].data := Mem;
    x := false;
  endrule;

  ruleset d : DATA do
    rule "Store"
      n[i].st = C
    ==>
      n[i].data := d;
      Aux := d;
    endrule;
  endruleset;

  rule "Exit"
    n[i].st = C
  ==>
    n[i].st := E;
  endrule;

  rule "Idle"
    n[i].st = E
  ==>
    n[i].st := I;
    Mem := n[i].data;
    undefine n[i].data;
    x := true;
  endrule;

endruleset;

invariant "MutualExclusion"
  forall i : NODE do
    forall j : NODE do
      i != j -> !(n[i].st = C & n[j].st = C)
    endforall
  endforall;

invariant "DataProp"
  (x -> Mem = Aux)
  & forall i : NODE do
      n[i].st = C -> n[i].data = Aux
    endforall;
