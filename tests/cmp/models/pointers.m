-- Two pointers are compared, exchanged and copied; both may point to nodes that are not kept, the same or two.
const NODE_NUM : 2;
type NODE : scalarset (NODE_NUM);
var a : array [NODE] of boolean; seen : boolean;
var p, q, r : NODE;
startstate begin seen := false; for i : NODE do a[i] := false; end;
undefine p; undefine q; undefine r;
end;
ruleset i : NODE do rule "set" !a[i] ==> begin a[i] := true; seen := true; end; end;
ruleset i : NODE; j : NODE do rule "point" begin p := i; q := j; end; end;
rule "exchange" !isundefined(p) & p != q ==> begin r := p; p := q; q := r; end;
rule "equal" !isundefined(p) & p = q ==> begin a[p] := false; end;
rule "third" !isundefined(r) & !isundefined(p) & r != p & a[r] ==> begin a[p] := !a[r]; q := r; end;
invariant "two" forall i : NODE do forall j : NODE do i != j & a[i] & a[j] -> seen end end;
