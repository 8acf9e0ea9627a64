-- Beside a value that may be undefined, a constant is a number like any other. Proven; it once ended the program.
const N : 3;
type NODE : scalarset (N); COUNT : 1..N;
var seen : array [NODE] of boolean; last : NODE;

procedure leave(count : COUNT);
begin
  if count != N - 2 & count < N - 2 then return; end;
end;

startstate
  for i : NODE do seen[i] := true; end;
end;
rule "nobody yet" isundefined(last) & 2 <= N - 1 ==> end;
rule "leave" begin leave(2); end;
invariant "all seen" forall i : NODE do seen[i] end;
