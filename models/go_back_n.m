-- paraproof: verdict = proven
-- paraproof: rules = 6
-- paraproof: properties = 1
-- paraproof: states MAX_SEQ=1 11
-- paraproof: states MAX_SEQ=2 79
-- paraproof: states MAX_SEQ=3 471
-- paraproof: states MAX_SEQ=4 2535

-- Go-back-N: items are sent in order over channels that lose, repeat and reorder messages.
--
-- The sender sends items by their numbers, and sends again what has not been acknowledged:
-- those from Base to Next. The receiver takes only the item that it expects. An
-- acknowledgement with a number says that all items before that number have come. The
-- channels hold any number of messages: Message[n] says that there is one with number n,
-- Ack[n] likewise. A message that is received may stay. Data is left out.
--
-- N. V. Stenning, 'A data transfer protocol', Computer Networks 1(2), 1976; A. S.
-- Tanenbaum, 'Computer Networks', 1981, as protocol 5.
--
-- What is special: sequence numbers are any numbers, indices of arrays as well as values
-- to which one is added. An instance ends with the last one.

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
    Message[n] & n = Expected & n < MAX_SEQ
  ==>
    Expected := n + 1;
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
