-- A constant that is a member of an enumeration and computed from the number of nodes. Violated from N = 5 on. VARY N=3,4,5
const N : 3;
type NODE : 1..N; COUNT : 0..N; SIZE : enum { small, big };
const KIND : N > 4 ? big : small;
var count : COUNT; on : array [NODE] of boolean; seen : boolean;
startstate count := 0; seen := false; for i : NODE do on[i] := false end; end;
ruleset i : NODE do
  rule "on" !on[i] & count < N ==> on[i] := true; count := count + 1; end;
end;
rule "big" KIND = big ==> seen := true; end;
invariant "not seen" !seen;
