-- An array over two nodes, with parameters that may coincide.
const NODE_NUM : 2;
type NODE : scalarset (NODE_NUM);
var a : array [NODE] of boolean; seen : boolean;
var k : array [NODE] of array [NODE] of boolean;
startstate begin seen := false; for i : NODE do a[i] := false; end;
for i : NODE do for j : NODE do k[i][j] := false; end; end;
end;
ruleset i : NODE do rule "set" !a[i] ==> begin a[i] := true; seen := true; end; end;
ruleset i : NODE; j : NODE do
rule "know" a[i] & !k[j][i] ==> begin k[i][j] := true; end;
rule "forget" k[i][j] & (forall l : NODE do l != i -> !k[l][j] end) ==> begin k[j][i] := k[i][j]; k[i][j] := false; a[j] := false; end;
end;
invariant "two" forall i : NODE do forall j : NODE do i != j & a[i] & a[j] -> seen end end;
