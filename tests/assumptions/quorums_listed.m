-- quorums.m with all initial states, for at most four nodes
const N : 3;
type node : 1 .. N; quorum : 1 .. 2;
var member : array [node] of array [quorum] of boolean; vote : array [node] of boolean; done : array [quorum] of boolean;
ruleset b1 : boolean; b2 : boolean; b3 : boolean; b4 : boolean; c1 : boolean; c2 : boolean; c3 : boolean; c4 : boolean do
  startstate
  begin
    for i : node do
      member[i][1] := i = 1 ? b1 : (i = 2 ? b2 : (i = 3 ? b3 : b4));
      member[i][2] := i = 1 ? c1 : (i = 2 ? c2 : (i = 3 ? c3 : c4));
      vote[i] := false;
    end;
    for q : quorum do done[q] := false; end;
  end;
end;
ruleset i : node do rule "vote" !vote[i] ==> vote[i] := true; end; end;
ruleset q : quorum do
  rule "done" !done[q] & forall i : node do member[i][q] -> vote[i] end ==> done[q] := true; end;
end;
assume "intersect" forall p : quorum do forall q : quorum do exists i : node do member[i][p] & member[i][q] end end end;
invariant "someone" forall q : quorum do done[q] -> exists i : node do member[i][q] & vote[i] end end;
