-- paraproof: verdict = violated
-- paraproof: rules = 33
-- paraproof: properties = 3
-- paraproof: violates = CacheDataProp

-- Broken twin of flash.m: a node that is told to invalidate while it waits for
-- a shared copy does not mark its request, so it keeps the copy that comes
-- later.
--
-- The home stores after it has answered a read: its invalidation reaches the
-- node before the answer does.

const
  NODE_NUM : 2;
  DATA_NUM : 2;

type
  NODE : scalarset(NODE_NUM);
  DATA : scalarset(DATA_NUM);
  SET  : array [NODE] of boolean;

  CACHE_STATE : enum { I, S, E };
  WAIT        : enum { Idle, Reading, Writing };
  CACHE : record
    State  : CACHE_STATE;
    Wait   : WAIT;        -- the answer that the processor waits for
    Marked : boolean;     -- the shared copy to come is already invalid
    Data   : DATA;
  end;

  DIRECTORY : record
    Pending : boolean;
    Local   : boolean;
    Dirty   : boolean;
    HeadVld : boolean;
    Head    : NODE;       -- defined while HeadVld
    ShrVld  : boolean;
    ShrSet  : SET;
    InvSet  : SET;
  end;

  -- A request of a node and its answer take turns in one place per node.
  UNI_CMD : enum { NoUni, GetS, GetX, PutS, PutX, Nak };
  UNI_MSG : record
    Cmd  : UNI_CMD;
    Peer : NODE;          -- who is asked, or who has answered
    Data : DATA;          -- of a copy
  end;

  INV_CMD : enum { NoInv, Inv, InvAck };

  WB_MSG : record
    Valid : boolean;
    Peer  : NODE;
    Data  : DATA;
  end;

  -- What the owner tells the home after it answered a forwarded request.
  DONE_CMD : enum { NoDone, ShWb, FAck };
  DONE_MSG : record
    Cmd  : DONE_CMD;
    Peer : NODE;          -- the requester
    Data : DATA;          -- with ShWb
  end;

var
  Home   : NODE;
  Cache  : array [NODE] of CACHE;
  Dir    : DIRECTORY;
  Uni    : array [NODE] of UNI_MSG;
  InvCh  : array [NODE] of INV_CMD;
  Hint   : SET;            -- the node has dropped its shared copy
  Wb     : WB_MSG;         -- an owner gives its copy back
  Done   : DONE_MSG;
  Nakc   : boolean;        -- the owner could not answer; for the home
  Memory : DATA;

  -- Ghosts
  CurrData   : DATA;
  PrevData   : DATA;
  Collecting : boolean;

procedure Send(i : NODE; Cmd : UNI_CMD; Peer : NODE);
begin
  Uni[i].Cmd := Cmd;
  Uni[i].Peer := Peer;
endprocedure;

procedure SendCopy(i : NODE; Cmd : UNI_CMD; Peer : NODE; d : DATA);
begin
  Send(i, Cmd, Peer);
  Uni[i].Data := d;
endprocedure;

procedure Consume(i : NODE);
begin
  Uni[i].Cmd := NoUni;
  undefine Uni[i].Peer;
  undefine Uni[i].Data;
  Cache[i].Wait := Idle;
endprocedure;

procedure Drop(i : NODE);
begin
  Cache[i].State := I;
  undefine Cache[i].Data;
endprocedure;

procedure FillShared(i : NODE; d : DATA);
begin
  Cache[i].Wait := Idle;
  if Cache[i].Marked then
    Cache[i].Marked := false;
    Drop(i);
  else
    Cache[i].State := S;
    Cache[i].Data := d;
  endif;
endprocedure;

procedure FillExclusive(i : NODE; d : DATA);
begin
  Cache[i].Wait := Idle;
  Cache[i].Marked := false;
  Cache[i].State := E;
  Cache[i].Data := d;
endprocedure;

procedure ForgetHead();
begin
  Dir.HeadVld := false;
  undefine Dir.Head;
endprocedure;

procedure NoSharers();
begin
  Dir.ShrVld := false;
  for p : NODE do
    Dir.ShrSet[p] := false;
    Dir.InvSet[p] := false;
  endfor;
endprocedure;

