-- A record that may have any value, of a type that `isundefined` is asked about. Violated from N = 4 on. VARY N=2,3,4
const N : 2;
type NODE : scalarset (N); K : enum { a, b }; R : record k : K; f : boolean; p : NODE; end;
var on : array [NODE] of boolean; many : boolean; h : R; w : R; seen : boolean;
startstate begin many := false; for i : NODE do on[i] := false; end; undefine w; seen := false; end;
ruleset i : NODE do rule "on" begin on[i] := true; end; end;
rule "many" exists a : NODE do exists b : NODE do exists c : NODE do exists d : NODE do
  on[a] & on[b] & on[c] & on[d] & a != b & a != c & a != d & b != c & b != d & c != d end end end end ==> begin many := true; end;
rule "copy" many ==> begin w := h; end;
rule "see" !isundefined(w.k) & !isundefined(w.f) & w.f ==> begin seen := true; end;
assume "a" h.k = a;
invariant "not seen" !seen;
