-- An undefined value goes through a union that is not asked for it. Violated from N = 4 on. VARY N=2,3,4
const N : 2;
type NODE : scalarset (N); E : enum { a, b }; U : union { E, 0..1 };
var on : array [NODE] of boolean; many : boolean; e : E; u : U; f : E;
startstate many := false; for i : NODE do on[i] := false; end; undefine e; u := a; f := a; end;
ruleset i : NODE do rule "on" begin on[i] := true; end; end;
rule "many" exists i : NODE do exists j : NODE do exists k : NODE do exists l : NODE do
  on[i] & on[j] & on[k] & on[l] & i != j & i != k & i != l & j != k & j != l & k != l end end end end ==> begin many := true; end;
rule "there" many ==> begin u := e; end;
rule "back" begin f := u; end;
invariant "defined" !isundefined(f);
