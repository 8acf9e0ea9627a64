-- An alias of a number that is computed from a constant. Violated from N = 4 on. VARY N=2,3,4,5
const N : 3;
type COUNT : 0..N;
var count : COUNT;
startstate count := 0; end;
alias most : N - 1 do
  rule "count" count < most ==> begin count := count + 1; end;
end;
invariant "at most two" count <= 2;
