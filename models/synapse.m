-- paraproof: verdict = proven
-- paraproof: rules = 3
-- paraproof: properties = 1
-- paraproof: states NODE_NUM=2 6
-- paraproof: states NODE_NUM=3 11
-- paraproof: states NODE_NUM=4 20
-- paraproof: states NODE_NUM=5 37

-- Synapse N+1: the simplest of the classical snooping protocols.
--
-- A line is Invalid, Valid or Dirty. A dirty line asked for by anybody is
-- written back and given up; the asking cache then reads it from memory, which
-- is one atomic step here. A write to a valid copy is treated like a miss.
--
-- S. J. Frank, 'Tightly coupled multiprocessor systems speed memory access
-- times', Electronics 57(1), 1984; described by J. Archibald and J.-L. Baer,
-- ACM TOCS 4(4), 1986.

const
  NODE_NUM : 3;

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
    for j : NODE do
      Cache[j] := Invalid;
    endfor;
    Cache[i] := Dirty;
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
