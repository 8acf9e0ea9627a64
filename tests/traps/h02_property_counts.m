-- unsafe: a function that an invariant calls counts one
const N: 3;
type P: scalarset(N);
var a: array[P] of boolean; x: boolean;
function count(): 0..1; var r: 0..1; begin r := 0; for i: P do if a[i] then r := r + 1; end; end; return r; end;
startstate begin for i: P do a[i] := false; end; x := false; end;
ruleset i: P do rule "first" forall j: P do !a[j] end ==> begin a[i] := true; end; end;
invariant "none" count() = 0;
