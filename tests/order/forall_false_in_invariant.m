-- error: one element decides, another one has no value
const N : 3;
type P : scalarset(N);
var a : array [P] of boolean; go : boolean; x : boolean;
startstate for i : P do a[i] := true; end; x := false; go := false; end;
ruleset i : P; j : P do rule "set" i != j & !go ==> go := true; a[i] := false; undefine a[j]; end; end;
rule "idle" go ==> end;
invariant "asked" !go | (forall k : P do a[k] end) | true;
