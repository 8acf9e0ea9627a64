-- paraproof: verdict = violated
-- paraproof: rules = 2
-- paraproof: properties = 1
-- paraproof: violates = OneClient

-- Broken twin of lock_server.m: a client connects although another one is connected.

const
  CLIENT_NUM : 2;
  SERVER_NUM : 1;

type
  CLIENT : scalarset(CLIENT_NUM);
  SERVER : scalarset(SERVER_NUM);

var
  Linked : array [CLIENT] of array [SERVER] of boolean;
  Free   : array [SERVER] of boolean;

startstate "Init"
  for s : SERVER do
    Free[s] := true;
    for c : CLIENT do
      Linked[c][s] := false;
    endfor;
  endfor;
endstartstate;

ruleset c : CLIENT; s : SERVER do

  rule "Connect"
    !Linked[c][s]   -- broken: Free[s]
  ==>
    Linked[c][s] := true;
    Free[s] := false;
  endrule;

  rule "Disconnect"
    Linked[c][s]
  ==>
    Linked[c][s] := false;
    Free[s] := true;
  endrule;

endruleset;

invariant "OneClient"
  forall s : SERVER do
    forall c : CLIENT do
      forall d : CLIENT do
        Linked[c][s] & Linked[d][s] -> c = d
      endforall
    endforall
  endforall;
