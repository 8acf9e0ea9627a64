-- paraproof: verdict = violated
-- paraproof: rules = 2
-- paraproof: properties = 1
-- paraproof: violates = Agreement

-- Broken twin of toy_consensus.m: a node votes for several values.

const
  NODE_NUM   : 1;
  QUORUM_NUM : 1;
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
    !Vote[n][v]   -- broken: for all values
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
