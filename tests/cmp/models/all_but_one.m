-- A loop writes all nodes but one, with values of one that may not be kept.
const NODE_NUM : 2;
type NODE : scalarset (NODE_NUM);
var a : array [NODE] of boolean; seen : boolean;
var p : NODE; b : array [NODE] of boolean;
startstate begin seen := false; for i : NODE do a[i] := false; end;
for i : NODE do p := i; b[i] := false; end;
end;
ruleset i : NODE do rule "set" !a[i] ==> begin a[i] := true; seen := true; end; end;
ruleset i : NODE do
rule "point" begin p := i; end;
rule "copy" begin for j : NODE do if j != p then b[j] := a[p]; else b[j] := false; end; end; end;
rule "mark" b[i] & !a[p] ==> begin for j : NODE do if b[j] & j != i then a[j] := false; end; end; b[i] := false; end;
end;
invariant "two" forall i : NODE do forall j : NODE do i != j & a[i] & a[j] -> seen end end;
