-- paraproof: verdict = violated
-- paraproof: rules = 77
-- paraproof: properties = 3
-- paraproof: violates = SWMR

-- Broken twin of cxl_cache.m: the host lets a device store to a shared line without
-- a snoop.
--
-- The published rule HostSharedRdOwnSelf looks into the other device, which must
-- be Invalid.

const
  DEVICE_NUM : 2;
  DATA_NUM   : 2;

type
  DEVICE : scalarset(DEVICE_NUM);
  DATA   : scalarset(DATA_NUM);

  DEVICE_STATE : enum {
    Invalid, Shared, Modified,
    ISAD, ISA, ISD, ISDI,       -- a load; ISDI will drop the line after it
    IMAD, IMA, IMD,             -- a store to a line that is not there
    SMAD, SMA, SMD,             -- a store to a shared line
    SIAC, SIA, MIA, IIA         -- an eviction; of nothing any more in IIA
  };

  HOST_STATE : enum {
    InvalidM, SharedM, ModifiedM,   -- what the devices have
    SAD, SA, SD,                    -- a load, the line was modified
    MAD, MA, MD,                    -- a store, there were copies
    ID,                             -- an eviction of a modified line
    IB, SB, MB                      -- an eviction whose data is to be discarded
  };

  D2H_REQ : enum { NoReq, RdShared, RdOwn, CleanEvict, CleanEvictNoData, DirtyEvict };
  D2H_RSP : enum { NoRsp, RspIHitSE, RspIFwdM, RspSFwdM };
  H2D_REQ : enum { NoSnp, SnpInv, SnpData };
  H2D_RSP : enum { NoGO, GO_I, GO_S, GO_M, GO_WritePull, GO_WritePullDrop };

  DATA_MSG : record
    Valid : boolean;
    Data  : DATA;
  end;

var
  -- The devices and their channels, to the host (D2H) and from the host (H2D).
  State   : array [DEVICE] of DEVICE_STATE;
  Data    : array [DEVICE] of DATA;
  D2HReq  : array [DEVICE] of D2H_REQ;
  D2HRsp  : array [DEVICE] of D2H_RSP;
  D2HData : array [DEVICE] of DATA_MSG;
  H2DReq  : array [DEVICE] of H2D_REQ;
  H2DRsp  : array [DEVICE] of H2D_RSP;
  H2DData : array [DEVICE] of DATA_MSG;

  -- The host, its directory, the snoops to be answered, and for whom it waits.
  Host      : HOST_STATE;
  Memory    : DATA;
  Holder    : array [DEVICE] of boolean;
  Snooped   : array [DEVICE] of boolean;
  Requester : DEVICE;

  -- Only observed.
  Latest : DATA;

-- What devices do.

procedure Request(i : DEVICE; request : D2H_REQ; next : DEVICE_STATE);
begin
  D2HReq[i] := request;
  State[i] := next;
end;

procedure Drop(i : DEVICE);
begin
  State[i] := Invalid;
  undefine Data[i];
end;

procedure Answer(i : DEVICE; response : D2H_RSP);
begin
  H2DReq[i] := NoSnp;
  D2HRsp[i] := response;
end;

procedure ForwardData(i : DEVICE);
begin
  D2HData[i].Valid := true;
  D2HData[i].Data := Data[i];
end;

procedure ReceiveData(i : DEVICE; next : DEVICE_STATE);
begin
  Data[i] := H2DData[i].Data;
  H2DData[i].Valid := false;
  undefine H2DData[i].Data;
  State[i] := next;
end;

procedure ReceiveGO(i : DEVICE; next : DEVICE_STATE);
begin
  H2DRsp[i] := NoGO;
  State[i] := next;
end;

-- Whether a device has a snoop before it. No GO is on its way.
function IsSnooped(i : DEVICE; snoop : H2D_REQ) : boolean;
begin
  return H2DReq[i] = snoop & H2DRsp[i] = NoGO;
end;

-- What the host does.

procedure Snoop(i : DEVICE; snoop : H2D_REQ);
begin
  H2DReq[i] := snoop;
  Snooped[i] := true;
end;

procedure SendData(i : DEVICE);
begin
  H2DData[i].Valid := true;
  H2DData[i].Data := Memory;
end;

procedure Grant(i : DEVICE; go : H2D_RSP);
begin
  H2DRsp[i] := go;
  Holder[i] := true;
end;

-- Lets an eviction go ahead.
procedure Release(i : DEVICE; go : H2D_RSP);
begin
  D2HReq[i] := NoReq;
  H2DRsp[i] := go;
  Holder[i] := false;
