-- paraproof: verdict = violated
-- paraproof: rules = 62
-- paraproof: properties = 4
-- paraproof: violates = CacheDataProp

-- Broken twin of flash_home.m: while the home itself waits for a shared copy,
-- it grants exclusive copies without looking at the directory. S. Conchon, A.
-- Goel, S. Krstic, A. Mebsout and F. Zaidi, 'Invariants for finite instances
-- and beyond', FMCAD 2013, try their model checker on FLASH with these checks
-- missing.
--
-- An owner gives its copy back and asks for it again. The home, which has
-- asked for a copy meanwhile, grants it before the old copy has arrived, from
-- stale memory. With two nodes besides the home there can also be two
-- owners.

const
  NODE_NUM : 1;
  DATA_NUM : 2;

type
  NODE : 1..NODE_NUM;
  DATA : 1..DATA_NUM;
  SET  : array [NODE] of boolean;

  -- The home, or one of the other nodes.
  POINTER : record
    AtHome : boolean;
    Node   : NODE;        -- defined unless AtHome
  end;

  CACHE_STATE : enum { I, S, E };
  WAIT        : enum { Idle, Reading, Writing };
  CACHE : record
    State  : CACHE_STATE;
    Wait   : WAIT;
    Marked : boolean;     -- the shared copy to come is already invalid
    Data   : DATA;
  end;

  UNI_CMD  : enum { NoUni, GetS, GetX, PutS, PutX, Nak };
  INV_CMD  : enum { NoInv, Inv, InvAck };
  DONE_CMD : enum { NoDone, ShWb, FAck };
  UNI_MSG : record
    Cmd  : UNI_CMD;
    Peer : POINTER;
    Data : DATA;
  end;
  WB_MSG : record
    Valid : boolean;
    Peer  : POINTER;
    Data  : DATA;
  end;
  DONE_MSG : record
    Cmd  : DONE_CMD;
    Peer : POINTER;
    Data : DATA;
  end;

var
  -- What every node has
  Cache : array [NODE] of CACHE;
  Uni   : array [NODE] of UNI_MSG;
  InvCh : array [NODE] of INV_CMD;
  Hint  : SET;

  HomeCache : CACHE;
  HomeUni   : UNI_MSG;
  HomeInvCh : INV_CMD;
  HomeHint  : boolean;

  -- The directory
  Pending : boolean;
  Local   : boolean;
  Dirty   : boolean;
  HeadVld : boolean;
  Head    : POINTER;
  ShrVld  : boolean;
  ShrSet  : SET;
  InvSet  : SET;
  HomeShr : boolean;
  HomeInv : boolean;

  -- The memory, and messages to the home of which there is one at most
  Memory : DATA;
  Wb     : WB_MSG;
  Done   : DONE_MSG;
  Nakc   : boolean;

  -- Ghosts
  CurrData   : DATA;
  PrevData   : DATA;
  Collecting : boolean;

-- Tests

function AsksHome(i : NODE; c : UNI_CMD) : boolean;
begin
  return Uni[i].Cmd = c & Uni[i].Peer.AtHome;
endfunction;

function Asks(i : NODE; c : UNI_CMD; j : NODE) : boolean;
begin
  return Uni[i].Cmd = c & !Uni[i].Peer.AtHome & Uni[i].Peer.Node = j;
endfunction;

function HomeAsks(c : UNI_CMD; j : NODE) : boolean;
begin
  return HomeUni.Cmd = c & !HomeUni.Peer.AtHome & HomeUni.Peer.Node = j;
endfunction;

function HeadIs(i : NODE) : boolean;
begin
  return HeadVld & !Head.AtHome & Head.Node = i;
endfunction;

-- The home can answer a request from memory.
function Clean() : boolean;
begin
  return !Pending & !Dirty;
endfunction;

-- The request is one that the home must turn down, whatever it asks for.
function Unfit(i : NODE) : boolean;
begin
  return Pending | (Dirty & Local & HomeCache.State != E)
    | (Dirty & !Local & HeadIs(i));
endfunction;

function NoOtherSharer(i : NODE) : boolean;
begin
  return !HomeShr & forall p : NODE do p != i -> !ShrSet[p] endforall;
endfunction;

