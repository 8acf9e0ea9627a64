-- paraproof: verdict = violated
-- paraproof: rules = 5
-- paraproof: properties = 1
-- paraproof: violates = ResponsesMatch

-- Broken twin of client_server_db.m: an id is used again while its request is
-- in the database.
--
-- The response to the first client is handed to the second one.

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
    Sent[c][r]   -- broken: and nobody has used i
  ==>
    for d : CLIENT do
      Belongs[i][d] := d = c;
    endfor;
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
