-- A record that is stored changes where it is stored, through a `var` parameter. Violated from N = 4 on. VARY N=2,3,4
const N : 2;
type NODE : scalarset (N); K : 0..2; R : record x : K; end;
var on : array [NODE] of boolean; many : boolean; a : array [K] of R; r : R;
function f(var p : K) : R; begin p := 1; return r; end;
startstate begin many := false; for i : NODE do on[i] := false; end; for k : K do a[k].x := 0; end; r.x := 2; end;
ruleset i : NODE do rule "on" begin on[i] := true; end; end;
rule "many" exists a : NODE do exists b : NODE do exists c : NODE do exists d : NODE do
  on[a] & on[b] & on[c] & on[d] & a != b & a != c & a != d & b != c & b != d & c != d end end end end ==> begin many := true; end;
rule "store" many ==> var p : K; begin p := 0; a[p] := f(p); end;
invariant "not there" a[1].x = 0;
