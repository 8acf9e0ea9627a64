-- A guard that says of each that some exists holds, does not hold, and holds again: the rule fires twice.
const N : 2;
type NODE : scalarset(N);
var
  edge  : array [NODE] of array [NODE] of boolean;
  fired : 0..2;

startstate
  clear edge;
  fired := 0;
end;

ruleset i : NODE; j : NODE do
  rule "add" begin edge[i][j] := true; end;
  rule "remove" begin edge[i][j] := false; end;
end;

rule "first" fired = 0 & forall i : NODE do exists j : NODE do edge[i][j] end end ==>
  fired := 1;
  clear edge;
end;

rule "second" fired = 1 & forall j : NODE do exists i : NODE do edge[i][j] end end ==>
  assert "all" forall j : NODE do exists i : NODE do edge[i][j] end end;
  fired := 2;
end;

invariant "not twice" fired < 2;
