-- A queue whose messages move to the front by a loop. The last of them is different, which only four places show.
const N : 2;
type
  PLACE : 0 .. N - 1;
  COUNT : 0 .. N;
var
  queue : array [PLACE] of boolean;
  used  : COUNT;
  last  : boolean;

startstate
  used := 0; last := false;
  for k : PLACE do undefine queue[k]; end;
end;

rule "send" used < N ==> begin queue[used] := used > 2; used := used + 1; end;

rule "receive" used > 0 ==>
  last := queue[0];
  for k : PLACE do
    if k + 1 < used then queue[k] := queue[k + 1]; else undefine queue[k]; end;
  end;
  used := used - 1;
end;

invariant "the first kind" !last;
