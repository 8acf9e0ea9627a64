-- paraproof: verdict = violated
-- paraproof: rules = 2
-- paraproof: properties = 1
-- paraproof: violates = MutualExclusion

-- Broken twin of decentralized_lock.m: a message is received again and again.

const
  NODE_NUM : 2;

type
  NODE : scalarset(NODE_NUM);

var
  Has     : array [NODE] of boolean;
  Message : array [NODE] of array [NODE] of boolean;   -- sender, receiver

ruleset first : NODE do
  startstate "Init"
    for i : NODE do
      Has[i] := i = first;
      for j : NODE do
        Message[i][j] := false;
      endfor;
    endfor;
  endstartstate;
endruleset;

ruleset i : NODE; j : NODE do

  rule "Send"
    Has[i]
  ==>
    Has[i] := false;
    Message[i][j] := true;
  endrule;

  rule "Receive"
    Message[i][j]
  ==>
    Has[j] := true;   -- broken: Message[i][j] := false;
  endrule;

endruleset;

invariant "MutualExclusion"
  forall i : NODE do
    forall j : NODE do
      Has[i] & Has[j] -> i = j
    endforall
  endforall;
