-- paraproof: verdict = proven
-- paraproof: rules = 6
-- paraproof: properties = 1
-- paraproof: states NODE_NUM=2 24
-- paraproof: states NODE_NUM=3 66

-- German-ish: German's directory protocol without its channels.
--
-- One home serves one request at a time: CurCmd says what is wanted, CurPtr
-- by whom, ShrSet which caches have a copy, and ExGntd whether one of them may
-- write. Messages do not travel: the home invalidates or downgrades a cache in
-- a single step. A request for a shared copy only takes the right to write
-- away from an exclusive holder, which keeps the line as a shared copy; a
-- request for an exclusive copy empties all caches, one after the other.
-- CurPtr means nothing while CurCmd is Empty, so at the start it may be anyone.
--
-- Simplified from S. M. German's protocol; used as an introductory example in
-- S. Conchon, A. Goel, S. Krstic, A. Mebsout and F. Zaidi, 'Cubicle: a parallel
-- SMT-based model checker for parameterized systems', CAV 2012.

const
  NODE_NUM : 3;

type
  NODE  : scalarset(NODE_NUM);
  CMD   : enum { Empty, ReqS, ReqE };
  CACHE : enum { Invalid, Shared, Exclusive };

var
  Cache  : array [NODE] of CACHE;
  ShrSet : array [NODE] of boolean;
  ExGntd : boolean;
  CurCmd : CMD;
  CurPtr : NODE;

ruleset p : NODE do
  startstate "Init"
    for i : NODE do
      Cache[i] := Invalid;
      ShrSet[i] := false;
    endfor;
    ExGntd := false;
    CurCmd := Empty;
    CurPtr := p;
  endstartstate;
endruleset;

ruleset i : NODE do

  rule "ReqShared"
    CurCmd = Empty & Cache[i] = Invalid
  ==>
    CurCmd := ReqS;
    CurPtr := i;
  endrule;

  rule "ReqExclusive"
    CurCmd = Empty & Cache[i] != Exclusive
  ==>
    CurCmd := ReqE;
    CurPtr := i;
  endrule;

  rule "Invalidate"
    CurCmd = ReqE & ShrSet[i]
  ==>
    Cache[i] := Invalid;
    ShrSet[i] := false;
    ExGntd := false;
  endrule;

  rule "Downgrade"
    CurCmd = ReqS & ExGntd & ShrSet[i]
  ==>
    Cache[i] := Shared;
    ExGntd := false;
  endrule;

  rule "GrantShared"
    CurCmd = ReqS & CurPtr = i & !ExGntd
  ==>
    Cache[i] := Shared;
    ShrSet[i] := true;
    CurCmd := Empty;
  endrule;

  rule "GrantExclusive"
    CurCmd = ReqE & CurPtr = i & !ExGntd
    & forall j : NODE do !ShrSet[j] endforall
  ==>
    Cache[i] := Exclusive;
    ShrSet[i] := true;
    ExGntd := true;
    CurCmd := Empty;
  endrule;

endruleset;

-- Next to an exclusive copy there is no other.
invariant "CntrlProp"
  forall i : NODE do
    forall j : NODE do
      i != j & Cache[i] = Exclusive -> Cache[j] = Invalid
    endforall
  endforall;
