-- assumptions that are parameterized, several at once
const N : 3;
type node : scalarset(N);
var a, b : array [node] of boolean; x : 0 .. 3;
startstate for i : node do a[i] := false; b[i] := false; end; x := 0; end;
ruleset i : node do
  rule "a" begin a[i] := !a[i]; end;
  rule "b" begin b[i] := !b[i]; end;
  assume "not both" !(a[i] & b[i]);
end;
rule "x" x < 3 ==> x := x + 1; end;
assume x = 2 -> exists i : node do a[i] end;
invariant "sometimes" x <= 3;
