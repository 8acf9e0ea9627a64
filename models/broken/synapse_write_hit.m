-- paraproof: verdict = violated
-- paraproof: rules = 3
-- paraproof: properties = 1
-- paraproof: violates = DirtyAlone

-- Broken twin of synapse.m: a write to a valid copy stays within the cache,
-- while other caches may hold the line as well.

const
  NODE_NUM : 2;

type
  NODE  : scalarset(NODE_NUM);
  STATE : enum { Invalid, Valid, Dirty };

var
  Cache : array [NODE] of STATE;

startstate "Init"
  for i : NODE do
    Cache[i] := Invalid;
  endfor;
endstartstate;

ruleset i : NODE do

  rule "ReadMiss"
    Cache[i] = Invalid
  ==>
    for j : NODE do
      if Cache[j] = Dirty then
        Cache[j] := Invalid;
      endif;
    endfor;
    Cache[i] := Valid;
  endrule;

  rule "WriteHit"
    Cache[i] = Valid
  ==>
    Cache[i] := Dirty;   -- broken: the other copies should be invalidated
  endrule;

  rule "WriteMiss"
    Cache[i] = Invalid
  ==>
    for j : NODE do
      Cache[j] := Invalid;
    endfor;
    Cache[i] := Dirty;
  endrule;

endruleset;

-- A dirty copy is the only copy.
invariant "DirtyAlone"
  forall i : NODE do
    Cache[i] = Dirty ->
      forall j : NODE do
        j = i | Cache[j] = Invalid
      endforall
  endforall;