-- Node i becomes the only holder; all others are told to invalidate, except
-- the home, which knows.
procedure Invalidate(i : NODE);
begin
  Dir.Pending := true;
  Collecting := true;
  PrevData := CurrData;
  for p : NODE do
    Dir.InvSet[p] := p != i & p != Home
      & ((Dir.ShrVld & Dir.ShrSet[p]) | (Dir.HeadVld & Dir.Head = p));
    if Dir.InvSet[p] then
      InvCh[p] := Inv;
    endif;
    Dir.ShrSet[p] := false;
  endfor;
  Dir.ShrVld := false;
endprocedure;

ruleset h : NODE; d : DATA do
  startstate "Init"
    Home := h;
    undefine Dir;
    Dir.Pending := false;
    Dir.Local := false;
    Dir.Dirty := false;
    Dir.HeadVld := false;
    NoSharers();
    undefine Uni;
    undefine Cache;
    for p : NODE do
      Cache[p].State := I;
      Cache[p].Wait := Idle;
      Cache[p].Marked := false;
      Uni[p].Cmd := NoUni;
      InvCh[p] := NoInv;
      Hint[p] := false;
    endfor;
    undefine Wb;
    Wb.Valid := false;
    undefine Done;
    Done.Cmd := NoDone;
    Nakc := false;
    Memory := d;
    CurrData := d;
    PrevData := d;
    Collecting := false;
  endstartstate;
endruleset;

ruleset i : NODE; d : DATA do
  rule "Store"
    Cache[i].State = E
  ==>
    Cache[i].Data := d;
    CurrData := d;
  endrule;
endruleset;

-- Processors of the other nodes

ruleset i : NODE do

  rule "PI_Remote_Get"
    i != Home & Cache[i].Wait = Idle & Cache[i].State = I
  ==>
    Cache[i].Wait := Reading;
    Send(i, GetS, Home);
  endrule;

  rule "PI_Remote_GetX"
    i != Home & Cache[i].Wait = Idle & Cache[i].State = I
  ==>
    Cache[i].Wait := Writing;
    Send(i, GetX, Home);
  endrule;

  rule "PI_Remote_Replace"
    i != Home & Cache[i].Wait = Idle & Cache[i].State = S
  ==>
    Drop(i);
    Hint[i] := true;
  endrule;

  rule "PI_Remote_PutX"
    i != Home & Cache[i].Wait = Idle & Cache[i].State = E
  ==>
    Wb.Valid := true;
    Wb.Peer := i;
    Wb.Data := Cache[i].Data;
    Drop(i);
  endrule;

endruleset;

-- The processor of the home

rule "PI_Local_Get_Put"
  Cache[Home].Wait = Idle & Cache[Home].State = I & !Dir.Pending & !Dir.Dirty
==>
  Dir.Local := true;
  FillShared(Home, Memory);
endrule;

rule "PI_Local_Get_Get"
  Cache[Home].Wait = Idle & Cache[Home].State = I & !Dir.Pending & Dir.Dirty
==>
  Dir.Pending := true;
  Collecting := false;
  Cache[Home].Wait := Reading;
  Send(Home, GetS, Dir.Head);
endrule;

rule "PI_Local_GetX_PutX"
  Cache[Home].Wait = Idle & Cache[Home].State != E & !Dir.Pending & !Dir.Dirty
==>
  if Dir.HeadVld then
    Invalidate(Home);
    ForgetHead();
  endif;
  Dir.Local := true;
  Dir.Dirty := true;
  FillExclusive(Home, Memory);
endrule;

rule "PI_Local_GetX_GetX"
  Cache[Home].Wait = Idle & Cache[Home].State != E & !Dir.Pending & Dir.Dirty
==>
  Dir.Pending := true;
  Collecting := false;
  Cache[Home].Wait := Writing;
  Send(Home, GetX, Dir.Head);
endrule;

rule "PI_Local_Replace"
  Cache[Home].Wait = Idle & Cache[Home].State = S
==>
  Drop(Home);
  Dir.Local := false;
endrule;

-- Pending: acknowledgements for this copy are still to come. Local is cleared
-- with the last of them then.
rule "PI_Local_PutX"
  Cache[Home].Wait = Idle & Cache[Home].State = E
==>
  Memory := Cache[Home].Data;
  Drop(Home);
  Dir.Dirty := false;
  if !Dir.Pending then
    Dir.Local := false;
  endif;
endrule;

-- The home is asked for a shared copy

