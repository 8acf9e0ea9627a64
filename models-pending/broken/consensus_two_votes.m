-- paraproof: verdict = violated
-- paraproof: rules = 5
-- paraproof: properties = 2
-- paraproof: violates = OneLeader

-- Broken twin of consensus.m: a node forgets that it has voted.

const
  NODE_NUM   : 2;
  QUORUM_NUM : 1;
  VALUE_NUM  : 2;

type
  NODE   : scalarset(NODE_NUM);
  QUORUM : scalarset(QUORUM_NUM);
  VALUE  : scalarset(VALUE_NUM);
  PAIRS  : array [NODE] of array [NODE] of boolean;

var
  Member  : array [NODE] of array [QUORUM] of boolean;
  Ask     : PAIRS;   -- [i][j]: i asks j for its vote
  Voted   : array [NODE] of boolean;
  Ballot  : PAIRS;   -- [i][j]: j sends its vote to i
  Votes   : PAIRS;   -- [i][j]: i has the vote of j
  Leader  : array [NODE] of boolean;
  Decided : array [NODE] of array [VALUE] of boolean;

assume "QuorumsIntersect"
  forall p : QUORUM do
    forall q : QUORUM do
      exists n : NODE do Member[n][p] & Member[n][q] endexists
    endforall
  endforall;

startstate "Init"
  for i : NODE do
    Voted[i] := false;
    Leader[i] := false;
    for j : NODE do
      Ask[i][j] := false;
      Ballot[i][j] := false;
      Votes[i][j] := false;
    endfor;
    for v : VALUE do
      Decided[i][v] := false;
    endfor;
  endfor;
endstartstate;

ruleset i : NODE; j : NODE do

  rule "AskForVote"
    true
  ==>
    Ask[i][j] := true;
  endrule;

  rule "SendVote"
    Ask[i][j] & !Voted[j]   -- broken: it is not set
  ==>
    Ballot[i][j] := true;
  endrule;

  rule "ReceiveVote"
    Ballot[i][j]
  ==>
    Votes[i][j] := true;
  endrule;

endruleset;

ruleset i : NODE; q : QUORUM do

  rule "BecomeLeader"
    forall j : NODE do Member[j][q] -> Votes[i][j] endforall
  ==>
    Leader[i] := true;
  endrule;

endruleset;

ruleset i : NODE; v : VALUE do

  rule "Decide"
    Leader[i] & forall w : VALUE do !Decided[i][w] endforall
  ==>
    Decided[i][v] := true;
  endrule;

endruleset;

invariant "OneLeader"
  forall i : NODE do
    forall j : NODE do
      Leader[i] & Leader[j] -> i = j
    endforall
  endforall;

invariant "Agreement"
  forall i : NODE do
    forall j : NODE do
      forall v : VALUE do
        forall w : VALUE do
          Decided[i][v] & Decided[j][w] -> v = w
        endforall
      endforall
    endforall
  endforall;
