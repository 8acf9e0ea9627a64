-- rumur's order: an assumption behind an invariant in the text
const N : 3;
type node : scalarset(N);
var m : array [node] of array [node] of boolean;
startstate for i : node do for j : node do m[i][j] := false; end; end; end;
ruleset i : node; j : node do rule "set" i != j ==> m[i][j] := true; end; end;
invariant "asymmetric" forall i : node do forall j : node do m[i][j] -> !m[j][i] end end;
assume "oriented" forall i : node do forall j : node do m[i][j] -> !m[j][i] end end;
