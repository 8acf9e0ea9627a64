-- paraproof: verdict = proven
-- paraproof: rules = 5
-- paraproof: properties = 1
-- paraproof: states CLIENT_NUM=2 SERVER_NUM=1 28
-- paraproof: states CLIENT_NUM=2 SERVER_NUM=2 784
-- paraproof: states CLIENT_NUM=3 SERVER_NUM=2 6400

-- Servers that each lend one lock, and clients that ask for it by messages.
--
-- A server that has its lock answers a request with a grant. The client that
-- gets the grant holds the lock until it sends it back. Messages are not lost,
-- but may overtake each other, and a request can be repeated.
--
-- The lock service of J. R. Wilcox, D. Woos, P. Panchekha, Z. Tatlock, X. Wang,
-- M. D. Ernst and T. Anderson, 'Verdi: a framework for implementing and formally
-- verifying distributed systems', PLDI 2015, with any number of servers.

const
  CLIENT_NUM : 2;
  SERVER_NUM : 2;

type
  CLIENT : scalarset(CLIENT_NUM);
  SERVER : scalarset(SERVER_NUM);
  PAIRS  : array [CLIENT] of array [SERVER] of boolean;

var
  Request : PAIRS;                       -- client asks server
  Grant   : PAIRS;                       -- server sends its lock to client
  Unlock  : PAIRS;                       -- client sends the lock back
  Holds   : PAIRS;
  AtHome  : array [SERVER] of boolean;   -- the server has its lock

startstate "Init"
  for s : SERVER do
    AtHome[s] := true;
    for c : CLIENT do
      Request[c][s] := false;
      Grant[c][s] := false;
      Unlock[c][s] := false;
      Holds[c][s] := false;
    endfor;
  endfor;
endstartstate;

ruleset c : CLIENT; s : SERVER do

  rule "SendRequest"
    !Request[c][s]
  ==>
    Request[c][s] := true;
  endrule;

  rule "ReceiveRequest"
    Request[c][s] & AtHome[s]
  ==>
    Request[c][s] := false;
    AtHome[s] := false;
    Grant[c][s] := true;
  endrule;

  rule "ReceiveGrant"
    Grant[c][s]
  ==>
    Grant[c][s] := false;
    Holds[c][s] := true;
  endrule;

  rule "SendUnlock"
    Holds[c][s]
  ==>
    Holds[c][s] := false;
    Unlock[c][s] := true;
  endrule;

  rule "ReceiveUnlock"
    Unlock[c][s]
  ==>
    Unlock[c][s] := false;
    AtHome[s] := true;
  endrule;

endruleset;

invariant "MutualExclusion"
  forall s : SERVER do
    forall c : CLIENT do
      forall d : CLIENT do
        Holds[c][s] & Holds[d][s] -> c = d
      endforall
    endforall
  endforall;
