-- unsafe: whether the quantifier comes to the element for which the assertion fails is a matter of names
const N: 3;
type P: scalarset(N);
var a: array[P] of boolean; x: boolean;
function f(i: P): boolean; begin assert !a[i] "exists"; return true; end;
startstate begin for i: P do a[i] := false; end; x := false; end;
ruleset i: P do rule "set" begin a[i] := true; end; end;
rule "r" exists i: P do f(i) end & x ==> begin x := false; end;
invariant "never" !x;
