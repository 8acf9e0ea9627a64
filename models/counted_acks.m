-- paraproof: verdict = proven
-- paraproof: rules = 7
-- paraproof: properties = 1
-- paraproof: states NODE_NUM=2 40
-- paraproof: states NODE_NUM=3 209
-- paraproof: states NODE_NUM=4 1056

-- A directory that counts its copies, and with them acknowledgements.
--
-- A line is shared or modified, has been asked for (Asked: an invalidation is on its way),
-- or given up (Acked: the acknowledgement is on its way). The directory counts the lines
-- that it has given out, in Copies. For an exclusive request it asks for all of them. Each
-- acknowledgement takes one from Copies, and the request is granted when none is left: the
-- directory does not look at the set of sharers again.
--
-- After the directory of D. Lenoski et al., 'The directory-based cache coherence
-- protocol for the DASH multiprocessor', ISCA 1990, where the requester counts.
--
-- What is special: a counter that agrees with the number of elements of a set.

const
  NODE_NUM : 3;

type
  NODE  : scalarset(NODE_NUM);
  COUNT : 0..NODE_NUM;
  LINE  : enum { None, Shared, Modified, Asked, Acked };

var
  Line    : array [NODE] of LINE;
  Waiting : array [NODE] of boolean;   -- for an exclusive copy
  Copies  : COUNT;

startstate "Init"
  for i : NODE do
    Line[i] := None;
    Waiting[i] := false;
  endfor;
  Copies := 0;
endstartstate;

ruleset i : NODE do

  rule "GetShared"
    Line[i] = None & forall j : NODE do !Waiting[j] & Line[j] != Modified endforall
  ==>
    Line[i] := Shared;
    Copies := Copies + 1;
  endrule;

  -- A requester with a copy gives it up like all the others.
  rule "GetExclusive"
    Line[i] != Modified & forall j : NODE do !Waiting[j] endforall
  ==>
    Waiting[i] := true;
  endrule;

  rule "AskShared"
    Line[i] = Shared & exists j : NODE do Waiting[j] endexists
  ==>
    Line[i] := Asked;
  endrule;

  rule "AskModified"
    Line[i] = Modified & exists j : NODE do Waiting[j] endexists
  ==>
    Line[i] := Asked;
  endrule;

  rule "Invalidate"
    Line[i] = Asked
  ==>
    Line[i] := Acked;
  endrule;

  rule "ReceiveAck"
    Line[i] = Acked
  ==>
    Line[i] := None;
    Copies := Copies - 1;
  endrule;

  rule "Grant"
    Waiting[i] & Line[i] = None & Copies = 0
  ==>
    Line[i] := Modified;
    Copies := Copies + 1;
    Waiting[i] := false;
  endrule;

endruleset;

invariant "OneWriter"
  forall i : NODE do
    forall j : NODE do
      i != j & Line[i] = Modified
      -> Line[j] != Modified & Line[j] != Shared & Line[j] != Asked
    endforall
  endforall;
