-- The assumption alone implies the property, so that there is no invariant.

type NODE : 1..3;

var
  Has  : array [NODE] of boolean;
  Mode : array [NODE] of enum { Idle, Busy };

assume "SomebodyHas" exists n : NODE do Has[n] endexists;

startstate "Init"
  for i : NODE do Has[i] := false; Mode[i] := Idle; endfor;
  Has[1] := true;
endstartstate;

ruleset i : NODE do
  rule "Drop" Mode[i] = Idle ==> Mode[i] := Busy; Has[i] := false; endrule;
endruleset;

invariant "Held"
  exists n : NODE do Has[n] endexists;
