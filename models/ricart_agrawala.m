-- paraproof: verdict = proven
-- paraproof: rules = 6
-- paraproof: properties = 1
-- paraproof: states NODE_NUM=2 25
-- paraproof: states NODE_NUM=3 1831

-- Ricart and Agrawala's distributed mutual exclusion.
--
-- Nodes share nothing but messages. Who wants to enter sends a request with a
-- timestamp to all others, and enters when all have replied. A node replies at
-- once, unless it is using the resource, or wants to and has the older request;
-- then it defers the reply until it leaves. Messages between two nodes may
-- overtake each other: requests and replies in flight are kept apart.
--
-- Timestamps grow without bound, but only their order matters, and only between
-- requests that are not done. So the model keeps that order: Older[i][j] means
-- that both have a request and that of i has the smaller timestamp. They are
-- taken from one global clock, so a new request is younger than all others.
--
-- G. Ricart and A. K. Agrawala, 'An optimal algorithm for mutual exclusion in
-- computer networks', Communications of the ACM 24(1), 1981.

const
  NODE_NUM : 3;

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
    Request[j][i] & (Phase[i] = Idle | (Phase[i] = Waiting & !Older[i][j]))
  ==>
    Request[j][i] := false;
    Reply[i][j] := true;
  endrule;

  rule "Defer"
    Request[j][i] & (Phase[i] = Using | (Phase[i] = Waiting & Older[i][j]))
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
