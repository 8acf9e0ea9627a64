-- paraproof: verdict = proven
-- paraproof: rules = 6
-- paraproof: properties = 1
-- paraproof: states CLIENT_NUM=2 24
-- paraproof: states CLIENT_NUM=3 68
-- paraproof: states CLIENT_NUM=4 176

-- A lock that is never lost although it travels in messages, and although a
-- client may have lost its interest when it arrives.
--
-- The server grants the lock to a client that has asked for it. A client that
-- has withdrawn in the meantime sends the lock back at once. So the lock is at
-- the server, or a client holds it, or it is on its way from or to a client.
--
-- The same lock service as in multi_lock_server.m, with one server; the
-- withdrawal was added for this model.

const
  CLIENT_NUM : 3;

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
    else
      Unlock[c] := true;
    endif;
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
