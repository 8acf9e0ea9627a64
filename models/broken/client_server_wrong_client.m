-- paraproof: verdict = violated
-- paraproof: rules = 3
-- paraproof: properties = 1
-- paraproof: violates = ResponsesMatch

-- Broken twin of client_server.m: a response is sent to any client.

const
  CLIENT_NUM   : 2;
  REQUEST_NUM  : 1;
  RESPONSE_NUM : 1;

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

ruleset c : CLIENT; d : CLIENT; r : REQUEST; p : RESPONSE do

  rule "Respond"
    Sent[c][r] & Match[r][p]
  ==>
    Answered[d][p] := true;   -- broken: Answered[c][p]
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
