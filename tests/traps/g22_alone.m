-- unsafe at N=1, its own size, and nowhere else: an element without another one. VARY N=1,2,3
const N: 1;
type P: scalarset(N);
var a: array[P] of boolean;
startstate begin for i: P do a[i] := false; end; end;
ruleset i: P do rule "alone" !(exists j: P do i != j end) ==> begin a[i] := true; end; end;
invariant "never" forall i: P do !a[i] end;
