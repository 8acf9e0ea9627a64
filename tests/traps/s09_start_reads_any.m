-- A startstate reads a variable that may have any value, in a function that it calls.
const N : 2;
type NODE : scalarset (N);
var on : array [NODE] of boolean; many : boolean; h : array [NODE] of boolean; x : 0..2;
function f() : 0..2; begin if exists i : NODE do h[i] end then return 2; end; return 1; end;
startstate begin many := false; for i : NODE do on[i] := false; end; x := f(); end;
ruleset i : NODE do rule "on" begin on[i] := true; end; end;
rule "many" exists a : NODE do exists b : NODE do exists c : NODE do exists d : NODE do
  on[a] & on[b] & on[c] & on[d] & a != b & a != c & a != d & b != c & b != d & c != d end end end end ==> begin many := true; end;
assume "any" forall i : NODE do h[i] | !h[i] end;
invariant "not 2" !many | x != 2;
