-- What a condition says of a set is not evaluated where the condition stops before it. Violated from N = 4 on. VARY N=2,3,4
const N : 2;
type NODE : scalarset (N);
var on : array [NODE] of boolean; sharers : multiset [N] of NODE; x : 0..2; who : array [0..1] of NODE;
  many : boolean; seen : boolean; count : 0..N;
startstate begin
  many := false; seen := false; x := 0; count := 0; undefine sharers;
  for i : NODE do on[i] := false; who[0] := i; who[1] := i; end;
end;
ruleset i : NODE do rule "on" begin on[i] := true; end; end;
rule "x" begin x := 2; end;
rule "many" exists a : NODE do exists b : NODE do exists c : NODE do exists d : NODE do
  on[a] & on[b] & on[c] & on[d] & a != b & a != c & a != d & b != c & b != d & c != d end end end end ==> begin many := true; end;
rule "use" many ==> begin
  if x <= 1 & multisetcount(k : sharers, sharers[k] = who[x]) = 0 then multisetadd(who[x], sharers);
  elsif x = 2 then seen := true;
  end;
  count := multisetcount(k : sharers, true);
end;
invariant "not seen" !seen;
