-- paraproof: verdict = proven
-- paraproof: rules = 4
-- paraproof: properties = 2
-- paraproof: states NODE_NUM=2 6
-- paraproof: states NODE_NUM=3 9
-- paraproof: states NODE_NUM=4 12

-- A token that goes around a ring.
--
-- Each node sends to the next one, and the last one to the first. Who has the
-- token may enter; who does not need it any more sends it on.
--
-- G. Le Lann, 'Distributed systems: towards a formal approach', IFIP Congress 1977.
--
-- What is special: the next node is `i + 1`, or 1 after the last one.

const
  NODE_NUM : 3;

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
