-- safe: each assertion is behind something that is false where it fails
const N: 3;
type P: scalarset(N);
var a: array[P] of boolean; x: boolean;
function f(i: P): boolean; begin assert !a[i] "shielded"; return true; end;
function g(i: P): boolean; begin if a[i] then return false; end; assert !a[i] "returned"; return true; end;
startstate begin for i: P do a[i] := false; end; x := false; end;
ruleset i: P do rule "set" begin a[i] := true; end; end;
ruleset i: P do
  rule "and" !a[i] & f(i) & x ==> begin x := false; end;
  rule "or" (a[i] | f(i)) & x ==> begin x := false; end;
  rule "implies" (!a[i] -> f(i)) & x ==> begin x := false; end;
  rule "either" (a[i] ? x : f(i)) & x ==> begin x := false; end;
  rule "function" g(i) & x ==> begin x := false; end;
end;
invariant "never" !x;
invariant "asked" forall i: P do a[i] | f(i) end;
