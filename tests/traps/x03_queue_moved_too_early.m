-- The loop runs in the wrong direction: each place gets what was moved before, so that all get the first message.
const N : 2;
type
  PLACE : 0 .. N - 1;
  COUNT : 0 .. N;
  KIND  : enum { First, Second, Third };
var
  queue : array [PLACE] of KIND;
  used  : COUNT;
  last  : KIND;

startstate
  used := 0; last := First;
  for k : PLACE do queue[k] := First; end;
end;

rule "send" used < N ==> begin
  queue[used] := used = 0 ? First : (used = 1 ? Second : Third);
  used := used + 1;
end;

rule "insert" used < N & used > 0 ==>
  for k : PLACE do
    if k > 0 & k <= used then queue[k] := queue[k - 1]; end;
  end;
  used := used + 1;
end;

rule "take the last" used > 0 ==> begin last := queue[used - 1]; used := used - 1; end;

invariant "not the second behind the first"
  forall k : PLACE do k > 1 & k < used & queue[1] = First -> queue[k] != Second end;
