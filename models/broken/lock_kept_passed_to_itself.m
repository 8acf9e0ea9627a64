-- paraproof: verdict = violated
-- paraproof: rules = 3
-- paraproof: properties = 2
-- paraproof: violates = NeverLost

-- Broken twin of lock_kept.m: who passes the lock to itself loses it.

const
  CLIENT_NUM : 1;

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
    Holds[d] := true;
    Holds[c] := false;   -- broken: the other way round
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
