-- paraproof: verdict = proven
-- paraproof: rules = 6
-- paraproof: properties = 1
-- paraproof: states NODE_NUM=2 13
-- paraproof: states NODE_NUM=3 79
-- paraproof: states NODE_NUM=4 633

-- The queue lock of Mellor-Crummey and Scott.
--
-- Waiting nodes form a list. Tail is its last element, and whoever wants the
-- lock swaps itself in there in one atomic step. If there was no tail, the lock
-- is free and taken; otherwise the node tells its predecessor that it is next,
-- and spins on a flag of its own until the predecessor clears it. A node that
-- leaves and has no successor resets Tail by compare-and-swap; where another
-- node is queued behind it but not linked yet, that fails and it has to wait
-- for the link.
--
-- J. M. Mellor-Crummey and M. L. Scott, 'Algorithms for scalable
-- synchronization on shared-memory multiprocessors', ACM TOCS 9(1), 1991.
--
-- What is special: pointers from node to node, and writes to elements that such
-- a pointer selects. A null pointer is a flag beside an undefined pointer.

const
  NODE_NUM : 3;

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
    Locked[i] := true;
    Pred[i] := Tail;
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
