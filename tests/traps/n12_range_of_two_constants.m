-- The range T keeps its size, and so does the constant that bounds it and the counter. Violated from N = 4 on. VARY N=3,4,5
const N : 3; M : 1;
type T : M..N; COUNT : 0..N;
var count : COUNT; on : array [T] of boolean; k : 0..20;
startstate count := 0; k := 2 * M; for i : T do on[i] := false end; end;
ruleset i : T do rule "on" begin on[i] := true; end; end;
rule "count" count < N ==> count := count + 1; end;
invariant "three at most"
  forall a : T do forall b : T do forall c : T do forall d : T do a = b | a = c | a = d | b = c | b = d | c = d end end end end;
