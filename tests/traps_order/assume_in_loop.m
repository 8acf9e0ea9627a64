-- unsafe at N = 2: the assertion is met at the first node only where no earlier one ends the run. A range: the order is legal.
const N: 2;
type P: 1..N;
var a, b: array[P] of boolean; s: boolean;
ruleset h: P; g: P do startstate begin for i: P do a[i] := false; b[i] := false; end; a[h] := true; b[g] := true; s := false; end; end;
rule "go" !s ==> begin for i: P do assume !a[i] | b[i]; assert !b[i] | a[i] "met"; end; s := true; end;
invariant "i" s -> s;
