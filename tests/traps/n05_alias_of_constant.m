-- An alias of a constant, and one of a number computed from it. Violated from N = 4 on. VARY N=2,3,4,5
const N : 3;
type COUNT : 0..N;
var count : COUNT; other : COUNT;
startstate count := 0; other := 0; end;
rule "count" alias most : N do if count < most then count := count + 1; end; end; end;
alias less : N - 1 do
  rule "other" other < less ==> other := other + 1; end;
end;
invariant "at most three" count <= 3;
invariant "at most two" other <= 2;
