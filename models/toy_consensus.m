-- paraproof: verdict = proven
-- paraproof: rules = 2
-- paraproof: properties = 1
-- paraproof: states NODE_NUM=2 QUORUM_NUM=2 VALUE_NUM=2 101
-- paraproof: states NODE_NUM=3 QUORUM_NUM=2 VALUE_NUM=2 1493
-- paraproof: states NODE_NUM=4 QUORUM_NUM=2 VALUE_NUM=2 19613

-- Consensus by one vote per node, and quorums.
--
-- Each node votes for one value. A value is chosen when all members of some
-- quorum have voted for it. Quorums are given from outside: all that is known is
-- that any two have a common member.
--
-- The protocol is known as toy-consensus from J. R. Koenig, O. Padon, N. Immerman
-- and A. Aiken, 'First-order quantified separators', PLDI 2020.

const
  NODE_NUM   : 3;
  QUORUM_NUM : 2;
  VALUE_NUM  : 2;

type
  NODE   : scalarset(NODE_NUM);
  QUORUM : scalarset(QUORUM_NUM);
  VALUE  : scalarset(VALUE_NUM);

var
  Member : array [NODE] of array [QUORUM] of boolean;
  Vote   : array [NODE] of array [VALUE] of boolean;
  Chosen : array [VALUE] of boolean;

assume "QuorumsIntersect"
  forall p : QUORUM do
    forall q : QUORUM do
      exists n : NODE do Member[n][p] & Member[n][q] endexists
    endforall
  endforall;

startstate "Init"
  for v : VALUE do
    Chosen[v] := false;
    for n : NODE do
      Vote[n][v] := false;
    endfor;
  endfor;
endstartstate;

ruleset n : NODE; v : VALUE do

  rule "CastVote"
    forall w : VALUE do !Vote[n][w] endforall
  ==>
    Vote[n][v] := true;
  endrule;

endruleset;

ruleset q : QUORUM; v : VALUE do

  rule "Choose"
    forall n : NODE do Member[n][q] -> Vote[n][v] endforall
  ==>
    Chosen[v] := true;
  endrule;

endruleset;

invariant "Agreement"
  forall v : VALUE do
    forall w : VALUE do
      Chosen[v] & Chosen[w] -> v = w
    endforall
  endforall;
