-- What two places hold is compared, one of which has a name; the update of both has several cases.
const N: 3;
type P: 1..N;
const CAP: 3;
type PLACE: 0..CAP - 1;
var queue: array[PLACE] of boolean;
var used: 0..CAP;
var w: array[P] of boolean;
var last: boolean;

startstate
  for i: P do w[i] := false; end;
  used := 0; last := false;
  for k: PLACE do undefine queue[k]; end;
end;

rule "send" used < CAP ==> begin queue[used] := w[1]; used := used + 1; end;

rule "receive" used > 0 ==>
  last := queue[0];
  for k: PLACE do if k + 1 < used then queue[k] := queue[k + 1]; end; end;
  undefine queue[used - 1];
  used := used - 1;
end;

invariant "all alike" forall k: PLACE do k + 1 < used -> queue[k] = queue[k + 1] end;
