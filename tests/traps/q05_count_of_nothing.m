-- What the elements of an empty set are compared with is not evaluated. Violated from N = 4 on. VARY N=2,3,4
const N : 2;
type NODE : scalarset (N);
var q : array [NODE] of boolean; sharers : multiset [N] of NODE; x : 0..2; who : array [0..1] of NODE; seen : boolean;
startstate begin
  seen := false; x := 0; undefine sharers;
  for i : NODE do q[i] := false; who[0] := i; who[1] := i; end;
end;
ruleset i : NODE do rule "q" begin q[i] := !q[i]; end; end;
rule "x" begin x := 2; end;
rule "ask" exists a : NODE do exists b : NODE do exists c : NODE do exists d : NODE do
  q[a] & q[b] & q[c] & q[d] & a != b & a != c & a != d & b != c & b != d & c != d end end end end ==>
begin
  if multisetcount(k : sharers, sharers[k] = who[x]) = 0 & x = 2 then seen := true; end;
end;
invariant "not seen" !seen;
