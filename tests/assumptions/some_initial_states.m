-- no initial state satisfies it with this first node, others do
const N : 3;
type node : scalarset(N);
var p : node; a : array [node] of boolean;
ruleset first : node; b : boolean do
  startstate p := first; for i : node do a[i] := b & i != first; end; end;
end;
ruleset i : node do
  rule "move" p != i ==> p := i; end;
  rule "flip" begin a[i] := !a[i]; end;
end;
assume "pointed" !a[p];
