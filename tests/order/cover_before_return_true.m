-- holds: an element that has to be covered comes first in some orders only
const N : 3;
type P : scalarset(N);
var a : array [P] of boolean; b : array [P] of boolean; go : boolean; x : boolean;
procedure look(); begin for k : P do cover b[k]; if a[k] then return; end; end; end;
startstate for i : P do a[i] := false; b[i] := false; end; x := false; go := false; end;
ruleset i : P; j : P do rule "set" i != j & !go ==> go := true; a[i] := true; b[j] := true; end; end;
rule "ask" go & !x ==> x := true; look(); end;
rule "idle" go ==> end;
invariant "t" true;
