-- paraproof: verdict = proven
-- paraproof: rules = 9
-- paraproof: properties = 1
-- paraproof: states NODE_NUM=2 43
-- paraproof: states NODE_NUM=3 211
-- paraproof: states NODE_NUM=4 979

-- Szymanski's mutual exclusion algorithm, with atomic tests.
--
-- The picture is a waiting room with two doors. Those who want to enter (B) are
-- let in by the front door while nobody in the room has shown S; the last one
-- in closes it behind itself and opens the back door, through which all leave
-- in the order of their numbers. Three bits per node say where it is: B while
-- it wants to enter, W while it waits in the room, S once it closes or has left
-- the door. The label a node is at is L0 to L7, L7 being the critical section:
--
--   L0  B := true
--   L1  wait until no other has S; B := false
--   L2  S, W := true
--   L3  if another has neither B nor W, S := false and go to L4,
--       else W := false and go to L5
--   L4  wait until another has S but not W; S := true, W := false
--   L5  wait until no other has W
--   L6  wait until no other with a smaller number has S
--   L7  critical; S := false, go to L0
--
-- Each line is one atomic step here, tests over all nodes included;
-- szymanski_na.m takes these tests apart.
--
-- B. K. Szymanski, 'A simple solution to Lamport's concurrent programming
-- problem with linear wait', ICS 1988.
--
-- What is special: numbers of nodes are compared with `<`. The proof is for any
-- number of them.

const
  NODE_NUM : 3;

type
  NODE  : 1..NODE_NUM;
  LABEL : enum { L0, L1, L2, L3, L4, L5, L6, L7 };

var
  A : array [NODE] of LABEL;
  B : array [NODE] of boolean;
  S : array [NODE] of boolean;
  W : array [NODE] of boolean;

startstate "Init"
  for i : NODE do
    A[i] := L0;
    B[i] := false;
    S[i] := false;
    W[i] := false;
  endfor;
endstartstate;

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

  rule "t3_then"
    A[i] = L3 & exists j : NODE do j != i & !B[j] & !W[j] endexists
  ==>
    S[i] := false;
    A[i] := L4;
  endrule;

  rule "t3_else"
    A[i] = L3 & forall j : NODE do j = i | B[j] | W[j] endforall
  ==>
    W[i] := false;
    A[i] := L5;
  endrule;

  rule "t4"
    A[i] = L4 & exists j : NODE do j != i & S[j] & !W[j] endexists
  ==>
    S[i] := true;
    W[i] := false;
    A[i] := L5;
  endrule;

  rule "t5"
    A[i] = L5 & forall j : NODE do j = i | !W[j] endforall
  ==>
    A[i] := L6;
  endrule;

  rule "t6"
    A[i] = L6 & forall j : NODE do j < i -> !S[j] endforall
  ==>
    A[i] := L7;
  endrule;

  rule "t7"
    A[i] = L7
  ==>
    S[i] := false;
    A[i] := L0;
  endrule;

endruleset;

invariant "MutualExclusion"
  forall i : NODE do
    forall j : NODE do
      i != j -> !(A[i] = L7 & A[j] = L7)
    endforall
  endforall;
