-- unsafe: an undefined pointer is followed in the branch of a conditional that is not taken
const N: 3;
type P: scalarset(N);
var a: array[P] of boolean; x: boolean;
var p: P;
startstate begin for i: P do a[i] := false; end; x := false; undefine p; end;
ruleset i: P do rule "r" begin a[i] := (x ? a[p] : true); p := i; x := true; end; end;
invariant "none" forall i: P do !a[i] end;