function LastAck(i : NODE) : boolean;
begin
  return InvCh[i] = InvAck & Pending & InvSet[i]
    & !HomeInv & forall p : NODE do p != i -> !InvSet[p] endforall;
endfunction;

-- Changes of one cache or message

procedure Drop(var c : CACHE);
begin
  c.State := I;
  undefine c.Data;
endprocedure;

procedure FillShared(var c : CACHE; d : DATA);
begin
  if c.Marked then
    Drop(c);
  else
    c.State := S;
    c.Data := d;
  endif;
  c.Marked := false;
  c.Wait := Idle;
endprocedure;

procedure FillExclusive(var c : CACHE; d : DATA);
begin
  c.State := E;
  c.Data := d;
  c.Marked := false;
  c.Wait := Idle;
endprocedure;

procedure Remove(var m : UNI_MSG);
begin
  m.Cmd := NoUni;
  undefine m.Peer;
  undefine m.Data;
endprocedure;

procedure Answer(var m : UNI_MSG; c : UNI_CMD; d : DATA);
begin
  m.Cmd := c;
  m.Data := d;
endprocedure;

procedure Forward(var m : UNI_MSG; c : UNI_CMD);
begin
  m.Cmd := c;
  m.Peer := Head;
  Pending := true;
  Collecting := false;
endprocedure;

procedure PointTo(var p : POINTER; i : NODE);
begin
  p.AtHome := false;
  p.Node := i;
endprocedure;

-- Changes of the directory

procedure NoSharers();
begin
  for p : NODE do
    ShrSet[p] := false;
    InvSet[p] := false;
  endfor;
  HomeShr := false;
  HomeInv := false;
  ShrVld := false;
endprocedure;

procedure BeginCollecting();
begin
  Pending := true;
  Collecting := true;
  PrevData := CurrData;
endprocedure;

procedure EndCollecting(i : NODE);
begin
  InvCh[i] := NoInv;
  InvSet[i] := false;
  Pending := false;
  Collecting := false;
endprocedure;

-- Everybody but the home is told to invalidate.
procedure InvalidateAll();
begin
  BeginCollecting();
  for p : NODE do
    InvSet[p] := HeadIs(p) | (ShrVld & ShrSet[p]);
    if InvSet[p] then
      InvCh[p] := Inv;
    endif;
    ShrSet[p] := false;
  endfor;
  HomeShr := false;
  HomeInv := false;
  ShrVld := false;
endprocedure;

-- Everybody but the home and node i is told to invalidate.
procedure InvalidateOthers(i : NODE);
begin
  BeginCollecting();
  for p : NODE do
    InvSet[p] := p != i & (HeadIs(p) | (ShrVld & ShrSet[p]));
    if InvSet[p] then
      InvCh[p] := Inv;
    endif;
    ShrSet[p] := false;
  endfor;
  HomeShr := false;
  HomeInv := false;
  ShrVld := false;
endprocedure;

procedure NewHead(i : NODE);
begin
  HeadVld := true;
  PointTo(Head, i);
endprocedure;

-- Node i gets an exclusive copy, and the home gives its own up.
procedure Grant(i : NODE; d : DATA);
begin
  Answer(Uni[i], PutX, d);
  NewHead(i);
  Dirty := true;
  Local := false;
  Drop(HomeCache);
endprocedure;

ruleset d : DATA do
  startstate "Init"
    undefine Cache;
    undefine Uni;
    for p : NODE do
      Cache[p].State := I;
      Cache[p].Wait := Idle;
      Cache[p].Marked := false;
      Uni[p].Cmd := NoUni;
      InvCh[p] := NoInv;
      Hint[p] := false;
    endfor;
    undefine HomeCache;
    HomeCache.State := I;
    HomeCache.Wait := Idle;
    HomeCache.Marked := false;
    undefine HomeUni;
    HomeUni.Cmd := NoUni;
    HomeInvCh := NoInv;
    HomeHint := false;

    Pending := false;
    Local := false;
    Dirty := false;
    HeadVld := false;
    undefine Head;
    NoSharers();

    Memory := d;
    undefine Wb;
    Wb.Valid := false;
    undefine Done;
    Done.Cmd := NoDone;
    Nakc := false;

    CurrData := d;
    PrevData := d;
    Collecting := false;
  endstartstate;
endruleset;

