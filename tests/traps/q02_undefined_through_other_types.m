-- An undefined value goes through a larger range, and another one through a union. Violated from N = 4 on. VARY N=2,3,4
const N : 2;
type NODE : scalarset (N); SMALL : 0..2; LARGE : 0..5; E : enum { a, b }; U : union { E, 0..1 };
var on : array [NODE] of boolean; many : boolean; x : SMALL; y : LARGE; z : SMALL; e : E; u : U; f : E;
startstate
  many := false; for i : NODE do on[i] := false; end;
  undefine x; y := 0; z := 0; undefine e; u := a; f := a;
end;
ruleset i : NODE do rule "on" begin on[i] := true; end; end;
rule "many" exists i : NODE do exists j : NODE do exists k : NODE do exists l : NODE do
  on[i] & on[j] & on[k] & on[l] & i != j & i != k & i != l & j != k & j != l & k != l end end end end ==> begin many := true; end;
rule "there" many ==> begin y := x; end;
rule "back" begin z := y; end;
rule "into the union" many ==> begin u := e; end;
rule "out of it" isundefined(u) ==> begin f := u; end;
invariant "defined" !isundefined(z);
invariant "defined, too" !isundefined(f);
