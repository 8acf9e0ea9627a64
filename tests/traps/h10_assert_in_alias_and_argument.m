-- unsafe: an assertion in an argument of an alias around a rule whose guard is false
const N: 3;
type P: scalarset(N);
var a: array[P] of boolean; x: boolean;
function f(i: P): boolean; begin assert !a[i] "argument"; return true; end;
function same(b: boolean): boolean; begin return b; end;
startstate begin for i: P do a[i] := false; end; x := false; end;
ruleset i: P do rule "set" begin a[i] := true; end; end;
ruleset i: P do alias now: same(f(i)) do rule "r" x & now ==> begin x := false; end; end; end;
invariant "never" !x;
