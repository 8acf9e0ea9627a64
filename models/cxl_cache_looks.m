-- paraproof: verdict = proven
-- paraproof: rules = 69
-- paraproof: properties = 7
-- paraproof: states DEVICE_NUM=2 757
-- paraproof: states DEVICE_NUM=3 12297

-- CXL.cache as published, for any number of devices: cxl_cache_two.m where 'the
-- other device' is all others.
--
-- The protocol is described in cxl_cache.m. These are its 68 published rules by
-- their names, and one more, for a host that snoops several sharers. The host has
-- no directory: it looks into all other devices, and into channels. With two
-- devices the rules reach the same states as the published ones.
--
-- Served is the device that the host serves, and the owner afterwards. The
-- published host needs no name for either, since it is 'the other device'.
--
-- Like the published version, this one gets stuck, because it only says what must
-- not happen. docs/cxl.md has the details.
--
-- C. Tan, A. F. Donaldson and J. Wickerson, 'Formalising CXL Cache Coherence',
-- ASPLOS 2025.
--
-- What is special in this version: guards about all other devices in the place of
-- a directory.

const
  DEVICE_NUM : 3;

type
  DEVICE : scalarset(DEVICE_NUM);

  DEVICE_STATE : enum {
    Invalid, Shared, Modified,
    ISAD, ISA, ISD, ISDI, IMAD, IMA, IMD, SMAD, SMA, SMD, SIAC, SIA, MIA, IIA
  };
  HOST_STATE : enum {
    InvalidM, SharedM, ModifiedM, SAD, SA, SD, MAD, MA, MD, ID, IB, SB, MB
  };

  D2H_REQ : enum { NoReq, RdShared, RdOwn, CleanEvict, CleanEvictNoData, DirtyEvict };
  D2H_RSP : enum { NoRsp, RspIHitSE, RspIFwdM, RspSFwdM };
  H2D_REQ : enum { NoSnp, SnpInv, SnpData };
  H2D_RSP : enum { NoGO, GO_I, GO_S, GO_M, GO_WritePull, GO_WritePullDrop };

var
  State   : array [DEVICE] of DEVICE_STATE;
  D2HReq  : array [DEVICE] of D2H_REQ;
  D2HRsp  : array [DEVICE] of D2H_RSP;
  D2HData : array [DEVICE] of boolean;
  H2DReq  : array [DEVICE] of H2D_REQ;
  H2DRsp  : array [DEVICE] of H2D_RSP;
  H2DData : array [DEVICE] of boolean;
  Host    : HOST_STATE;
  Served  : DEVICE;    -- the device that the host serves, and then the owner

-- Nothing that is under way to or from this device concerns a snoop.
function Observed(i : DEVICE) : boolean;
begin
  return !D2HData[i] & D2HRsp[i] = NoRsp & H2DReq[i] = NoSnp;
end;

function IsSnooped(i : DEVICE; snoop : H2D_REQ) : boolean;
begin
  return H2DReq[i] = snoop & H2DRsp[i] = NoGO;
end;

function IsGO(go : H2D_RSP) : boolean;
begin
  return go = GO_I | go = GO_S | go = GO_M;
end;

-- What the published host asks of the other device, it asks of all others here.
function OthersObserved(i : DEVICE) : boolean;
begin
  return forall j : DEVICE do j != i -> Observed(j) endforall;
end;

function LastSharer(i : DEVICE) : boolean;
begin
  return forall j : DEVICE do j != i -> State[j] = Invalid endforall;
end;

function AnotherIsIIA(i : DEVICE) : boolean;
begin
  return exists j : DEVICE do j != i & State[j] = IIA endexists;
end;

procedure Serve(i : DEVICE; next : HOST_STATE);
begin
  D2HReq[i] := NoReq;
  Served := i;
  Host := next;
end;

procedure Request(i : DEVICE; request : D2H_REQ; next : DEVICE_STATE);
begin
  assert D2HReq[i] = NoReq "one place for requests";
  D2HReq[i] := request;
  State[i] := next;
end;

procedure Answer(i : DEVICE; response : D2H_RSP; next : DEVICE_STATE);
begin
  assert D2HRsp[i] = NoRsp "one place for snoop responses";
  H2DReq[i] := NoSnp;
  D2HRsp[i] := response;
  State[i] := next;
end;

procedure ForwardData(i : DEVICE);
begin
  assert !D2HData[i] "one place for data to the host";
  D2HData[i] := true;