end;

procedure ReceiveResponse(i : DEVICE);
begin
  if D2HRsp[i] != RspSFwdM then
    Holder[i] := false;
  endif;
  D2HRsp[i] := NoRsp;
  Snooped[i] := false;
end;

procedure DiscardData(i : DEVICE);
begin
  D2HData[i].Valid := false;
  undefine D2HData[i].Data;
end;

procedure CopyData(i : DEVICE);
begin
  Memory := D2HData[i].Data;
  DiscardData(i);
end;

-- Whether no device but this one may have the line.
function NoneBut(i : DEVICE) : boolean;
begin
  return forall j : DEVICE do j != i -> !Holder[j] endforall;
end;

ruleset d : DATA do
  startstate "Init"
    for i : DEVICE do
      State[i] := Invalid;
      D2HReq[i] := NoReq;
      D2HRsp[i] := NoRsp;
      D2HData[i].Valid := false;
      H2DReq[i] := NoSnp;
      H2DRsp[i] := NoGO;
      H2DData[i].Valid := false;
      Holder[i] := false;
      Snooped[i] := false;
    endfor;
    Host := InvalidM;
    Memory := d;
    Latest := d;
  endstartstate;
endruleset;

------------------------------------------------- devices: loads and stores

ruleset i : DEVICE do

  rule "SharedLoad"
    State[i] = Shared
  ==>
    assert Data[i] = Latest "a load returns what was stored last";
  endrule;

  rule "ModifiedLoad"
    State[i] = Modified
  ==>
    assert Data[i] = Latest "a load returns what was stored last";
  endrule;

  rule "InvalidLoad"
    State[i] = Invalid
  ==>
    Request(i, RdShared, ISAD);
  endrule;

  rule "InvalidStore"
    State[i] = Invalid
  ==>
    Request(i, RdOwn, IMAD);
  endrule;

  rule "SharedStore"
    State[i] = Shared
  ==>
    Request(i, RdOwn, SMAD);
  endrule;

endruleset;

ruleset i : DEVICE; d : DATA do
  rule "ModifiedStore"
    State[i] = Modified
  ==>
    Data[i] := d;
    Latest := d;
  endrule;
endruleset;

ruleset i : DEVICE do

  rule "ISADData"
    State[i] = ISAD & H2DData[i].Valid
  ==>
    ReceiveData(i, ISA);
  endrule;

  rule "ISDData"
    State[i] = ISD & H2DData[i].Valid
  ==>
    ReceiveData(i, Shared);
  endrule;

  -- The load takes place, and nothing is kept.
  rule "ISDIData"
    State[i] = ISDI & H2DData[i].Valid
  ==>
    ReceiveData(i, Invalid);
    Drop(i);
  endrule;

  rule "IMADData"
    State[i] = IMAD & H2DData[i].Valid
  ==>
    ReceiveData(i, IMA);
  endrule;

  rule "IMDData"
    State[i] = IMD & H2DData[i].Valid
  ==>
    ReceiveData(i, Modified);
  endrule;

  rule "SMADData"
    State[i] = SMAD & H2DData[i].Valid
  ==>
    ReceiveData(i, SMA);
  endrule;

  rule "SMDData"
    State[i] = SMD & H2DData[i].Valid
  ==>
    ReceiveData(i, Modified);
  endrule;

  rule "ISADGO"
    State[i] = ISAD & H2DRsp[i] = GO_S
  ==>
    ReceiveGO(i, ISD);
  endrule;

  rule "ISAGO"
    State[i] = ISA & H2DRsp[i] = GO_S
  ==>
    ReceiveGO(i, Shared);
  endrule;

  rule "IMADGO"
    State[i] = IMAD & H2DRsp[i] = GO_M
  ==>
    ReceiveGO(i, IMD);
  endrule;

  rule "IMAGO"
    State[i] = IMA & H2DRsp[i] = GO_M
  ==>
    ReceiveGO(i, Modified);
  endrule;

  rule "SMADGO"
    State[i] = SMAD & H2DRsp[i] = GO_M
  ==>
    ReceiveGO(i, SMD);
  endrule;

  rule "SMAGO"
    State[i] = SMA & H2DRsp[i] = GO_M
  ==>
    ReceiveGO(i, Modified);
  endrule;

endruleset;

-------------------------------------------------------- devices: evictions

