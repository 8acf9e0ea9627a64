-- paraproof: verdict = proven
-- paraproof: rules = 8
-- paraproof: properties = 1
-- paraproof: states NODE_NUM=2 40
-- paraproof: states NODE_NUM=3 254
-- paraproof: states NODE_NUM=4 1576

-- The one-bit algorithm: mutual exclusion with one shared bit per node.
--
-- A node gives way to those with smaller numbers: it raises its flag only when
-- none of theirs is up, looks again after raising it, and starts over if one
-- has come up. Having passed both tests it only waits for the flags of larger
-- numbers to go down, and they do, since their owners give way or leave. The
-- test of several flags is one atomic step here.
--
-- J. E. Burns, 'Complexity of communication among asynchronous parallel
-- processes', PhD thesis, Georgia Tech, 1981; J. E. Burns and N. A. Lynch,
-- 'Bounds on shared memory for mutual exclusion', Information and Computation
-- 107(2), 1993.
--
-- What is special: numbers of nodes are compared with `<`. The proof is for any
-- number of them.

const
  NODE_NUM : 3;

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
    At[i] = SecondTest & forall j : NODE do j < i -> !Flag[j] endforall
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
