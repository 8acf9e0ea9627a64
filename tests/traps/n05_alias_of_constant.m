-- An alias of a constant. Violated from N = 4 on. VARY N=2,3,4,5
const N : 3;
type COUNT : 0..N;
var count : COUNT;
startstate count := 0; end;
rule "count" alias most : N do if count < most then count := count + 1; end; end; end;
invariant "at most three" count <= 3;