ruleset i : DEVICE do

  rule "SharedEvict"
    State[i] = Shared
  ==>
    Request(i, CleanEvictNoData, SIAC);
  endrule;

  rule "SharedEvictData"
    State[i] = Shared
  ==>
    Request(i, CleanEvict, SIA);
  endrule;

  rule "ModifiedEvict"
    State[i] = Modified
  ==>
    Request(i, DirtyEvict, MIA);
  endrule;

  rule "SIACGO"
    State[i] = SIAC & H2DRsp[i] = GO_I
  ==>
    ReceiveGO(i, Invalid);
    Drop(i);
  endrule;

  -- Not among the 68: after SIACSnpInv.
  rule "IIAGO"
    State[i] = IIA & H2DRsp[i] = GO_I
  ==>
    ReceiveGO(i, Invalid);
    Drop(i);
  endrule;

  rule "SIAGO_WritePull"
    State[i] = SIA & H2DRsp[i] = GO_WritePull
  ==>
    ForwardData(i);
    ReceiveGO(i, Invalid);
    Drop(i);
  endrule;

  rule "SIAGO_WritePullDrop"
    State[i] = SIA & H2DRsp[i] = GO_WritePullDrop
  ==>
    ReceiveGO(i, Invalid);
    Drop(i);
  endrule;

  rule "MIAGO_WritePull"
    State[i] = MIA & H2DRsp[i] = GO_WritePull
  ==>
    ForwardData(i);
    ReceiveGO(i, Invalid);
    Drop(i);
  endrule;

  rule "IIAGO_WritePull"
    State[i] = IIA & H2DRsp[i] = GO_WritePull
  ==>
    ForwardData(i);
    ReceiveGO(i, Invalid);
    Drop(i);
  endrule;

  rule "IIAGO_WritePullDrop"
    State[i] = IIA & H2DRsp[i] = GO_WritePullDrop
  ==>
    ReceiveGO(i, Invalid);
    Drop(i);
  endrule;

endruleset;

----------------------------------------------------------- devices: snoops

ruleset i : DEVICE do

  rule "SharedSnpInv"
    State[i] = Shared & IsSnooped(i, SnpInv)
  ==>
    Answer(i, RspIHitSE);
    Drop(i);
  endrule;

  rule "ISDSnpInv"
    State[i] = ISD & IsSnooped(i, SnpInv)
  ==>
    Answer(i, RspIHitSE);
    State[i] := ISDI;
  endrule;

  rule "SMADSnpInv"
    State[i] = SMAD & IsSnooped(i, SnpInv)
  ==>
    Answer(i, RspIHitSE);
    State[i] := IMAD;
    undefine Data[i];
  endrule;

  rule "SIASnpInv"
    State[i] = SIA & IsSnooped(i, SnpInv)
  ==>
    Answer(i, RspIHitSE);
    State[i] := IIA;
  endrule;

  -- Not among the 68: an eviction without data can cross a snoop, too.
  rule "SIACSnpInv"
    State[i] = SIAC & IsSnooped(i, SnpInv)
  ==>
    Answer(i, RspIHitSE);
    State[i] := IIA;
  endrule;

  rule "ModifiedSnpInv"
    State[i] = Modified & IsSnooped(i, SnpInv)
  ==>
    Answer(i, RspIFwdM);
    ForwardData(i);
    Drop(i);
  endrule;

  rule "ModifiedSnpDataShared"
    State[i] = Modified & IsSnooped(i, SnpData)
  ==>
    Answer(i, RspSFwdM);
    ForwardData(i);
    State[i] := Shared;
  endrule;

  rule "ModifiedSnpDataInvalid"
    State[i] = Modified & IsSnooped(i, SnpData)
  ==>
    Answer(i, RspIFwdM);
    ForwardData(i);
    Drop(i);
  endrule;

  rule "MIASnpInv"
    State[i] = MIA & IsSnooped(i, SnpInv)
  ==>
    Answer(i, RspIFwdM);
    ForwardData(i);
    State[i] := IIA;
  endrule;

  rule "MIASnpDataShared"
    State[i] = MIA & IsSnooped(i, SnpData)
  ==>
    Answer(i, RspSFwdM);
    ForwardData(i);
    State[i] := SIA;
  endrule;

  rule "MIASnpDataInvalid"
    State[i] = MIA & IsSnooped(i, SnpData)
  ==>
    Answer(i, RspIFwdM);
    ForwardData(i);
    State[i] := IIA;
  endrule;

endruleset;

------------------------------------------------- the host: loads and stores

