-- paraproof: verdict = violated
-- paraproof: rules = 4
-- paraproof: properties = 2
-- paraproof: violates = ExclusiveAlone

-- Broken twin of berkeley.m: an exclusive owner supplies a reader but goes on
-- believing that it may write without telling the bus.

const
  NODE_NUM : 2;

type
  NODE  : scalarset(NODE_NUM);
  STATE : enum { Invalid, UnOwned, OwnedNonExclusively, OwnedExclusively };

var
  Cache : array [NODE] of STATE;

-- Node i gets the line with the right to write, whoever had it.
procedure Own(i : NODE);
begin
  for j : NODE do
    Cache[j] := Invalid;
  endfor;
  Cache[i] := OwnedExclusively;
endprocedure;

startstate "Init"
  for i : NODE do
    Cache[i] := Invalid;
  endfor;
endstartstate;

ruleset i : NODE do

  rule "ReadMiss"
    Cache[i] = Invalid
  ==>
    Cache[i] := UnOwned;   -- broken: OwnedExclusively elsewhere should change
  endrule;

  rule "WriteHitUnOwned"
    Cache[i] = UnOwned
  ==>
    Own(i);
  endrule;

  rule "WriteHitNonExclusive"
    Cache[i] = OwnedNonExclusively
  ==>
    Own(i);
  endrule;

  rule "WriteMiss"
    Cache[i] = Invalid
  ==>
    Own(i);
  endrule;

endruleset;

invariant "ExclusiveAlone"
  forall i : NODE do
    forall j : NODE do
      i != j & Cache[i] = OwnedExclusively -> Cache[j] = Invalid
    endforall
  endforall;

invariant "OneOwner"
  forall i : NODE do
    forall j : NODE do
      i != j & (Cache[i] = OwnedNonExclusively | Cache[i] = OwnedExclusively) ->
        Cache[j] = Invalid | Cache[j] = UnOwned
    endforall
  endforall;
