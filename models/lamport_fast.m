-- paraproof: verdict = proven
-- paraproof: rules = 11
-- paraproof: properties = 1
-- paraproof: states NODE_NUM=2 226
-- paraproof: states NODE_NUM=3 6695

-- Lamport's fast mutual exclusion algorithm.
--
-- Without contention a node enters after a fixed number of steps: it sets X, finds
-- Y free, takes Y, and finds X unchanged. Y is 0 while it is free. The label of a
-- node names the step that comes next:
--
--   Start    B := true
--   SetX     X := i
--   TestY    if Y != 0: B := false, go to AwaitY; else go to SetY
--   AwaitY   wait until Y = 0, go to Start
--   SetY     Y := i
--   TestX    if X = i go to Critical; else B := false, go to Others
--   Others   for all j, in any order: wait until !B[j]
--   TestY2   if Y = i go to Critical, else to AwaitY
--   Critical Y := 0
--   Exit     B := false, go to Start
--
-- L. Lamport, 'A fast mutual exclusion algorithm', ACM TOCS 5(1), 1987: the second
-- algorithm.
--
-- What is special: X and Y are numbers of nodes, and 0 is none.

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
    if Y = i then
      At[i] := Critical;
    else
      At[i] := AwaitY;
    endif;
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
