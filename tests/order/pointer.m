-- error: the pointer of another element has no value
const N : 3;
type P : scalarset(N);
var p : array [P] of P; b : array [P] of boolean; go : boolean;
startstate for i : P do p[i] := i; b[i] := false; end; go := false; end;
ruleset i : P; j : P do rule "set" i != j & !go ==> go := true; b[i] := true; undefine p[j]; end; end;
rule "idle" go ==> end;
invariant "t" !go | (forall k : P do !b[p[k]] end) | true;
