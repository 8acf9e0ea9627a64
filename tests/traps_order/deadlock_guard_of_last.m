-- Right: with --deadlock=stuck, violated from N = 4 on. The guard holds for the last element of a loop, not for any.
const N : 2;
type NODE : scalarset (N);
var q : array [NODE] of boolean; done : boolean; p : NODE;
function last() : NODE; var l : NODE; begin for i : NODE do l := i; end; return l; end;
startstate begin done := false; for i : NODE do q[i] := false; p := i; end; end;
ruleset i : NODE do rule "q" !done ==> begin q[i] := !q[i]; end; end;
ruleset i : NODE do
  rule "go" !done & (exists a : NODE do exists b : NODE do exists c : NODE do exists d : NODE do
    q[a] & q[b] & q[c] & q[d] & a != b & a != c & a != d & b != c & b != d & c != d end end end end) ==>
  begin p := i; done := true; end;
end;
rule "last" done & last() = p ==> begin p := p; end;
