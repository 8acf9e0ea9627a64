-- safe: an array over a union of two symmetric types is two state variables of one path. VARY N=2,3,4
const N: 3;
type P: scalarset(N); Q: scalarset(2); U: union {enum {home}, Q, P}; R: record f: boolean; o: U; end;
var v: array[U] of R; w: array[U] of array[U] of boolean;
startstate begin
  for i: U do v[i].f := false; v[i].o := i; for j: U do w[i][j] := i = j; end; end;
end;
ruleset i: P do rule "p" begin v[i].f := true; end; end;
ruleset i: Q do rule "q" !v[i].f ==> begin v[home].f := ismember(v[i].o, P); end; end;
ruleset i: U; j: U do rule "w" v[i].f & !v[j].f ==> begin w[i][j] := true; end; end;
invariant "home" !v[home].f;
invariant "q" forall i: Q do !v[i].f & v[i].o = i end;
invariant "w" forall i: P do forall j: Q do !w[j][i] end end;
