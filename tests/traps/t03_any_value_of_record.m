-- Pre-images lead to an initial state, and no instance of the search is large enough. Violated from N = 4 on.
const N : 2;
type NODE : scalarset (N);
var on : array [NODE] of boolean; many : boolean;
a : record x : NODE; y : 0..2; end; b : 0..2; c : boolean;
startstate begin many := false; for i : NODE do on[i] := false; end; b := 0; c := false; end;
ruleset i : NODE do rule "on" !on[i] ==> begin on[i] := true; end; end;
rule "many" exists a : NODE do exists b : NODE do exists c : NODE do exists d : NODE do
  on[a] & on[b] & on[c] & on[d] & a != b & a != c & a != d & b != c & b != d & c != d end end end end ==> begin many := true; end;

rule many & on[a.x] ==> begin b := a.y; end;
invariant "p" b < 3 & (b = 0 | many);
invariant "q" b != 2;
