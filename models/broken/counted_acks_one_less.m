-- paraproof: verdict = violated
-- paraproof: rules = 7
-- paraproof: properties = 1
-- paraproof: violates = OneWriter

-- Broken twin of counted_acks.m: the directory does not wait for the last
-- acknowledgement.

const
  NODE_NUM : 2;

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
    Waiting[i] & Line[i] = None & Copies <= 1
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
