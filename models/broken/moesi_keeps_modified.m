-- paraproof: verdict = violated
-- paraproof: rules = 5
-- paraproof: properties = 1
-- paraproof: violates = OneModified

-- Broken twin of moesi.m: when another cache takes the line, a modified copy
-- is left standing, as if only shared, owned and clean copies had to react.
--
-- One cache writes, the other misses on a write and takes the line
-- exclusively, then writes too.

const
  NODE_NUM : 2;

type
  NODE  : scalarset(NODE_NUM);
  STATE : enum { M, O, E, S, I };

var
  a : array [NODE] of STATE;

-- One cache takes the line for itself, all others lose it.
procedure TakeExclusively(i : NODE);
begin
  for j : NODE do
    if j = i then
      a[j] := E;
    elsif a[j] != M then   -- broken: M should go as well
      a[j] := I;
    endif;
  endfor;
endprocedure;

startstate "Init"
  for i : NODE do
    a[i] := I;
  endfor;
endstartstate;

ruleset i : NODE do

  rule "Write"
    a[i] = E
  ==>
    a[i] := M;
  endrule;

  rule "ReadMiss"
    a[i] = I
  ==>
    for j : NODE do
      switch a[j]
        case E: a[j] := S;
        case M: a[j] := O;
      endswitch;
    endfor;
    a[i] := S;
  endrule;

  rule "UpgradeShared"
    a[i] = S
  ==>
    TakeExclusively(i);
  endrule;

  rule "UpgradeOwned"
    a[i] = O
  ==>
    TakeExclusively(i);
  endrule;

  rule "WriteMiss"
    a[i] = I
  ==>
    TakeExclusively(i);
  endrule;

endruleset;

invariant "OneModified"
  forall i : NODE do
    forall j : NODE do
      i != j & a[i] = M -> a[j] != M
    endforall
  endforall;
