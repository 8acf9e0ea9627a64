-- paraproof: verdict = violated
-- paraproof: rules = 4
-- paraproof: properties = 1
-- paraproof: violates = MutualExclusion

-- Broken twin of ticket_lock.m: a ticket is drawn in two steps, between which
-- another node may take the same one.

const
  NODE_NUM   : 2;
  MAX_TICKET : 3;

type
  NODE   : scalarset(NODE_NUM);
  TICKET : 0..MAX_TICKET;
  PHASE  : enum { Idle, Drawing, Waiting, Critical };

var
  Next    : TICKET;
  Serving : TICKET;
  Phase   : array [NODE] of PHASE;
  Mine    : array [NODE] of TICKET;

startstate "Init"
  Next := 0;
  Serving := 0;
  for i : NODE do
    Phase[i] := Idle;
    Mine[i] := 0;
  endfor;
endstartstate;

ruleset i : NODE do

  rule "Draw"
    Phase[i] = Idle & Next < MAX_TICKET
  ==>
    Mine[i] := Next;
    Phase[i] := Drawing;
  endrule;

  rule "Count"
    Phase[i] = Drawing & Next < MAX_TICKET
  ==>
    Next := Next + 1;
    Phase[i] := Waiting;
  endrule;

  rule "Enter"
    Phase[i] = Waiting & Mine[i] = Serving
  ==>
    Phase[i] := Critical;
  endrule;

  rule "Leave"
    Phase[i] = Critical
  ==>
    Serving := Serving + 1;
    Phase[i] := Idle;
  endrule;

endruleset;

invariant "MutualExclusion"
  forall i : NODE do
    forall j : NODE do
      i != j -> !(Phase[i] = Critical & Phase[j] = Critical)
    endforall
  endforall;
