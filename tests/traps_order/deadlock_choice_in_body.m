-- Right: with --deadlock, violated from N = 4 on. Whether the last rule changes anything depends on what its loop chooses.
const N : 2;
type NODE : scalarset (N);
var on, q : array [NODE] of boolean; r : array [NODE] of NODE; flag, done : boolean;
startstate begin done := false; flag := false; for i : NODE do on[i] := false; q[i] := false; r[i] := i; end; end;
ruleset i : NODE do rule "q" !done ==> begin q[i] := !q[i]; end; end;
ruleset i : NODE do
  rule "go" !done & (exists a : NODE do exists b : NODE do exists c : NODE do exists d : NODE do
    q[a] & q[b] & q[c] & q[d] & a != b & a != c & a != d & b != c & b != d & c != d end end end end) ==>
  begin on[i] := true; done := true; end;
end;
rule "last" done ==>
  var l : NODE;
begin
  for i : NODE do l := i; end;
  if exists j : NODE do r[j] = l & on[j] end then flag := !flag; end;
end;
