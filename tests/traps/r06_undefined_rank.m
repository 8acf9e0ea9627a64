-- An undefined number is copied into an ordered index type that does not have it. Violated from N = 4 on. VARY N=2,3,4
const N : 2;
type NODE : scalarset (N); PLACE : 1..N; ZERO : 0..0;
var many : boolean; at : PLACE; none : ZERO; full : array [PLACE] of boolean; seen : boolean;
startstate begin many := false; at := 1; undefine none; for i : PLACE do full[i] := false; end; seen := false; end;
rule "many" exists a : NODE do exists b : NODE do exists c : NODE do exists d : NODE do
  a != b & a != c & a != d & b != c & b != d & c != d end end end end ==> begin many := true; end;
rule "copy" many ==> begin at := none; seen := true; end;
rule "fill" at < 2 ==> begin full[at] := true; at := at + 1; end;
invariant "not seen" !seen;
