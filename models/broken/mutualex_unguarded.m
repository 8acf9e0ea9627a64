-- paraproof: verdict = violated
-- paraproof: rules = 4
-- paraproof: properties = 1
-- paraproof: violates = MutualExclusion

-- Broken twin of mutualex.m: a trying node enters without looking at the
-- semaphore.
--
-- Two nodes try, and enter one after the other.

const
  NODE_NUM : 2;

type
  NODE  : scalarset(NODE_NUM);
  PHASE : enum { I, T, C, E };

var
  n : array [NODE] of PHASE;   -- where each node is
  x : boolean;                 -- is the semaphore free?

ruleset i : NODE do

  rule "Try"
    n[i] = I
  ==>
  begin
    n[i] := T;
  endrule;

  rule "Crit"
    n[i] = T   -- broken: should also ask for x
  ==>
  begin
    n[i] := C;
    x := false;
  endrule;

  rule "Exit"
    n[i] = C
  ==>
  begin
    n[i] := E;
  endrule;

  rule "Idle"
    n[i] = E
  ==>
  begin
    n[i] := I;
    x := true;
  endrule;

endruleset;

startstate "Init"
  for i : NODE do
    n[i] := I;
  endfor;
  x := true;
endstartstate;

-- Two different nodes are never critical together.
ruleset i : NODE; j : NODE do
  invariant "MutualExclusion"
    i != j & n[i] = C -> n[j] != C;
endruleset;
