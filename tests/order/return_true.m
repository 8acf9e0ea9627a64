-- error: one element ends the loop, another one has no value
const N : 3;
type P : scalarset(N);
var a : array [P] of boolean; go : boolean; x : boolean;
function found() : boolean; begin for k : P do if a[k] = true then return true; end; end; return false; end;
startstate for i : P do a[i] := false; end; x := false; go := false; end;
ruleset i : P; j : P do rule "set" i != j & !go ==> go := true; a[i] := true; undefine a[j]; end; end;
rule "look" go & !x ==> x := found(); end;
invariant "t" true;
