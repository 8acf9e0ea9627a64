-- no initial state at all
const N : 3;
type node : scalarset(N);
var a : array [node] of boolean;
startstate for i : node do a[i] := false; end; end;
ruleset i : node do rule "set" begin a[i] := true; end; end;
assume "nothing" exists i : node do a[i] end;
