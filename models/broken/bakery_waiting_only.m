-- paraproof: verdict = violated
-- paraproof: rules = 3
-- paraproof: properties = 1
-- paraproof: violates = MutualExclusion

-- Broken twin of bakery.m: a new ticket ignores the one of the node that is in
-- the critical section, and so may be the same.

const
  NODE_NUM   : 2;
  MAX_TICKET : 3;

type
  NODE   : 1..NODE_NUM;
  TICKET : 0..MAX_TICKET;
  PHASE  : enum { Idle, Waiting, Critical };

var
  Phase  : array [NODE] of PHASE;
  Ticket : array [NODE] of TICKET;

-- The greatest ticket of those who wait.
function Greatest() : TICKET;
var
  greatest : TICKET;
begin
  greatest := 0;
  for i : NODE do
    if Phase[i] = Waiting & Ticket[i] > greatest then
      greatest := Ticket[i];
    endif;
  endfor;
  return greatest;
endfunction;

startstate "Init"
  for i : NODE do
    Phase[i] := Idle;
    Ticket[i] := 0;
  endfor;
endstartstate;

ruleset i : NODE do

  rule "Draw"
    Phase[i] = Idle & Greatest() < MAX_TICKET
  ==>
    Ticket[i] := Greatest() + 1;
    Phase[i] := Waiting;
  endrule;

  rule "Enter"
    Phase[i] = Waiting
    & forall j : NODE do
        j = i | Ticket[j] = 0 | Ticket[i] < Ticket[j] | (Ticket[i] = Ticket[j] & i < j)
      endforall
  ==>
    Phase[i] := Critical;
  endrule;

  rule "Leave"
    Phase[i] = Critical
  ==>
    Ticket[i] := 0;
    Phase[i] := Idle;
  endrule;

endruleset;

invariant "MutualExclusion"
  forall i : NODE do
    forall j : NODE do
      i != j -> !(Phase[i] = Critical & Phase[j] = Critical)
    endforall
  endforall;
