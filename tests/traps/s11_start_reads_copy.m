-- A startstate looks at the copy of a variable that may have any value, which lowering refuses.
const N : 2;
type NODE : scalarset (N);
var h : boolean; k : boolean; x : 0..2; on : array [NODE] of boolean;
startstate k := h; if k then x := 1; else x := 2; end; for i : NODE do on[i] := false; end; end;
ruleset i : NODE do rule "on" on[i] := true; end; end;
assume "any" h | !h;
invariant "not 2" x != 2 | forall i : NODE do !on[i] end;