-- The home's processor

ruleset d : DATA do
  rule "Store_Home"
    HomeCache.State = E
  ==>
    HomeCache.Data := d;
    CurrData := d;
  endrule;
endruleset;

rule "PI_Local_Get_Put"
  HomeCache.Wait = Idle & HomeCache.State = I & Clean()
==>
  FillShared(HomeCache, Memory);
  Local := true;
endrule;

rule "PI_Local_Get_Get"
  HomeCache.Wait = Idle & HomeCache.State = I & !Pending & Dirty
==>
  HomeCache.Wait := Reading;
  Forward(HomeUni, GetS);
endrule;

rule "PI_Local_GetX_PutX"
  HomeCache.Wait = Idle & HomeCache.State != E & Clean() & !HeadVld
==>
  FillExclusive(HomeCache, Memory);
  Local := true;
  Dirty := true;
endrule;

rule "PI_Local_GetX_PutX_HeadVld"
  HomeCache.Wait = Idle & HomeCache.State != E & Clean() & HeadVld
==>
  InvalidateAll();
  HeadVld := false;
  undefine Head;
  FillExclusive(HomeCache, Memory);
  Local := true;
  Dirty := true;
endrule;

rule "PI_Local_GetX_GetX"
  HomeCache.Wait = Idle & HomeCache.State != E & !Pending & Dirty
==>
  HomeCache.Wait := Writing;
  Forward(HomeUni, GetX);
endrule;

rule "PI_Local_Replace"
  HomeCache.Wait = Idle & HomeCache.State = S
==>
  Drop(HomeCache);
  Local := false;
endrule;

rule "PI_Local_PutX"
  HomeCache.Wait = Idle & HomeCache.State = E
==>
  Memory := HomeCache.Data;
  Drop(HomeCache);
  Dirty := false;
  Local := Local & Pending;
endrule;

-- Answers for the home

rule "NI_Local_Put"
  HomeUni.Cmd = PutS
==>
  Memory := HomeUni.Data;
  FillShared(HomeCache, HomeUni.Data);
  Remove(HomeUni);
  Pending := false;
  Dirty := false;
  Local := true;
endrule;

rule "NI_Local_PutXAcksDone"
  HomeUni.Cmd = PutX
==>
  FillExclusive(HomeCache, HomeUni.Data);
  Remove(HomeUni);
  Pending := false;
  Local := true;
  HeadVld := false;
  undefine Head;
endrule;

rule "NI_Nak_Home"
  HomeUni.Cmd = Nak
==>
  Remove(HomeUni);
  HomeCache.Wait := Idle;
  HomeCache.Marked := false;
endrule;

-- Other processors

ruleset i : NODE; d : DATA do
  rule "Store"
    Cache[i].State = E
  ==>
    Cache[i].Data := d;
    CurrData := d;
  endrule;
endruleset;

ruleset i : NODE do

  rule "PI_Remote_Get"
    Cache[i].Wait = Idle & Cache[i].State = I
  ==>
    Cache[i].Wait := Reading;
    Uni[i].Cmd := GetS;
    Uni[i].Peer.AtHome := true;
  endrule;

  rule "PI_Remote_GetX"
    Cache[i].Wait = Idle & Cache[i].State = I
  ==>
    Cache[i].Wait := Writing;
    Uni[i].Cmd := GetX;
    Uni[i].Peer.AtHome := true;
  endrule;

  rule "PI_Remote_Replace"
    Cache[i].Wait = Idle & Cache[i].State = S
  ==>
    Drop(Cache[i]);
    Hint[i] := true;
  endrule;

  rule "PI_Remote_PutX"
    Cache[i].Wait = Idle & Cache[i].State = E
  ==>
    Wb.Valid := true;
    PointTo(Wb.Peer, i);
    Wb.Data := Cache[i].Data;
    Drop(Cache[i]);
  endrule;

  rule "NI_Remote_Put"
    Uni[i].Cmd = PutS
  ==>
    FillShared(Cache[i], Uni[i].Data);
    Remove(Uni[i]);
  endrule;

  rule "NI_Remote_PutX"
    Uni[i].Cmd = PutX & Cache[i].Wait = Writing
  ==>
    FillExclusive(Cache[i], Uni[i].Data);
    Remove(Uni[i]);
  endrule;

  rule "NI_Nak"
    Uni[i].Cmd = Nak
  ==>
    Remove(Uni[i]);
    Cache[i].Wait := Idle;
    Cache[i].Marked := false;
  endrule;

  rule "NI_Inv"
    InvCh[i] = Inv
  ==>
    InvCh[i] := InvAck;
    Drop(Cache[i]);
    if Cache[i].Wait = Reading then
      Cache[i].Marked := true;
    endif;
  endrule;

