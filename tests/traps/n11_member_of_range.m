-- A range that only `ismember` mentions keeps its bound at its value. Violated for N = 2. VARY N=2,3
const M : 3; N : 3;
type NODE : 1..M; LOW : 1..N; NONE : enum { none }; WHO : union { NODE, NONE };
var who : WHO; seen : boolean; on : array [NODE] of boolean;
startstate who := none; seen := false; for i : NODE do on[i] := false end; end;
ruleset i : NODE do rule "set" begin who := i; end; end;
rule "look" !ismember(who, NONE) & !ismember(who, LOW) ==> seen := true; end;
invariant "not seen" !seen;
