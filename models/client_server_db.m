-- paraproof: verdict = proven
-- paraproof: rules = 5
-- paraproof: properties = 1
-- paraproof: states CLIENT_NUM=2 ID_NUM=1 REQUEST_NUM=2 RESPONSE_NUM=2 2448
-- paraproof: states CLIENT_NUM=2 ID_NUM=2 REQUEST_NUM=1 RESPONSE_NUM=2 1260

-- A server that asks a database on behalf of its clients.
--
-- The server forwards a request under an id that has not been used, and notes
-- whose it is. The database answers under the same id, and the server hands the
-- response to the client that belongs to the id. As in client_server.m, Match is
-- given from outside.
--
-- The protocol is known as client-server-db-ae from J. R. Koenig, O. Padon, N.
-- Immerman and A. Aiken, 'First-order quantified separators', PLDI 2020.

const
  CLIENT_NUM   : 2;
  ID_NUM       : 1;
  REQUEST_NUM  : 2;
  RESPONSE_NUM : 2;

type
  CLIENT   : scalarset(CLIENT_NUM);
  ID       : scalarset(ID_NUM);
  REQUEST  : scalarset(REQUEST_NUM);
  RESPONSE : scalarset(RESPONSE_NUM);

var
  Match    : array [REQUEST] of array [RESPONSE] of boolean;
  Sent     : array [CLIENT] of array [REQUEST] of boolean;
  Query    : array [ID] of array [REQUEST] of boolean;    -- to the database
  Result   : array [ID] of array [RESPONSE] of boolean;   -- from the database
  Belongs  : array [ID] of array [CLIENT] of boolean;
  Answered : array [CLIENT] of array [RESPONSE] of boolean;
  Received : array [CLIENT] of array [RESPONSE] of boolean;

-- The database knows a response to each request.
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
  for i : ID do
    for r : REQUEST do
      Query[i][r] := false;
    endfor;
    for p : RESPONSE do
      Result[i][p] := false;
    endfor;
    for c : CLIENT do
      Belongs[i][c] := false;
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

ruleset c : CLIENT; r : REQUEST; i : ID do

  rule "Forward"
    Sent[c][r] & forall d : CLIENT do !Belongs[i][d] endforall
  ==>
    Belongs[i][c] := true;
    Query[i][r] := true;
  endrule;

endruleset;

ruleset i : ID; r : REQUEST; p : RESPONSE do

  rule "LookUp"
    Query[i][r] & Match[r][p]
  ==>
    Result[i][p] := true;
  endrule;

endruleset;

ruleset c : CLIENT; i : ID; p : RESPONSE do

  rule "Respond"
    Result[i][p] & Belongs[i][c]
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
