-- The values of a bound variable may be none: nothing says that N is 3 or more. Violated for N = 1 and 2. VARY N=1,2,3,4
const N : 3;
type COUNT : 0..N;
var count : COUNT; small : boolean;
startstate count := 0; small := false; end;
rule "count" count < N ==> count := count + 1; end;
rule "small" N < 3 ==> small := true; end;
invariant "not small" !small;
invariant "nothing" forall k := 3 to N do true end;
