-- paraproof: verdict = proven
-- paraproof: rules = 32
-- paraproof: properties = 1
-- paraproof: states NODE_NUM=2 704
-- paraproof: states NODE_NUM=3 95058

-- FLASH cache coherence without data, as studied by C.-T. Chou.
--
-- Every node has a cache; one of the nodes, Home, also has the memory and the
-- directory of the line that is modelled. A request goes to the home. The home
-- answers it, or turns it down (Nak), or forwards it to the owner of an
-- exclusive copy, and the owner then answers the requester directly and tells
-- the home. While Dir.Pending is set the home turns down everything.
--
-- The directory knows the copies of the other nodes as a head and further
-- sharers, and that of its own node by Dir.Local. Dir.Dirty: there is an
-- exclusive copy, here if Dir.Local is set, at the head otherwise. An exclusive
-- copy is granted at once; the sharers are invalidated while it is on its way
-- and when it is in use, and InvSet has those whose acknowledgement is missing.
--
-- An invalidation may overtake the shared copy that it is meant for. The node
-- then marks its request, and the copy is thrown away when it comes. A node
-- that drops a shared copy sends a hint, so that it leaves the set of sharers.
--
-- J. Kuskin et al., 'The Stanford FLASH multiprocessor', ISCA 1994. S. Park and
-- D. L. Dill, 'Verification of FLASH cache coherence protocol by aggregation of
-- distributed transactions', SPAA 1996. C.-T. Chou, P. K. Mannava and S. Park,
-- 'A simple method for parameterized verification of cache coherence
-- protocols', FMCAD 2004.
--
-- What is special in this version: Home is a variable that a startstate sets
-- and no rule changes, so the home is any one of the nodes. What has lost its
-- meaning is undefined. Statements read what those before them have written.

const
  NODE_NUM : 2;

type
  NODE : scalarset(NODE_NUM);
  SET  : array [NODE] of boolean;

  CACHE_STATE : enum { I, S, E };
  WAIT        : enum { Idle, Reading, Writing };
  CACHE : record
    State  : CACHE_STATE;
    Wait   : WAIT;        -- the answer that the processor waits for
    Marked : boolean;     -- the shared copy to come is already invalid
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
  end;

  INV_CMD : enum { NoInv, Inv, InvAck };

  WB_MSG : record
    Valid : boolean;
    Peer  : NODE;
  end;

  -- What the owner tells the home after it answered a forwarded request.
  DONE_CMD : enum { NoDone, ShWb, FAck };
  DONE_MSG : record
    Cmd  : DONE_CMD;
    Peer : NODE;          -- the requester
  end;

var
  Home  : NODE;
  Cache : array [NODE] of CACHE;
  Dir   : DIRECTORY;
  Uni   : array [NODE] of UNI_MSG;
  InvCh : array [NODE] of INV_CMD;
  Hint  : SET;            -- the node has dropped its shared copy
  Wb    : WB_MSG;         -- an owner gives its copy back
  Done  : DONE_MSG;
  Nakc  : boolean;        -- the owner could not answer; for the home

procedure Send(i : NODE; Cmd : UNI_CMD; Peer : NODE);
begin
  Uni[i].Cmd := Cmd;
  Uni[i].Peer := Peer;
endprocedure;

procedure Consume(i : NODE);
begin
  Uni[i].Cmd := NoUni;
  undefine Uni[i].Peer;
  Cache[i].Wait := Idle;
endprocedure;

procedure FillShared(i : NODE);
begin
  Cache[i].Wait := Idle;
  if Cache[i].Marked then
    Cache[i].Marked := false;
    Cache[i].State := I;
  else
    Cache[i].State := S;
  endif;
endprocedure;

procedure FillExclusive(i : NODE);
begin
  Cache[i].Wait := Idle;
  Cache[i].Marked := false;
  Cache[i].State := E;
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

ruleset h : NODE do
  startstate "Init"
    Home := h;
    undefine Dir;
    Dir.Pending := false;
    Dir.Local := false;
    Dir.Dirty := false;
    Dir.HeadVld := false;
    NoSharers();
    undefine Uni;
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
  endstartstate;
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
    Cache[i].State := I;
    Hint[i] := true;
  endrule;

  rule "PI_Remote_PutX"
    i != Home & Cache[i].Wait = Idle & Cache[i].State = E
  ==>
    Cache[i].State := I;
    Wb.Valid := true;
    Wb.Peer := i;
  endrule;

endruleset;

-- The processor of the home

