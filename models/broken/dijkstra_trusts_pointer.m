-- paraproof: verdict = violated
-- paraproof: rules = 8
-- paraproof: properties = 1
-- paraproof: violates = MutualExclusion

-- Broken twin of dijkstra.m: before it enters, a node looks at the flag of the
-- node that K points to instead of all flags.
--
-- A node to which K points asks and claims after another one has found it
-- resting. That other one takes K all the same, and then looks only at its own
-- flag.

const
  NODE_NUM : 2;

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
    -- broken: should look at the flag of every other node
    At[i] = Check & (K = i | Flag[K] != Claiming)
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
