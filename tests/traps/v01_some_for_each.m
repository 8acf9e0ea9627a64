-- Whether each node has an edge is asked in one guard. A cycle of edges takes one node in each of four states, so the
-- property is violated with four nodes, and not with fewer.
const N : 2;
type NODE : scalarset(N);
var
  state : array [NODE] of enum { A, B, C, D };
  edge  : array [NODE] of array [NODE] of boolean;
  done  : boolean;

startstate
  for i : NODE do state[i] := A; end;
  clear edge;
  done := false;
end;

ruleset i : NODE do
  rule "to B" state[i] = A & forall j : NODE do state[j] != B & !edge[i][j] & !edge[j][i] end ==> state[i] := B; end;
  rule "to C" state[i] = A & forall j : NODE do state[j] != C & !edge[i][j] & !edge[j][i] end ==> state[i] := C; end;
  rule "to D" state[i] = A & forall j : NODE do state[j] != D & !edge[i][j] & !edge[j][i] end ==> state[i] := D; end;
end;

ruleset i : NODE; j : NODE do
  rule "AB" state[i] = A & state[j] = B ==> edge[i][j] := true; end;
  rule "BC" state[i] = B & state[j] = C ==> edge[i][j] := true; end;
  rule "CD" state[i] = C & state[j] = D ==> edge[i][j] := true; end;
  rule "DA" state[i] = D & state[j] = A ==> edge[i][j] := true; end;
end;

rule "all"
  forall i : NODE do exists j : NODE do edge[i][j] end end ==>
  done := true;
end;

invariant "not done" !done;
