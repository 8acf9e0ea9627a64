-- paraproof: verdict = proven
-- paraproof: rules = 6
-- paraproof: properties = 1
-- paraproof: states CAPACITY=2 105
-- paraproof: states CAPACITY=3 538
-- paraproof: states CAPACITY=4 2361

-- Alternating bit: items are sent one after the other over channels that lose messages.
--
-- The sender sends the bit of its item again and again, until the acknowledgement with
-- that bit comes; then it takes the next item, with the other bit. The receiver takes what
-- has the bit that it expects, and drops the rest; it acknowledges what it took last, again
-- and again. Both channels keep the order of what they do not lose. Data is left out.
--
-- K. A. Bartlett, R. A. Scantlebury, P. T. Wilkinson, 'A note on reliable full-duplex
-- transmission over half-duplex links', CACM 12(5), 1969.
--
-- What is special: queues, as arrays with a pointer to the first message and one to the
-- place after the last. An instance ends with the last place; a proof is for any number.

const
  CAPACITY : 3;

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
  AckHead < AckTail & Ack[AckHead] = SBit & Sent < CAPACITY
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
