-- paraproof: verdict = violated
-- paraproof: rules = 11
-- paraproof: properties = 1
-- paraproof: violates = MutualExclusion

-- Broken twin of lamport_fast.m: a node that has lost X enters without a second
-- look at Y.

const
  NODE_NUM : 2;

type
  NODE    : 1..NODE_NUM;
  NODE_OR : 0..NODE_NUM;
  LABEL   : enum { Start, SetX, TestY, AwaitY, SetY, TestX, Others, TestY2, Critical, Exit };

var
  At   : array [NODE] of LABEL;
  B    : array [NODE] of boolean;
  Done : array [NODE] of array [NODE] of boolean;
  X    : NODE_OR;
  Y    : NODE_OR;

startstate "Init"
  for i : NODE do
    At[i] := Start;
    B[i] := false;
    for j : NODE do
      Done[i][j] := false;
    endfor;
  endfor;
  X := 0;
  Y := 0;
endstartstate;

ruleset i : NODE do

  rule "Start"
    At[i] = Start
  ==>
    B[i] := true;
    At[i] := SetX;
  endrule;

  rule "SetX"
    At[i] = SetX
  ==>
    X := i;
    At[i] := TestY;
  endrule;

  rule "TestY"
    At[i] = TestY
  ==>
    if Y != 0 then
      B[i] := false;
      At[i] := AwaitY;
    else
      At[i] := SetY;
    endif;
  endrule;

  rule "AwaitY"
    At[i] = AwaitY & Y = 0
  ==>
    At[i] := Start;
  endrule;

  rule "SetY"
    At[i] = SetY
  ==>
    Y := i;
    At[i] := TestX;
  endrule;

  rule "TestX"
    At[i] = TestX
  ==>
    if X = i then
      At[i] := Critical;
    else
      B[i] := false;
      At[i] := Others;
    endif;
  endrule;

  rule "EndOfOthers"
    At[i] = Others & forall j : NODE do j = i | Done[i][j] endforall
  ==>
    At[i] := TestY2;
    for j : NODE do
      Done[i][j] := false;
    endfor;
  endrule;

  rule "TestY2"
    At[i] = TestY2
  ==>
    At[i] := Critical;
  endrule;

  rule "Leave"
    At[i] = Critical
  ==>
    Y := 0;
    At[i] := Exit;
  endrule;

  rule "Exit"
    At[i] = Exit
  ==>
    B[i] := false;
    At[i] := Start;
  endrule;

endruleset;

ruleset i : NODE; j : NODE do
  rule "SeeOther"
    At[i] = Others & i != j & !Done[i][j] & !B[j]
  ==>
    Done[i][j] := true;
  endrule;
endruleset;

invariant "MutualExclusion"
  forall i : NODE do
    forall j : NODE do
      i != j -> !(At[i] = Critical & At[j] = Critical)
    endforall
  endforall;
