-- paraproof: verdict = violated
-- paraproof: rules = 12
-- paraproof: properties = 2
-- paraproof: violates = DataProp

-- Broken twin of german_ctc.m: the home takes back an exclusive copy but
-- forgets to write its data to memory. Control is still right; only DataProp
-- fails.
--
-- One cache stores, is invalidated, and memory keeps the old value.

const
  NODE_NUM : 2;
  DATA_NUM : 2;

type
  NODE : scalarset(NODE_NUM);
  DATA : scalarset(DATA_NUM);

  CACHE_STATE : enum { I, S, E };
  CACHE : record
    State : CACHE_STATE;
    Data : DATA;
  end;

  MSG_CMD : enum { Empty, ReqS, ReqE, Inv, InvAck, GntS, GntE };
  MSG : record
    Cmd : MSG_CMD;
    Data : DATA;
  end;

var
  Cache   : array [NODE] of CACHE;
  Chan1   : array [NODE] of MSG;      -- cache to home: ReqS, ReqE
  Chan2   : array [NODE] of MSG;      -- home to cache: GntS, GntE, Inv
  Chan3   : array [NODE] of MSG;      -- cache to home: InvAck
  InvSet  : array [NODE] of boolean;
  ShrSet  : array [NODE] of boolean;
  ExGntd  : boolean;
  CurCmd  : MSG_CMD;
  CurPtr  : NODE;                     -- defined while CurCmd is a request
  MemData : DATA;
  AuxData : DATA;                     -- ghost

-- A request becomes the current one.
procedure Accept(i : NODE; Cmd : MSG_CMD);
begin
  CurCmd := Cmd;
  CurPtr := i;
  Chan1[i].Cmd := Empty;
  for j : NODE do
    InvSet[j] := ShrSet[j];
  endfor;
endprocedure;

-- The current request is answered with a copy.
procedure Grant(i : NODE; Cmd : MSG_CMD);
begin
  Chan2[i].Cmd := Cmd;
  Chan2[i].Data := MemData;
  ShrSet[i] := true;
  CurCmd := Empty;
  undefine CurPtr;
endprocedure;

-- A granted copy arrives.
procedure Fill(i : NODE; State : CACHE_STATE);
begin
  Cache[i].State := State;
  Cache[i].Data := Chan2[i].Data;
  Chan2[i].Cmd := Empty;
  undefine Chan2[i].Data;
endprocedure;

ruleset d : DATA do
  startstate "Init"
    undefine Cache;
    undefine Chan1;
    undefine Chan2;
    undefine Chan3;
    undefine CurPtr;
    for i : NODE do
      Cache[i].State := I;
      Chan1[i].Cmd := Empty;
      Chan2[i].Cmd := Empty;
      Chan3[i].Cmd := Empty;
      InvSet[i] := false;
      ShrSet[i] := false;
    endfor;
    ExGntd := false;
    CurCmd := Empty;
    MemData := d;
    AuxData := d;
  endstartstate;
endruleset;

ruleset i : NODE; d : DATA do
  rule "Store"
    Cache[i].State = E
  ==>
    Cache[i].Data := d;
    AuxData := d;
  endrule;
endruleset;

ruleset i : NODE do

  rule "SendReqS"
    Cache[i].State = I & Chan1[i].Cmd = Empty
  ==>
    Chan1[i].Cmd := ReqS;
  endrule;

  rule "SendReqE"
    Cache[i].State != E & Chan1[i].Cmd = Empty
  ==>
    Chan1[i].Cmd := ReqE;
  endrule;

  rule "RecvReqS"
    CurCmd = Empty & Chan1[i].Cmd = ReqS
  ==>
    Accept(i, ReqS);
  endrule;

  rule "RecvReqE"
    CurCmd = Empty & Chan1[i].Cmd = ReqE
  ==>
    Accept(i, ReqE);
  endrule;

  -- Sharers may stay for a shared request, an exclusive holder may not.
  rule "SendInv"
    InvSet[i] & Chan2[i].Cmd = Empty
    & (CurCmd = ReqE | (CurCmd = ReqS & ExGntd))
  ==>
    Chan2[i].Cmd := Inv;
    InvSet[i] := false;
  endrule;

  -- Only an exclusive copy can differ from the memory, so only it goes back.
  rule "SendInvAck"
    Chan2[i].Cmd = Inv & Chan3[i].Cmd = Empty
  ==>
    Chan2[i].Cmd := Empty;
    Chan3[i].Cmd := InvAck;
    if Cache[i].State = E then
      Chan3[i].Data := Cache[i].Data;
    endif;
    Cache[i].State := I;
    undefine Cache[i].Data;
  endrule;

  rule "RecvInvAck"
    CurCmd != Empty & Chan3[i].Cmd = InvAck
  ==>
    Chan3[i].Cmd := Empty;
    ShrSet[i] := false;
    if ExGntd then
      ExGntd := false;   -- broken: MemData should become Chan3[i].Data
      undefine Chan3[i].Data;
    endif;
  endrule;

  rule "SendGntS"
    CurCmd = ReqS & CurPtr = i & Chan2[i].Cmd = Empty & !ExGntd
  ==>
    Grant(i, GntS);
  endrule;

  rule "SendGntE"
    CurCmd = ReqE & CurPtr = i & Chan2[i].Cmd = Empty & !ExGntd
    & forall j : NODE do !ShrSet[j] endforall
  ==>
    Grant(i, GntE);
    ExGntd := true;
  endrule;

  rule "RecvGntS"
    Chan2[i].Cmd = GntS
  ==>
    Fill(i, S);
  endrule;

  rule "RecvGntE"
    Chan2[i].Cmd = GntE
  ==>
    Fill(i, E);
  endrule;

endruleset;

invariant "CntrlProp"
  forall i : NODE do
    forall j : NODE do
      i != j ->
        (Cache[i].State = E -> Cache[j].State = I)
        & (Cache[i].State = S -> Cache[j].State != E)
    endforall
  endforall;

invariant "DataProp"
  (!ExGntd -> MemData = AuxData)
  & forall i : NODE do
      Cache[i].State != I -> Cache[i].Data = AuxData
    endforall;