end;

procedure ReceiveData(i : DEVICE; next : DEVICE_STATE);
begin
  H2DData[i] := false;
  State[i] := next;
end;

procedure ReceiveGO(i : DEVICE; next : DEVICE_STATE);
begin
  H2DRsp[i] := NoGO;
  State[i] := next;
end;

procedure Snoop(i : DEVICE; snoop : H2D_REQ);
begin
  assert H2DReq[i] = NoSnp "one place for snoops";
  H2DReq[i] := snoop;
end;

procedure SendData(i : DEVICE);
begin
  assert !H2DData[i] "one place for data from the host";
  H2DData[i] := true;
end;

procedure SendGO(i : DEVICE; go : H2D_RSP);
begin
  assert H2DRsp[i] = NoGO "one place for responses from the host";
  H2DRsp[i] := go;
end;

procedure Release(i : DEVICE; go : H2D_RSP);
begin
  D2HReq[i] := NoReq;
  SendGO(i, go);
end;

startstate "Init"
  for i : DEVICE do
    State[i] := Invalid;
    D2HReq[i] := NoReq;
    D2HRsp[i] := NoRsp;
    D2HData[i] := false;
    H2DReq[i] := NoSnp;
    H2DRsp[i] := NoGO;
    H2DData[i] := false;
  endfor;
  Host := InvalidM;
  undefine Served;
endstartstate;

