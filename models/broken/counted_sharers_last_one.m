-- paraproof: verdict = violated
-- paraproof: rules = 6
-- paraproof: properties = 1
-- paraproof: violates = OneWriter

-- Broken twin of counted_sharers.m: a writer takes the last sharer for itself.

const
  NODE_NUM : 2;

type
  NODE  : scalarset(NODE_NUM);
  COUNT : 0..NODE_NUM;
  LINE  : enum { None, Shared, Modified };

var
  Line    : array [NODE] of LINE;
  Sharer  : array [NODE] of boolean;   -- what the directory believes
  Sharers : COUNT;
  Waiting : array [NODE] of boolean;   -- for an exclusive copy

startstate "Init"
  for i : NODE do
    Line[i] := None;
    Sharer[i] := false;
    Waiting[i] := false;
  endfor;
  Sharers := 0;
endstartstate;

ruleset i : NODE do

  -- A reader that dropped its copy is known already, and is not counted again.
  rule "Read"
    Line[i] = None & forall j : NODE do !Waiting[j] & Line[j] != Modified endforall
  ==>
    Line[i] := Shared;
    if !Sharer[i] then
      Sharer[i] := true;
      Sharers := Sharers + 1;
    endif;
  endrule;

  rule "Drop"
    Line[i] = Shared
  ==>
    Line[i] := None;
  endrule;

  rule "Write"
    forall j : NODE do !Waiting[j] & Line[j] != Modified endforall
  ==>
    Waiting[i] := true;
  endrule;

  rule "Invalidate"
    Sharer[i] & exists j : NODE do Waiting[j] endexists
  ==>
    Line[i] := None;
    Sharer[i] := false;
    Sharers := Sharers - 1;
  endrule;

  rule "Grant"
    Waiting[i] & Sharers <= 1
  ==>
    Line[i] := Modified;
    Waiting[i] := false;
  endrule;

  rule "WriteBack"
    Line[i] = Modified
  ==>
    Line[i] := None;
  endrule;

endruleset;

invariant "OneWriter"
  forall i : NODE do
    forall j : NODE do
      i != j & Line[i] = Modified -> Line[j] = None
    endforall
  endforall;
