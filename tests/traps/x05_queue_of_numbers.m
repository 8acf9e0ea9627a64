-- Numbers in a queue whose messages move to the front. They arrive in the order in which they were sent, whatever its capacity is.
const N : 2;
type
  PLACE  : 0 .. N - 1;
  COUNT  : 0 .. N;
  NUMBER : 0 .. 5;
var
  queue    : array [PLACE] of NUMBER;
  used     : COUNT;
  sent     : NUMBER;
  received : NUMBER;

startstate
  used := 0; sent := 0; received := 0;
  for k : PLACE do undefine queue[k]; end;
end;

rule "send" used < N & sent < 5 ==> begin
  queue[used] := sent; used := used + 1; sent := sent + 1;
end;

rule "receive" used > 0 ==>
  received := queue[0];
  for k : PLACE do
    if k + 1 < used then queue[k] := queue[k + 1]; else undefine queue[k]; end;
  end;
  used := used - 1;
end;

invariant "received what was sent" received <= sent;
invariant "in order" forall k : PLACE do k + 1 < used -> queue[k] < queue[k + 1] end;
