-- paraproof: verdict = proven
-- paraproof: rules = 2
-- paraproof: properties = 1
-- paraproof: states NODE_NUM=2 7
-- paraproof: states NODE_NUM=3 15
-- paraproof: states NODE_NUM=4 31

-- A barrier that is used once.
--
-- Each node works, adds one to Arrived, and waits. Nodes pass when Arrived is
-- the number of nodes, so none passes before all have done their work.
--
-- The counter barrier of H. F. Jordan, 'A special purpose architecture for finite
-- element analysis', ICPP 1978; reusable_barrier.m is one that can be used again.
--
-- What is special: a counter is compared with the number of nodes.

const
  NODE_NUM : 3;

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
    Phase[i] = Working
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