endruleset;

-- Node i asks the home for a shared copy

ruleset i : NODE do

  rule "NI_Local_Get_Nak"
    AsksHome(i, GetS) & !Hint[i] & Unfit(i)
  ==>
    Uni[i].Cmd := Nak;
  endrule;

  rule "NI_Local_Get_Get"
    AsksHome(i, GetS) & !Hint[i] & !Pending & Dirty & !Local & !HeadIs(i)
  ==>
    Forward(Uni[i], GetS);
  endrule;

  rule "NI_Local_Get_Put"
    AsksHome(i, GetS) & !Hint[i] & Clean() & !HeadVld
  ==>
    NewHead(i);
    Answer(Uni[i], PutS, Memory);
  endrule;

  rule "NI_Local_Get_Put_Head"
    AsksHome(i, GetS) & !Hint[i] & Clean() & HeadVld
  ==>
    ShrVld := true;
    ShrSet[i] := true;
    for p : NODE do
      InvSet[p] := ShrSet[p];
    endfor;
    HomeInv := HomeShr;
    Answer(Uni[i], PutS, Memory);
  endrule;

  rule "NI_Local_Get_Put_Dirty"
    AsksHome(i, GetS) & !Hint[i]
    & !Pending & Dirty & Local & HomeCache.State = E
  ==>
    Memory := HomeCache.Data;
    HomeCache.State := S;
    Dirty := false;
    NewHead(i);
    Answer(Uni[i], PutS, Memory);
  endrule;

endruleset;

-- Node i asks the home for an exclusive copy

ruleset i : NODE do

  rule "NI_Local_GetX_Nak"
    AsksHome(i, GetX) & Unfit(i)
  ==>
    Uni[i].Cmd := Nak;
  endrule;

  rule "NI_Local_GetX_GetX"
    AsksHome(i, GetX) & !Pending & Dirty & !Local & !HeadIs(i)
  ==>
    Forward(Uni[i], GetX);
  endrule;

  -- Nobody but the home can have a copy.

  rule "NI_Local_GetX_PutX_1"
    AsksHome(i, GetX)
    & HomeCache.Wait = Reading   -- broken: no test of the directory
  ==>
    NoSharers();
    Grant(i, Memory);
    HomeCache.Marked := true;
  endrule;

  rule "NI_Local_GetX_PutX_2"
    AsksHome(i, GetX) & Clean() & !HeadVld
    & Local & HomeCache.Wait != Reading
  ==>
    NoSharers();
    Grant(i, Memory);
  endrule;

  rule "NI_Local_GetX_PutX_3"
    AsksHome(i, GetX) & Clean() & !HeadVld & !Local
  ==>
    NoSharers();
    Grant(i, Memory);
  endrule;

  -- Nobody but the home and the requester can have a copy.

  rule "NI_Local_GetX_PutX_4"
    AsksHome(i, GetX) & Clean() & HeadIs(i) & NoOtherSharer(i)
    & Local & HomeCache.Wait = Reading
  ==>
    NoSharers();
    Grant(i, Memory);
    HomeCache.Marked := true;
  endrule;

  rule "NI_Local_GetX_PutX_5"
    AsksHome(i, GetX) & Clean() & HeadIs(i) & NoOtherSharer(i)
    & Local & HomeCache.Wait != Reading
  ==>
    NoSharers();
    Grant(i, Memory);
  endrule;

  rule "NI_Local_GetX_PutX_6"
    AsksHome(i, GetX) & Clean() & HeadIs(i) & NoOtherSharer(i) & !Local
  ==>
    NoSharers();
    Grant(i, Memory);
  endrule;

  -- Another node is the head of the sharers.

  rule "NI_Local_GetX_PutX_7"
    AsksHome(i, GetX) & Clean() & HeadVld & !HeadIs(i)
    & Local & HomeCache.Wait != Reading
  ==>
    InvalidateOthers(i);
    Grant(i, Memory);
  endrule;

  rule "NI_Local_GetX_PutX_7_NODE_Get"
    AsksHome(i, GetX) & Clean() & HeadVld & !HeadIs(i)
    & Local & HomeCache.Wait = Reading
  ==>
    InvalidateOthers(i);
    Grant(i, Memory);
    HomeCache.Marked := true;
  endrule;

  rule "NI_Local_GetX_PutX_9"
    AsksHome(i, GetX) & Clean() & HeadVld & !HeadIs(i) & !Local
  ==>
    InvalidateOthers(i);
    Grant(i, Memory);
  endrule;

  -- The requester is the head, and the home is a sharer.

  rule "NI_Local_GetX_PutX_8_Home"
    AsksHome(i, GetX) & Clean() & HeadIs(i) & HomeShr
    & Local & HomeCache.Wait != Reading
  ==>
    InvalidateOthers(i);
    Grant(i, Memory);
  endrule;

  rule "NI_Local_GetX_PutX_8_Home_NODE_Get"
    AsksHome(i, GetX) & Clean() & HeadIs(i) & HomeShr
    & Local & HomeCache.Wait = Reading
  ==>
    InvalidateOthers(i);
    Grant(i, Memory);
    HomeCache.Marked := true;
  endrule;

  rule "NI_Local_GetX_PutX_10_Home"
    AsksHome(i, GetX) & Clean() & HeadIs(i) & HomeShr & !Local
  ==>
    InvalidateOthers(i);
    Grant(i, Memory);
  endrule;

  -- The home itself has an exclusive copy.

  rule "NI_Local_GetX_PutX_11"
    AsksHome(i, GetX) & !Pending & Dirty & Local & HomeCache.State = E
  ==>
    NoSharers();
    Grant(i, HomeCache.Data);
  endrule;

