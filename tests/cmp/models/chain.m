-- A pointer is followed twice.
const NODE_NUM : 2;
type NODE : scalarset (NODE_NUM);
var a : array [NODE] of boolean; seen : boolean;
var n : array [NODE] of NODE; h : NODE;
startstate begin seen := false; for i : NODE do a[i] := false; end;
for i : NODE do n[i] := i; h := i; end;
end;
ruleset i : NODE do rule "set" !a[i] ==> begin a[i] := true; seen := true; end; end;
ruleset i : NODE do
rule "push" n[i] = i & h != i ==> begin n[i] := h; h := i; end;
rule "pop" n[h] != h ==> begin h := n[h]; a[h] := false; end;
rule "jump" a[n[h]] & n[n[h]] = i ==> begin n[h] := i; a[i] := a[h]; end;
end;
invariant "two" forall i : NODE do forall j : NODE do i != j & a[i] & a[j] -> seen end end;
