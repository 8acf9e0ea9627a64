-- How many messages satisfy a condition that is a conditional itself: a cube for it has more universal parts than the checker reads.
const N: 3;
type P: scalarset(N);
     MESSAGE: record node: P; urgent: boolean; end;
var ready: array[P] of boolean;
    last: P;
    net: multiset[3] of MESSAGE;

ruleset h: P do
  startstate begin
    last := h;
  end;
end;

rule begin
  if multisetcount(m: net, (net[m].urgent ? net[m].urgent : ready[net[m].node])) = 1 then error "there is one"; end;
end;
