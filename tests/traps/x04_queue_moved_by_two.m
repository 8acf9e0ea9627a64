-- A loop that moves what is two places behind: the second message is lost, and with four places the order changes, too.
const N : 2;
type
  PLACE : 0 .. N - 1;
  COUNT : 0 .. N;
var
  queue : array [PLACE] of boolean;
  used  : COUNT;

startstate
  used := 0;
  for k : PLACE do queue[k] := false; end;
end;

rule "false" used < N & (used = 0 | !queue[used - 1]) ==> begin queue[used] := false; used := used + 1; end;
rule "true" used < N ==> begin queue[used] := true; used := used + 1; end;

rule "receive" used > 1 ==>
  for k : PLACE do
    if k + 2 < used then queue[k] := queue[k + 2]; end;
  end;
  used := used - 1;
end;

invariant "falses come first" forall k : PLACE do k + 1 < used & queue[k] -> queue[k + 1] end;
