-- unsafe for N >= 2: `clear` takes the first element, which the startstate lets another one be.
const N: 3;
type P: scalarset(N);
var q, r: P; s: boolean;
ruleset h: P do startstate begin q := h; r := h; s := false; end; end;
rule "clear" !s ==> begin clear q; s := true; end;
invariant "i" s -> q = r;
