-- paraproof: verdict = violated
-- paraproof: rules = 9
-- paraproof: properties = 2
-- paraproof: violates = ValidExclusiveAlone

-- Broken twin of illinois.m: a cache that holds the line as ValidExclusive
-- does not respond to the read miss of another.
--
-- Memory then supplies the line, and two caches believe that they are alone.

const
  NODE_NUM : 2;

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
    -- broken: ValidExclusive elsewhere counts too
    Cache[i] = Invalid
    & forall j : NODE do Cache[j] != Shared & Cache[j] != Dirty endforall
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
