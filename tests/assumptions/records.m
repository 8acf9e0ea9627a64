-- a record, read in the startstate, in a function and in the assumption
const N : 3;
type node : scalarset(N);
var known : array [node] of record good : boolean; weight : 0 .. 1; end; sum : 0 .. N; a : array [node] of boolean;
function heavy(i : node) : boolean;
begin
  return known[i].weight = 1;
end;
startstate
begin
  sum := 0;
  for i : node do sum := sum + known[i].weight; a[i] := known[i].good; end;
end;
ruleset i : node do
  rule "add" !a[i] & heavy(i) ==> a[i] := true; end;
  rule "drop" a[i] & !heavy(i) ==> a[i] := false; end;
end;
assume "some are good" exists i : node do known[i].good end;
assume "some are heavy" exists i : node do heavy(i) end;
invariant "sum" sum > 0;
