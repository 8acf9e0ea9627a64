-- behind a state that is left out
const N : 3;
type node : scalarset(N);
var x : 0 .. 8; a : array [node] of boolean;
startstate x := 0; for i : node do a[i] := false; end; end;
rule "up" x < 8 ==> x := x + 1; end;
rule "skip" x = 2 ==> x := 5; end;
ruleset i : node do rule "a" x >= 6 ==> a[i] := true; end; end;
assume "no three" x != 3;
