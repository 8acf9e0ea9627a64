-- unsafe: an undefined pointer of a union is followed under a condition
const N: 3;
type P: scalarset(N); U: union { P, enum { Nobody } };
var a: array[U] of boolean; x: boolean; p: U;
startstate begin for i: U do a[i] := false; end; x := false; undefine p; end;
ruleset i: P do rule "r" begin if x then a[p] := false; end; a[i] := true; p := i; end; end;
invariant "none" forall i: P do !a[i] end;
