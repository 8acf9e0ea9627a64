-- paraproof: verdict = proven
-- paraproof: rules = 3
-- paraproof: properties = 1
-- paraproof: states CLIENT_NUM=2 REQUEST_NUM=2 RESPONSE_NUM=2 3432
-- paraproof: states CLIENT_NUM=3 REQUEST_NUM=2 RESPONSE_NUM=2 74736

-- A server that answers requests of any number of clients.
--
-- Which responses match a request is given from outside: Match is a relation
-- that is not written by any rule and is not set in the start state. A client
-- that receives a response has sent a request that it matches.
--
-- The property has 'there is' below 'for all'. The protocol is known as
-- client-server-ae from J. R. Koenig, O. Padon, N. Immerman and A. Aiken,
-- 'First-order quantified separators', PLDI 2020.

const
  CLIENT_NUM   : 2;
  REQUEST_NUM  : 2;
  RESPONSE_NUM : 2;

type
  CLIENT   : scalarset(CLIENT_NUM);
  REQUEST  : scalarset(REQUEST_NUM);
  RESPONSE : scalarset(RESPONSE_NUM);

var
  Match    : array [REQUEST] of array [RESPONSE] of boolean;
  Sent     : array [CLIENT] of array [REQUEST] of boolean;
  Answered : array [CLIENT] of array [RESPONSE] of boolean;   -- by the server
  Received : array [CLIENT] of array [RESPONSE] of boolean;

-- The server knows a response to each request.
assume "Answerable"
  forall r : REQUEST do exists p : RESPONSE do Match[r][p] endexists endforall;

startstate "Init"
  for c : CLIENT do
    for r : REQUEST do
      Sent[c][r] := false;
    endfor;
    for p : RESPONSE do
      Answered[c][p] := false;
      Received[c][p] := false;
    endfor;
  endfor;
endstartstate;

ruleset c : CLIENT; r : REQUEST do

  rule "Request"
    true
  ==>
    Sent[c][r] := true;
  endrule;

endruleset;

ruleset c : CLIENT; r : REQUEST; p : RESPONSE do

  rule "Respond"
    Sent[c][r] & Match[r][p]
  ==>
    Answered[c][p] := true;
  endrule;

endruleset;

ruleset c : CLIENT; p : RESPONSE do

  rule "Receive"
    Answered[c][p]
  ==>
    Received[c][p] := true;
  endrule;

endruleset;

invariant "ResponsesMatch"
  forall c : CLIENT do
    forall p : RESPONSE do
      Received[c][p] ->
        exists r : REQUEST do Sent[c][r] & Match[r][p] endexists
    endforall
  endforall;
