-- paraproof: verdict = proven
-- paraproof: rules = 3
-- paraproof: properties = 1
-- paraproof: states NODE_NUM=2 8
-- paraproof: states NODE_NUM=3 26
-- paraproof: states NODE_NUM=4 80

-- A barrier that is used round after round.
--
-- A node that arrives adds one to Arrived and waits. The last one sets Arrived to 0 and
-- releases all nodes, which go on in their own time. A fast node may arrive again before
-- a slow one has gone on.
--
-- D. Hensgen, R. Finkel and U. Manber, 'Two algorithms for barrier
-- synchronization', International Journal of Parallel Programming 17(1), 1988, with a
-- broadcast in place of the variable that all nodes read.
--
-- What is special: a counter that is compared with the number of nodes and set
-- to 0 again.

const
  NODE_NUM : 3;

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
    Arrived := 0;
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
