-- parameters.m with all initial states
const N : 3;
type node : scalarset(N); mode_t : enum { slow, fast };
var limit : 0 .. 2; boss : node; mode : mode_t; a : array [node] of boolean; n : 0 .. 2;
ruleset l : 0 .. 2; b : node; m : mode_t do
  startstate limit := l; boss := b; mode := m; for i : node do a[i] := false; end; n := 0; end;
end;
ruleset i : node do
  rule "take" !a[i] & n < limit & (mode = fast | boss != i) ==> a[i] := true; n := n + 1; end;
end;
rule "clear" a[boss] ==> for i : node do a[i] := false; end; n := 0; end;
invariant "limited" n <= limit;
