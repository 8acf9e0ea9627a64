-- unsafe: the assertion of the startstate fails for some of its parameters, and the rule asserts the same
const N: 3;
type P: scalarset(N);
var a: array[P] of boolean; x: boolean;
procedure none(); begin assert forall i: P do !a[i] end "none"; end;
ruleset h: P; g: P do startstate begin for i: P do a[i] := h = g & h = i; end; x := false; none(); end; end;
ruleset i: P do rule "r" begin none(); x := !x; end; end;
