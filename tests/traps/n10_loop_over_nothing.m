-- A loop that may run for no node. Violated for N = 1, where the loop stores nothing. VARY N=1,2,3
const N : 3;
type NODE : 1..N;
var on : array [NODE] of boolean; stored : boolean; done : boolean;
startstate stored := false; done := false; for i : NODE do on[i] := false end; end;
ruleset i : NODE do rule "on" begin on[i] := true; end; end;
rule "loop" begin stored := false; done := true; for k := 2 to N do stored := true; end; end;
invariant "stored" done -> stored;
