-- unsafe: an assertion in a branch of a conditional, in the condition of a switch, within another assertion
const N: 3;
type P: scalarset(N);
var a: array[P] of boolean; x: boolean;
function f(i: P): boolean; begin assert !a[i] "inner"; return true; end;
function g(i: P): boolean; begin assert f(i) "outer"; return true; end;
startstate begin for i: P do a[i] := false; end; x := false; end;
ruleset i: P do rule "set" begin a[i] := true; end; end;
ruleset i: P do rule "r" (x ? true : g(i)) & x ==> begin switch g(i) case true: x := true; else x := false; end; end; end;
invariant "never" !x;
