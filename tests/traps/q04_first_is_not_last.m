-- The first element that a loop finds is not the last one that another loop finds. Violated from N = 4 on. VARY N=2,3,4
const N : 2;
type NODE : scalarset (N);
var q : array [NODE] of boolean; seen : boolean;
function first() : NODE; begin for i : NODE do if q[i] then return i; end; end; end;
startstate begin seen := false; for i : NODE do q[i] := false; end; end;
ruleset i : NODE do rule "q" begin q[i] := !q[i]; end; end;
rule "compare" exists a : NODE do exists b : NODE do exists c : NODE do exists d : NODE do
  q[a] & q[b] & q[c] & q[d] & a != b & a != c & a != d & b != c & b != d & c != d end end end end ==>
  var last : NODE;
begin
  for i : NODE do if q[i] then last := i; end; end;
  if last != first() then seen := true; end;
end;
invariant "not seen" !seen;
