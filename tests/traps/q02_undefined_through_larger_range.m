-- An undefined value goes through a larger range and back. Violated from N = 4 on. VARY N=2,3,4
const N : 2;
type NODE : scalarset (N); SMALL : 0..2; LARGE : 0..5;
var on : array [NODE] of boolean; many : boolean; x : SMALL; y : LARGE; z : SMALL;
startstate many := false; for i : NODE do on[i] := false; end; undefine x; y := 0; z := 0; end;
ruleset i : NODE do rule "on" begin on[i] := true; end; end;
rule "many" exists i : NODE do exists j : NODE do exists k : NODE do exists l : NODE do
  on[i] & on[j] & on[k] & on[l] & i != j & i != k & i != l & j != k & j != l & k != l end end end end ==> begin many := true; end;
rule "there" many ==> begin y := x; end;
rule "back" begin z := y; end;
invariant "defined" !isundefined(z);
