-- paraproof: verdict = violated
-- paraproof: rules = 3
-- paraproof: properties = 1
-- paraproof: violates = AllOthersWait

-- Broken twin of reusable_barrier.m: the last node counts itself among those
-- who have arrived in the next round.

const
  NODE_NUM : 2;

type
  NODE  : scalarset(NODE_NUM);
  COUNT : 0..NODE_NUM;
  PHASE : enum { Working, Waiting, Released };

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
    Phase[i] = Working & Arrived < NODE_NUM - 1
  ==>
    Arrived := Arrived + 1;
    Phase[i] := Waiting;
  endrule;

  rule "ArriveLast"
    Phase[i] = Working & Arrived = NODE_NUM - 1
  ==>
    Arrived := 1;
    for j : NODE do
      Phase[j] := Released;
    endfor;
  endrule;

  rule "Pass"
    Phase[i] = Released
  ==>
    Phase[i] := Working;
  endrule;

endruleset;

-- The node that releases the others is the last one of the round.
invariant "AllOthersWait"
  forall i : NODE do
    forall j : NODE do
      Phase[i] = Working & Arrived = NODE_NUM - 1 & i != j -> Phase[j] = Waiting
    endforall
  endforall;
