-- error: the quotient of another element has no value
const N : 3;
type P : scalarset(N);
     R : 0..3;
var a : array [P] of R; b : array [P] of R; go : boolean;
startstate for i : P do a[i] := 1; b[i] := 1; end; go := false; end;
ruleset i : P; j : P do rule "set" i != j & !go ==> go := true; a[i] := 0; b[j] := 0; end; end;
rule "idle" go ==> end;
invariant "t" go -> exists k : P do a[k] = 0 | 3 / b[k] > 2 end;
