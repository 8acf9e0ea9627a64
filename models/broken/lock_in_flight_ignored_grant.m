-- paraproof: verdict = violated
-- paraproof: rules = 6
-- paraproof: properties = 1
-- paraproof: violates = NeverLost

-- Broken twin of lock_in_flight.m: a client that has withdrawn ignores the grant.

const
  CLIENT_NUM : 1;

type
  CLIENT : scalarset(CLIENT_NUM);
  SET    : array [CLIENT] of boolean;

var
  AtServer : boolean;
  Wants    : SET;   -- the client has asked and still wants it
  Grant    : SET;   -- the lock is on its way to the client
  Holds    : SET;
  Unlock   : SET;   -- the lock is on its way back

startstate "Init"
  AtServer := true;
  for c : CLIENT do
    Wants[c] := false;
    Grant[c] := false;
    Holds[c] := false;
    Unlock[c] := false;
  endfor;
endstartstate;

ruleset c : CLIENT do

  rule "Ask"
    !Wants[c] & !Holds[c]
  ==>
    Wants[c] := true;
  endrule;

  rule "Withdraw"
    Wants[c]
  ==>
    Wants[c] := false;
  endrule;

  rule "SendGrant"
    AtServer & Wants[c]
  ==>
    AtServer := false;
    Grant[c] := true;
  endrule;

  rule "ReceiveGrant"
    Grant[c]
  ==>
    Grant[c] := false;
    if Wants[c] then
      Wants[c] := false;
      Holds[c] := true;
    endif;   -- broken: else Unlock[c] := true;
  endrule;

  rule "SendUnlock"
    Holds[c]
  ==>
    Holds[c] := false;
    Unlock[c] := true;
  endrule;

  rule "ReceiveUnlock"
    Unlock[c]
  ==>
    Unlock[c] := false;
    AtServer := true;
  endrule;

endruleset;

invariant "NeverLost"
  AtServer | exists c : CLIENT do Grant[c] | Holds[c] | Unlock[c] endexists;
