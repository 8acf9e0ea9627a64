-- unsafe: the assertion is behind a return of one branch
const N: 3;
type P: scalarset(N);
var a: array[P] of boolean; x: boolean;
function f(i: P): boolean; begin if !a[i] then return false; end; assert x "behind"; return true; end;
startstate begin for i: P do a[i] := false; end; x := false; end;
ruleset i: P do rule "set" begin a[i] := true; end; end;
ruleset i: P do rule "r" f(i) ==> begin x := x; end; end;
