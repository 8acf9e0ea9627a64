-- paraproof: verdict = violated
-- paraproof: rules = 4
-- paraproof: properties = 1
-- paraproof: violates = WritersAreAlone

-- Broken twin of readers_writers.m: a reader that comes while others read does
-- not count itself, but it does when it goes.

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
    if Readers = 0 then
      Readers := 1;
    endif;
    Phase[i] := Reading;
  endrule;

  rule "StopReading"
    Phase[i] = Reading
  ==>
    if Readers > 0 then
      Readers := Readers - 1;
    endif;
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
