-- The guard says that its parameters are one element, in a form in which the condition does not matter. What is left of the
-- assertion reads none of them.
const N: 3;
type P: scalarset(N);
var last: P; open: boolean; safe: boolean;

ruleset h: P do
  startstate begin
    last := h; open := false; safe := true;
  end;
end;

ruleset i: P do
  rule "open" true ==> last := i; open := !open; end;
end;

ruleset i: P; j: P do
  rule "look" open & i = ((last != j) ? j : j) ==>
    assert "it is safe" safe;
  end;
end;