ruleset i : DEVICE do

  rule "HostInvalidRdShared"
    Host = InvalidM & D2HReq[i] = RdShared
  ==>
    D2HReq[i] := NoReq;
    SendData(i);
    Grant(i, GO_S);
    Host := SharedM;
  endrule;

  rule "HostSharedRdShared"
    Host = SharedM & D2HReq[i] = RdShared
  ==>
    D2HReq[i] := NoReq;
    SendData(i);
    Grant(i, GO_S);
  endrule;

  rule "HostInvalidRdOwn"
    Host = InvalidM & D2HReq[i] = RdOwn
  ==>
    D2HReq[i] := NoReq;
    SendData(i);
    Grant(i, GO_M);
    Host := ModifiedM;
  endrule;

  rule "HostSharedRdOwnSelf"
    Host = SharedM & D2HReq[i] = RdOwn
  ==>
    D2HReq[i] := NoReq;
    SendData(i);
    Grant(i, GO_M);
    Host := ModifiedM;
  endrule;

  rule "HostSharedRdOwn"
    Host = SharedM & D2HReq[i] = RdOwn & !NoneBut(i)
  ==>
    D2HReq[i] := NoReq;
    SendData(i);
    for j : DEVICE do
      if j != i & Holder[j] then
        Snoop(j, SnpInv);
      endif;
    endfor;
    Requester := i;
    Host := MA;
  endrule;

endruleset;

ruleset i : DEVICE; j : DEVICE do

  rule "HostModifiedRdShared"
    Host = ModifiedM & D2HReq[i] = RdShared & Holder[j]
  ==>
    D2HReq[i] := NoReq;
    Snoop(j, SnpData);
    Requester := i;
    Host := SAD;
  endrule;

  rule "HostModifiedRdOwn"
    Host = ModifiedM & D2HReq[i] = RdOwn & Holder[j]
  ==>
    D2HReq[i] := NoReq;
    Snoop(j, SnpInv);
    Requester := i;
    Host := MAD;
  endrule;

endruleset;

ruleset i : DEVICE do

  rule "HostSADRspIFwdM"
    Host = SAD & D2HRsp[i] = RspIFwdM
  ==>
    ReceiveResponse(i);
    Grant(Requester, GO_S);
    Host := SD;
  endrule;

  rule "HostSADRspSFwdM"
    Host = SAD & D2HRsp[i] = RspSFwdM
  ==>
    ReceiveResponse(i);
    Grant(Requester, GO_S);
    Host := SD;
  endrule;

  rule "HostSARspIFwdM"
    Host = SA & D2HRsp[i] = RspIFwdM
  ==>
    ReceiveResponse(i);
    Grant(Requester, GO_S);
    undefine Requester;
    Host := SharedM;
  endrule;

  rule "HostSARspSFwdM"
    Host = SA & D2HRsp[i] = RspSFwdM
  ==>
    ReceiveResponse(i);
    Grant(Requester, GO_S);
    undefine Requester;
    Host := SharedM;
  endrule;

  rule "HostMADRspIFwdM"
    Host = MAD & D2HRsp[i] = RspIFwdM
  ==>
    ReceiveResponse(i);
    Grant(Requester, GO_M);
    Host := MD;
  endrule;

  rule "HostMARspIFwdM"
    Host = MA & D2HRsp[i] = RspIFwdM
  ==>
    ReceiveResponse(i);
    Grant(Requester, GO_M);
    undefine Requester;
    Host := ModifiedM;
  endrule;

  -- The last of the responses.
  rule "HostMARspIHitSE"
    Host = MA & D2HRsp[i] = RspIHitSE
    & forall j : DEVICE do j != i -> !Snooped[j] endforall
  ==>
    ReceiveResponse(i);
    Grant(Requester, GO_M);
    undefine Requester;
    Host := ModifiedM;
  endrule;

  -- Not among the 68: with two devices, one is snooped at most.
  rule "HostMARspIHitSE_NotLast"
    Host = MA & D2HRsp[i] = RspIHitSE
    & exists j : DEVICE do j != i & Snooped[j] endexists
  ==>
    ReceiveResponse(i);
  endrule;

  rule "HostSADData"
    Host = SAD & D2HData[i].Valid
  ==>
    CopyData(i);
    SendData(Requester);
    Host := SA;
  endrule;

  rule "HostSDData"
    Host = SD & D2HData[i].Valid
  ==>
    CopyData(i);
    SendData(Requester);
    undefine Requester;
    Host := SharedM;
  endrule;

  rule "HostMADData"
    Host = MAD & D2HData[i].Valid
  ==>
    CopyData(i);
    SendData(Requester);
    Host := MA;
  endrule;

  rule "HostMDData"
    Host = MD & D2HData[i].Valid
  ==>
    CopyData(i);
    SendData(Requester);
    undefine Requester;
    Host := ModifiedM;
  endrule;

endruleset;

