-- deadlocks only because of the assumption
const N : 3;
type node : scalarset(N);
var owner : array [node] of boolean; taken : boolean;
startstate for i : node do owner[i] := false; end; taken := false; end;
ruleset i : node do
  rule "take" !owner[i] ==> owner[i] := true; taken := true; end;
  rule "leave" owner[i] & taken ==> owner[i] := false; taken := exists j : node do owner[j] end; end;
end;
assume "alone" forall i : node do forall j : node do owner[i] & owner[j] -> i = j end end;
