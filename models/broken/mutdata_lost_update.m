-- paraproof: verdict = violated
-- paraproof: rules = 5
-- paraproof: properties = 2
-- paraproof: violates = DataProp

-- Broken twin of mutdata.m: the semaphore is released on leaving the critical
-- phase, before the data is written back.
--
-- The next node fetches the old value; with a single node, Mem can already be
-- stale while x is free.

const
  NODE_NUM : 2;
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
    x := true;   -- broken: Mem is not written yet
  endrule;

  rule "Idle"
    n[i].st = E
  ==>
    n[i].st := I;
    Mem := n[i].data;
    undefine n[i].data;
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