ruleset i : NODE do

  -- A hint that is still on its way would take out the new copy.
  rule "NI_Local_Get_Nak"
    i != Home & Uni[i].Cmd = GetS & Uni[i].Peer = Home & !Hint[i]
    & (Dir.Pending
       | (Dir.Dirty & Dir.Local & Cache[Home].State != E)
       | (Dir.Dirty & !Dir.Local & Dir.Head = i))
  ==>
    Send(i, Nak, Home);
  endrule;

  rule "NI_Local_Get_Get"
    i != Home & Uni[i].Cmd = GetS & Uni[i].Peer = Home & !Hint[i]
    & !Dir.Pending & Dir.Dirty & !Dir.Local & Dir.Head != i
  ==>
    Dir.Pending := true;
    Collecting := false;
    Send(i, GetS, Dir.Head);
  endrule;

  rule "NI_Local_Get_Put"
    i != Home & Uni[i].Cmd = GetS & Uni[i].Peer = Home & !Hint[i]
    & !Dir.Pending & (Dir.Dirty -> Dir.Local & Cache[Home].State = E)
  ==>
    if Dir.Dirty then
      Dir.Dirty := false;
      Cache[Home].State := S;
      Memory := Cache[Home].Data;
      Dir.HeadVld := true;
      Dir.Head := i;
    elsif Dir.HeadVld then
      Dir.ShrVld := true;
      Dir.ShrSet[i] := true;
      for p : NODE do
        Dir.InvSet[p] := Dir.ShrSet[p];
      endfor;
    else
      Dir.HeadVld := true;
      Dir.Head := i;
    endif;
    SendCopy(i, PutS, Home, Memory);
  endrule;

endruleset;

-- The home is asked for an exclusive copy

ruleset i : NODE do

  rule "NI_Local_GetX_Nak"
    i != Home & Uni[i].Cmd = GetX & Uni[i].Peer = Home
    & (Dir.Pending
       | (Dir.Dirty & Dir.Local & Cache[Home].State != E)
       | (Dir.Dirty & !Dir.Local & Dir.Head = i))
  ==>
    Send(i, Nak, Home);
  endrule;

  rule "NI_Local_GetX_GetX"
    i != Home & Uni[i].Cmd = GetX & Uni[i].Peer = Home
    & !Dir.Pending & Dir.Dirty & !Dir.Local & Dir.Head != i
  ==>
    Dir.Pending := true;
    Collecting := false;
    Send(i, GetX, Dir.Head);
  endrule;

  rule "NI_Local_GetX_PutX"
    i != Home & Uni[i].Cmd = GetX & Uni[i].Peer = Home
    & !Dir.Pending & (Dir.Dirty -> Dir.Local & Cache[Home].State = E)
  ==>
    if Dir.Dirty then
      SendCopy(i, PutX, Home, Cache[Home].Data);
    else
      SendCopy(i, PutX, Home, Memory);
    endif;
    if !Dir.Dirty & Dir.HeadVld
      & (Dir.Head != i | exists p : NODE do p != i & Dir.ShrSet[p] endexists)
    then
      Invalidate(i);
    else
      NoSharers();
    endif;
    if Dir.Local then
      Dir.Local := false;
      Drop(Home);
      if Cache[Home].Wait = Reading then
        Cache[Home].Marked := true;
      endif;
    endif;
    Dir.Dirty := true;
    Dir.HeadVld := true;
    Dir.Head := i;
  endrule;

endruleset;

-- Node j is asked, on behalf of node i, for the exclusive copy it had or has

ruleset i : NODE; j : NODE do

  rule "NI_Remote_Get_Nak"
    i != j & j != Home & Uni[i].Cmd = GetS & Uni[i].Peer = j
    & Cache[j].State != E
  ==>
    Send(i, Nak, j);
    Nakc := true;
  endrule;

  rule "NI_Remote_Get_Put"
    i != j & j != Home & Uni[i].Cmd = GetS & Uni[i].Peer = j
    & Cache[j].State = E
  ==>
    Cache[j].State := S;
    SendCopy(i, PutS, j, Cache[j].Data);
    if i != Home then
      Done.Cmd := ShWb;
      Done.Peer := i;
      Done.Data := Cache[j].Data;
    endif;
  endrule;

  rule "NI_Remote_GetX_Nak"
    i != j & j != Home & Uni[i].Cmd = GetX & Uni[i].Peer = j
    & Cache[j].State != E
  ==>
    Send(i, Nak, j);
    Nakc := true;
  endrule;

  rule "NI_Remote_GetX_PutX"
    i != j & j != Home & Uni[i].Cmd = GetX & Uni[i].Peer = j
    & Cache[j].State = E
  ==>
    SendCopy(i, PutX, j, Cache[j].Data);
    Drop(j);
    if i != Home then
      Done.Cmd := FAck;
      Done.Peer := i;
      undefine Done.Data;
    endif;
  endrule;

