-- paraproof: verdict = violated
-- paraproof: rules = 8
-- paraproof: properties = 1
-- paraproof: violates = MutualExclusion

-- Broken twin of bakery_lamport.m: a node does not announce that it is
-- choosing.

const
  NODE_NUM   : 2;
  MAX_TICKET : 3;

type
  NODE   : 1..NODE_NUM;
  TICKET : 0..MAX_TICKET;
  PHASE  : enum { Idle, Read, Take, Look, Critical };

var
  Phase    : array [NODE] of PHASE;
  Choosing : array [NODE] of boolean;
  Ticket   : array [NODE] of TICKET;
  Greatest : array [NODE] of TICKET;
  HasRead  : array [NODE] of array [NODE] of boolean;
  Seen     : array [NODE] of array [NODE] of boolean;
  Done     : array [NODE] of array [NODE] of boolean;

-- Node i has entered.
procedure Reset(i : NODE);
begin
  for j : NODE do
    HasRead[i][j] := false;
    Seen[i][j] := false;
    Done[i][j] := false;
  endfor;
endprocedure;

startstate "Init"
  for i : NODE do
    Phase[i] := Idle;
    Choosing[i] := false;
    Ticket[i] := 0;
    Greatest[i] := 0;
    Reset(i);
  endfor;
endstartstate;

ruleset i : NODE do

  rule "Choose"
    Phase[i] = Idle
  ==>
    Choosing[i] := false;
    Greatest[i] := 0;
    Phase[i] := Read;
  endrule;

  rule "EndOfReading"
    Phase[i] = Read & forall j : NODE do j = i | HasRead[i][j] endforall
  ==>
    Phase[i] := Take;
  endrule;

  rule "Take"
    Phase[i] = Take & Greatest[i] < MAX_TICKET
  ==>
    Ticket[i] := Greatest[i] + 1;
    Choosing[i] := false;
    Phase[i] := Look;
  endrule;

  rule "Enter"
    Phase[i] = Look & forall j : NODE do j = i | Done[i][j] endforall
  ==>
    Phase[i] := Critical;
    Reset(i);
  endrule;

  rule "Leave"
    Phase[i] = Critical
  ==>
    Ticket[i] := 0;
    Phase[i] := Idle;
  endrule;

endruleset;

ruleset i : NODE; j : NODE do

  rule "ReadTicket"
    Phase[i] = Read & i != j & !HasRead[i][j]
  ==>
    if Ticket[j] > Greatest[i] then
      Greatest[i] := Ticket[j];
    endif;
    HasRead[i][j] := true;
  endrule;

  rule "SeeChoosing"
    Phase[i] = Look & i != j & !Seen[i][j] & !Choosing[j]
  ==>
    Seen[i][j] := true;
  endrule;

  rule "SeeTicket"
    Phase[i] = Look & i != j & Seen[i][j] & !Done[i][j]
    & (Ticket[j] = 0 | Ticket[i] < Ticket[j] | (Ticket[i] = Ticket[j] & i < j))
  ==>
    Done[i][j] := true;
  endrule;

endruleset;

invariant "MutualExclusion"
  forall i : NODE do
    forall j : NODE do
      i != j -> !(Phase[i] = Critical & Phase[j] = Critical)
    endforall
  endforall;
