-- safe: the assertions of the startstate hold, one of them since three elements are the same
const N: 3;
type P: scalarset(N);
var a: array[P] of boolean; x: boolean;
ruleset h: P; g: P; k: P do startstate begin for i: P do a[i] := i = h; end; x := false;
  if h = g then if g = k then assert h = k "same"; assert a[k] "set"; end; end; end; end;
ruleset i: P do rule "set" begin a[i] := true; end; end;
invariant "never" !x;
