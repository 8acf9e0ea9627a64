-- Pointers that may have any value, of a type that `isundefined` is asked about. Violated from N = 4 on. VARY N=2,3,4
const N : 2;
type NODE : scalarset (N);
var on : array [NODE] of boolean; many : boolean; h : array [NODE] of NODE; p : NODE; seen : boolean;
startstate begin many := false; for i : NODE do on[i] := false; end; undefine p; seen := false; end;
ruleset i : NODE do rule "on" begin on[i] := true; end; end;
rule "many" exists a : NODE do exists b : NODE do exists c : NODE do exists d : NODE do
  on[a] & on[b] & on[c] & on[d] & a != b & a != c & a != d & b != c & b != d & c != d end end end end ==> begin many := true; end;
ruleset i : NODE do rule "copy" many ==> begin p := h[i]; end; rule "see" !isundefined(p) & p = i & h[i] != i ==> begin seen := true; end; end;
assume "others" forall i : NODE do h[i] != i end;
invariant "not seen" !seen;
