-- paraproof: verdict = proven
-- paraproof: rules = 16
-- paraproof: properties = 1
-- paraproof: states NODE_NUM=2 75
-- paraproof: states NODE_NUM=3 1779
-- paraproof: states NODE_NUM=4 150687

-- Szymanski's mutual exclusion algorithm, with tests that look at one node at a
-- time.
--
-- The algorithm and the bits B, S and W are those of szymanski_at.m. The tests
-- at L3, L4, L5 and L6 are loops over the other nodes, in any order, and the
-- others go on meanwhile: Cpt[i][j] says that node i has dealt with node j in
-- the loop it is in. The test at L1 stays atomic.
--
-- At L3 a node that meets one with neither B nor W leaves the loop for L4. At
-- L4 it leaves the loop when it meets one with S and without W, and starts the
-- loop anew when it has met no such node. At L5 and L6 it stops at each node
-- until that node's bit allows it to go on.
--
-- B. K. Szymanski, 'A simple solution to Lamport's concurrent programming
-- problem with linear wait', ICS 1988.
--
-- What is special: numbers of nodes are compared with `<`. The proof is for any
-- number of them.

const
  NODE_NUM : 2;

type
  NODE  : 1..NODE_NUM;
  LABEL : enum { L0, L1, L2, L3, L4, L5, L6, L7 };

var
  A   : array [NODE] of LABEL;
  B   : array [NODE] of boolean;
  S   : array [NODE] of boolean;
  W   : array [NODE] of boolean;
  Cpt : array [NODE] of array [NODE] of boolean;

-- Node i leaves its loop, or starts it again.
procedure Reset(i : NODE);
begin
  for j : NODE do
    Cpt[i][j] := false;
  endfor;
endprocedure;

startstate "Init"
  for i : NODE do
    A[i] := L0;
    B[i] := false;
    S[i] := false;
    W[i] := false;
    Reset(i);
  endfor;
endstartstate;

-- Steps without a loop.

ruleset i : NODE do

  rule "t0"
    A[i] = L0
  ==>
    B[i] := true;
    A[i] := L1;
  endrule;

  rule "t1"
    A[i] = L1 & forall j : NODE do j = i | !S[j] endforall
  ==>
    B[i] := false;
    A[i] := L2;
  endrule;

  rule "t2"
    A[i] = L2
  ==>
    S[i] := true;
    W[i] := true;
    A[i] := L3;
  endrule;

  rule "t7"
    A[i] = L7
  ==>
    S[i] := false;
    A[i] := L0;
  endrule;

endruleset;

-- A step within a loop: node i looks at node j.

ruleset i : NODE; j : NODE do

  rule "t3_abort_for"
    A[i] = L3 & i != j & !Cpt[i][j] & !B[j] & !W[j]
  ==>
    S[i] := false;
    A[i] := L4;
    Reset(i);
  endrule;

  rule "t3_incr_for1"
    A[i] = L3 & i != j & !Cpt[i][j] & B[j]
  ==>
    Cpt[i][j] := true;
  endrule;

  rule "t3_incr_for2"
    A[i] = L3 & i != j & !Cpt[i][j] & W[j]
  ==>
    Cpt[i][j] := true;
  endrule;

  rule "t4_incr_for1"
    A[i] = L4 & i != j & !Cpt[i][j] & !S[j]
  ==>
    Cpt[i][j] := true;
  endrule;

  rule "t4_incr_for2"
    A[i] = L4 & i != j & !Cpt[i][j] & W[j]
  ==>
    Cpt[i][j] := true;
  endrule;

  rule "t4_exit_for"
    A[i] = L4 & i != j & !Cpt[i][j] & S[j] & !W[j]
  ==>
    S[i] := true;
    W[i] := false;
    A[i] := L5;
    Reset(i);
  endrule;

  rule "t5_enter_for"
    A[i] = L5 & i != j & !Cpt[i][j] & !W[j]
  ==>
    Cpt[i][j] := true;
  endrule;

  rule "t6_enter_for"
    A[i] = L6 & j < i & !Cpt[i][j] & !S[j]
  ==>
    Cpt[i][j] := true;
  endrule;

endruleset;

-- The end of a loop.

ruleset i : NODE do

  rule "t3_exit_for"
    A[i] = L3 & forall j : NODE do j = i | Cpt[i][j] endforall
  ==>
    W[i] := false;
    A[i] := L5;
    Reset(i);
  endrule;

  rule "t4_restart_for"
    A[i] = L4 & forall j : NODE do j = i | Cpt[i][j] endforall
  ==>
    Reset(i);
  endrule;

  rule "t5_exit_for"
    A[i] = L5 & forall j : NODE do j = i | Cpt[i][j] endforall
  ==>
    A[i] := L6;
    Reset(i);
  endrule;

  rule "t6_exit_for"
    A[i] = L6 & forall j : NODE do j < i -> Cpt[i][j] endforall
  ==>
    A[i] := L7;
    Reset(i);
  endrule;

endruleset;

invariant "MutualExclusion"
  forall i : NODE do
    forall j : NODE do
      i != j -> !(A[i] = L7 & A[j] = L7)
    endforall
  endforall;
