-- A startstate copies a variable that may have any value, and does not look at the copy. Right for every N.
const N : 2;
type NODE : scalarset (N);
var h : array [NODE] of boolean; k : array [NODE] of boolean; kept : array [NODE] of boolean;
startstate for i : NODE do k[i] := h[i]; kept[i] := false; end; end;
ruleset i : NODE do rule "keep" h[i] ==> kept[i] := true; end; end;
ruleset i : NODE do rule "copy" begin k[i] := !k[i]; end; end;
assume "any" forall i : NODE do h[i] | !h[i] end;
invariant "kept" forall i : NODE do kept[i] -> h[i] end;
