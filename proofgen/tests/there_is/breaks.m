-- A token that is never lost while nothing breaks; the first node has it at first.

type NODE : 1..3;

var
  Broken : boolean;
  Token  : array [NODE] of boolean;

assume "Whole" !Broken;

startstate "Init"
  Broken := false;
  for i : NODE do Token[i] := false; endfor;
  Token[1] := true;
endstartstate;

ruleset i : NODE; j : NODE do
  rule "Pass"
    Token[i]
  ==>
    assert "PassedOnlyWhole" !Broken;
    Token[i] := false;
    Token[j] := true;
  endrule;
endruleset;

rule "Break" !Broken ==> Broken := true; endrule;

ruleset i : NODE do
  rule "Lose" Broken ==> Token[i] := false; endrule;
endruleset;

invariant "NeverLost"
  exists i : NODE do Token[i] endexists;
