-- paraproof: verdict = proven
-- paraproof: rules = 2
-- paraproof: properties = 2
-- paraproof: states NODE_NUM=1 CAPACITY=3 ITEMS=6 18
-- paraproof: states NODE_NUM=2 CAPACITY=2 ITEMS=4 81
-- paraproof: states NODE_NUM=3 CAPACITY=1 ITEMS=3 125

-- Queues of any capacity, one for each sender, whose items move to the front.
--
-- A queue is an array with the number of its items. The first item is in the first place;
-- when it is taken, a loop moves each of the others by one place. Senders number their
-- items, and these arrive in the order of their numbers.
--
-- This is how most Murphi models of networks have their ordered channels, such as those
-- that come with D. J. Sorin, M. D. Hill, D. A. Wood, 'A Primer on Memory Consistency and
-- Cache Coherence', 2011.
--
-- What is special: what an iteration of the loop reads is what is in the next place. The
-- system has a state variable for it, and an axiom that says so.

const
  NODE_NUM : 2;
  CAPACITY : 3;
  ITEMS    : 5;

type
  NODE  : scalarset(NODE_NUM);
  PLACE : 0..CAPACITY - 1;
  COUNT : 0..CAPACITY;
  ITEM  : 0..ITEMS;

var
  Queue : array [NODE] of array [PLACE] of ITEM;
  Used  : array [NODE] of COUNT;
  Next  : array [NODE] of ITEM;          -- to be sent
  Last  : array [NODE] of ITEM;          -- received last; 0 before the first one

startstate "Init"
  for n : NODE do
    Used[n] := 0;
    Next[n] := 1;
    Last[n] := 0;
    for k : PLACE do
      undefine Queue[n][k];
    endfor;
  endfor;
endstartstate;

ruleset n : NODE do

  rule "Send"
    Used[n] < CAPACITY & Next[n] < ITEMS
  ==>
  begin
    Queue[n][Used[n]] := Next[n];
    Used[n] := Used[n] + 1;
    Next[n] := Next[n] + 1;
  endrule;

  rule "Receive"
    Used[n] > 0
  ==>
  begin
    Last[n] := Queue[n][0];
    for k : PLACE do
      if k + 1 < Used[n] then
        Queue[n][k] := Queue[n][k + 1];
      else
        undefine Queue[n][k];
      endif;
    endfor;
    Used[n] := Used[n] - 1;
  endrule;

endruleset;

invariant "WasSent"
  forall n : NODE do
    Last[n] < Next[n]
  endforall;

invariant "InOrder"
  forall n : NODE do
    Used[n] > 0 -> Last[n] < Queue[n][0]
  endforall;
