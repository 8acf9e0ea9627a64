-- paraproof: verdict = proven
-- paraproof: rules = 7
-- paraproof: properties = 1
-- paraproof: states NODE_NUM=2 42
-- paraproof: states NODE_NUM=3 308
-- paraproof: states NODE_NUM=4 1872

-- Dekker's algorithm for any number of processes.
--
-- Each node announces itself in X. One that finds nobody else announced enters.
-- One that does withdraws, waits until the turn is free or its own, takes it,
-- and announces itself again. Leaving frees the turn. T says whose turn it is
-- while Taken; before that it is undefined.
--
-- A. J. Martin, 'A new generalization of Dekker's algorithm for mutual
-- exclusion', Information Processing Letters 23(6), 1986.

const
  NODE_NUM : 3;

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
    X[i] := true;
    P[i] := Loop;
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
