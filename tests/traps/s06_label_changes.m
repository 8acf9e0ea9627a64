-- A case of a `switch` that is not evaluated changes a variable.
const N : 2;
type NODE : scalarset (N); K : 0..3;
var on : array [NODE] of boolean; many : boolean; x : K;
function f() : K; begin x := 2; return 3; end;
startstate begin many := false; for i : NODE do on[i] := false; end; x := 0; end;
ruleset i : NODE do rule "on" begin on[i] := true; end; end;
rule "many" exists a : NODE do exists b : NODE do exists c : NODE do exists d : NODE do
  on[a] & on[b] & on[c] & on[d] & a != b & a != c & a != d & b != c & b != d & c != d end end end end ==> begin many := true; end;
rule "switch" many ==> var y : K; begin y := 1; switch y case 1, f(): many := false; end; end;
invariant "unchanged" x = 0;
