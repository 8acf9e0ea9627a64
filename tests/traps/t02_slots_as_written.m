-- Messages meet only if there are more nodes than the first instances have; the sets keep the capacity that is written. Violated from N = 3 on.
const N : 2;
type NODE : scalarset(N); M : record k : enum { A, B }; t : NODE; end;
var net : array [NODE] of multiset [2] of M; on : array [NODE] of boolean; got : boolean;
startstate begin undefine net; for i : NODE do on[i] := false; end; got := false; end;
ruleset i, j : NODE do rule !on[i] & i != j & multisetcount(m : net[j], true) < 2 ==> var x : M; begin x.k := A; x.t := i; multisetadd(x, net[j]); on[i] := true; end; end;
ruleset j : NODE do choose m : net[j] do rule net[j][m].k = A ==> begin alias x : net[j][m] do if multisetcount(q : net[j], net[j][q].k = B) > 0 & net[j][m].t != j then got := true; end; x.k := B; end; end; end; end;
ruleset j : NODE do choose m : net[j] do rule net[j][m].k = B ==> begin on[net[j][m].t] := false; multisetremove(m, net[j]); end; end; end;
invariant "p" !got;
