-- paraproof: verdict = proven
-- paraproof: rules = 9
-- paraproof: properties = 2
-- paraproof: states NODE_NUM=2 8
-- paraproof: states NODE_NUM=3 14
-- paraproof: states NODE_NUM=4 24
-- paraproof: states NODE_NUM=5 42

-- Illinois: a write-invalidate snooping protocol with cache-to-cache supply.
--
-- A line is Invalid, Shared, ValidExclusive (alone and equal to memory) or
-- Dirty (alone and newer than memory). Unlike MESI as written in mesi.m a cache
-- notices on a read miss whether anybody else has the line, and becomes
-- ValidExclusive if nobody does. A copy can be dropped at any time; a dirty one
-- is written back then.
--
-- M. S. Papamarcos and J. H. Patel, 'A low-overhead coherence solution for
-- multiprocessors with private cache memories', ISCA 1984; described by
-- J. Archibald and J.-L. Baer, 'Cache coherence protocols: evaluation using a
-- multiprocessor simulation model', ACM TOCS 4(4), 1986.

const
  NODE_NUM : 3;

type
  NODE  : scalarset(NODE_NUM);
  STATE : enum { Invalid, Shared, ValidExclusive, Dirty };

var
  Cache : array [NODE] of STATE;

startstate "Init"
  for i : NODE do
    Cache[i] := Invalid;
  endfor;
endstartstate;

-- Read misses, by who can supply the line.

ruleset i : NODE; j : NODE do

  rule "ReadMissDirty"
    Cache[i] = Invalid & Cache[j] = Dirty
  ==>
    Cache[i] := Shared;
    Cache[j] := Shared;
  endrule;

  rule "ReadMissClean"
    Cache[i] = Invalid & (Cache[j] = Shared | Cache[j] = ValidExclusive)
  ==>
    Cache[i] := Shared;
    Cache[j] := Shared;
  endrule;

endruleset;

ruleset i : NODE do

  rule "ReadMissMemory"
    forall j : NODE do Cache[j] = Invalid endforall
  ==>
    Cache[i] := ValidExclusive;
  endrule;

  -- Writes.

  rule "WriteMiss"
    Cache[i] = Invalid
  ==>
    for j : NODE do
      Cache[j] := (j = i ? Dirty : Invalid);
    endfor;
  endrule;

  rule "WriteHitShared"
    Cache[i] = Shared
  ==>
    for j : NODE do
      Cache[j] := (j = i ? Dirty : Invalid);
    endfor;
  endrule;

  rule "WriteHitExclusive"
    Cache[i] = ValidExclusive
  ==>
    Cache[i] := Dirty;
  endrule;

  -- Replacement.

  rule "ReplaceDirty"
    Cache[i] = Dirty
  ==>
    Cache[i] := Invalid;
  endrule;

  rule "ReplaceExclusive"
    Cache[i] = ValidExclusive
  ==>
    Cache[i] := Invalid;
  endrule;

  rule "ReplaceShared"
    Cache[i] = Shared
  ==>
    Cache[i] := Invalid;
  endrule;

endruleset;

invariant "DirtyAlone"
  forall i : NODE do
    forall j : NODE do
      i != j & Cache[i] = Dirty -> Cache[j] = Invalid
    endforall
  endforall;

invariant "ValidExclusiveAlone"
  forall i : NODE do
    forall j : NODE do
      i != j & Cache[i] = ValidExclusive -> Cache[j] = Invalid
    endforall
  endforall;
