-- An alias of a truth value computed from the number of nodes. Violated from N = 5 on. VARY N=3,4,5
const N : 3;
type NODE : 1..N; COUNT : 0..N;
var count : COUNT; on : array [NODE] of boolean; seen : boolean;
startstate count := 0; seen := false; for i : NODE do on[i] := false end; end;
ruleset i : NODE do
  rule "on" !on[i] & count < N ==> on[i] := true; count := count + 1; end;
end;
rule "big" alias big : N > 4 do if big then seen := true; end; end; end;
invariant "not seen" !seen;
