-- paraproof: verdict = violated
-- paraproof: rules = 10
-- paraproof: properties = 4
-- paraproof: violates = OneWritePending

-- Broken twin of futurebus.m: a read is requested while a write is pending.

const
  NODE_NUM : 2;

type
  NODE  : scalarset(NODE_NUM);
  STATE : enum {
    Invalid, SharedUnmodified, ExclusiveUnmodified, ExclusiveModified,
    PendingRead, PendingWrite,
    PendingShared, PendingModified, PendingModifiedWrite
  };

var
  Cache : array [NODE] of STATE;

startstate "Init"
  for i : NODE do
    Cache[i] := Invalid;
  endfor;
endstartstate;

ruleset i : NODE do

  -- Reading.

  rule "ReadRequest"
    Cache[i] = Invalid   -- broken: and no write pending
  ==>
    for j : NODE do
      switch Cache[j]
        case ExclusiveModified:
          Cache[j] := PendingModified;
        case SharedUnmodified, ExclusiveUnmodified:
          Cache[j] := PendingShared;
      endswitch;
    endfor;
    Cache[i] := PendingRead;
  endrule;

  rule "ReadFromModified"
    Cache[i] = PendingModified
  ==>
    Cache[i] := SharedUnmodified;
    for j : NODE do
      if Cache[j] = PendingRead then
        Cache[j] := SharedUnmodified;
      endif;
    endfor;
  endrule;

  rule "ReadFromShared"
    Cache[i] = PendingShared
  ==>
    for j : NODE do
      if Cache[j] = PendingRead | Cache[j] = PendingShared then
        Cache[j] := SharedUnmodified;
      endif;
    endfor;
  endrule;

  -- Nobody has the line, and several want it.
  rule "ReadFromMemoryShared"
    Cache[i] = PendingRead
    & exists j : NODE do j != i & Cache[j] = PendingRead endexists
    & forall j : NODE do
        Cache[j] != PendingShared & Cache[j] != PendingModified
      endforall
  ==>
    for j : NODE do
      if Cache[j] = PendingRead then
        Cache[j] := SharedUnmodified;
      endif;
    endfor;
  endrule;

  -- Nobody has the line, and only this one wants it.
  rule "ReadFromMemoryAlone"
    Cache[i] = PendingRead
    & forall j : NODE do
        j = i
        | (Cache[j] != PendingShared & Cache[j] != PendingModified
           & Cache[j] != PendingRead)
      endforall
  ==>
    Cache[i] := ExclusiveUnmodified;
  endrule;

  -- Writing.

  rule "WriteRequest"
    Cache[i] = Invalid
    & forall j : NODE do Cache[j] != PendingWrite endforall
  ==>
    for j : NODE do
      if Cache[j] = ExclusiveModified then
        Cache[j] := PendingModifiedWrite;
      else
        Cache[j] := Invalid;
      endif;
    endfor;
    Cache[i] := PendingWrite;
  endrule;

  rule "WriteFromModified"
    Cache[i] = PendingModifiedWrite
  ==>
    Cache[i] := Invalid;
    for j : NODE do
      if Cache[j] = PendingWrite then
        Cache[j] := ExclusiveModified;
      endif;
    endfor;
  endrule;

  rule "WriteFromMemory"
    Cache[i] = PendingWrite
    & forall j : NODE do Cache[j] != PendingModifiedWrite endforall
  ==>
    Cache[i] := ExclusiveModified;
  endrule;

  rule "WriteHitExclusive"
    Cache[i] = ExclusiveUnmodified
  ==>
    Cache[i] := ExclusiveModified;
  endrule;

  rule "WriteHitShared"
    Cache[i] = SharedUnmodified
  ==>
    for j : NODE do
      if Cache[j] = SharedUnmodified then
        Cache[j] := Invalid;
      endif;
    endfor;
    Cache[i] := ExclusiveModified;
  endrule;

endruleset;

invariant "ModifiedNotShared"
  forall i : NODE do
    forall j : NODE do
      Cache[i] = ExclusiveModified -> Cache[j] != SharedUnmodified
    endforall
  endforall;

invariant "UnmodifiedNotShared"
  forall i : NODE do
    forall j : NODE do
      Cache[i] = ExclusiveUnmodified -> Cache[j] != SharedUnmodified
    endforall
  endforall;

invariant "ExclusiveOnce"
  forall i : NODE do
    forall j : NODE do
      i != j & (Cache[i] = ExclusiveUnmodified | Cache[i] = ExclusiveModified) ->
        Cache[j] != ExclusiveUnmodified & Cache[j] != ExclusiveModified
    endforall
  endforall;

invariant "OneWritePending"
  forall i : NODE do
    forall j : NODE do
      i != j & Cache[i] = PendingWrite ->
        Cache[j] != PendingWrite & Cache[j] != PendingRead
    endforall
  endforall;
