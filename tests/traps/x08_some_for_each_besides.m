-- What does not mention the variable of a quantifier is not below it. The checker had too many cases before.
const N : 3;
type NODE : 1 .. N;
var
  ready  : array [NODE] of boolean;
  served : array [NODE] of boolean;
  done   : boolean;

startstate
  for i : NODE do ready[i] := false; served[i] := false; end;
  done := false;
end;

ruleset i : NODE do
  rule "ready" ready[1] | i = 1 ==> begin ready[i] := true; end;
  rule "serve" ready[i] ==> begin served[i] := true; end;
  rule "done"
    ready[i] & (forall j : NODE do served[i] | exists k : NODE do served[k] | ready[j] end end) ==>
    done := true;
  end;
end;

invariant "some is ready" done -> exists i : NODE do ready[i] end;
