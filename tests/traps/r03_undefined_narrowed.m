-- An undefined variable is copied into two ranges that have no number in common. Violated from N = 4 on. VARY N=2,3,4
const N : 2;
type NODE : scalarset (N);
var many : boolean; x : 0..5; low : 0..2; high : 3..5; seen : boolean;
startstate begin many := false; undefine x; low := 0; high := 3; seen := false; end;
rule "many" exists a : NODE do exists b : NODE do exists c : NODE do exists d : NODE do
  a != b & a != c & a != d & b != c & b != d & c != d end end end end ==> begin many := true; end;
rule "copy" many ==> begin low := x; high := x; seen := true; end;
invariant "not seen" !seen;
