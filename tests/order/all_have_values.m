-- holds: no element meets an error, so that elements are permuted
const N : 3;
type P : scalarset(N);
var a : array [P] of boolean; u : array [P] of boolean; x : boolean;
startstate for i : P do a[i] := false; undefine u[i]; end; x := false; end;
ruleset i : P do
  rule "set" !a[i] ==> a[i] := true; u[i] := x; end;
  rule "unset" a[i] ==> a[i] := false; undefine u[i]; end;
end;
rule "flip" ==> x := !x; end;
invariant "t" forall k : P do a[k] -> u[k] | !u[k] end;
invariant "e" (exists k : P do a[k] & u[k] end) | true;
