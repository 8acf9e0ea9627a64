-- paraproof: verdict = proven
-- paraproof: rules = 8
-- paraproof: properties = 1
-- paraproof: states NODE_NUM=2 58
-- paraproof: states NODE_NUM=3 495
-- paraproof: states NODE_NUM=4 3700

-- Dijkstra's mutual exclusion algorithm of 1965.
--
-- One pointer K is shared; each node has a flag. A node that wants to enter
-- raises its flag to Asking and takes K for itself as soon as the node that K
-- points to is Resting. Several may do so at the same time, so it then raises
-- its flag to Claiming and enters only if nobody else claims; otherwise it
-- goes back to Asking. The tests of other nodes' flags are atomic.
--
-- E. W. Dijkstra, 'Solution of a problem in concurrent programming control',
-- Communications of the ACM 8(9), 1965.

const
  NODE_NUM : 3;

type
  NODE  : scalarset(NODE_NUM);
  FLAG  : enum { Resting, Asking, Claiming };
  PHASE : enum { Noncritical, LookAtK, TakeK, Claim, Check, Critical };

var
  K    : NODE;
  Flag : array [NODE] of FLAG;
  At   : array [NODE] of PHASE;

ruleset k : NODE do
  startstate "Init"
    K := k;
    for i : NODE do
      Flag[i] := Resting;
      At[i] := Noncritical;
    endfor;
  endstartstate;
endruleset;

ruleset i : NODE do

  rule "Ask"
    At[i] = Noncritical
  ==>
    Flag[i] := Asking;
    At[i] := LookAtK;
  endrule;

  rule "OwnK"
    At[i] = LookAtK & K = i
  ==>
    At[i] := Claim;
  endrule;

  rule "FreeK"
    At[i] = LookAtK & K != i & Flag[K] = Resting
  ==>
    At[i] := TakeK;
  endrule;

  rule "TakeK"
    At[i] = TakeK
  ==>
    K := i;
    At[i] := LookAtK;
  endrule;

  rule "Claim"
    At[i] = Claim
  ==>
    Flag[i] := Claiming;
    At[i] := Check;
  endrule;

  rule "Enter"
    At[i] = Check
    & forall j : NODE do j = i | Flag[j] != Claiming endforall
  ==>
    At[i] := Critical;
  endrule;

  rule "Leave"
    At[i] = Critical
  ==>
    Flag[i] := Resting;
    At[i] := Noncritical;
  endrule;

endruleset;

ruleset i : NODE; j : NODE do

  rule "Retreat"
    At[i] = Check & i != j & Flag[j] = Claiming
  ==>
    Flag[i] := Asking;
    At[i] := LookAtK;
  endrule;

endruleset;

invariant "MutualExclusion"
  forall i : NODE do
    forall j : NODE do
      i != j -> !(At[i] = Critical & At[j] = Critical)
    endforall
  endforall;
