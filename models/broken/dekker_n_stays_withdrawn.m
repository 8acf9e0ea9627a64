-- paraproof: verdict = violated
-- paraproof: rules = 7
-- paraproof: properties = 1
-- paraproof: violates = MutualExclusion

-- Broken twin of dekker_n.m: a node that has taken the turn tries again
-- without announcing itself again.

const
  NODE_NUM : 2;

type
  NODE  : scalarset(NODE_NUM);
  PHASE : enum { Noncritical, Loop, Await, Turn, Critical };

var
  P     : array [NODE] of PHASE;
  X     : array [NODE] of boolean;
  T     : NODE;
  Taken : boolean;

startstate "Init"
  for i : NODE do
    P[i] := Noncritical;
    X[i] := false;
  endfor;
  undefine T;
  Taken := false;
endstartstate;

ruleset i : NODE do

  rule "Announce"
    P[i] = Noncritical
  ==>
    X[i] := true;
    P[i] := Loop;
  endrule;

  rule "Withdraw"
    P[i] = Loop & exists j : NODE do j != i & X[j] endexists
  ==>
    X[i] := false;
    P[i] := Await;
  endrule;

  rule "Enter"
    P[i] = Loop & !exists j : NODE do j != i & X[j] endexists
  ==>
    P[i] := Critical;
  endrule;

  rule "TurnFree"
    P[i] = Await & !Taken
  ==>
    P[i] := Turn;
  endrule;

  rule "TurnOwn"
    P[i] = Await & Taken & T = i
  ==>
    P[i] := Turn;
  endrule;

  rule "TakeTurn"
    P[i] = Turn
  ==>
    T := i;
    Taken := true;
    P[i] := Loop;   -- broken: X[i] should be true again
  endrule;

  rule "Leave"
    P[i] = Critical
  ==>
    X[i] := false;
    undefine T;
    Taken := false;
    P[i] := Noncritical;
  endrule;

endruleset;

invariant "MutualExclusion"
  forall i : NODE do
    forall j : NODE do
      i != j -> !(P[i] = Critical & P[j] = Critical)
    endforall
  endforall;
