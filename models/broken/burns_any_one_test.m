-- paraproof: verdict = violated
-- paraproof: rules = 9
-- paraproof: properties = 1
-- paraproof: violates = MutualExclusion

-- Broken twin of burns_any.m: after raising its flag a node does not test the
-- flags of earlier nodes a second time.
--
-- The later of two nodes passes its only test; the earlier one raises its
-- flag, finds none before its own and enters; the later one raises its flag
-- and enters as well.

const
  NODE_NUM : 2;

type
  NODE  : scalarset(NODE_NUM);
  PHASE : enum {
    Away, Start, FirstTest, Raise, SecondTest, WaitForLarger, Critical
  };

var
  At     : array [NODE] of PHASE;
  Flag   : array [NODE] of boolean;
  Before : array [NODE] of array [NODE] of boolean;

startstate "Init"
  for i : NODE do
    At[i] := Away;
    Flag[i] := false;
    for j : NODE do
      Before[i][j] := false;
    endfor;
  endfor;
endstartstate;

ruleset i : NODE do
  rule "Arrive"
    At[i] = Away
  ==>
    for j : NODE do
      Before[j][i] := At[j] != Away;
    endfor;
    At[i] := Start;
  endrule;
endruleset;

ruleset i : NODE do

  -- Also the way back after a test has failed, with the flag still up.
  rule "Begin"
    At[i] = Start
  ==>
    Flag[i] := false;
    At[i] := FirstTest;
  endrule;

  rule "FirstTestFails"
    At[i] = FirstTest & exists j : NODE do Before[j][i] & Flag[j] endexists
  ==>
    At[i] := Start;
  endrule;

  rule "FirstTestPasses"
    At[i] = FirstTest & forall j : NODE do Before[j][i] -> !Flag[j] endforall
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
    At[i] = SecondTest & exists j : NODE do Before[j][i] & Flag[j] endexists
  ==>
    At[i] := Start;
  endrule;

  rule "SecondTestPasses"
    At[i] = SecondTest   -- broken: and no earlier node has its flag up
  ==>
    At[i] := WaitForLarger;
  endrule;

  rule "Enter"
    At[i] = WaitForLarger
    & forall j : NODE do Before[i][j] -> !Flag[j] endforall
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
