-- paraproof: verdict = violated
-- paraproof: rules = 8
-- paraproof: properties = 1
-- paraproof: violates = MutualExclusion

-- Broken twin of burns.m: after raising its flag a node does not test the
-- smaller numbers a second time.
--
-- Node 2 passes its only test; node 1 raises its flag, finds none above and
-- enters; node 2 raises its flag and enters as well.

const
  NODE_NUM : 2;

type
  NODE  : 1..NODE_NUM;
  PHASE : enum { Start, FirstTest, Raise, SecondTest, WaitForLarger, Critical };

var
  At   : array [NODE] of PHASE;
  Flag : array [NODE] of boolean;

startstate "Init"
  for i : NODE do
    At[i] := Start;
    Flag[i] := false;
  endfor;
endstartstate;

ruleset i : NODE do

  -- Also the way back after a test has failed, with the flag still up.
  rule "Begin"
    At[i] = Start
  ==>
    Flag[i] := false;
    At[i] := FirstTest;
  endrule;

  rule "FirstTestFails"
    At[i] = FirstTest & exists j : NODE do j < i & Flag[j] endexists
  ==>
    At[i] := Start;
  endrule;

  rule "FirstTestPasses"
    At[i] = FirstTest & forall j : NODE do j < i -> !Flag[j] endforall
  ==>
    At[i] := Raise;
  endrule;

  rule "Raise"
    At[i] = Raise
  ==>
    Flag[i] := true;
    At[i] := SecondTest;
  endrule;

  rule "SecondTestFails"
    At[i] = SecondTest & exists j : NODE do j < i & Flag[j] endexists
  ==>
    At[i] := Start;
  endrule;

  rule "SecondTestPasses"
    At[i] = SecondTest   -- broken: and no smaller number has its flag up
  ==>
    At[i] := WaitForLarger;
  endrule;

  rule "Enter"
    At[i] = WaitForLarger & forall j : NODE do j > i -> !Flag[j] endforall
  ==>
    At[i] := Critical;
  endrule;

  rule "Leave"
    At[i] = Critical
  ==>
    Flag[i] := false;
    At[i] := Start;
  endrule;

endruleset;

invariant "MutualExclusion"
  forall i : NODE do
    forall j : NODE do
      i != j -> !(At[i] = Critical & At[j] = Critical)
    endforall
  endforall;
