-- A pointer is followed only where it is defined, and becomes undefined under a condition.
const NODE_NUM : 2;
type NODE : scalarset (NODE_NUM);
var a : array [NODE] of boolean; seen : boolean;
var p : NODE; n : array [NODE] of NODE;
startstate begin seen := false; for i : NODE do a[i] := false; end;
undefine p; undefine n;
end;
ruleset i : NODE do rule "set" !a[i] ==> begin a[i] := true; seen := true; end; end;
ruleset i : NODE; j : NODE do
rule "link" isundefined(n[i]) ==> begin n[i] := j; end;
rule "follow" !isundefined(n[i]) ==> begin if !isundefined(p) then a[p] := false; end; if a[i] then undefine n[i]; end; end;
rule "drop" i != j ==> begin if !isundefined(p) & p = i then undefine p; n[j] := i; end; end;
end;
invariant "two" forall i : NODE do forall j : NODE do i != j & a[i] & a[j] -> seen end end;
