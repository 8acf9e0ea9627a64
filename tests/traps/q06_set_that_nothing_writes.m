-- A set that no rule writes, and its number of elements. Proven; its certificate was once rejected.
const N : 3;
type NODE : scalarset (N);
var sharers : multiset [N] of NODE; count : 0..N; turn : boolean;
startstate begin turn := false; count := 0; undefine sharers; end;
rule "count" begin count := multisetcount(k : sharers, true); turn := !turn; end;
invariant "none" count = 0;
