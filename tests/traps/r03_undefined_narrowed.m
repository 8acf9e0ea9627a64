-- An undefined variable is copied into two ranges that have no number in common. Violated from N = 4 on. VARY N=2,3,4
const N : 2;
type NODE : scalarset (N);
var on : array [NODE] of boolean; many : boolean; x : 0..5; low : 0..2; high : 3..5; seen : boolean;
startstate begin many := false; for i : NODE do on[i] := false; end; undefine x; low := 0; high := 3; seen := false; end;
ruleset i : NODE do rule "on" begin on[i] := true; end; end;
rule "many" exists a : NODE do exists b : NODE do exists c : NODE do exists d : NODE do
  on[a] & on[b] & on[c] & on[d] & a != b & a != c & a != d & b != c & b != d & c != d end end end end ==> begin many := true; end;
rule "copy" many ==> begin low := x; high := x; seen := true; end;
invariant "not seen" !seen;
