-- A node that is on has a link, to itself or to another node.

type NODE : scalarset(3);

var
  On   : array [NODE] of boolean;
  Link : array [NODE] of array [NODE] of boolean;

startstate "Init"
  for i : NODE do
    On[i] := false;
    for j : NODE do Link[i][j] := false; endfor;
  endfor;
endstartstate;

ruleset i : NODE; j : NODE do
  rule "Connect" true ==> On[i] := true; Link[i][j] := true; endrule;
endruleset;

ruleset i : NODE; j : NODE; k : NODE do
  rule "Cut" Link[i][j] & Link[i][k] & j != k ==> Link[i][j] := false; endrule;
endruleset;

ruleset i : NODE do
  rule "TurnOff" true ==> On[i] := false; for j : NODE do Link[i][j] := false; endfor; endrule;
endruleset;

ruleset i : NODE do
  rule "Flood"
    On[i] & forall j : NODE do forall k : NODE do !Link[j][k] endforall endforall
  ==>
    for j : NODE do On[j] := true; endfor;
  endrule;
endruleset;

invariant "Linked"
  forall i : NODE do On[i] -> exists j : NODE do Link[i][j] endexists endforall;
