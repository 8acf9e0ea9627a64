-- Two constants of one name, of which one is computed from the number of nodes. Violated from N = 4 on. VARY N=2,3,4,5
const N : 3; K : N + 1;
type NODE : 1..N; COUNT : 0..N;
var count : COUNT; on : array [NODE] of boolean; seen : boolean;
procedure never(); begin if count > K then seen := true; end; end;
procedure look(); const K : 3; begin if count > K then seen := true; end; end;
startstate count := 0; seen := false; for i : NODE do on[i] := false end; end;
ruleset i : NODE do
  rule "on" !on[i] & count < N ==> on[i] := true; count := count + 1; end;
end;
rule "look" never(); look(); end;
invariant "not seen" !seen;
