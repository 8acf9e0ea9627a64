-- unsafe: an assertion in a function that an index in a guard calls, where the guard is false
const N: 3;
type P: scalarset(N);
var a: array[P] of boolean; x: boolean;
function f(i: P): P; begin assert !a[i] "index"; return i; end;
startstate begin for i: P do a[i] := false; end; x := false; end;
ruleset i: P do rule "set" begin a[i] := true; end; end;
ruleset i: P do rule "r" x & a[i] | a[f(i)] & x ==> begin x := false; end; end;
invariant "never" !x;
