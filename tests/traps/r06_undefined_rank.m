-- An undefined number is copied into an ordered index type that does not have it. Violated from N = 4 on. VARY N=2,3,4
const N : 2;
type NODE : scalarset (N); PLACE : 1..N; ZERO : 0..0;
var on : array [NODE] of boolean; many : boolean; at : PLACE; none : ZERO; full : array [PLACE] of boolean; seen : boolean;
startstate begin many := false; for i : NODE do on[i] := false; end; at := 1; undefine none; for i : PLACE do full[i] := false; end; seen := false; end;
ruleset i : NODE do rule "on" begin on[i] := true; end; end;
rule "many" exists a : NODE do exists b : NODE do exists c : NODE do exists d : NODE do
  on[a] & on[b] & on[c] & on[d] & a != b & a != c & a != d & b != c & b != d & c != d end end end end ==> begin many := true; end;
rule "copy" many ==> begin at := none; seen := true; end;
rule "fill" at < 2 ==> begin full[at] := true; at := at + 1; end;
invariant "not seen" !seen;
