-- paraproof: verdict = proven
-- paraproof: rules = 5
-- paraproof: properties = 1
-- paraproof: states NODE_NUM=2 10
-- paraproof: states NODE_NUM=3 23

-- MOESI: snooping caches on an atomic bus, with an owner for dirty shared lines.
--
-- To M, E, S and I of MESI comes O, owned: the line is shared and memory is
-- stale, and this cache has to answer for it. A read miss therefore does not
-- write a modified copy back but turns it into an owned one. Owner and sharers
-- alike must invalidate the rest before they write.
--
-- P. Sweazey and A. J. Smith, 'A class of compatible cache consistency
-- protocols and their support by the IEEE Futurebus', ISCA 1986.

const
  NODE_NUM : 3;

type
  NODE  : scalarset(NODE_NUM);
  STATE : enum { M, O, E, S, I };

var
  a : array [NODE] of STATE;

-- One cache takes the line for itself, all others lose it.
procedure TakeExclusively(i : NODE);
begin
  for j : NODE do
    if j = i then
      a[j] := E;
    else
      a[j] := I;
    endif;
  endfor;
endprocedure;

startstate "Init"
  for i : NODE do
    a[i] := I;
  endfor;
endstartstate;

ruleset i : NODE do

  rule "Write"
    a[i] = E
  ==>
    a[i] := M;
  endrule;

  rule "ReadMiss"
    a[i] = I
  ==>
    for j : NODE do
      switch a[j]
        case E: a[j] := S;
        case M: a[j] := O;
      endswitch;
    endfor;
    a[i] := S;
  endrule;

  rule "UpgradeShared"
    a[i] = S
  ==>
    TakeExclusively(i);
  endrule;

  rule "UpgradeOwned"
    a[i] = O
  ==>
    TakeExclusively(i);
  endrule;

  rule "WriteMiss"
    a[i] = I
  ==>
    TakeExclusively(i);
  endrule;

endruleset;

invariant "OneModified"
  forall i : NODE do
    forall j : NODE do
      i != j & a[i] = M -> a[j] != M
    endforall
  endforall;
