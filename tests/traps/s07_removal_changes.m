-- A condition on elements of a multiset changes a variable, once for each of two equal elements.
const N : 2;
type NODE : scalarset (N); E : enum { a, b };
var on : array [NODE] of boolean; many : boolean; s : multiset [2] of E; odd : boolean;
function f() : boolean; begin odd := !odd; return true; end;
startstate begin many := false; for i : NODE do on[i] := false; end; undefine s; odd := false; end;
ruleset i : NODE do rule "on" begin on[i] := true; end; end;
rule "many" exists a : NODE do exists b : NODE do exists c : NODE do exists d : NODE do
  on[a] & on[b] & on[c] & on[d] & a != b & a != c & a != d & b != c & b != d & c != d end end end end ==> begin many := true; end;
rule "add" many & multisetcount(k : s, true) = 0 ==> begin multisetadd(a, s); multisetadd(a, s); end;
rule "remove" many & multisetcount(k : s, true) > 0 ==> begin multisetremovepred(k : s, f()); end;
invariant "even" !odd;
