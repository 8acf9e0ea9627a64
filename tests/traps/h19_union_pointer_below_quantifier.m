-- unsafe: the pointers of a quantifier are constants that are indices
const N: 3;
type P: scalarset(N); U: union { P, enum { Nobody } };
var a: array[U] of 0..1; p: array[P] of U; c: 0..1;
startstate begin for i: P do p[i] := Nobody; end; for i: U do a[i] := 0; end; c := 1; end;
ruleset i: P do rule "r" begin p[i] := i; a[i] := 1; end; end;
invariant "u" forall i: P do a[p[i]] = c end;
