-- The value that is stored changes where it is stored. Violated from N = 4 on. VARY N=2,3,4
const N : 2;
type NODE : scalarset (N); K : 0..2;
var on : array [NODE] of boolean; many : boolean; a : array [K] of K; p : K;
function f() : K; begin p := 1; return 2; end;
startstate begin many := false; for i : NODE do on[i] := false; end; for k : K do a[k] := 0; end; p := 0; end;
ruleset i : NODE do rule "on" begin on[i] := true; end; end;
rule "many" exists a : NODE do exists b : NODE do exists c : NODE do exists d : NODE do
  on[a] & on[b] & on[c] & on[d] & a != b & a != c & a != d & b != c & b != d & c != d end end end end ==> begin many := true; end;
rule "store" many & p = 0 ==> begin a[p] := f(); end;
invariant "not there" a[1] = 0;
