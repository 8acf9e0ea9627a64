-- unsafe: `clear` takes the first value of a union, which is a member of the enumeration and no node.
const N: 3;
type E: enum { None, Some }; P: scalarset(N); U: union { E, P };
var u: U; h: P; a: array[P] of boolean; s: boolean;
ruleset g: P do startstate begin h := g; u := g; s := false; for i: P do a[i] := false; end; end; end;
rule "clear" !s ==> begin clear u; s := true; end;
invariant "i" s -> u = h;
