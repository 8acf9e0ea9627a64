-- an assumption within a rule, and one outside
const N : 3;
type node : scalarset(N);
var a : array [node] of 0 .. 2;
startstate for i : node do a[i] := 0; end; end;
ruleset i : node do
  rule "up" a[i] < 2 ==> a[i] := a[i] + 1; assume a[i] = 1 -> forall j : node do j = i | a[j] != 1 end; end;
end;
assume exists i : node do a[i] < 2 end;