endruleset;

-- Answers arrive

ruleset i : NODE do

  rule "NI_Nak"
    Uni[i].Cmd = Nak
  ==>
    Consume(i);
    Cache[i].Marked := false;
  endrule;

  rule "NI_Remote_Put"
    i != Home & Uni[i].Cmd = PutS
  ==>
    FillShared(i, Uni[i].Data);
    Consume(i);
  endrule;

  rule "NI_Remote_PutX"
    i != Home & Uni[i].Cmd = PutX & Cache[i].Wait = Writing
  ==>
    FillExclusive(i, Uni[i].Data);
    Consume(i);
  endrule;

endruleset;

rule "NI_Local_Put"
  Uni[Home].Cmd = PutS
==>
  Dir.Pending := false;
  Dir.Dirty := false;
  Dir.Local := true;
  Memory := Uni[Home].Data;
  FillShared(Home, Uni[Home].Data);
  Consume(Home);
endrule;

rule "NI_Local_PutXAcksDone"
  Uni[Home].Cmd = PutX
==>
  Dir.Pending := false;
  Dir.Local := true;
  ForgetHead();
  FillExclusive(Home, Uni[Home].Data);
  Consume(Home);
endrule;

-- Invalidations and their acknowledgements

ruleset i : NODE do

  rule "NI_Inv"
    i != Home & InvCh[i] = Inv
  ==>
    InvCh[i] := InvAck;
    Drop(i);   -- broken: a request for a shared copy should be marked
  endrule;

  rule "NI_InvAck"
    i != Home & InvCh[i] = InvAck & Dir.Pending & Dir.InvSet[i]
  ==>
    InvCh[i] := NoInv;
    Dir.InvSet[i] := false;
    if forall p : NODE do !Dir.InvSet[p] endforall then
      Dir.Pending := false;
      Collecting := false;
      if !Dir.Dirty then
        Dir.Local := false;
      endif;
    endif;
  endrule;

endruleset;

-- The home learns what became of a copy

rule "NI_Nak_Clear"
  Nakc
==>
  Nakc := false;
  Dir.Pending := false;
endrule;

rule "NI_Wb"
  Wb.Valid
==>
  Memory := Wb.Data;
  Wb.Valid := false;
  undefine Wb.Peer;
  undefine Wb.Data;
  Dir.Dirty := false;
  ForgetHead();
endrule;

rule "NI_FAck"
  Done.Cmd = FAck
==>
  Dir.Pending := false;
  if Dir.Dirty then
    Dir.Head := Done.Peer;
  endif;
  Done.Cmd := NoDone;
  undefine Done.Peer;
endrule;

rule "NI_ShWb"
  Done.Cmd = ShWb
==>
  Memory := Done.Data;
  Dir.Pending := false;
  Dir.Dirty := false;
  Dir.ShrVld := true;
  Dir.ShrSet[Done.Peer] := true;
  for p : NODE do
    Dir.InvSet[p] := Dir.ShrSet[p];
  endfor;
  Done.Cmd := NoDone;
  undefine Done.Peer;
  undefine Done.Data;
endrule;

ruleset i : NODE do
  rule "NI_Replace"
    Hint[i]
  ==>
    Hint[i] := false;
    if Dir.ShrVld then
      Dir.ShrSet[i] := false;
      Dir.InvSet[i] := false;
    endif;
  endrule;
endruleset;

-- Shared copies may be around for a while when there is an exclusive one.
invariant "CacheStateProp"
  forall i : NODE do
    forall j : NODE do
      i != j -> !(Cache[i].State = E & Cache[j].State = E)
    endforall
  endforall;

-- An exclusive copy is up to date. So is a shared one, unless it is still to be
-- invalidated; then it is as old as the invalidation.
invariant "CacheDataProp"
  forall i : NODE do
    (Cache[i].State = E -> Cache[i].Data = CurrData)
    & (Cache[i].State = S ->
        (Collecting -> Cache[i].Data = PrevData)
        & (!Collecting -> Cache[i].Data = CurrData))
  endforall;

invariant "MemDataProp"
  !Dir.Dirty -> Memory = CurrData;
