-- paraproof: verdict = violated
-- paraproof: rules = 2
-- paraproof: properties = 2
-- paraproof: violates = InOrder

-- Broken twin of shifted_queue.m: the loop runs from the last place to the first, so that
-- all places get the last item.

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
    for k := CAPACITY - 2 to 0 by -1 do
      if k + 1 < Used[n] then
        Queue[n][k] := Queue[n][k + 1];
      endif;
    endfor;
    undefine Queue[n][Used[n] - 1];
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
