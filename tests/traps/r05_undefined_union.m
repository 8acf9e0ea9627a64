-- An undefined variable of a union is copied into two of its members. Violated from N = 4 on. VARY N=2,3,4
const N : 2;
type NODE : scalarset (N); E : enum { e }; U : union { NODE, E };
var on : array [NODE] of boolean; many : boolean; u : U; x : E; p : NODE; seen : boolean;
startstate begin many := false; for i : NODE do on[i] := false; end; undefine u; x := e; for i : NODE do p := i; end; seen := false; end;
ruleset i : NODE do rule "on" begin on[i] := true; end; end;
rule "many" exists a : NODE do exists b : NODE do exists c : NODE do exists d : NODE do
  on[a] & on[b] & on[c] & on[d] & a != b & a != c & a != d & b != c & b != d & c != d end end end end ==> begin many := true; end;
rule "copy" many ==> begin x := u; p := u; seen := true; end;
invariant "not seen" !seen;
