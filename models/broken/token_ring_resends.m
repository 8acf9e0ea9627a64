-- paraproof: verdict = violated
-- paraproof: rules = 5
-- paraproof: properties = 2
-- paraproof: violates = OneToken

-- Broken twin of token_ring.m: a node that has sent the token on sends it
-- again, because it takes it for lost.

const
  NODE_NUM : 2;

type
  NODE  : 1..NODE_NUM;
  PHASE : enum { Idle, Holding, Critical };

var
  Phase   : array [NODE] of PHASE;
  Message : array [NODE] of boolean;  -- the token is on its way to this node

function Next(i : NODE) : NODE;
begin
  if i = NODE_NUM then
    return 1;
  else
    return i + 1;
  endif;
endfunction;

startstate "Init"
  for i : NODE do
    Phase[i] := Idle;
    Message[i] := i = 1;
  endfor;
endstartstate;

ruleset i : NODE do

  rule "Receive"
    Message[i] & Phase[i] = Idle
  ==>
    Message[i] := false;
    Phase[i] := Holding;
  endrule;

  rule "Enter"
    Phase[i] = Holding
  ==>
    Phase[i] := Critical;
  endrule;

  rule "Leave"
    Phase[i] = Critical
  ==>
    Phase[i] := Holding;
  endrule;

  rule "Send"
    Phase[i] = Holding
  ==>
    Message[Next(i)] := true;
    Phase[i] := Idle;
  endrule;

  rule "Resend"
    Phase[i] = Idle & !Message[i]
  ==>
    Message[Next(i)] := true;
  endrule;

endruleset;

invariant "MutualExclusion"
  forall i : NODE do
    forall j : NODE do
      i != j -> !(Phase[i] = Critical & Phase[j] = Critical)
    endforall
  endforall;

invariant "OneToken"
  forall i : NODE do
    forall j : NODE do
      Message[i] & (Message[j] | Phase[j] != Idle) -> i = j & Phase[i] = Idle
    endforall
  endforall;
