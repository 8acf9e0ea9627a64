-- paraproof: verdict = violated
-- paraproof: rules = 4
-- paraproof: properties = 1
-- paraproof: violates = OneModified

-- Broken twin of mesi.m: a sharer upgrades its copy without telling the bus.
--
-- Two caches read the line, both upgrade, both write.

const
  NODE_NUM : 2;

type
  NODE  : scalarset(NODE_NUM);
  STATE : enum { M, E, S, I };

var
  state : array [NODE] of STATE;

startstate "Init"
  for i : NODE do
    state[i] := I;
  endfor;
endstartstate;

ruleset i : NODE do

  -- A write to an exclusive copy needs no bus.
  rule "Write"
    state[i] = E
  ==>
    state[i] := M;
  endrule;

  -- Whoever holds the line becomes a sharer; a modified copy is written back.
  rule "ReadMiss"
    state[i] = I
  ==>
    for j : NODE do
      if j = i | state[j] != I then
        state[j] := S;
      endif;
    endfor;
  endrule;

  -- A sharer about to write.
  rule "Upgrade"
    state[i] = S
  ==>
    state[i] := E;   -- broken: the other copies should be invalidated
  endrule;

  -- The same for a cache that does not have the line yet.
  rule "WriteMiss"
    state[i] = I
  ==>
    for j : NODE do
      if j = i then
        state[j] := E;
      else
        state[j] := I;
      endif;
    endfor;
  endrule;

endruleset;

invariant "OneModified"
  forall i : NODE do
    forall j : NODE do
      i != j & state[i] = M -> state[j] != M
    endforall
  endforall;
