-- an assumption that calls a function
const N : 3;
type node : scalarset(N);
var a : array [node] of boolean;
function count() : 0 .. N;
var c : 0 .. N;
begin
  c := 0;
  for i : node do if a[i] then c := c + 1; end; end;
  return c;
end;
startstate for i : node do a[i] := false; end; end;
ruleset i : node do rule "flip" begin a[i] := !a[i]; end; end;
assume count() < N;
invariant count() < N;
