-- An undefined number is added to two sets that have no number in common. Violated from N = 4 on. VARY N=2,3,4
const N : 2;
type NODE : scalarset (N);
var many : boolean; x : 0..5; low : multiset [3] of 0..2; high : multiset [3] of 3..5; seen : boolean;
startstate begin many := false; undefine x; undefine low; undefine high; seen := false; end;
rule "many" exists a : NODE do exists b : NODE do exists c : NODE do exists d : NODE do
  a != b & a != c & a != d & b != c & b != d & c != d end end end end ==> begin many := true; end;
rule "add" many & !seen ==> begin multisetadd(x, low); multisetadd(x, high); seen := true; end;
invariant "not seen" !seen;
