-- paraproof: verdict = violated
-- paraproof: rules = 6
-- paraproof: properties = 1
-- paraproof: violates = AcknowledgedIsReceived

-- Broken twin of go_back_n.m: the receiver acknowledges what has come, whether
-- it is what it expects or not.

const
  MAX_SEQ : 3;

type
  SEQ : 0..MAX_SEQ;              -- the last number is not sent

var
  Base     : SEQ;                      -- the sender
  Next     : SEQ;
  Message  : array [SEQ] of boolean;   -- the channels
  Ack      : array [SEQ] of boolean;
  Expected : SEQ;                      -- the receiver

startstate "Init"
  for n : SEQ do
    Message[n] := false;
    Ack[n] := false;
  endfor;
  Base := 0;
  Next := 0;
  Expected := 0;
endstartstate;

rule "Send"
  Next < MAX_SEQ
==>
  Message[Next] := true;
  Next := Next + 1;
endrule;

ruleset n : SEQ do

  rule "SendAgain"
    Base <= n & n < Next
  ==>
    Message[n] := true;
  endrule;

  rule "Receive"
    Message[n] & n < MAX_SEQ
  ==>
    if n = Expected then
      Expected := n + 1;
    endif;
    Ack[n + 1] := true;
  endrule;

  rule "ReceiveAck"
    Ack[n] & n > Base
  ==>
    Base := n;
  endrule;

  rule "LoseMessage"
    Message[n]
  ==>
    Message[n] := false;
  endrule;

  rule "LoseAck"
    Ack[n]
  ==>
    Ack[n] := false;
  endrule;

endruleset;

invariant "AcknowledgedIsReceived"
  Base <= Expected & Expected <= Next;
