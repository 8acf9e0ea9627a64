-- safe: the quantifier over numbers ends before it comes to the one for which the assertion fails
const N: 3;
type P: scalarset(N);
var a: array[P] of boolean; x: boolean;
function f(i: 0..2): boolean; begin assert i < 2 "early"; return i = 1; end;
startstate begin for i: P do a[i] := false; end; x := false; end;
ruleset i: P do rule "set" begin a[i] := true; end; end;
rule "r" exists i: 0..2 do f(i) end & x ==> begin x := false; end;
invariant "never" !x;
