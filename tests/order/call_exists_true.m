-- violated: one element decides, the assertion about another one fails
const N : 3;
type P : scalarset(N);
var a : array [P] of boolean; b : array [P] of boolean; go : boolean; x : boolean;
function f(i : P) : boolean; begin assert "fine" !b[i]; return a[i]; end;
startstate for i : P do a[i] := false; b[i] := false; end; x := false; go := false; end;
ruleset i : P; j : P do rule "set" i != j & !go ==> go := true; a[i] := true; b[j] := true; end; end;
rule "ask" go & !x & (exists k : P do f(k) end) ==> x := true; end;
rule "idle" go ==> end;
invariant "t" true;