ruleset i : DEVICE do

  -- Devices: loads, stores and evictions.

  rule "SharedLoad"
    State[i] = Shared
  ==>
  endrule;

  rule "ModifiedLoad"
    State[i] = Modified
  ==>
  endrule;

  rule "ModifiedStore"
    State[i] = Modified
  ==>
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

  -- Devices: data.

  rule "ISADData"
    State[i] = ISAD & H2DData[i]
  ==>
    ReceiveData(i, ISA);
  endrule;

  rule "ISDData"
    State[i] = ISD & H2DData[i]
  ==>
    ReceiveData(i, Shared);
  endrule;

  rule "ISDIData"
    State[i] = ISDI & H2DData[i]
  ==>
    ReceiveData(i, Invalid);
  endrule;

  rule "IMADData"
    State[i] = IMAD & H2DData[i]
  ==>
    ReceiveData(i, IMA);
  endrule;

  rule "IMDData"
    State[i] = IMD & H2DData[i]
  ==>
    ReceiveData(i, Modified);
  endrule;

  rule "SMADData"
    State[i] = SMAD & H2DData[i]
  ==>
    ReceiveData(i, SMA);
  endrule;

  rule "SMDData"
    State[i] = SMD & H2DData[i]
  ==>
    ReceiveData(i, Modified);
  endrule;

  -- Devices: GO.

  rule "ISADGO"
    State[i] = ISAD & IsGO(H2DRsp[i])
  ==>
    ReceiveGO(i, ISD);
  endrule;

  rule "ISAGO"
    State[i] = ISA & IsGO(H2DRsp[i])
  ==>
    ReceiveGO(i, Shared);
  endrule;

  rule "IMADGO"
    State[i] = IMAD & IsGO(H2DRsp[i])
  ==>
    ReceiveGO(i, IMD);
  endrule;

  rule "IMAGO"
    State[i] = IMA & IsGO(H2DRsp[i])
  ==>
    ReceiveGO(i, Modified);
  endrule;

  rule "SMADGO"
    State[i] = SMAD & IsGO(H2DRsp[i])
  ==>
    ReceiveGO(i, SMD);
  endrule;

  rule "SMAGO"
    State[i] = SMA & IsGO(H2DRsp[i])
  ==>
    ReceiveGO(i, Modified);
  endrule;

  rule "SIACGO"
    State[i] = SIAC & H2DRsp[i] = GO_I & Observed(i)
    & Host != SAD & Host != MD & Host != MA
    & (AnotherIsIIA(i) -> Host != SharedM)
  ==>
    ReceiveGO(i, Invalid);
  endrule;

  rule "SIAGO_WritePull"
    State[i] = SIA & H2DRsp[i] = GO_WritePull
  ==>
    ReceiveGO(i, Invalid);
    ForwardData(i);
  endrule;

  rule "MIAGO_WritePull"
    State[i] = MIA & H2DRsp[i] = GO_WritePull
  ==>
    ReceiveGO(i, Invalid);
    ForwardData(i);
  endrule;

  rule "IIAGO_WritePull"
    State[i] = IIA & H2DRsp[i] = GO_WritePull
  ==>
    ReceiveGO(i, Invalid);
    ForwardData(i);
  endrule;

  rule "SIAGO_WritePullDrop"
    State[i] = SIA & H2DRsp[i] = GO_WritePullDrop
  ==>
    ReceiveGO(i, Invalid);
  endrule;

  rule "IIAGO_WritePullDrop"
    State[i] = IIA & H2DRsp[i] = GO_WritePullDrop
  ==>
    ReceiveGO(i, Invalid);
  endrule;

  -- Devices: snoops.

  rule "SharedSnpInv"
    State[i] = Shared & IsSnooped(i, SnpInv)
  ==>
    Answer(i, RspIHitSE, Invalid);
  endrule;

  rule "ISDSnpInv"
    State[i] = ISD & IsSnooped(i, SnpInv)
  ==>
    Answer(i, RspIHitSE, ISDI);
  endrule;

  rule "SMADSnpInv"
    State[i] = SMAD & IsSnooped(i, SnpInv)
  ==>
    Answer(i, RspIHitSE, IMAD);
  endrule;

  rule "SIASnpInv"
    State[i] = SIA & IsSnooped(i, SnpInv) & D2HReq[i] != DirtyEvict
  ==>
    Answer(i, RspIHitSE, IIA);
  endrule;

  rule "ModifiedSnpInv"
    State[i] = Modified & IsSnooped(i, SnpInv)
  ==>
    Answer(i, RspIFwdM, Invalid);
    ForwardData(i);
  endrule;

  rule "ModifiedSnpDataShared"
    State[i] = Modified & IsSnooped(i, SnpData)
  ==>
    Answer(i, RspSFwdM, Shared);
    ForwardData(i);
  endrule;

  rule "ModifiedSnpDataInvalid"
    State[i] = Modified & IsSnooped(i, SnpData)
  ==>
    Answer(i, RspIFwdM, Invalid);
    ForwardData(i);
  endrule;

  rule "MIASnpInv"
    State[i] = MIA & IsSnooped(i, SnpInv)
  ==>
    Answer(i, RspIFwdM, IIA);
    ForwardData(i);
  endrule;

  rule "MIASnpDataShared"
    State[i] = MIA & IsSnooped(i, SnpData)
  ==>
    Answer(i, RspSFwdM, SIA);
    ForwardData(i);
  endrule;

  rule "MIASnpDataInvalid"
    State[i] = MIA & IsSnooped(i, SnpData)
  ==>
    Answer(i, RspIFwdM, IIA);
    ForwardData(i);
  endrule;

  -- The host: loads and stores.

  rule "HostInvalidRdShared"
    Host = InvalidM & D2HReq[i] = RdShared & Observed(i)
  ==>
    SendData(i);
    SendGO(i, GO_S);
    D2HReq[i] := NoReq;
    Host := SharedM;
  endrule;

  rule "HostSharedRdShared"
    Host = SharedM & D2HReq[i] = RdShared & Observed(i)
  ==>
    SendData(i);
    SendGO(i, GO_S);
    D2HReq[i] := NoReq;
    Host := SharedM;
  endrule;

  rule "HostInvalidRdOwn"
    Host = InvalidM & D2HReq[i] = RdOwn & Observed(i)
  ==>
    SendData(i);
    SendGO(i, GO_M);
    Serve(i, ModifiedM);
  endrule;

  rule "HostSharedRdOwnSelf"
    Host = SharedM & D2HReq[i] = RdOwn & LastSharer(i)
  ==>
    SendData(i);
    SendGO(i, GO_M);
    Serve(i, ModifiedM);
  endrule;

  rule "HostSharedRdOwn"
    Host = SharedM & D2HReq[i] = RdOwn & !LastSharer(i)
    & forall j : DEVICE do j != i -> State[j] = Shared | State[j] = Invalid endforall
  ==>
    SendData(i);
    for j : DEVICE do
      if j != i & State[j] = Shared then
        Snoop(j, SnpInv);
      endif;
    endfor;
    Serve(i, MA);
  endrule;

  rule "HostModifiedRdShared"
    Host = ModifiedM & D2HReq[i] = RdShared & i != Served
  ==>
    Snoop(Served, SnpData);
    Serve(i, SAD);
  endrule;

  rule "HostModifiedRdOwn"
    Host = ModifiedM & D2HReq[i] = RdOwn & i != Served
  ==>
    Snoop(Served, SnpInv);
    Serve(i, MAD);
  endrule;

  rule "HostSADRspIFwdM"
    Host = SAD & D2HRsp[i] = RspIFwdM & OthersObserved(i)
  ==>
    SendGO(Served, GO_S);
    D2HRsp[i] := NoRsp;
    Host := SD;
  endrule;

  rule "HostSADRspSFwdM"
    Host = SAD & D2HRsp[i] = RspSFwdM & OthersObserved(i)
  ==>
    SendGO(Served, GO_S);
    D2HRsp[i] := NoRsp;
    Host := SD;
  endrule;

  rule "HostSARspIFwdM"
    Host = SA & D2HRsp[i] = RspIFwdM & OthersObserved(i)
  ==>
    SendGO(Served, GO_S);
    D2HRsp[i] := NoRsp;
    undefine Served;
    Host := SharedM;
  endrule;

  rule "HostSARspSFwdM"
    Host = SA & D2HRsp[i] = RspSFwdM & OthersObserved(i)
  ==>
    SendGO(Served, GO_S);
    D2HRsp[i] := NoRsp;
    undefine Served;
    Host := SharedM;
  endrule;

  rule "HostMADRspIFwdM"
    Host = MAD & D2HRsp[i] = RspIFwdM & OthersObserved(i)
  ==>
    SendGO(Served, GO_M);
    D2HRsp[i] := NoRsp;
    Host := MD;
  endrule;

  rule "HostMARspIFwdM"
    Host = MA & D2HRsp[i] = RspIFwdM & OthersObserved(i)
  ==>
    SendGO(Served, GO_M);
    D2HRsp[i] := NoRsp;
    Host := ModifiedM;
  endrule;

  rule "HostMARspIHitSE"
    Host = MA & D2HRsp[i] = RspIHitSE & OthersObserved(i) & !H2DData[i]
  ==>
    SendGO(Served, GO_M);
    D2HRsp[i] := NoRsp;
    Host := ModifiedM;
  endrule;

  -- With more than two devices, the host snoops several sharers.
  rule "HostMARspIHitSE_NotLast"
    Host = MA & D2HRsp[i] = RspIHitSE
    & exists j : DEVICE do
        j != i & j != Served & (H2DReq[j] = SnpInv | D2HRsp[j] = RspIHitSE)
      endexists
  ==>
    D2HRsp[i] := NoRsp;
  endrule;

  rule "HostSADData"
    Host = SAD & D2HData[i]
  ==>
    D2HData[i] := false;
    SendData(Served);
    Host := SA;
  endrule;

  rule "HostSDData"
    Host = SD & D2HData[i]
  ==>
    D2HData[i] := false;
    SendData(Served);
    undefine Served;
    Host := SharedM;
  endrule;

  rule "HostMADData"
    Host = MAD & D2HData[i]
  ==>
    D2HData[i] := false;
    SendData(Served);
    Host := MA;
  endrule;

  rule "HostMDData"
    Host = MD & D2HData[i]
  ==>
    D2HData[i] := false;
    SendData(Served);
    Host := ModifiedM;
  endrule;

  -- The host: evictions.

  rule "HostShared_CleanEvict_NotLastData"
    Host = SharedM & D2HReq[i] = CleanEvict & Observed(i)
    & !LastSharer(i) & !AnotherIsIIA(i)
  ==>
    Release(i, GO_WritePull);
    Host := SB;
  endrule;

  rule "HostShared_CleanEvict_NotLastDrop"
    Host = SharedM & D2HReq[i] = CleanEvict & Observed(i)
    & !LastSharer(i) & !AnotherIsIIA(i)
  ==>
    Release(i, GO_WritePullDrop);
  endrule;

  rule "HostShared_CleanEvict_Last"
    Host = SharedM & D2HReq[i] = CleanEvict & Observed(i) & LastSharer(i)
  ==>
    Release(i, GO_WritePull);
    Host := IB;
  endrule;

  rule "HostShared_CleanEvictNoData_NotLast"
    Host = SharedM & D2HReq[i] = CleanEvictNoData & Observed(i)
    & !LastSharer(i)
  ==>
    Release(i, GO_I);
  endrule;

  rule "HostShared_CleanEvictNoData_Last"
    Host = SharedM & D2HReq[i] = CleanEvictNoData & Observed(i)
    & LastSharer(i)
  ==>
    Release(i, GO_I);
    Host := InvalidM;
  endrule;

  rule "HostShared_DirtyEvict"
    Host = SharedM & D2HReq[i] = DirtyEvict & Observed(i) & State[i] = IIA
  ==>
    Release(i, GO_WritePull);
    Host := SB;
  endrule;

  rule "HostModifiedDirtyEvict"
    Host = ModifiedM & D2HReq[i] = DirtyEvict & Observed(i) & State[i] = MIA
    & forall j : DEVICE do
        j != i -> !(State[j] = SIA & H2DRsp[j] = GO_WritePullDrop)
      endforall
  ==>
    Release(i, GO_WritePull);
    undefine Served;
    Host := ID;
  endrule;

  rule "HostInvalidDirtyEvict"
    Host = InvalidM & D2HReq[i] = DirtyEvict & Observed(i) & State[i] = IIA
  ==>
    Release(i, GO_WritePull);
    Host := IB;
  endrule;

  rule "HostIDData"
    Host = ID & D2HData[i] & State[i] = Invalid
    & forall j : DEVICE do
        j != i -> State[j] = IIA | State[j] = Invalid | State[j] = SIA
      endforall
  ==>
    D2HData[i] := false;
    Host := InvalidM;
  endrule;

  rule "HostIBDataPrevious"
    Host = IB & D2HData[i] & State[i] = Invalid & LastSharer(i)
  ==>
    D2HData[i] := false;
    Host := InvalidM;
  endrule;

  rule "HostSBData"
    Host = SB & D2HData[i] & State[i] = Invalid
  ==>
    D2HData[i] := false;
    Host := SharedM;
  endrule;

  rule "HostMBData"
    Host = MB & D2HData[i] & State[i] = Invalid
  ==>
    D2HData[i] := false;
    Host := ModifiedM;
  endrule;

