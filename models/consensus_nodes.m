-- paraproof: verdict = proven
-- paraproof: rules = 6
-- paraproof: properties = 2
-- paraproof: states NODE_NUM=2 QUORUM_NUM=2 VALUE_NUM=2 588
-- paraproof: states NODE_NUM=2 QUORUM_NUM=2 VALUE_NUM=3 700

-- Consensus by the election of a leader among nodes, with messages and quorums.
--
-- Each node is a voter, and may be a candidate. A candidate votes for itself, or asks
-- other nodes for their votes. Each node has one vote. A candidate that has the votes
-- of all members of some quorum is the leader, and decides on one value. Quorums are
-- given from outside: all that is known is that any two have a common member.
--
-- The voting is that of Paxos and Raft in a single term: L. Lamport, 'The part-time
-- parliament', ACM TOCS 16(2), 1998; D. Ongaro and J. Ousterhout, 'In search of an
-- understandable consensus algorithm', USENIX ATC 2014. Without own votes it is known
-- as consensus-epr from J. R. Koenig, O. Padon, N. Immerman and A. Aiken, 'First-order
-- quantified separators', PLDI 2020.

const
  NODE_NUM   : 2;
  QUORUM_NUM : 2;
  VALUE_NUM  : 2;

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
    !Voted[c]
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
