-- paraproof: verdict = proven
-- paraproof: rules = 3
-- paraproof: properties = 1
-- paraproof: states NODE_NUM=2 9
-- paraproof: states NODE_NUM=3 31
-- paraproof: states NODE_NUM=4 129

-- The ticket lock, with tickets reduced to their order.
--
-- Whoever wants to enter draws the next ticket, and enters when all smaller
-- ones are done. Tickets count up for ever, but nothing depends on more than
-- which of two undone tickets is smaller, so the model keeps just that:
-- Ahead[i][j] means that i and j have tickets and that of i is smaller.
--
-- D. P. Reed and R. K. Kanodia, 'Synchronization with eventcounts and
-- sequencers', Communications of the ACM 22(2), 1979; J. M. Mellor-Crummey and
-- M. L. Scott, 'Algorithms for scalable synchronization on shared-memory
-- multiprocessors', ACM TOCS 9(1), 1991.

const
  NODE_NUM : 3;

type
  NODE  : scalarset(NODE_NUM);
  PHASE : enum { Idle, Waiting, Critical };

var
  Phase : array [NODE] of PHASE;
  Ahead : array [NODE] of array [NODE] of boolean;

startstate "Init"
  for i : NODE do
    Phase[i] := Idle;
    for j : NODE do
      Ahead[i][j] := false;
    endfor;
  endfor;
endstartstate;

ruleset i : NODE do

  rule "Draw"
    Phase[i] = Idle
  ==>
    for j : NODE do
      Ahead[j][i] := Phase[j] != Idle;
    endfor;
    Phase[i] := Waiting;
  endrule;

  rule "Enter"
    Phase[i] = Waiting & forall j : NODE do !Ahead[j][i] endforall
  ==>
    Phase[i] := Critical;
  endrule;

  rule "Leave"
    Phase[i] = Critical
  ==>
    Phase[i] := Idle;
    for j : NODE do
      Ahead[i][j] := false;
    endfor;
  endrule;

endruleset;

invariant "MutualExclusion"
  forall i : NODE do
    forall j : NODE do
      i != j -> !(Phase[i] = Critical & Phase[j] = Critical)
    endforall
  endforall;
