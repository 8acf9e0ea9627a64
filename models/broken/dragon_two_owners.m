-- paraproof: verdict = violated
-- paraproof: rules = 8
-- paraproof: properties = 3
-- paraproof: violates = OneOwner

-- Broken twin of dragon.m: on a write miss the other copies are updated, and
-- those that were held alone become clean, but an owner of a shared line
-- remains its owner.
--
-- With two nodes, this needs a shared line whose other sharer was replaced.

const
  NODE_NUM : 2;

type
  NODE  : scalarset(NODE_NUM);
  STATE : enum { Invalid, SharedClean, SharedDirty, Exclusive, Dirty };

var
  Cache : array [NODE] of STATE;

function Sharing(s : STATE) : boolean;
begin
  return s = SharedClean | s = SharedDirty;
endfunction;

startstate "Init"
  for i : NODE do
    Cache[i] := Invalid;
  endfor;
endstartstate;

ruleset i : NODE do

  rule "ReadMissMemory"
    forall j : NODE do Cache[j] = Invalid endforall
  ==>
    Cache[i] := Exclusive;
  endrule;

  rule "WriteMissMemory"
    forall j : NODE do Cache[j] = Invalid endforall
  ==>
    Cache[i] := Dirty;
  endrule;

  -- Whoever has to answer for the line still has to.
  rule "ReadMissSupplied"
    Cache[i] = Invalid & exists j : NODE do Cache[j] != Invalid endexists
  ==>
    for j : NODE do
      switch Cache[j]
        case Exclusive: Cache[j] := SharedClean;
        case Dirty:     Cache[j] := SharedDirty;
      endswitch;
    endfor;
    Cache[i] := SharedClean;
  endrule;

  -- The writer takes over.
  rule "WriteMissSupplied"
    Cache[i] = Invalid & exists j : NODE do Cache[j] != Invalid endexists
  ==>
    for j : NODE do
      if Cache[j] = Exclusive | Cache[j] = Dirty then   -- broken: SharedDirty too
        Cache[j] := SharedClean;
      endif;
    endfor;
    Cache[i] := SharedDirty;
  endrule;

  rule "WriteHitExclusive"
    Cache[i] = Exclusive
  ==>
    Cache[i] := Dirty;
  endrule;

  rule "WriteHitShared"
    Sharing(Cache[i])
    & exists j : NODE do j != i & Sharing(Cache[j]) endexists
  ==>
    for j : NODE do
      if Cache[j] = SharedDirty then
        Cache[j] := SharedClean;
      endif;
    endfor;
    Cache[i] := SharedDirty;
  endrule;

  rule "WriteHitLastSharer"
    Sharing(Cache[i])
    & forall j : NODE do j = i | !Sharing(Cache[j]) endforall
  ==>
    Cache[i] := Dirty;
  endrule;

  rule "Replace"
    Cache[i] != Invalid
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

invariant "ExclusiveAlone"
  forall i : NODE do
    forall j : NODE do
      i != j & Cache[i] = Exclusive -> Cache[j] = Invalid
    endforall
  endforall;

invariant "OneOwner"
  forall i : NODE do
    forall j : NODE do
      i != j & Cache[i] = SharedDirty -> Cache[j] != SharedDirty
    endforall
  endforall;
