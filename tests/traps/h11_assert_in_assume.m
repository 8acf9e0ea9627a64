-- unsafe: a function that an assume calls asserts
const N: 3;
type P: scalarset(N);
var a: array[P] of boolean; x: boolean;
function f(i: P): boolean; begin assert !a[i] "assumed"; return true; end;
startstate begin for i: P do a[i] := false; end; x := false; end;
ruleset i: P do rule "set" begin a[i] := true; end; end;
assume "all" forall i: P do f(i) end;
invariant "never" !x;
