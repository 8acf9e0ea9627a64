-- safe for all N: the loop takes the last element of a range, and nothing else is said of it.
const N: 4;
type P: 1..N;
var q: P; a: array[P] of boolean; s: boolean;
ruleset h: P do startstate begin q := h; for i: P do a[i] := true; end; s := false; end; end;
rule "scan" begin for i: P do if a[i] then q := i; end; end; s := true; end;
invariant "i" s -> forall i: P do i != q -> i < q end;
