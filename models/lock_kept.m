-- paraproof: verdict = proven
-- paraproof: rules = 3
-- paraproof: properties = 2
-- paraproof: states CLIENT_NUM=2 3
-- paraproof: states CLIENT_NUM=3 4
-- paraproof: states CLIENT_NUM=4 5

-- A lock that is never lost.
--
-- The lock is at the server, or some client holds it. A client takes it from
-- the server, passes it on to any client (itself is one), or gives it back. Each
-- of these is one atomic step.
--
-- A made-up example: 'there is a client that holds the lock' is an invariant
-- that no property about two or three named clients implies.

const
  CLIENT_NUM : 3;

type
  CLIENT : scalarset(CLIENT_NUM);

var
  AtServer : boolean;
  Holds    : array [CLIENT] of boolean;

startstate "Init"
  AtServer := true;
  for c : CLIENT do
    Holds[c] := false;
  endfor;
endstartstate;

ruleset c : CLIENT do

  rule "Take"
    AtServer
  ==>
    AtServer := false;
    Holds[c] := true;
  endrule;

  rule "GiveBack"
    Holds[c]
  ==>
    Holds[c] := false;
    AtServer := true;
  endrule;

endruleset;

ruleset c : CLIENT; d : CLIENT do

  rule "Pass"
    Holds[c]
  ==>
    Holds[c] := false;
    Holds[d] := true;
  endrule;

endruleset;

invariant "NeverLost"
  AtServer | exists c : CLIENT do Holds[c] endexists;

invariant "MutualExclusion"
  forall c : CLIENT do
    forall d : CLIENT do
      Holds[c] & Holds[d] -> c = d
    endforall
  endforall;
