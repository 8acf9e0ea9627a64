-- A lock that some client or the server holds.

type CLIENT : scalarset(3);

var
  AtServer : boolean;
  Holds    : array [CLIENT] of boolean;

startstate "Init"
  AtServer := true;
  for c : CLIENT do Holds[c] := false; endfor;
endstartstate;

ruleset c : CLIENT do
  rule "Take" AtServer ==> AtServer := false; Holds[c] := true; endrule;
  rule "GiveBack" Holds[c] ==> Holds[c] := false; AtServer := true; endrule;
endruleset;

ruleset c : CLIENT; d : CLIENT do
  rule "Pass" Holds[c] ==> Holds[c] := false; Holds[d] := true; endrule;
endruleset;

invariant "NeverLost"
  AtServer | exists c : CLIENT do Holds[c] endexists;
