-- paraproof: verdict = violated
-- paraproof: rules = 6
-- paraproof: properties = 1
-- paraproof: violates = MutualExclusion

-- Broken twin of mcs.m: a node that queues does not set its own flag first, so
-- the flag is still clear from the last time and the node does not wait.

const
  NODE_NUM : 2;

type
  NODE  : scalarset(NODE_NUM);
  PHASE : enum { Idle, Linking, Spinning, Critical };

var
  Phase   : array [NODE] of PHASE;
  Locked  : array [NODE] of boolean;
  HasNext : array [NODE] of boolean;
  Next    : array [NODE] of NODE;      -- defined while HasNext
  Pred    : array [NODE] of NODE;      -- defined while Linking
  HasTail : boolean;
  Tail    : NODE;                      -- defined while HasTail

startstate "Init"
  for i : NODE do
    Phase[i] := Idle;
    Locked[i] := false;
    HasNext[i] := false;
    undefine Next[i];
    undefine Pred[i];
  endfor;
  HasTail := false;
  undefine Tail;
endstartstate;

ruleset i : NODE do

  rule "TakeFree"
    Phase[i] = Idle & !HasTail
  ==>
    HasTail := true;
    Tail := i;
    Phase[i] := Critical;
  endrule;

  rule "Queue"
    Phase[i] = Idle & HasTail
  ==>
    Pred[i] := Tail;   -- broken: Locked[i] should become true
    Tail := i;
    Phase[i] := Linking;
  endrule;

  rule "Link"
    Phase[i] = Linking
  ==>
    Next[Pred[i]] := i;
    HasNext[Pred[i]] := true;
    undefine Pred[i];
    Phase[i] := Spinning;
  endrule;

  rule "Enter"
    Phase[i] = Spinning & !Locked[i]
  ==>
    Phase[i] := Critical;
  endrule;

  rule "HandOver"
    Phase[i] = Critical & HasNext[i]
  ==>
    Locked[Next[i]] := false;
    HasNext[i] := false;
    undefine Next[i];
    Phase[i] := Idle;
  endrule;

  rule "Release"
    Phase[i] = Critical & !HasNext[i] & HasTail & Tail = i
  ==>
    HasTail := false;
    undefine Tail;
    Phase[i] := Idle;
  endrule;

endruleset;

invariant "MutualExclusion"
  forall i : NODE do
    forall j : NODE do
      i != j -> !(Phase[i] = Critical & Phase[j] = Critical)
    endforall
  endforall;