rule "PI_Local_Get_Put"
  Cache[Home].Wait = Idle & Cache[Home].State = I & !Dir.Pending & !Dir.Dirty
==>
  Dir.Local := true;
  FillShared(Home);
endrule;

rule "PI_Local_Get_Get"
  Cache[Home].Wait = Idle & Cache[Home].State = I & !Dir.Pending & Dir.Dirty
==>
  Dir.Pending := true;
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
  FillExclusive(Home);
endrule;

rule "PI_Local_GetX_GetX"
  Cache[Home].Wait = Idle & Cache[Home].State != E & !Dir.Pending & Dir.Dirty
==>
  Dir.Pending := true;
  Cache[Home].Wait := Writing;
  Send(Home, GetX, Dir.Head);
endrule;

rule "PI_Local_Replace"
  Cache[Home].Wait = Idle & Cache[Home].State = S
==>
  Cache[Home].State := I;
  Dir.Local := false;
endrule;

-- Pending: acknowledgements for this copy are still to come. Local is cleared
-- with the last of them then.
rule "PI_Local_PutX"
  Cache[Home].Wait = Idle & Cache[Home].State = E
==>
  Cache[Home].State := I;
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
    Send(i, GetS, Dir.Head);
  endrule;

  rule "NI_Local_Get_Put"
    i != Home & Uni[i].Cmd = GetS & Uni[i].Peer = Home & !Hint[i]
    & !Dir.Pending & (Dir.Dirty -> Dir.Local & Cache[Home].State = E)
  ==>
    if Dir.Dirty then
      Dir.Dirty := false;
      Cache[Home].State := S;
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
    Send(i, PutS, Home);
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
    Send(i, GetX, Dir.Head);
  endrule;

  rule "NI_Local_GetX_PutX"
    i != Home & Uni[i].Cmd = GetX & Uni[i].Peer = Home
    & !Dir.Pending & (Dir.Dirty -> Dir.Local & Cache[Home].State = E)
  ==>
    if !Dir.Dirty & Dir.HeadVld
      & (Dir.Head != i | exists p : NODE do p != i & Dir.ShrSet[p] endexists)
    then
      Invalidate(i);
    else
      NoSharers();
    endif;
    if Dir.Local then
      Dir.Local := false;
      Cache[Home].State := I;
      if Cache[Home].Wait = Reading then
        Cache[Home].Marked := true;
      endif;
    endif;
    Dir.Dirty := true;
    Dir.HeadVld := true;
    Dir.Head := i;
    Send(i, PutX, Home);
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
    Send(i, PutS, j);
    if i != Home then
      Done.Cmd := ShWb;
      Done.Peer := i;
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
    Cache[j].State := I;
    Send(i, PutX, j);
    if i != Home then
      Done.Cmd := FAck;
      Done.Peer := i;
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
    Consume(i);
    FillShared(i);
  endrule;

  rule "NI_Remote_PutX"
    i != Home & Uni[i].Cmd = PutX & Cache[i].Wait = Writing
  ==>
    Consume(i);
    FillExclusive(i);
  endrule;

endruleset;

rule "NI_Local_Put"
  Uni[Home].Cmd = PutS
==>
  Consume(Home);
  Dir.Pending := false;
  Dir.Dirty := false;
  Dir.Local := true;
  FillShared(Home);
endrule;

rule "NI_Local_PutXAcksDone"
  Uni[Home].Cmd = PutX
==>
  Consume(Home);
  Dir.Pending := false;
  Dir.Local := true;
  ForgetHead();
  FillExclusive(Home);
endrule;

-- Invalidations and their acknowledgements

ruleset i : NODE do

  rule "NI_Inv"
    i != Home & InvCh[i] = Inv
  ==>
    InvCh[i] := InvAck;
    Cache[i].State := I;
    if Cache[i].Wait = Reading then
      Cache[i].Marked := true;
    endif;
  endrule;

  rule "NI_InvAck"
    i != Home & InvCh[i] = InvAck & Dir.Pending & Dir.InvSet[i]
  ==>
    InvCh[i] := NoInv;
    Dir.InvSet[i] := false;
    if forall p : NODE do !Dir.InvSet[p] endforall then
      Dir.Pending := false;
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
  Wb.Valid := false;
  undefine Wb.Peer;
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
  Dir.Pending := false;
  Dir.Dirty := false;
  Dir.ShrVld := true;
  Dir.ShrSet[Done.Peer] := true;
  for p : NODE do
    Dir.InvSet[p] := Dir.ShrSet[p];
  endfor;
  Done.Cmd := NoDone;
  undefine Done.Peer;
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
