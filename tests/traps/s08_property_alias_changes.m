-- An alias around a property changes a variable.
const N : 2;
type NODE : scalarset (N);
var on : array [NODE] of boolean; many : boolean; x : 0..3;
function f() : boolean; begin x := 1; return true; end;
startstate begin many := false; for i : NODE do on[i] := false; end; x := 0; end;
ruleset i : NODE do rule "on" begin on[i] := true; end; end;
rule "many" exists a : NODE do exists b : NODE do exists c : NODE do exists d : NODE do
  on[a] & on[b] & on[c] & on[d] & a != b & a != c & a != d & b != c & b != d & c != d end end end end ==> begin many := true; end;
alias y : f() do invariant "true" y; end;
invariant "unchanged" x = 0;
