-- unsafe: a pointer of a union is a constant that is an index
const N: 3;
type P: scalarset(N); U: union { P, enum { Nobody } };
var a: array[U] of 0..1; p: U; c: 0..1;
startstate begin p := Nobody; for i: U do a[i] := 0; end; c := 1; end;
ruleset i: P do rule "r" begin p := i; c := 0; end; end;
invariant "u" a[p] = c;
