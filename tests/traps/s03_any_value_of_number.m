-- A variable that may have any value, of a type that `isundefined` is asked about. Violated from N = 4 on. VARY N=2,3,4
const N : 2;
type NODE : scalarset (N); K : 0..2;
var on : array [NODE] of boolean; many : boolean; h : K; w : array [NODE] of K;
startstate begin many := false; for i : NODE do on[i] := false; end; undefine w; end;
ruleset i : NODE do rule "on" begin on[i] := true; end; end;
rule "many" exists a : NODE do exists b : NODE do exists c : NODE do exists d : NODE do
  on[a] & on[b] & on[c] & on[d] & a != b & a != c & a != d & b != c & b != d & c != d end end end end ==> begin many := true; end;
ruleset i : NODE do rule "copy" many ==> begin w[i] := h; end; end;
assume "not 0" h > 0;
invariant "1" forall i : NODE do isundefined(w[i]) | w[i] = 1 end;
