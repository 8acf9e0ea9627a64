-- unsafe: a function that an invariant calls finds nothing; it has a case for that, too
const N: 3;
type P: scalarset(N);
var a: array[P] of boolean; x: boolean;
function any(): boolean; var r: boolean; begin r := false; for i: P do if a[i] then r := true; end; end; return r; end;
startstate begin for i: P do a[i] := false; end; x := false; end;
ruleset i: P do rule "set" begin a[i] := true; end; end;
invariant "some" any();
