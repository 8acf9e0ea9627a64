-- A named element beside a pointer. Proven; Isabelle once rejected the theory at its startstate.
const N : 3;
type NODE : 1..N;
var Home : NODE; Owner : NODE; Busy : array [NODE] of boolean;

ruleset h : NODE do
  startstate "Init"
    Home := h; Owner := h;
    for i : NODE do Busy[i] := true; end;
  end;
end;

ruleset i : NODE do rule "Rest" Busy[i] ==> Busy[i] := false; end; end;
ruleset i : NODE do rule "Own" !Busy[i] ==> Owner := i; end; end;

invariant "OwnersRest" forall i : NODE do i != Home -> !(Owner = i & Busy[i]) end;
