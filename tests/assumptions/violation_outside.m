-- a violation that only states outside of the assumption show
const N : 3;
type node : scalarset(N);
var a : array [node] of boolean;
startstate for i : node do a[i] := false; end; end;
ruleset i : node do rule "set" begin a[i] := true; end; end;
invariant "not all" exists i : node do !a[i] end;
assume "not all of them" exists i : node do !a[i] end;
