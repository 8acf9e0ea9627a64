-- paraproof: verdict = proven
-- paraproof: rules = 2
-- paraproof: properties = 1
-- paraproof: states CAPACITY=2 4
-- paraproof: states CAPACITY=3 8
-- paraproof: states CAPACITY=5 32

-- A buffer of any capacity, with a counter of its items.
--
-- A producer puts an item into any empty place, and a consumer takes one from any full
-- place. Neither looks for a place before the counter says that there is one: Count is
-- less than the capacity, or greater than 0.
--
-- E. W. Dijkstra, 'Cooperating sequential processes', 1965; C. A. R. Hoare, 'Monitors: an
-- operating system structuring concept', Communications of the ACM 17(10), 1974.
--
-- What is special: the capacity is any number, with which a counter is compared.

const
  CAPACITY : 3;

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
    Count < CAPACITY & !Full[p]
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
