-- What `put` writes is computed by a function that assigns. Violated from N = 4 on. VARY N=2,3,4
const N : 2;
type NODE : scalarset (N);
var on : array [NODE] of boolean; many : boolean; x : 0..2;
function next() : 0..2; begin x := 1; return 2; end;
startstate begin many := false; for i : NODE do on[i] := false; end; x := 0; end;
ruleset i : NODE do rule "on" begin on[i] := true; end; end;
rule "many" exists a : NODE do exists b : NODE do exists c : NODE do exists d : NODE do
  on[a] & on[b] & on[c] & on[d] & a != b & a != c & a != d & b != c & b != d & c != d end end end end ==> begin many := true; end;
rule "put" many ==> begin put next(); end;
invariant "not assigned" x = 0;
