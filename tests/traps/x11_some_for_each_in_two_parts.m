-- A guard with an `exists` below a `forall`, in two parts that share a literal: only with an element the rest of a part says
-- something.
const N: 3;
type P: scalarset(N);
var on: array[P] of boolean;
    a: array[P] of boolean;
    b: array[P] of boolean;
    done: boolean;

startstate begin
  for i: P do on[i] := true; a[i] := false; b[i] := false; end;
  done := false;
end;

ruleset i: P do
  rule "turn" true ==> a[i] := !b[i]; on[i] := !on[i]; end;
  rule "done"
    forall j: P do
      exists k: P do a[k] & on[j] end | exists k: P do b[k] & on[j] end
    end
  ==>
    done := true;
  end;
end;

invariant "one is on" done -> exists j: P do !b[j] end;
