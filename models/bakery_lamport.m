-- paraproof: verdict = proven
-- paraproof: rules = 8
-- paraproof: properties = 1
-- paraproof: states NODE_NUM=2 MAX_TICKET=3 278
-- paraproof: states NODE_NUM=2 MAX_TICKET=5 506

-- Lamport's bakery algorithm.
--
-- A node that wants to enter announces that it is choosing, reads the tickets of
-- all nodes one after the other, and takes a greater one than all that it has seen.
-- Two nodes may get the same ticket, and then the smaller number goes first. Then
-- it looks at each other node in turn: it waits until that node is not choosing,
-- and then until that node has no ticket or comes later.
--
--   Choose   Choosing := true
--   Read     for all j, in any order: Greatest := max(Greatest, Ticket[j])
--   Take     Ticket := Greatest + 1; Choosing := false
--   Look     for all j, in any order: wait until !Choosing[j],
--            then until Ticket[j] = 0 or (Ticket[i], i) < (Ticket[j], j)
--   Critical
--
-- HasRead[i][j] says that node i has read the ticket of node j, Seen[i][j] that it has
-- seen j not choosing, and Done[i][j] that it need not wait for j any more.
--
-- L. Lamport, 'A new solution of Dijkstra's concurrent programming problem',
-- Communications of the ACM 17(8), 1974.
--
-- What is special: tickets are any numbers, numbers of nodes are compared with `<`.

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
    Choosing[i] := true;
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
