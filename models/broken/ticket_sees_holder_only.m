-- paraproof: verdict = violated
-- paraproof: rules = 3
-- paraproof: properties = 1
-- paraproof: violates = MutualExclusion

-- Broken twin of ticket.m: a new ticket is larger than that of the node in the
-- critical phase, but those still waiting are forgotten.

const
  NODE_NUM : 2;

type
  NODE  : scalarset(NODE_NUM);
  PHASE : enum { Idle, Waiting, Critical };

var
  Phase : array [NODE] of PHASE;
  Ahead : array [NODE] of array [NODE] of boolean;

startstate "Init"
  for i : NODE do
    Phase[i] := Idle;
    for j : NODE do
      Ahead[i][j] := false;
    endfor;
  endfor;
endstartstate;

ruleset i : NODE do

  rule "Draw"
    Phase[i] = Idle
  ==>
    for j : NODE do
      Ahead[j][i] := Phase[j] = Critical;   -- broken: Waiting counts too
    endfor;
    Phase[i] := Waiting;
  endrule;

  rule "Enter"
    Phase[i] = Waiting & forall j : NODE do !Ahead[j][i] endforall
  ==>
    Phase[i] := Critical;
  endrule;

  rule "Leave"
    Phase[i] = Critical
  ==>
    Phase[i] := Idle;
    for j : NODE do
      Ahead[i][j] := false;
    endfor;
  endrule;

endruleset;

invariant "MutualExclusion"
  forall i : NODE do
    forall j : NODE do
      i != j -> !(Phase[i] = Critical & Phase[j] = Critical)
    endforall
  endforall;
