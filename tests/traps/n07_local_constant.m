-- A local constant has the name of the global one. Violated from N = 4 on. VARY N=2,3,4,5
const N : 3;
type NODE : 1..N; COUNT : 0..N;
var count : COUNT; on : array [NODE] of boolean; seen : boolean;
startstate count := 0; seen := false; for i : NODE do on[i] := false end; end;
ruleset i : NODE do
  rule "on" !on[i] & count < N ==> on[i] := true; count := count + 1; end;
end;
rule "look" const N : 3; begin if count > N then seen := true; end; end;
invariant "not seen" !seen;
