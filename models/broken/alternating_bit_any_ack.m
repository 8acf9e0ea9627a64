-- paraproof: verdict = violated
-- paraproof: rules = 6
-- paraproof: properties = 1
-- paraproof: violates = EachItemOnce

-- Broken twin of alternating_bit.m: the sender takes any acknowledgement for its own.

const
  CAPACITY : 2;

type
  PLACE   : 0..CAPACITY - 1;
  POINTER : 0..CAPACITY;                -- the place after the last one, too
  COUNT   : 0..CAPACITY;

var
  Data     : array [PLACE] of boolean;  -- the bits on their way to the receiver
  DataHead : POINTER;
  DataTail : POINTER;
  Ack      : array [PLACE] of boolean;  -- the bits on their way back
  AckHead  : POINTER;
  AckTail  : POINTER;
  SBit     : boolean;                   -- of the item that is being sent
  RBit     : boolean;                   -- of the item that is expected
  Sent     : COUNT;                     -- items that are acknowledged
  Received : COUNT;

startstate "Init"
  DataHead := 0;
  DataTail := 0;
  AckHead := 0;
  AckTail := 0;
  SBit := false;
  RBit := false;
  Sent := 0;
  Received := 0;
endstartstate;

rule "Send"
  DataTail < CAPACITY
==>
  Data[DataTail] := SBit;
  DataTail := DataTail + 1;
endrule;

rule "Receive"
  DataHead < DataTail & Data[DataHead] = RBit & Received < CAPACITY
==>
  RBit := !RBit;
  Received := Received + 1;
  DataHead := DataHead + 1;
endrule;

-- The channel loses it, or the receiver has it already.
rule "DropData"
  DataHead < DataTail
==>
  DataHead := DataHead + 1;
endrule;

rule "SendAck"
  AckTail < CAPACITY
==>
  Ack[AckTail] := !RBit;
  AckTail := AckTail + 1;
endrule;

rule "ReceiveAck"
  AckHead < AckTail & Sent < CAPACITY
==>
  SBit := !SBit;
  Sent := Sent + 1;
  AckHead := AckHead + 1;
endrule;

rule "DropAck"
  AckHead < AckTail
==>
  AckHead := AckHead + 1;
endrule;

invariant "EachItemOnce"
  Sent <= Received & Received <= Sent + 1;
