-- What a quorum votes for is chosen, and any two quorums have a common member.

type
  NODE   : scalarset(2);
  QUORUM : scalarset(2);
  VALUE  : scalarset(2);

var
  Member : array [NODE] of array [QUORUM] of boolean;
  Vote   : array [NODE] of array [VALUE] of boolean;
  Chosen : array [VALUE] of boolean;

assume "QuorumsIntersect"
  forall p : QUORUM do forall q : QUORUM do
    exists n : NODE do Member[n][p] & Member[n][q] endexists
  endforall endforall;

startstate "Init"
  for v : VALUE do
    Chosen[v] := false;
    for n : NODE do Vote[n][v] := false; endfor;
  endfor;
endstartstate;

ruleset n : NODE; v : VALUE do
  rule "CastVote" forall w : VALUE do !Vote[n][w] endforall ==> Vote[n][v] := true; endrule;
endruleset;

ruleset q : QUORUM; v : VALUE do
  rule "Choose" forall n : NODE do Member[n][q] -> Vote[n][v] endforall ==> Chosen[v] := true; endrule;
endruleset;

invariant "Agreement"
  forall v : VALUE do forall w : VALUE do Chosen[v] & Chosen[w] -> v = w endforall endforall;
