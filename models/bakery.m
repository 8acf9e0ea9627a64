-- paraproof: verdict = proven
-- paraproof: rules = 3
-- paraproof: properties = 1
-- paraproof: states NODE_NUM=2 MAX_TICKET=4 29
-- paraproof: states NODE_NUM=3 MAX_TICKET=5 115
-- paraproof: states NODE_NUM=4 MAX_TICKET=3 121

-- The bakery algorithm, with tickets drawn in one step.
--
-- A node that wants to enter draws a ticket: a number greater than all tickets
-- that are out. It enters when its ticket is the smallest, and 0 stands for no
-- ticket. Of two nodes with the same ticket the one with the smaller number goes
-- first; since a ticket is drawn in one atomic step here, no two are the same.
-- In bakery_lamport.m the other tickets are read one after the other.
--
-- L. Lamport, 'A new solution of Dijkstra's concurrent programming problem',
-- Communications of the ACM 17(8), 1974; with an atomic draw in S. K. Lahiri and
-- R. E. Bryant, 'Indexed predicate discovery for unbounded system verification',
-- CAV 2004.
--
-- What is special: a maximum over all tickets, which may be any numbers, and
-- numbers of nodes that are compared with `<`. Without a free ticket the rule
-- Draw waits.

const
  NODE_NUM   : 3;
  MAX_TICKET : 4;

type
  NODE   : 1..NODE_NUM;
  TICKET : 0..MAX_TICKET;
  PHASE  : enum { Idle, Waiting, Critical };

var
  Phase  : array [NODE] of PHASE;
  Ticket : array [NODE] of TICKET;

-- The greatest ticket that is out.
function Greatest() : TICKET;
var
  greatest : TICKET;
begin
  greatest := 0;
  for i : NODE do
    if Ticket[i] > greatest then
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
