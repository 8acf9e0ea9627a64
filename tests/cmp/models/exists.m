-- Guards about some and about all nodes.
const NODE_NUM : 2;
type NODE : scalarset (NODE_NUM);
var a : array [NODE] of boolean; seen : boolean;
var b : array [NODE] of boolean; p : NODE;
startstate begin seen := false; for i : NODE do a[i] := false; end;
for i : NODE do b[i] := false; p := i; end;
end;
ruleset i : NODE do rule "set" !a[i] ==> begin a[i] := true; seen := true; end; end;
ruleset i : NODE do
rule "first" (forall j : NODE do !b[j] end) ==> begin b[i] := true; p := i; end;
rule "next" (exists j : NODE do b[j] & j != i & a[j] end) ==> begin b[i] := true; end;
rule "last" b[i] & (forall j : NODE do j != p -> a[j] | b[j] end) ==> begin b[i] := false; a[p] := false; p := i; end;
end;
invariant "two" forall i : NODE do forall j : NODE do i != j & a[i] & a[j] -> seen end end;
