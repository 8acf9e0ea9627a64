-- An undefined value is added to a set. Violated from N = 4 on. VARY N=2,3,4
const N : 2;
type NODE : scalarset (N);
var many : boolean; x : NODE; set : multiset [3] of NODE; seen : boolean;
startstate begin many := false; undefine x; undefine set; seen := false; end;
rule "many" exists a : NODE do exists b : NODE do exists c : NODE do exists d : NODE do
  a != b & a != c & a != d & b != c & b != d & c != d end end end end ==> begin many := true; end;
rule "add" many ==> begin multisetadd(x, set); seen := true; end;
rule "forget" isundefined(x) ==> begin undefine x; end;
invariant "not seen" !seen;
