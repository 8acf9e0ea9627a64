-- paraproof: verdict = violated
-- paraproof: rules = 17
-- paraproof: properties = 1
-- paraproof: violates = MutualExclusion

-- Broken twin of szymanski_na_any.m: the marks of the loop at L5 are not
-- cleared at its end, so the loop at L6 treats all nodes as dealt with.

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
  Cpt    : array [NODE] of array [NODE] of boolean;
  Before : array [NODE] of array [NODE] of boolean;

-- Node i leaves its loop, or starts it again.
procedure Reset(i : NODE);
begin
  for j : NODE do
    Cpt[i][j] := false;
  endfor;
endprocedure;

startstate "Init"
  for i : NODE do
    A[i] := Away;
    B[i] := false;
    S[i] := false;
    W[i] := false;
    Reset(i);
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
    A[i] = L6 & Before[j][i] & !Cpt[i][j] & !S[j]
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
    A[i] := L6;   -- broken: Reset(i) is missing
  endrule;

  rule "t6_exit_for"
    A[i] = L6 & forall j : NODE do Before[j][i] -> Cpt[i][j] endforall
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