------------------------------------------------------- the host: evictions

ruleset i : DEVICE do

  rule "HostShared_CleanEvict_NotLastData"
    Host = SharedM & D2HReq[i] = CleanEvict & !NoneBut(i)
  ==>
    Release(i, GO_WritePull);
    Host := SB;
  endrule;

  rule "HostShared_CleanEvict_NotLastDrop"
    Host = SharedM & D2HReq[i] = CleanEvict & !NoneBut(i)
  ==>
    Release(i, GO_WritePullDrop);
  endrule;

  rule "HostShared_CleanEvict_Last"
    Host = SharedM & D2HReq[i] = CleanEvict & NoneBut(i)
  ==>
    Release(i, GO_WritePull);
    Host := IB;
  endrule;

  rule "HostShared_CleanEvictNoData_NotLast"
    Host = SharedM & D2HReq[i] = CleanEvictNoData & !NoneBut(i)
  ==>
    Release(i, GO_I);
  endrule;

  rule "HostShared_CleanEvictNoData_Last"
    Host = SharedM & D2HReq[i] = CleanEvictNoData & NoneBut(i)
  ==>
    Release(i, GO_I);
    Host := InvalidM;
  endrule;

  -- The line was modified, and a snoop has changed that.
  rule "HostShared_DirtyEvict"
    Host = SharedM & D2HReq[i] = DirtyEvict & !NoneBut(i)
  ==>
    Release(i, GO_WritePull);
    Host := SB;
  endrule;

  -- Not among the 68: the device has kept a shared copy, the last one by now.
  rule "HostShared_DirtyEvict_Last"
    Host = SharedM & D2HReq[i] = DirtyEvict & NoneBut(i)
  ==>
    Release(i, GO_WritePull);
    Host := IB;
  endrule;

  rule "HostModifiedDirtyEvict"
    Host = ModifiedM & D2HReq[i] = DirtyEvict & Holder[i]
  ==>
    Release(i, GO_WritePull);
    Host := ID;
  endrule;

  -- Not among the 68, though described with them: from a previous owner.
  rule "HostModifiedDirtyEvictPrevious"
    Host = ModifiedM & D2HReq[i] = DirtyEvict & !Holder[i]
  ==>
    Release(i, GO_WritePull);
    Host := MB;
  endrule;

  rule "HostInvalidDirtyEvict"
    Host = InvalidM & D2HReq[i] = DirtyEvict
  ==>
    Release(i, GO_WritePull);
    Host := IB;
  endrule;

  -- The next four are not among the 68: from devices in IIA.

  rule "HostInvalid_CleanEvict"
    Host = InvalidM & D2HReq[i] = CleanEvict
  ==>
    Release(i, GO_WritePullDrop);
  endrule;

  rule "HostModified_CleanEvict"
    Host = ModifiedM & D2HReq[i] = CleanEvict
  ==>
    Release(i, GO_WritePullDrop);
  endrule;

  rule "HostInvalid_CleanEvictNoData"
    Host = InvalidM & D2HReq[i] = CleanEvictNoData
  ==>
    Release(i, GO_I);
  endrule;

  rule "HostModified_CleanEvictNoData"
    Host = ModifiedM & D2HReq[i] = CleanEvictNoData
  ==>
    Release(i, GO_I);
  endrule;

  rule "HostIDData"
    Host = ID & D2HData[i].Valid
  ==>
    CopyData(i);
    Host := InvalidM;
  endrule;

  rule "HostIBDataPrevious"
    Host = IB & D2HData[i].Valid
  ==>
    DiscardData(i);
    Host := InvalidM;
  endrule;

  rule "HostSBData"
    Host = SB & D2HData[i].Valid
  ==>
    DiscardData(i);
    Host := SharedM;
  endrule;

  rule "HostMBData"
    Host = MB & D2HData[i].Valid
  ==>
    DiscardData(i);
    Host := ModifiedM;
  endrule;

endruleset;

-------------------------------------------------------------- the properties

-- A single writer, or many readers.
invariant "SWMR"
  forall i : DEVICE do
    forall j : DEVICE do
      i != j & State[i] = Modified -> State[j] != Modified & State[j] != Shared
    endforall
  endforall;

-- What a device can load is what was stored last.
invariant "DataValue"
  forall i : DEVICE do
    State[i] = Shared | State[i] = Modified -> Data[i] = Latest
  endforall;

-- Memory is up to date unless a device has, or had, a modified line.
invariant "MemoryValue"
  Host = InvalidM | Host = SharedM | Host = SA | Host = SB | Host = IB
    -> Memory = Latest;