endruleset;

-- The requester is the head, and another node j is a sharer.

ruleset i : NODE; j : NODE do

  rule "NI_Local_GetX_PutX_8"
    AsksHome(i, GetX) & Clean() & HeadIs(i) & i != j & ShrSet[j]
    & Local & HomeCache.Wait != Reading
  ==>
    InvalidateOthers(i);
    Grant(i, Memory);
  endrule;

  rule "NI_Local_GetX_PutX_8_NODE_Get"
    AsksHome(i, GetX) & Clean() & HeadIs(i) & i != j & ShrSet[j]
    & Local & HomeCache.Wait = Reading
  ==>
    InvalidateOthers(i);
    Grant(i, Memory);
    HomeCache.Marked := true;
  endrule;

  rule "NI_Local_GetX_PutX_10"
    AsksHome(i, GetX) & Clean() & HeadIs(i) & i != j & ShrSet[j] & !Local
  ==>
    InvalidateOthers(i);
    Grant(i, Memory);
  endrule;

endruleset;

-- Node j is asked for its exclusive copy, on behalf of node i or the home

ruleset i : NODE; j : NODE do

  rule "NI_Remote_Get_Nak"
    i != j & Asks(i, GetS, j) & Cache[j].State != E
  ==>
    Uni[i].Cmd := Nak;
    Nakc := true;
  endrule;

  rule "NI_Remote_Get_Put"
    i != j & Asks(i, GetS, j) & Cache[j].State = E
  ==>
    Cache[j].State := S;
    Answer(Uni[i], PutS, Cache[j].Data);
    Done.Cmd := ShWb;
    PointTo(Done.Peer, i);
    Done.Data := Cache[j].Data;
  endrule;

  rule "NI_Remote_GetX_Nak"
    i != j & Asks(i, GetX, j) & Cache[j].State != E
  ==>
    Uni[i].Cmd := Nak;
    Nakc := true;
  endrule;

  rule "NI_Remote_GetX_PutX"
    i != j & Asks(i, GetX, j) & Cache[j].State = E
  ==>
    Answer(Uni[i], PutX, Cache[j].Data);
    Drop(Cache[j]);
    Done.Cmd := FAck;
    PointTo(Done.Peer, i);
  endrule;

endruleset;

