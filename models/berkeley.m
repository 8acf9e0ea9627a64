-- paraproof: verdict = proven
-- paraproof: rules = 4
-- paraproof: properties = 2
-- paraproof: states NODE_NUM=2 8
-- paraproof: states NODE_NUM=3 20
-- paraproof: states NODE_NUM=4 48
-- paraproof: states NODE_NUM=5 112

-- Berkeley: a write-invalidate snooping protocol with ownership.
--
-- The cache that wrote a line last owns it, and supplies it to others without
-- updating memory: it stays the owner, but not exclusively. A copy is Invalid,
-- UnOwned, OwnedNonExclusively or OwnedExclusively; memory is stale while the
-- line is owned.
--
-- R. H. Katz, S. J. Eggers, D. A. Wood, C. L. Perkins and R. G. Sheldon,
-- 'Implementing a cache consistency protocol', ISCA 1985.

const
  NODE_NUM : 3;

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
    Cache[i] := UnOwned;
    for j : NODE do
      if Cache[j] = OwnedExclusively then
        Cache[j] := OwnedNonExclusively;
      endif;
    endfor;
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
