-- paraproof: verdict = violated
-- paraproof: rules = 6
-- paraproof: properties = 1
-- paraproof: violates = MutualExclusion

-- Broken twin of ricart_agrawala.m: a node that is using the resource replies
-- at once, because its own request is no longer waiting.

const
  NODE_NUM : 2;

type
  NODE  : scalarset(NODE_NUM);
  PHASE : enum { Idle, Waiting, Using };
  PAIRS : array [NODE] of array [NODE] of boolean;

var
  Phase    : array [NODE] of PHASE;
  Older    : PAIRS;   -- [i][j]: the request of i comes before that of j
  Request  : PAIRS;   -- [i][j]: a request of i is on its way to j
  Deferred : PAIRS;   -- [i][j]: i owes a reply to j
  Reply    : PAIRS;   -- [i][j]: a reply of i is on its way to j
  Granted  : PAIRS;   -- [i][j]: i has the reply of j

startstate "Init"
  for i : NODE do
    Phase[i] := Idle;
    for j : NODE do
      Older[i][j] := false;
      Request[i][j] := false;
      Deferred[i][j] := false;
      Reply[i][j] := false;
      Granted[i][j] := false;
    endfor;
  endfor;
endstartstate;

ruleset i : NODE do

  rule "SendRequests"
    Phase[i] = Idle
  ==>
    Phase[i] := Waiting;
    for j : NODE do
      if j != i then
        Request[i][j] := true;
        Older[j][i] := Phase[j] != Idle;
      endif;
    endfor;
  endrule;

  rule "Enter"
    Phase[i] = Waiting
    & forall j : NODE do j = i | Granted[i][j] endforall
  ==>
    Phase[i] := Using;
    for j : NODE do
      Granted[i][j] := false;
    endfor;
  endrule;

  rule "Leave"
    Phase[i] = Using
  ==>
    Phase[i] := Idle;
    for j : NODE do
      if Deferred[i][j] then
        Deferred[i][j] := false;
        Reply[i][j] := true;
      endif;
      Older[i][j] := false;
    endfor;
  endrule;

endruleset;

-- Messages from node j to node i.
ruleset i : NODE; j : NODE do

  rule "ReplyAtOnce"
    -- broken: not while Using
    Request[j][i] & !(Phase[i] = Waiting & Older[i][j])
  ==>
    Request[j][i] := false;
    Reply[i][j] := true;
  endrule;

  rule "Defer"
    Request[j][i] & Phase[i] = Waiting & Older[i][j]
  ==>
    Request[j][i] := false;
    Deferred[i][j] := true;
  endrule;

  rule "ReceiveReply"
    Reply[j][i]
  ==>
    Reply[j][i] := false;
    Granted[i][j] := true;
  endrule;

endruleset;

invariant "MutualExclusion"
  forall i : NODE do
    forall j : NODE do
      i != j -> !(Phase[i] = Using & Phase[j] = Using)
    endforall
  endforall;
