-- paraproof: verdict = violated
-- paraproof: rules = 3
-- paraproof: properties = 2
-- paraproof: violates = TheGreatestLeads

-- Broken twin of chang_roberts.m: a node passes on all identifiers of others, also those
-- that are smaller than its own.

const
  NODE_NUM : 2;
  MAX_ID   : 2;

type
  NODE : 1..NODE_NUM;
  ID   : 1..MAX_ID;

var
  Id      : array [NODE] of ID;
  Message : array [NODE] of array [NODE] of boolean;  -- Message[i][j]: that of j is on its way to i
  Leader  : array [NODE] of boolean;

assume "IdentifiersDiffer"
  forall i : NODE do
    forall j : NODE do
      i != j -> Id[i] != Id[j]
    endforall
  endforall;

function Next(i : NODE) : NODE;
begin
  if i = NODE_NUM then
    return 1;
  else
    return i + 1;
  endif;
endfunction;

startstate "Init"
  for i : NODE do
    Leader[i] := false;
    for j : NODE do
      Message[i][j] := false;
    endfor;
  endfor;
endstartstate;

ruleset i : NODE do
  rule "Start"
    !Message[Next(i)][i]
  ==>
    Message[Next(i)][i] := true;
  endrule;
endruleset;

ruleset i : NODE; j : NODE do

  rule "PassOn"
    Message[i][j] & i != j
  ==>
    Message[i][j] := false;
    Message[Next(i)][j] := true;
  endrule;

endruleset;

ruleset i : NODE do
  rule "Lead"
    Message[i][i]
  ==>
    Message[i][i] := false;
    Leader[i] := true;
  endrule;
endruleset;

invariant "OneLeader"
  forall i : NODE do
    forall j : NODE do
      i != j -> !(Leader[i] & Leader[j])
    endforall
  endforall;

invariant "TheGreatestLeads"
  forall i : NODE do
    forall j : NODE do
      Leader[i] -> Id[j] <= Id[i]
    endforall
  endforall;
