-- paraproof: verdict = violated
-- paraproof: rules = 6
-- paraproof: properties = 2
-- paraproof: violates = OneLeader

-- Broken twin of consensus_nodes.m: a node votes for itself although it has voted for
-- another one.

const
  NODE_NUM   : 2;
  QUORUM_NUM : 1;
  VALUE_NUM  : 1;

type
  NODE   : scalarset(NODE_NUM);
  QUORUM : scalarset(QUORUM_NUM);
  VALUE  : scalarset(VALUE_NUM);

var
  Member  : array [NODE] of array [QUORUM] of boolean;
  Request : array [NODE] of array [NODE] of boolean;   -- from a candidate to a voter
  Voted   : array [NODE] of boolean;
  Answer  : array [NODE] of array [NODE] of boolean;   -- from a voter to its candidate
  Votes   : array [NODE] of array [NODE] of boolean;   -- a candidate's votes that have arrived
  Leader  : array [NODE] of boolean;
  Decided : array [NODE] of array [VALUE] of boolean;

assume "QuorumsIntersect"
  forall p : QUORUM do
    forall q : QUORUM do
      exists n : NODE do Member[n][p] & Member[n][q] endexists
    endforall
  endforall;

startstate "Init"
  for c : NODE do
    Voted[c] := false;
    Leader[c] := false;
    for n : NODE do
      Request[c][n] := false;
      Answer[n][c] := false;
      Votes[c][n] := false;
    endfor;
    for v : VALUE do
      Decided[c][v] := false;
    endfor;
  endfor;
endstartstate;

ruleset c : NODE; n : NODE do

  rule "Ask"
    c != n & !Request[c][n]
  ==>
    Request[c][n] := true;
  endrule;

  rule "Vote"
    Request[c][n] & !Voted[n]
  ==>
    Voted[n] := true;
    Answer[n][c] := true;
  endrule;

  rule "Receive"
    Answer[n][c] & !Votes[c][n]
  ==>
    Votes[c][n] := true;
  endrule;

endruleset;

ruleset c : NODE do
  rule "VoteForItself"
    !Votes[c][c]
  ==>
    Voted[c] := true;
    Votes[c][c] := true;
  endrule;
endruleset;

ruleset c : NODE; q : QUORUM do
  rule "Lead"
    !Leader[c] & forall n : NODE do Member[n][q] -> Votes[c][n] endforall
  ==>
    Leader[c] := true;
  endrule;
endruleset;

ruleset c : NODE; v : VALUE do
  rule "Decide"
    Leader[c] & forall w : VALUE do !Decided[c][w] endforall
  ==>
    Decided[c][v] := true;
  endrule;
endruleset;

invariant "OneLeader"
  forall c : NODE do
    forall d : NODE do
      Leader[c] & Leader[d] -> c = d
    endforall
  endforall;

invariant "Agreement"
  forall c : NODE do
    forall d : NODE do
      forall v : VALUE do
        forall w : VALUE do
          Decided[c][v] & Decided[d][w] -> v = w
        endforall
      endforall
    endforall
  endforall;
