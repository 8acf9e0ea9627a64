-- paraproof: verdict = proven
-- paraproof: rules = 4
-- paraproof: properties = 1
-- paraproof: states NODE_NUM=2 6
-- paraproof: states NODE_NUM=3 11
-- paraproof: states NODE_NUM=4 20

-- Readers and writers, with a counter of readers.
--
-- Any number of nodes may read at the same time; a writer writes alone. Readers count
-- themselves when they come and when they go, and a writer waits until there are none.
--
-- P. J. Courtois, F. Heymans and D. L. Parnas, 'Concurrent control with readers
-- and writers', Communications of the ACM 14(10), 1971: the first problem.
--
-- What is special: a counter of nodes.

const
  NODE_NUM : 3;

type
  NODE  : scalarset(NODE_NUM);
  COUNT : 0..NODE_NUM;
  PHASE : enum { Idle, Reading, Writing };

var
  Phase   : array [NODE] of PHASE;
  Readers : COUNT;

startstate "Init"
  for i : NODE do
    Phase[i] := Idle;
  endfor;
  Readers := 0;
endstartstate;

ruleset i : NODE do

  rule "StartReading"
    Phase[i] = Idle & forall j : NODE do Phase[j] != Writing endforall
  ==>
    Readers := Readers + 1;
    Phase[i] := Reading;
  endrule;

  rule "StopReading"
    Phase[i] = Reading
  ==>
    Readers := Readers - 1;
    Phase[i] := Idle;
  endrule;

  rule "StartWriting"
    Phase[i] = Idle & Readers = 0
    & forall j : NODE do Phase[j] != Writing endforall
  ==>
    Phase[i] := Writing;
  endrule;

  rule "StopWriting"
    Phase[i] = Writing
  ==>
    Phase[i] := Idle;
  endrule;

endruleset;

invariant "WritersAreAlone"
  forall i : NODE do
    forall j : NODE do
      i != j & Phase[i] = Writing -> Phase[j] = Idle
    endforall
  endforall;
