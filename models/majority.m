-- paraproof: verdict = proven
-- paraproof: rules = 6
-- paraproof: properties = 2
-- paraproof: states NODE_NUM=2 35
-- paraproof: states NODE_NUM=3 151
-- paraproof: states NODE_NUM=4 755

-- A vote that the majority decides.
--
-- Each node votes once, for or against, and sends its vote. A teller counts the votes that
-- arrive, in any order. As soon as more than half of all nodes are known to be in favour,
-- the motion is accepted; as soon as at least half are known to be against it, it is
-- rejected. The teller does not look at the votes again, and does not wait for the rest.
--
-- R. H. Thomas, 'A majority consensus approach to concurrency control for multiple copy
-- databases', ACM Transactions on Database Systems 4(2), 1979.
--
-- What is special: two majorities have a node in common, and half of the number of nodes.

const
  NODE_NUM : 3;

type
  NODE   : scalarset(NODE_NUM);
  COUNT  : 0..NODE_NUM;
  BALLOT : enum { Open, SentFor, SentAgainst, CountedFor, CountedAgainst };

var
  Ballot   : array [NODE] of BALLOT;
  InFavour : COUNT;                    -- the teller
  Against  : COUNT;
  Accepted : boolean;
  Rejected : boolean;

startstate "Init"
  for i : NODE do
    Ballot[i] := Open;
  endfor;
  InFavour := 0;
  Against := 0;
  Accepted := false;
  Rejected := false;
endstartstate;

ruleset i : NODE do

  rule "VoteFor"
    Ballot[i] = Open
  ==>
    Ballot[i] := SentFor;
  endrule;

  rule "VoteAgainst"
    Ballot[i] = Open
  ==>
    Ballot[i] := SentAgainst;
  endrule;

  rule "CountFor"
    Ballot[i] = SentFor
  ==>
    Ballot[i] := CountedFor;
    InFavour := InFavour + 1;
  endrule;

  rule "CountAgainst"
    Ballot[i] = SentAgainst
  ==>
    Ballot[i] := CountedAgainst;
    Against := Against + 1;
  endrule;

endruleset;

rule "Accept"
  2 * InFavour > NODE_NUM
==>
  Accepted := true;
endrule;

rule "Reject"
  2 * Against >= NODE_NUM
==>
  Rejected := true;
endrule;

invariant "OneOutcome"
  !(Accepted & Rejected);

invariant "NotBothMost"
  2 * InFavour > NODE_NUM -> 2 * Against < NODE_NUM;
