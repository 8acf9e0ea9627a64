-- Two ranges of six values are compared by order in a property, and in a guard that is negated.
type NUMBER : 0 .. 5;
var
  sent     : NUMBER;
  received : NUMBER;

startstate begin sent := 0; received := 0; end;

rule "send" sent < 5 ==> begin sent := sent + 1; end;

rule "receive" !(sent <= received) ==> begin received := received + 1; end;

invariant "received what was sent" received <= sent;
