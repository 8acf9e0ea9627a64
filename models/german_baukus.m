-- paraproof: verdict = proven
-- paraproof: rules = 11
-- paraproof: properties = 1
-- paraproof: states NODE_NUM=2 1506
-- paraproof: states NODE_NUM=3 28647
-- paraproof: states NODE_NUM=4 566892

-- German's protocol without data, in the version of K. Baukus.
--
-- A directory (home) and caches exchange messages over three one-place channels
-- per cache. Only control is modelled: who has a copy, and of which kind.
-- CurClient, the cache being served, keeps its last value between requests and
-- starts with any; that is the visible difference from german_ctc.m, where it
-- is undefined while no request is being served.
--
-- K. Baukus, Y. Lakhnech and K. Stahl, 'Parameterized verification of a cache
-- coherence protocol: safety and liveness', VMCAI 2002.

const
  NODE_NUM : 3;

type
  NODE  : scalarset(NODE_NUM);
  STATE : enum { Invalid, Shared, Exclusive };
  MSG   : enum { Empty, Reqs, Reqe, Inv, Invack, Gnts, Gnte };

var
  Exgntd    : boolean;
  Curcmd    : MSG;
  CurClient : NODE;

  Chan1  : array [NODE] of MSG;       -- requests
  Chan2  : array [NODE] of MSG;       -- grants and invalidations
  Chan3  : array [NODE] of MSG;       -- acknowledgements
  Cache  : array [NODE] of STATE;
  Invset : array [NODE] of boolean;   -- still to be invalidated
  Shrset : array [NODE] of boolean;   -- may have a copy

ruleset c : NODE do
  startstate "Init"
    Exgntd := false;
    Curcmd := Empty;
    CurClient := c;
    for i : NODE do
      Chan1[i] := Empty;
      Chan2[i] := Empty;
      Chan3[i] := Empty;
      Cache[i] := Invalid;
      Invset[i] := false;
      Shrset[i] := false;
    endfor;
  endstartstate;
endruleset;

-- A client asks ...

ruleset n : NODE do
  rule "send_req_shared"
    Cache[n] = Invalid & Chan1[n] = Empty
  ==>
    Chan1[n] := Reqs;
  endrule;
endruleset;

ruleset n : NODE do
  rule "send_req_exclusive"
    Cache[n] != Exclusive & Chan1[n] = Empty
  ==>
    Chan1[n] := Reqe;
  endrule;
endruleset;

-- ... the home takes up the request ...

ruleset n : NODE do
  rule "recv_req_shared"
    Curcmd = Empty & Chan1[n] = Reqs
  ==>
    Curcmd := Reqs;
    CurClient := n;
    Chan1[n] := Empty;
    for i : NODE do
      Invset[i] := Shrset[i];
    endfor;
  endrule;
endruleset;

ruleset n : NODE do
  rule "recv_req_exclusive"
    Curcmd = Empty & Chan1[n] = Reqe
  ==>
    Curcmd := Reqe;
    CurClient := n;
    Chan1[n] := Empty;
    for i : NODE do
      Invset[i] := Shrset[i];
    endfor;
  endrule;
endruleset;

-- ... calls copies back where it has to ...

ruleset n : NODE do
  rule "send_inv"
    Chan2[n] = Empty & Invset[n]
    & (Curcmd = Reqe | (Curcmd = Reqs & Exgntd))
  ==>
    Invset[n] := false;
    Chan2[n] := Inv;
  endrule;
endruleset;

ruleset n : NODE do
  rule "send_invack"
    Chan2[n] = Inv & Chan3[n] = Empty
  ==>
    Cache[n] := Invalid;
    Chan2[n] := Empty;
    Chan3[n] := Invack;
  endrule;
endruleset;

ruleset n : NODE do
  rule "recv_invack"
    Curcmd != Empty & Chan3[n] = Invack
  ==>
    Exgntd := false;
    Shrset[n] := false;
    Chan3[n] := Empty;
  endrule;
endruleset;

-- ... and grants.

ruleset n : NODE do
  rule "send_gnt_shared"
    Curcmd = Reqs & CurClient = n & !Exgntd & Chan2[n] = Empty
  ==>
    Curcmd := Empty;
    Shrset[n] := true;
    Chan2[n] := Gnts;
  endrule;
endruleset;

ruleset n : NODE do
  rule "send_gnt_exclusive"
    Curcmd = Reqe & CurClient = n & !Exgntd & Chan2[n] = Empty
    & forall i : NODE do Shrset[i] = false endforall
  ==>
    Curcmd := Empty;
    Exgntd := true;
    Shrset[n] := true;
    Chan2[n] := Gnte;
  endrule;
endruleset;

ruleset n : NODE do
  rule "recv_gnt_shared"
    Chan2[n] = Gnts
  ==>
    Cache[n] := Shared;
    Chan2[n] := Empty;
  endrule;
endruleset;

ruleset n : NODE do
  rule "recv_gnt_exclusive"
    Chan2[n] = Gnte
  ==>
    Cache[n] := Exclusive;
    Chan2[n] := Empty;
  endrule;
endruleset;

invariant "CntrlProp"
  forall i : NODE do
    forall j : NODE do
      i != j & Cache[i] = Exclusive -> Cache[j] = Invalid
    endforall
  endforall;
