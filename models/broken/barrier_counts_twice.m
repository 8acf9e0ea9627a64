-- paraproof: verdict = violated
-- paraproof: rules = 2
-- paraproof: properties = 1
-- paraproof: violates = NobodyPassesAWorker

-- Broken twin of barrier.m: a node that waits can arrive again.

const
  NODE_NUM : 2;

type
  NODE  : scalarset(NODE_NUM);
  COUNT : 0..NODE_NUM;
  PHASE : enum { Working, Waiting, Passed };

var
  Phase   : array [NODE] of PHASE;
  Arrived : COUNT;

startstate "Init"
  for i : NODE do
    Phase[i] := Working;
  endfor;
  Arrived := 0;
endstartstate;

ruleset i : NODE do

  rule "Arrive"
    Phase[i] != Passed & Arrived < NODE_NUM
  ==>
    Arrived := Arrived + 1;
    Phase[i] := Waiting;
  endrule;

  rule "Pass"
    Phase[i] = Waiting & Arrived = NODE_NUM
  ==>
    Phase[i] := Passed;
  endrule;

endruleset;

invariant "NobodyPassesAWorker"
  forall i : NODE do
    forall j : NODE do
      !(Phase[i] = Passed & Phase[j] = Working)
    endforall
  endforall;
