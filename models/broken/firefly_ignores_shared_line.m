-- paraproof: verdict = violated
-- paraproof: rules = 10
-- paraproof: properties = 2
-- paraproof: violates = ValidExclusiveAlone

-- Broken twin of firefly.m: after writing a shared line through to memory a
-- cache assumes without looking at SharedLine that it is the last sharer.

const
  NODE_NUM : 2;

type
  NODE  : scalarset(NODE_NUM);
  STATE : enum { Invalid, ValidExclusive, Shared, Dirty };

var
  Cache : array [NODE] of STATE;

-- Every copy of the line becomes a shared one. A dirty copy is written back.
procedure ShareAll();
begin
  for j : NODE do
    if Cache[j] != Invalid then
      Cache[j] := Shared;
    endif;
  endfor;
endprocedure;

startstate "Init"
  for i : NODE do
    Cache[i] := Invalid;
  endfor;
endstartstate;

ruleset i : NODE do

  rule "ReadMissMemory"
    forall j : NODE do Cache[j] = Invalid endforall
  ==>
    Cache[i] := ValidExclusive;
  endrule;

  rule "ReadMissSupplied"
    Cache[i] = Invalid & exists j : NODE do Cache[j] != Invalid endexists
  ==>
    ShareAll();
    Cache[i] := Shared;
  endrule;

  rule "WriteHitExclusive"
    Cache[i] = ValidExclusive
  ==>
    Cache[i] := Dirty;
  endrule;

  -- Memory and the other copies get the new value.
  rule "WriteHitShared"
    Cache[i] = Shared
    & exists j : NODE do j != i & Cache[j] = Shared endexists
  ==>
    ShareAll();
  endrule;

  -- Memory gets the new value, and nobody else asks for it.
  rule "WriteHitLastSharer"
    Cache[i] = Shared   -- broken: and all others Invalid
  ==>
    Cache[i] := ValidExclusive;
  endrule;

  rule "WriteMissMemory"
    forall j : NODE do Cache[j] = Invalid endforall
  ==>
    Cache[i] := Dirty;
  endrule;

  rule "WriteMissSupplied"
    Cache[i] = Invalid & exists j : NODE do Cache[j] != Invalid endexists
  ==>
    ShareAll();
    Cache[i] := Shared;
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

  rule "ReplaceDirty"
    Cache[i] = Dirty
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
