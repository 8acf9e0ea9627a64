-- paraproof: verdict = proven
-- paraproof: rules = 5
-- paraproof: properties = 2
-- paraproof: states VOTER_NUM=2 QUORUM_NUM=2 CANDIDATE_NUM=2 VALUE_NUM=2 1896
-- paraproof: states VOTER_NUM=2 QUORUM_NUM=2 CANDIDATE_NUM=3 VALUE_NUM=2 14224
-- paraproof: states VOTER_NUM=3 QUORUM_NUM=2 CANDIDATE_NUM=2 VALUE_NUM=2 106032

-- Consensus by the election of a leader, with messages and quorums.
--
-- A candidate asks voters for their votes. Each voter gives its vote to one of those
-- that ask. A candidate that has the votes of all members of some quorum is the
-- leader, and decides on one value. Quorums are given from outside: all that is
-- known is that any two have a common member.
--
-- The voting is that of Paxos and Raft in a single term: L. Lamport, 'The part-time
-- parliament', ACM TOCS 16(2), 1998; D. Ongaro and J. Ousterhout, 'In search of an
-- understandable consensus algorithm', USENIX ATC 2014. With nodes that are voters
-- and candidates at once it is known as consensus-epr from J. R. Koenig, O. Padon,
-- N. Immerman and A. Aiken, 'First-order quantified separators', PLDI 2020.

const
  VOTER_NUM     : 2;
  QUORUM_NUM    : 2;
  CANDIDATE_NUM : 2;
  VALUE_NUM     : 2;

type
  VOTER     : scalarset(VOTER_NUM);
  QUORUM    : scalarset(QUORUM_NUM);
  CANDIDATE : scalarset(CANDIDATE_NUM);
  VALUE     : scalarset(VALUE_NUM);

var
  Member  : array [VOTER] of array [QUORUM] of boolean;
  Request : array [CANDIDATE] of array [VOTER] of boolean;
  Voted   : array [VOTER] of boolean;
  Answer  : array [VOTER] of array [CANDIDATE] of boolean;  -- a vote that was sent
  Votes   : array [CANDIDATE] of array [VOTER] of boolean;  -- a vote that has arrived
  Leader  : array [CANDIDATE] of boolean;
  Decided : array [CANDIDATE] of array [VALUE] of boolean;

assume "QuorumsIntersect"
  forall p : QUORUM do
    forall q : QUORUM do
      exists n : VOTER do Member[n][p] & Member[n][q] endexists
    endforall
  endforall;

startstate "Init"
  for n : VOTER do
    Voted[n] := false;
    for c : CANDIDATE do
      Request[c][n] := false;
      Answer[n][c] := false;
      Votes[c][n] := false;
    endfor;
  endfor;
  for c : CANDIDATE do
    Leader[c] := false;
    for v : VALUE do
      Decided[c][v] := false;
    endfor;
  endfor;
endstartstate;

ruleset c : CANDIDATE; n : VOTER do

  rule "Ask"
    !Request[c][n]
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

ruleset c : CANDIDATE; q : QUORUM do
  rule "Lead"
    !Leader[c] & forall n : VOTER do Member[n][q] -> Votes[c][n] endforall
  ==>
    Leader[c] := true;
  endrule;
endruleset;

ruleset c : CANDIDATE; v : VALUE do
  rule "Decide"
    Leader[c] & forall w : VALUE do !Decided[c][w] endforall
  ==>
    Decided[c][v] := true;
  endrule;
endruleset;

invariant "OneLeader"
  forall c : CANDIDATE do
    forall d : CANDIDATE do
      Leader[c] & Leader[d] -> c = d
    endforall
  endforall;

invariant "Agreement"
  forall c : CANDIDATE do
    forall d : CANDIDATE do
      forall v : VALUE do
        forall w : VALUE do
          Decided[c][v] & Decided[d][w] -> v = w
        endforall
      endforall
    endforall
  endforall;