endruleset;

-- A single writer, or many readers.
invariant "SWMR"
  forall i : DEVICE do forall j : DEVICE do
    i != j & State[i] = Modified -> State[j] != Modified & State[j] != Shared
  endforall endforall;

-- Every message finds the one it is for in a state that expects it.
invariant "RequestExpected"
  forall i : DEVICE do
    (D2HReq[i] = RdShared -> State[i] = ISAD)
    & (D2HReq[i] = RdOwn -> State[i] = IMAD | State[i] = SMAD)
    & (D2HReq[i] = CleanEvict -> State[i] = SIA | State[i] = IIA)
    & (D2HReq[i] = CleanEvictNoData -> State[i] = SIAC)
    & (D2HReq[i] = DirtyEvict -> State[i] = MIA | State[i] = SIA | State[i] = IIA)
  endforall;

invariant "SnoopExpected"
  forall i : DEVICE do
    (H2DReq[i] = SnpData -> Host = SAD)
    & (H2DReq[i] = SnpInv -> Host = MAD | Host = MA)
  endforall;

invariant "SnoopResponseExpected"
  forall i : DEVICE do
    (D2HRsp[i] = RspIHitSE -> Host = MA)
    & (D2HRsp[i] = RspIFwdM -> Host = SAD | Host = SA | Host = MAD | Host = MA)
    & (D2HRsp[i] = RspSFwdM -> Host = SAD | Host = SA)
  endforall;

invariant "GOExpected"
  forall i : DEVICE do
    (H2DRsp[i] = GO_I -> State[i] = SIAC)
    & (H2DRsp[i] = GO_S -> State[i] = ISAD | State[i] = ISA)
    & (H2DRsp[i] = GO_M -> State[i] = IMAD | State[i] = IMA | State[i] = SMAD | State[i] = SMA)
    & (H2DRsp[i] = GO_WritePull -> State[i] = SIA | State[i] = MIA | State[i] = IIA)
    & (H2DRsp[i] = GO_WritePullDrop -> State[i] = SIA | State[i] = IIA)
  endforall;

invariant "HostDataExpected"
  forall i : DEVICE do
    H2DData[i] ->
      State[i] = ISAD | State[i] = ISD | State[i] = IMAD
      | State[i] = IMD | State[i] = SMAD | State[i] = SMD
  endforall;

invariant "DeviceDataExpected"
  forall i : DEVICE do
    D2HData[i] ->
      Host = SAD | Host = SD | Host = MAD | Host = MD | Host = ID | Host = IB | Host = SB
  endforall;
