-- error: so many elements that the quantifier is no longer written out
const N : 130;
type P : scalarset(N);
var a : array [P] of boolean; go : boolean; one : P; other : P;
startstate for i : P do a[i] := true; end; go := false; undefine one; undefine other; end;
ruleset i : P do
  rule "one" isundefined(one) ==> one := i; a[i] := false; end;
  rule "other" !isundefined(one) & isundefined(other) & i != one ==> other := i; undefine a[i]; go := true; end;
end;
rule "idle" go ==> end;
invariant "t" !go | (forall k : P do a[k] end) | true;
