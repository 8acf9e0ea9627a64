-- an assumption about what nothing writes
const N : 3;
type node : scalarset(N); quorum : scalarset(2);
var member : array [node] of array [quorum] of boolean; vote : array [node] of boolean; done : array [quorum] of boolean;
startstate for i : node do vote[i] := false; end; for q : quorum do done[q] := false; end; end;
ruleset i : node do rule "vote" !vote[i] ==> vote[i] := true; end; end;
ruleset q : quorum do
  rule "done" !done[q] & forall i : node do member[i][q] -> vote[i] end ==> done[q] := true; end;
end;
assume "intersect" forall p : quorum do forall q : quorum do exists i : node do member[i][p] & member[i][q] end end end;
invariant "someone" forall q : quorum do done[q] -> exists i : node do member[i][q] & vote[i] end end;
