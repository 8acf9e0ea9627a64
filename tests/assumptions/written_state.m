-- an assumption about state that rules write
const N : 3;
type node : scalarset(N);
var a : array [node] of 0 .. 2;
startstate for i : node do a[i] := 0; end; end;
ruleset i : node do
  rule "up" a[i] < 2 ==> a[i] := a[i] + 1; end;
  rule "down" a[i] > 0 ==> a[i] := a[i] - 1; end;
end;
assume "one at most is high" forall i : node do forall j : node do a[i] = 2 & a[j] = 2 -> i = j end end;
invariant "low" forall i : node do a[i] <= 2 end;
