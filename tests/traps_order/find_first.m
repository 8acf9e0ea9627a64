-- unsafe for N >= 2: the first marked node in order, found by a function, is not always the last one that was marked.
const N: 3;
type P: scalarset(N);
var m: array[P] of boolean; q, l: P; s: boolean;
function first(d: P): P; begin for i: P do if m[i] then return i; end; end; return d; end;
ruleset h: P do startstate begin for i: P do m[i] := false; end; q := h; l := h; s := false; end; end;
ruleset i: P do rule "mark" !s ==> begin m[i] := true; l := i; end; end;
rule "scan" !s & exists i: P do m[i] end ==> begin q := first(l); s := true; end;
invariant "i" s -> q = l;
