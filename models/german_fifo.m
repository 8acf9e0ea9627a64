-- paraproof: verdict = proven
-- paraproof: rules = 10
-- paraproof: properties = 2
-- paraproof: states NODE_NUM=1 CAPACITY=4 509
-- paraproof: states NODE_NUM=2 CAPACITY=2 2016
-- paraproof: states NODE_NUM=2 CAPACITY=3 21342
-- paraproof: states NODE_NUM=3 CAPACITY=1 507
-- paraproof: states NODE_NUM=3 CAPACITY=2 67410

-- German's protocol over channels that are queues of any capacity, three for each client.
--
-- A client may send requests while earlier ones are on their way, and the home answers
-- while earlier answers have not arrived. Each channel keeps the order of its messages, and
-- the protocol rests on that: an invalidation arrives after all grants before it, and once
-- it is acknowledged, nothing is left in the channel.
--
-- S. German's protocol, with channels as in S. K. Lahiri, R. E. Bryant, 'Indexed predicate
-- discovery for unbounded system verification', CAV 2004.
--
-- What is special: arrays of queues, each with a pointer to the first message and one to
-- the place after the last. An instance ends with the last place; a proof is for any
-- number. All sizes are free at once: those of clients, and of places.

const
  NODE_NUM : 2;
  CAPACITY : 2;

type
  NODE    : scalarset(NODE_NUM);
  PLACE   : 0..CAPACITY - 1;
  POINTER : 0..CAPACITY;                -- the place after the last one, too
  STATE   : enum { Invalid, Shared, Exclusive };
  MESSAGE : enum { Empty, ReqS, ReqE, Inv, InvAck, GntS, GntE };

var
  ExGntd      : boolean;
  CurCmd      : MESSAGE;
  CurClient   : NODE;
  Cache       : array [NODE] of STATE;
  InvSet      : array [NODE] of boolean;                     -- still to be invalidated
  ShrSet      : array [NODE] of boolean;                     -- may have a copy
  Request     : array [NODE] of array [PLACE] of MESSAGE;    -- to the home
  RequestHead : array [NODE] of POINTER;
  RequestTail : array [NODE] of POINTER;
  Answer      : array [NODE] of array [PLACE] of MESSAGE;    -- grants and invalidations
  AnswerHead  : array [NODE] of POINTER;
  AnswerTail  : array [NODE] of POINTER;
  Ack         : array [NODE] of array [PLACE] of MESSAGE;    -- to the home
  AckHead     : array [NODE] of POINTER;
  AckTail     : array [NODE] of POINTER;

ruleset c : NODE do
  startstate "Init"
    ExGntd := false;
    CurCmd := Empty;
    CurClient := c;
    for i : NODE do
      Cache[i] := Invalid;
      InvSet[i] := false;
      ShrSet[i] := false;
      RequestHead[i] := 0;
      RequestTail[i] := 0;
      AnswerHead[i] := 0;
      AnswerTail[i] := 0;
      AckHead[i] := 0;
      AckTail[i] := 0;
      for p : PLACE do
        Request[i][p] := Empty;
        Answer[i][p] := Empty;
        Ack[i][p] := Empty;
      endfor;
    endfor;
  endstartstate;
endruleset;

-- A client asks ...

ruleset n : NODE do

  rule "SendReqS"
    Cache[n] = Invalid & RequestTail[n] < CAPACITY
  ==>
    Request[n][RequestTail[n]] := ReqS;
    RequestTail[n] := RequestTail[n] + 1;
  endrule;

  rule "SendReqE"
    Cache[n] != Exclusive & RequestTail[n] < CAPACITY
  ==>
    Request[n][RequestTail[n]] := ReqE;
    RequestTail[n] := RequestTail[n] + 1;
  endrule;

  -- ... the home takes up the request ...

  rule "RecvReq"
    CurCmd = Empty & RequestHead[n] < RequestTail[n]
  ==>
    CurCmd := Request[n][RequestHead[n]];
    CurClient := n;
    RequestHead[n] := RequestHead[n] + 1;
    for i : NODE do
      InvSet[i] := ShrSet[i];
    endfor;
  endrule;

  -- ... calls copies back where it has to ...

  rule "SendInv"
    InvSet[n] & (CurCmd = ReqE | (CurCmd = ReqS & ExGntd)) & AnswerTail[n] < CAPACITY
  ==>
    InvSet[n] := false;
    Answer[n][AnswerTail[n]] := Inv;
    AnswerTail[n] := AnswerTail[n] + 1;
  endrule;

  rule "SendInvAck"
    AnswerHead[n] < AnswerTail[n] & Answer[n][AnswerHead[n]] = Inv & AckTail[n] < CAPACITY
  ==>
    Cache[n] := Invalid;
    AnswerHead[n] := AnswerHead[n] + 1;
    Ack[n][AckTail[n]] := InvAck;
    AckTail[n] := AckTail[n] + 1;
  endrule;

  rule "RecvInvAck"
    CurCmd != Empty & AckHead[n] < AckTail[n] & Ack[n][AckHead[n]] = InvAck
  ==>
    ExGntd := false;
    ShrSet[n] := false;
    AckHead[n] := AckHead[n] + 1;
  endrule;

  -- ... and grants.

  rule "SendGntS"
    CurCmd = ReqS & CurClient = n & !ExGntd & AnswerTail[n] < CAPACITY
  ==>
    CurCmd := Empty;
    ShrSet[n] := true;
    Answer[n][AnswerTail[n]] := GntS;
    AnswerTail[n] := AnswerTail[n] + 1;
  endrule;

  rule "SendGntE"
    CurCmd = ReqE & CurClient = n & !ExGntd & AnswerTail[n] < CAPACITY
    & forall i : NODE do !ShrSet[i] endforall
  ==>
    CurCmd := Empty;
    ExGntd := true;
    ShrSet[n] := true;
    Answer[n][AnswerTail[n]] := GntE;
    AnswerTail[n] := AnswerTail[n] + 1;
  endrule;

  rule "RecvGntS"
    AnswerHead[n] < AnswerTail[n] & Answer[n][AnswerHead[n]] = GntS
  ==>
    Cache[n] := Shared;
    AnswerHead[n] := AnswerHead[n] + 1;
  endrule;

  rule "RecvGntE"
    AnswerHead[n] < AnswerTail[n] & Answer[n][AnswerHead[n]] = GntE
  ==>
    Cache[n] := Exclusive;
    AnswerHead[n] := AnswerHead[n] + 1;
  endrule;

endruleset;

invariant "CntrlProp"
  forall i : NODE do
    forall j : NODE do
      i != j & Cache[i] = Exclusive -> Cache[j] = Invalid
    endforall
  endforall;

-- The order of messages: an invalidation is the last one in its channel.
invariant "NothingFollowsInv"
  forall n : NODE do
    forall p : PLACE do
      AnswerHead[n] <= p & p < AnswerTail[n] & Answer[n][p] = Inv -> p + 1 = AnswerTail[n]
    endforall
  endforall;
