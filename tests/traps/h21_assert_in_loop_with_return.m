-- unsafe: an assertion in a loop that a return ends
const N: 3;
type P: scalarset(N);
var a: array[P] of boolean; x: boolean;
function f(): boolean; begin for i: P do assert !a[i] "loop"; if x then return true; end; end; return false; end;
startstate begin for i: P do a[i] := false; end; x := false; end;
ruleset i: P do rule "set" begin a[i] := true; end; end;
rule "r" f() ==> begin x := x; end;
