-- A constant that stands for a node: the node 'N' is another one when N changes. Proven at N = 2, violated from N = 3 on.
const N : 2;
type NODE : 1..N;
var on : array [NODE] of boolean;
startstate
  for i : NODE do on[i] := false; end;
end;
rule "turn one on"
  on[(on[2] ? N : 2)] := true;
end;
invariant "only the second" forall i : NODE do on[i] -> i = 2 end;
