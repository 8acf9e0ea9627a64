-- records.m with all initial states, for at most four nodes
const N : 3;
type node : 1 .. N;
var known : array [node] of record good : boolean; weight : 0 .. 1; end; sum : 0 .. N; a : array [node] of boolean;
function heavy(i : node) : boolean;
begin
  return known[i].weight = 1;
end;
ruleset b1 : boolean; b2 : boolean; b3 : boolean; b4 : boolean; w1 : 0 .. 1; w2 : 0 .. 1; w3 : 0 .. 1; w4 : 0 .. 1 do
  startstate
  begin
    sum := 0;
    for i : node do
      known[i].good := i = 1 ? b1 : (i = 2 ? b2 : (i = 3 ? b3 : b4));
      known[i].weight := i = 1 ? w1 : (i = 2 ? w2 : (i = 3 ? w3 : w4));
    end;
    for i : node do sum := sum + known[i].weight; a[i] := known[i].good; end;
  end;
end;
ruleset i : node do
  rule "add" !a[i] & heavy(i) ==> a[i] := true; end;
  rule "drop" a[i] & !heavy(i) ==> a[i] := false; end;
end;
assume "some are good" exists i : node do known[i].good end;
assume "some are heavy" exists i : node do heavy(i) end;
invariant "sum" sum > 0;
