-- A number becomes an element, which is used again in the same rule; only four nodes get there.
const N : 2;
type NODE : 1 .. N;
var
  level  : array [NODE] of 0 .. 2;
  marked : array [NODE] of boolean;
  last   : NODE;

startstate
  for i : NODE do level[i] := 1; marked[i] := false; end;
  last := 1;
end;

ruleset i : NODE do
  rule "up" level[i] < 2 ==> level[i] := level[i] + 1; end;
  rule "copy" i < N ==> level[i + 1] := level[i]; end;
end;

ruleset j : NODE do
  rule "mark"
    exists a : NODE do exists b : NODE do exists c : NODE do exists d : NODE do
      a != b & a != c & a != d & b != c & b != d & c != d
    end end end end ==>
    last := level[j];
    marked[last] := true;
  end;
end;

invariant "not marked" forall i : NODE do !marked[i] end;
