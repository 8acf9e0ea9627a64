-- paraproof: verdict = violated
-- paraproof: rules = 5
-- paraproof: properties = 1
-- paraproof: violates = MutualExclusion

-- Broken twin of multi_lock_server.m: the message that gives a lock back is
-- received again and again.
--
-- The server lends its lock to another client, and takes the old message for the
-- answer of that one.

const
  CLIENT_NUM : 2;
  SERVER_NUM : 1;

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
    AtHome[s] := true;   -- broken: Unlock[c][s] := false;
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