ruleset j : NODE do

  rule "NI_Remote_Get_Nak_Home"
    HomeAsks(GetS, j) & Cache[j].State != E
  ==>
    HomeUni.Cmd := Nak;
    Nakc := true;
  endrule;

  rule "NI_Remote_Get_Put_Home"
    HomeAsks(GetS, j) & Cache[j].State = E
  ==>
    Cache[j].State := S;
    Answer(HomeUni, PutS, Cache[j].Data);
  endrule;

  rule "NI_Remote_GetX_Nak_Home"
    HomeAsks(GetX, j) & Cache[j].State != E
  ==>
    HomeUni.Cmd := Nak;
    Nakc := true;
  endrule;

  rule "NI_Remote_GetX_PutX_Home"
    HomeAsks(GetX, j) & Cache[j].State = E
  ==>
    Answer(HomeUni, PutX, Cache[j].Data);
    Drop(Cache[j]);
  endrule;

endruleset;

-- Acknowledgements

ruleset i : NODE do

  rule "NI_InvAck_exists_Home"
    InvCh[i] = InvAck & Pending & InvSet[i] & HomeInv
  ==>
    InvCh[i] := NoInv;
    InvSet[i] := false;
  endrule;

  -- The home gave back its exclusive copy meanwhile.
  rule "NI_InvAck_1"
    LastAck(i) & Local & !Dirty
  ==>
    EndCollecting(i);
    Local := false;
  endrule;

  rule "NI_InvAck_2"
    LastAck(i) & !Local
  ==>
    EndCollecting(i);
  endrule;

  rule "NI_InvAck_3"
    LastAck(i) & Dirty
  ==>
    EndCollecting(i);
  endrule;

endruleset;

ruleset i : NODE; j : NODE do
  rule "NI_InvAck_exists"
    InvCh[i] = InvAck & Pending & InvSet[i] & i != j & InvSet[j]
  ==>
    InvCh[i] := NoInv;
    InvSet[i] := false;
  endrule;
endruleset;

-- Other messages to the home

rule "NI_Nak_Clear"
  Nakc
==>
  Nakc := false;
  Pending := false;
endrule;

rule "NI_Wb"
  Wb.Valid
==>
  Memory := Wb.Data;
  undefine Wb;
  Wb.Valid := false;
  Dirty := false;
  HeadVld := false;
  undefine Head;
endrule;

rule "NI_FAck"
  Done.Cmd = FAck
==>
  if Dirty then
    Head := Done.Peer;
  endif;
  undefine Done;
  Done.Cmd := NoDone;
  Pending := false;
endrule;

rule "NI_ShWb"
  Done.Cmd = ShWb
==>
  if Done.Peer.AtHome then
    HomeShr := true;
  else
    ShrSet[Done.Peer.Node] := true;
  endif;
  for p : NODE do
    InvSet[p] := ShrSet[p];
  endfor;
  HomeInv := HomeShr;
  ShrVld := true;
  Memory := Done.Data;
  undefine Done;
  Done.Cmd := NoDone;
  Pending := false;
  Dirty := false;
endrule;

ruleset i : NODE do
  rule "NI_Replace"
    Hint[i]
  ==>
    Hint[i] := false;
    if ShrVld then
      ShrSet[i] := false;
      InvSet[i] := false;
    endif;
  endrule;
endruleset;

rule "NI_Replace_Home"
  HomeHint
==>
  HomeHint := false;
  if ShrVld then
    HomeShr := false;
    HomeInv := false;
  endif;
endrule;

invariant "CacheStateProp"
  forall i : NODE do
    forall j : NODE do
      i != j -> !(Cache[i].State = E & Cache[j].State = E)
    endforall
  endforall;

invariant "CacheStatePropHome"
  forall i : NODE do
    !(Cache[i].State = E & HomeCache.State = E)
  endforall;

invariant "CacheDataProp"
  (HomeCache.State = E -> HomeCache.Data = CurrData)
  & (HomeCache.State = S ->
      HomeCache.Data = (Collecting ? PrevData : CurrData))
  & forall i : NODE do
      (Cache[i].State = E -> Cache[i].Data = CurrData)
      & (Cache[i].State = S ->
          Cache[i].Data = (Collecting ? PrevData : CurrData))
    endforall;

invariant "MemDataProp"
  !Dirty -> Memory = CurrData;
