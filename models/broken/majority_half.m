-- paraproof: verdict = violated
-- paraproof: rules = 6
-- paraproof: properties = 1
-- paraproof: violates = OneOutcome

-- Broken twin of majority.m: half of the nodes are enough to accept, too.

const
  NODE_NUM : 2;

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
  2 * InFavour >= NODE_NUM
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
