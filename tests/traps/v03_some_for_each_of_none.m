-- Without nodes, each node has an edge; but there is a node.
type NODE : scalarset(2);
var
  edge : array [NODE] of array [NODE] of boolean;
  done : boolean;

startstate
  clear edge;
  done := false;
end;

ruleset i : NODE; j : NODE do
  rule "add" begin edge[i][j] := true; end;
end;

rule "all" forall i : NODE do exists j : NODE do edge[i][j] end end ==>
  assert "some" exists i : NODE do exists j : NODE do edge[i][j] end end;
  done := true;
end;

ruleset i : NODE do
  rule "alone" done & forall j : NODE do !edge[i][j] end ==> error "an edge is gone"; end;
end;
