-- paraproof: verdict = violated
-- paraproof: rules = 13
-- paraproof: properties = 2
-- paraproof: violates = CntrlProp

-- Broken twin of german.m: a shared copy is granted while an exclusive one is
-- still out. The guard of SendGntS lacks the test of ExGntd.
--
-- One cache holds the line exclusively, the other asks for a shared copy, and
-- the home answers before it has invalidated the first.

const
  NODE_NUM : 2;
  DATA_NUM : 2;

type
  NODE : 1..NODE_NUM;
  DATA : 1..DATA_NUM;

  CACHE_STATE : enum { I, S, E };
  MSG_CMD     : enum { Empty, ReqS, ReqE, Inv, InvAck, GntS, GntE };

  CACHE : record
    State : CACHE_STATE;
    Data  : DATA;
  end;

  MSG : record
    Cmd  : MSG_CMD;
    Data : DATA;
  end;

var
  -- The caches and their channels.
  Cache : array [NODE] of CACHE;
  Chan1 : array [NODE] of MSG;
  Chan2 : array [NODE] of MSG;
  Chan3 : array [NODE] of MSG;

  -- The home and its memory.
  ShrSet  : array [NODE] of boolean;
  InvSet  : array [NODE] of boolean;
  ExGntd  : boolean;
  CurCmd  : MSG_CMD;
  CurPtr  : NODE;
  MemData : DATA;

  -- Only observed.
  AuxData : DATA;

-- Whatever the memory holds at first, stale data everywhere is the same.
-- CurPtr is undefined until the first request.
ruleset d : DATA do
  startstate "Init"
    for i : NODE do
      Cache[i].State := I;
      Cache[i].Data := d;
      Chan1[i].Cmd := Empty;
      Chan1[i].Data := d;
      Chan2[i].Cmd := Empty;
      Chan2[i].Data := d;
      Chan3[i].Cmd := Empty;
      Chan3[i].Data := d;
      ShrSet[i] := false;
      InvSet[i] := false;
    endfor;
    ExGntd := false;
    CurCmd := Empty;
    MemData := d;
    AuxData := d;
  endstartstate;
endruleset;

------------------------------------------------------------------ the caches

ruleset i : NODE do

  rule "SendReqS"
    Cache[i].State = I & Chan1[i].Cmd = Empty
  ==>
    Chan1[i].Cmd := ReqS;
  endrule;

  rule "SendReqEI"
    Cache[i].State = I & Chan1[i].Cmd = Empty
  ==>
    Chan1[i].Cmd := ReqE;
  endrule;

  rule "SendReqES"
    Cache[i].State = S & Chan1[i].Cmd = Empty
  ==>
    Chan1[i].Cmd := ReqE;
  endrule;

  rule "SendInvAck"
    Chan2[i].Cmd = Inv & Chan3[i].Cmd = Empty
  ==>
    Chan2[i].Cmd := Empty;
    Chan3[i].Cmd := InvAck;
    if Cache[i].State = E then
      Chan3[i].Data := Cache[i].Data;
    endif;
    Cache[i].State := I;
  endrule;

  rule "RecvGntS"
    Chan2[i].Cmd = GntS
  ==>
    Cache[i].State := S;
    Cache[i].Data := Chan2[i].Data;
    Chan2[i].Cmd := Empty;
  endrule;

  rule "RecvGntE"
    Chan2[i].Cmd = GntE
  ==>
    Cache[i].State := E;
    Cache[i].Data := Chan2[i].Data;
    Chan2[i].Cmd := Empty;
  endrule;

endruleset;

ruleset i : NODE; d : DATA do
  rule "Store"
    Cache[i].State = E
  ==>
    Cache[i].Data := d;
    AuxData := d;
  endrule;
endruleset;

-------------------------------------------------------------------- the home

ruleset i : NODE do

  rule "RecvReq"
    CurCmd = Empty & Chan1[i].Cmd != Empty
  ==>
    CurCmd := Chan1[i].Cmd;
    CurPtr := i;
    Chan1[i].Cmd := Empty;
    for j : NODE do
      InvSet[j] := ShrSet[j];
    endfor;
  endrule;

  rule "SendInvE"
    CurCmd = ReqE & InvSet[i] & Chan2[i].Cmd = Empty
  ==>
    Chan2[i].Cmd := Inv;
    InvSet[i] := false;
  endrule;

  rule "SendInvS"
    CurCmd = ReqS & ExGntd & InvSet[i] & Chan2[i].Cmd = Empty
  ==>
    Chan2[i].Cmd := Inv;
    InvSet[i] := false;
  endrule;

  rule "RecvInvAck"
    CurCmd != Empty & Chan3[i].Cmd = InvAck
  ==>
    Chan3[i].Cmd := Empty;
    ShrSet[i] := false;
    if ExGntd then
      ExGntd := false;
      MemData := Chan3[i].Data;
    endif;
  endrule;

  rule "SendGntS"
    -- broken: should wait for !ExGntd
    CurCmd = ReqS & CurPtr = i & Chan2[i].Cmd = Empty
  ==>
    Chan2[i].Cmd := GntS;
    Chan2[i].Data := MemData;
    ShrSet[i] := true;
    CurCmd := Empty;
  endrule;

  rule "SendGntE"
    CurCmd = ReqE & CurPtr = i & !ExGntd & Chan2[i].Cmd = Empty
    & forall j : NODE do !ShrSet[j] endforall
  ==>
    Chan2[i].Cmd := GntE;
    Chan2[i].Data := MemData;
    ShrSet[i] := true;
    ExGntd := true;
    CurCmd := Empty;
  endrule;

endruleset;

-------------------------------------------------------------- the properties

-- An exclusive copy is the only one, and a shared copy has only shared peers.
invariant "CntrlProp"
  forall i : NODE do
    forall j : NODE do
      i != j ->
        (Cache[i].State = E -> Cache[j].State = I)
        & (Cache[i].State = S -> Cache[j].State = I | Cache[j].State = S)
    endforall
  endforall;

-- Every valid copy has the last value stored, and so has the memory unless an
-- exclusive copy is out.
invariant "DataProp"
  (!ExGntd -> MemData = AuxData)
  & forall i : NODE do
      Cache[i].State != I -> Cache[i].Data = AuxData
    endforall;
