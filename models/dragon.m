-- paraproof: verdict = proven
-- paraproof: rules = 8
-- paraproof: properties = 3
-- paraproof: states NODE_NUM=2 12
-- paraproof: states NODE_NUM=3 26
-- paraproof: states NODE_NUM=4 56
-- paraproof: states NODE_NUM=5 122

-- Dragon: a snooping update protocol with ownership.
--
-- As in Firefly a write updates all other copies, but memory is not told. The
-- last writer of a shared line is its owner, SharedDirty, and supplies it; the
-- other sharers are SharedClean. A line held alone is Exclusive (memory agrees)
-- or Dirty. Replacement of a copy, with write-back by an owner, can leave a
-- sharer alone, which it learns on its next write.
--
-- E. M. McCreight, 'The Dragon computer system: an early overview', Xerox PARC,
-- 1984; described by J. Archibald and J.-L. Baer, ACM TOCS 4(4), 1986; as a
-- parameterized system: G. Delzanno, CAV 2000.

const
  NODE_NUM : 3;

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
      if Cache[j] != Invalid then
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
