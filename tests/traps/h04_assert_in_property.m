-- unsafe: an assertion in a function that an invariant calls
const N: 3;
type P: scalarset(N);
var a: array[P] of boolean; x: boolean;
function f(i: P): boolean; begin assert !a[i] "asked"; return true; end;
startstate begin for i: P do a[i] := false; end; x := false; end;
ruleset i: P do rule "set" begin a[i] := true; end; end;
invariant "all" forall i: P do f(i) end;
