-- paraproof: verdict = proven
-- paraproof: rules = 2
-- paraproof: properties = 1
-- paraproof: states CLIENT_NUM=2 SERVER_NUM=2 9
-- paraproof: states CLIENT_NUM=3 SERVER_NUM=2 16
-- paraproof: states CLIENT_NUM=4 SERVER_NUM=3 125

-- Any number of servers, each of which serves one client at a time.
--
-- A client connects to a server that is free, in one atomic step, and may be
-- connected to several servers. It disconnects when it likes.
--
-- A common example, after those of Ivy: O. Padon, K. L. McMillan, A. Panda, M. Sagiv
-- and S. Shoham, 'Ivy: safety verification by interactive generalization', PLDI
-- 2016. As `lock server` it is in the evaluation of H. Ma et al., 'I4: incremental
-- inference of inductive invariants for verification of distributed protocols',
-- SOSP 2019.

const
  CLIENT_NUM : 3;
  SERVER_NUM : 2;

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
    Free[s]
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
