-- paraproof: verdict = violated
-- paraproof: rules = 10
-- paraproof: properties = 1
-- paraproof: violates = MutualExclusion

-- Broken twin of szymanski_at_any.m: nodes that came through the back door do
-- not wait for earlier nodes at L6.

const
  NODE_NUM : 2;

type
  NODE  : scalarset(NODE_NUM);
  LABEL : enum { Away, L0, L1, L2, L3, L4, L5, L6, L7 };

var
  A      : array [NODE] of LABEL;
  B      : array [NODE] of boolean;
  S      : array [NODE] of boolean;
  W      : array [NODE] of boolean;
  Before : array [NODE] of array [NODE] of boolean;

startstate "Init"
  for i : NODE do
    A[i] := Away;
    B[i] := false;
    S[i] := false;
    W[i] := false;
    for j : NODE do
      Before[i][j] := false;
    endfor;
  endfor;
endstartstate;

ruleset i : NODE do
  rule "Arrive"
    A[i] = Away
  ==>
    for j : NODE do
      Before[j][i] := A[j] != Away;
    endfor;
    A[i] := L0;
  endrule;
endruleset;

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
    A[i] = L6   -- broken: should wait for the earlier nodes
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
