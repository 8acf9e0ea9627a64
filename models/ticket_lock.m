-- paraproof: verdict = proven
-- paraproof: rules = 3
-- paraproof: properties = 1
-- paraproof: states NODE_NUM=2 MAX_TICKET=4 54
-- paraproof: states NODE_NUM=3 MAX_TICKET=5 344
-- paraproof: states NODE_NUM=4 MAX_TICKET=3 166

-- The ticket lock, with two counters.
--
-- Whoever wants to enter takes the number in Next and adds one to it, in one
-- atomic step, and enters when Serving has reached that number. Who leaves adds
-- one to Serving. ticket.m keeps the order of the tickets instead of numbers.
--
-- D. P. Reed and R. K. Kanodia, 'Synchronization with eventcounts and
-- sequencers', Communications of the ACM 22(2), 1979; J. M. Mellor-Crummey and
-- M. L. Scott, 'Algorithms for scalable synchronization on shared-memory
-- multiprocessors', ACM TOCS 9(1), 1991.
--
-- What is special: tickets are any numbers. They are never given out again, so an
-- instance ends with the last one.

const
  NODE_NUM   : 3;
  MAX_TICKET : 4;

type
  NODE   : scalarset(NODE_NUM);
  TICKET : 0..MAX_TICKET;
  PHASE  : enum { Idle, Waiting, Critical };

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
