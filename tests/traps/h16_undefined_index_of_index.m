-- unsafe: an undefined pointer is an index of an index, under a condition
const N: 3;
type P: scalarset(N);
var a: array[P] of boolean; x: boolean;
var p: P; q: array[P] of P;
startstate begin for i: P do a[i] := false; undefine q[i]; end; x := false; undefine p; end;
ruleset i: P do rule "r" begin if x then a[q[p]] := false; end; a[i] := true; p := i; q[i] := i; end; end;
invariant "none" forall i: P do !a[i] end;
