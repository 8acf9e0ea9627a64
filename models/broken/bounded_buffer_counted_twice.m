-- paraproof: verdict = violated
-- paraproof: rules = 2
-- paraproof: properties = 1
-- paraproof: violates = CountIsRight

-- Broken twin of bounded_buffer.m: an item is put into a place that is full,
-- and counted.

const
  CAPACITY : 2;

type
  PLACE : scalarset(CAPACITY);
  COUNT : 0..CAPACITY;

var
  Full  : array [PLACE] of boolean;
  Count : COUNT;

startstate "Init"
  for p : PLACE do
    Full[p] := false;
  endfor;
  Count := 0;
endstartstate;

ruleset p : PLACE do

  rule "Put"
    Count < CAPACITY
  ==>
    Full[p] := true;
    Count := Count + 1;
  endrule;

  rule "Get"
    Count > 0 & Full[p]
  ==>
    Full[p] := false;
    Count := Count - 1;
  endrule;

endruleset;

-- Nobody looks for a place in vain, or waits although there is one.
invariant "CountIsRight"
  forall p : PLACE do
    (Count = 0 -> !Full[p]) & (Count = CAPACITY -> Full[p])
  endforall;
