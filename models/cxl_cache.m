-- paraproof: verdict = proven

const
  DEVICE_NUM : 3;
  DATA_NUM   : 2;

type
  DEVICE : scalarset(DEVICE_NUM);
  DATA   : scalarset(DATA_NUM);

  DEVICE_STATE : enum {
    Invalid, Shared, Modified,
    ISAD, ISA, ISD, ISDI,      -- a load waits for GO (A), data (D) or both
    IMAD, IMA, IMD,            -- a store from Invalid
    SMAD, SMA, SMD,            -- a store from Shared
    MIA, SIA, SIAC, IIA        -- an eviction waits for GO
  };

  HOST_STATE : enum {
    InvalidM, SharedM, ModifiedM,
    SAD, SA, SD,               -- RdShared waits for the owner's response (A), data (D)
    MAD, MA, MD,               -- RdOwn, likewise
    ID, IB, SB, MB             -- an eviction's data: to be copied, or bogus
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
  -- The devices, and the six channels of each.
  State   : array [DEVICE] of DEVICE_STATE;
  Data    : array [DEVICE] of DATA;
  D2HReq  : array [DEVICE] of D2H_REQ;
  D2HRsp  : array [DEVICE] of D2H_RSP;
  D2HData : array [DEVICE] of DATA_MSG;
  H2DReq  : array [DEVICE] of H2D_REQ;
  H2DRsp  : array [DEVICE] of H2D_RSP;
  H2DData : array [DEVICE] of DATA_MSG;

  -- The host: its memory, its directory, and whom it works for.
  Host       : HOST_STATE;
  Memory     : DATA;
  Sharer     : array [DEVICE] of boolean;
  SnpPending : array [DEVICE] of boolean;
  Requester  : DEVICE;

  -- Only observed.
  Latest : DATA;

procedure PullData(i : DEVICE);
begin
  D2HData[i].Valid := true;
  D2HData[i].Data := Data[i];
end;

procedure TakeData(i : DEVICE);
begin
  Data[i] := H2DData[i].Data;
  H2DData[i].Valid := false;
  undefine H2DData[i].Data;
end;

procedure DropData(i : DEVICE);
begin
  D2HData[i].Valid := false;
  undefine D2HData[i].Data;
end;

procedure SendData(i : DEVICE);
begin
  H2DData[i].Valid := true;
  H2DData[i].Data := Memory;
end;

procedure GotResponse(i : DEVICE);
begin
  D2HRsp[i] := NoRsp;
  SnpPending[i] := false;
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
      Sharer[i] := false;
      SnpPending[i] := false;
    endfor;
    Host := InvalidM;
    Memory := d;
    Latest := d;
  endstartstate;
endruleset;

------------------------------------------- the devices: loads, stores, evictions

ruleset i : DEVICE do

  rule "InvalidLoad"
    State[i] = Invalid
  ==>
    D2HReq[i] := RdShared;
    State[i] := ISAD;
  endrule;

  rule "InvalidStore"
    State[i] = Invalid
  ==>
    D2HReq[i] := RdOwn;
    State[i] := IMAD;
  endrule;

  rule "SharedStore"
    State[i] = Shared
  ==>
    D2HReq[i] := RdOwn;
    State[i] := SMAD;
  endrule;

  rule "SharedEvict"
    State[i] = Shared
  ==>
    D2HReq[i] := CleanEvictNoData;
    State[i] := SIAC;
  endrule;

  rule "SharedEvictData"
    State[i] = Shared
  ==>
    D2HReq[i] := CleanEvict;
    State[i] := SIA;
  endrule;

  rule "ModifiedEvict"
    State[i] = Modified
  ==>
    D2HReq[i] := DirtyEvict;
    State[i] := MIA;
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

------------------------------------------------- the devices: snoops

ruleset i : DEVICE do

  rule "SharedSnpInv"
    H2DReq[i] = SnpInv & H2DRsp[i] = NoGO & State[i] = Shared
  ==>
    H2DReq[i] := NoSnp;
    D2HRsp[i] := RspIHitSE;
    State[i] := Invalid;
    undefine Data[i];
  endrule;

  rule "ISDSnpInv"
    H2DReq[i] = SnpInv & H2DRsp[i] = NoGO & State[i] = ISD
  ==>
    H2DReq[i] := NoSnp;
    D2HRsp[i] := RspIHitSE;
    State[i] := ISDI;
  endrule;

  rule "SMADSnpInv"
    H2DReq[i] = SnpInv & H2DRsp[i] = NoGO & State[i] = SMAD
  ==>
    H2DReq[i] := NoSnp;
    D2HRsp[i] := RspIHitSE;
    State[i] := IMAD;
    undefine Data[i];
  endrule;

  rule "SIASnpInv"
    H2DReq[i] = SnpInv & H2DRsp[i] = NoGO & State[i] = SIA
  ==>
    H2DReq[i] := NoSnp;
    D2HRsp[i] := RspIHitSE;
    State[i] := IIA;
  endrule;

  rule "SIACSnpInv"
    H2DReq[i] = SnpInv & H2DRsp[i] = NoGO & State[i] = SIAC
  ==>
    H2DReq[i] := NoSnp;
    D2HRsp[i] := RspIHitSE;
    State[i] := IIA;
  endrule;

  rule "ModifiedSnpInv"
    H2DReq[i] = SnpInv & H2DRsp[i] = NoGO & State[i] = Modified
  ==>
    H2DReq[i] := NoSnp;
    D2HRsp[i] := RspIFwdM;
    PullData(i);
    State[i] := Invalid;
    undefine Data[i];
  endrule;

  rule "ModifiedSnpDataShared"
    H2DReq[i] = SnpData & H2DRsp[i] = NoGO & State[i] = Modified
  ==>
    H2DReq[i] := NoSnp;
    D2HRsp[i] := RspSFwdM;
    PullData(i);
    State[i] := Shared;
  endrule;

  rule "ModifiedSnpDataInvalid"
    H2DReq[i] = SnpData & H2DRsp[i] = NoGO & State[i] = Modified
  ==>
    H2DReq[i] := NoSnp;
    D2HRsp[i] := RspIFwdM;
    PullData(i);
    State[i] := Invalid;
    undefine Data[i];
  endrule;

  rule "MIASnpInv"
    H2DReq[i] = SnpInv & H2DRsp[i] = NoGO & State[i] = MIA
  ==>
    H2DReq[i] := NoSnp;
    D2HRsp[i] := RspIFwdM;
    PullData(i);
    State[i] := IIA;
  endrule;

  rule "MIASnpDataShared"
    H2DReq[i] = SnpData & H2DRsp[i] = NoGO & State[i] = MIA
  ==>
    H2DReq[i] := NoSnp;
    D2HRsp[i] := RspSFwdM;
    PullData(i);
    State[i] := SIA;
  endrule;

  rule "MIASnpDataInvalid"
    H2DReq[i] = SnpData & H2DRsp[i] = NoGO & State[i] = MIA
  ==>
    H2DReq[i] := NoSnp;
    D2HRsp[i] := RspIFwdM;
    PullData(i);
    State[i] := IIA;
  endrule;

endruleset;

------------------------------------------------- the devices: data

ruleset i : DEVICE do

  rule "ISADData"
    State[i] = ISAD & H2DData[i].Valid
  ==>
    TakeData(i);
    State[i] := ISA;
  endrule;

  rule "ISDData"
    State[i] = ISD & H2DData[i].Valid
  ==>
    TakeData(i);
    State[i] := Shared;
  endrule;

  -- The load takes place, then the copy is invalid as promised.
  rule "ISDIData"
    State[i] = ISDI & H2DData[i].Valid
  ==>
    TakeData(i);
    undefine Data[i];
    State[i] := Invalid;
  endrule;

  rule "IMADData"
    State[i] = IMAD & H2DData[i].Valid
  ==>
    TakeData(i);
    State[i] := IMA;
  endrule;

  rule "IMDData"
    State[i] = IMD & H2DData[i].Valid
  ==>
    TakeData(i);
    State[i] := Modified;
  endrule;

  rule "SMADData"
    State[i] = SMAD & H2DData[i].Valid
  ==>
    TakeData(i);
    State[i] := SMA;
  endrule;

  rule "SMDData"
    State[i] = SMD & H2DData[i].Valid
  ==>
    TakeData(i);
    State[i] := Modified;
  endrule;

endruleset;

------------------------------------------------- the devices: GO

ruleset i : DEVICE do

  rule "ISADGO"
    State[i] = ISAD & H2DRsp[i] = GO_S
  ==>
    H2DRsp[i] := NoGO;
    State[i] := ISD;
  endrule;

  rule "ISAGO"
    State[i] = ISA & H2DRsp[i] = GO_S
  ==>
    H2DRsp[i] := NoGO;
    State[i] := Shared;
  endrule;

  rule "IMADGO"
    State[i] = IMAD & H2DRsp[i] = GO_M
  ==>
    H2DRsp[i] := NoGO;
    State[i] := IMD;
  endrule;

  rule "IMAGO"
    State[i] = IMA & H2DRsp[i] = GO_M
  ==>
    H2DRsp[i] := NoGO;
    State[i] := Modified;
  endrule;

  rule "SMADGO"
    State[i] = SMAD & H2DRsp[i] = GO_M
  ==>
    H2DRsp[i] := NoGO;
    State[i] := SMD;
  endrule;

  rule "SMAGO"
    State[i] = SMA & H2DRsp[i] = GO_M
  ==>
    H2DRsp[i] := NoGO;
    State[i] := Modified;
  endrule;

  rule "SIACGO"
    State[i] = SIAC & H2DRsp[i] = GO_I
  ==>
    H2DRsp[i] := NoGO;
    State[i] := Invalid;
    undefine Data[i];
  endrule;

  rule "IIAGO"
    State[i] = IIA & H2DRsp[i] = GO_I
  ==>
    H2DRsp[i] := NoGO;
    State[i] := Invalid;
    undefine Data[i];
  endrule;

  rule "SIAGO_WritePull"
    State[i] = SIA & H2DRsp[i] = GO_WritePull
  ==>
    H2DRsp[i] := NoGO;
    PullData(i);
    State[i] := Invalid;
    undefine Data[i];
  endrule;

  rule "SIAGO_WritePullDrop"
    State[i] = SIA & H2DRsp[i] = GO_WritePullDrop
  ==>
    H2DRsp[i] := NoGO;
    State[i] := Invalid;
    undefine Data[i];
  endrule;

  rule "IIAGO_WritePull"
    State[i] = IIA & H2DRsp[i] = GO_WritePull
  ==>
    H2DRsp[i] := NoGO;
    PullData(i);
    State[i] := Invalid;
    undefine Data[i];
  endrule;

  rule "IIAGO_WritePullDrop"
    State[i] = IIA & H2DRsp[i] = GO_WritePullDrop
  ==>
    H2DRsp[i] := NoGO;
    State[i] := Invalid;
    undefine Data[i];
  endrule;

  rule "MIAGO_WritePull"
    State[i] = MIA & H2DRsp[i] = GO_WritePull
  ==>
    H2DRsp[i] := NoGO;
    PullData(i);
    State[i] := Invalid;
    undefine Data[i];
  endrule;

endruleset;

------------------------------------------------- the host: reads

ruleset i : DEVICE do

  rule "HostInvalidRdShared"
    Host = InvalidM & D2HReq[i] = RdShared
  ==>
    D2HReq[i] := NoReq;
    H2DRsp[i] := GO_S;
    SendData(i);
    Sharer[i] := true;
    Host := SharedM;
  endrule;

  rule "HostSharedRdShared"
    Host = SharedM & D2HReq[i] = RdShared
  ==>
    D2HReq[i] := NoReq;
    H2DRsp[i] := GO_S;
    SendData(i);
    Sharer[i] := true;
  endrule;

  rule "HostInvalidRdOwn"
    Host = InvalidM & D2HReq[i] = RdOwn
  ==>
    D2HReq[i] := NoReq;
    H2DRsp[i] := GO_M;
    SendData(i);
    Sharer[i] := true;
    Host := ModifiedM;
  endrule;

  rule "HostSharedRdOwnSelf"
    Host = SharedM & D2HReq[i] = RdOwn
    & forall j : DEVICE do j != i -> !Sharer[j] endforall
  ==>
    D2HReq[i] := NoReq;
    H2DRsp[i] := GO_M;
    SendData(i);
    Host := ModifiedM;
  endrule;

  rule "HostSharedRdOwn"
    Host = SharedM & D2HReq[i] = RdOwn
    & exists j : DEVICE do j != i & Sharer[j] endexists
  ==>
    D2HReq[i] := NoReq;
    SendData(i);
    for j : DEVICE do
      if j != i & Sharer[j] then
        H2DReq[j] := SnpInv;
        SnpPending[j] := true;
      endif;
    endfor;
    Requester := i;
    Host := MA;
  endrule;

endruleset;

ruleset i : DEVICE; j : DEVICE do

  rule "HostModifiedRdShared"
    Host = ModifiedM & D2HReq[i] = RdShared & Sharer[j]
  ==>
    D2HReq[i] := NoReq;
    H2DReq[j] := SnpData;
    SnpPending[j] := true;
    Requester := i;
    Host := SAD;
  endrule;

  rule "HostModifiedRdOwn"
    Host = ModifiedM & D2HReq[i] = RdOwn & Sharer[j]
  ==>
    D2HReq[i] := NoReq;
    H2DReq[j] := SnpInv;
    SnpPending[j] := true;
    Requester := i;
    Host := MAD;
  endrule;

endruleset;

------------------------------------------------- the host: snoop responses

ruleset i : DEVICE do

  rule "HostSADRspIFwdM"
    Host = SAD & D2HRsp[i] = RspIFwdM
  ==>
    GotResponse(i);
    Sharer[i] := false;
    Sharer[Requester] := true;
    H2DRsp[Requester] := GO_S;
    Host := SD;
  endrule;

  rule "HostSADRspSFwdM"
    Host = SAD & D2HRsp[i] = RspSFwdM
  ==>
    GotResponse(i);
    Sharer[Requester] := true;
    H2DRsp[Requester] := GO_S;
    Host := SD;
  endrule;

  rule "HostSARspIFwdM"
    Host = SA & D2HRsp[i] = RspIFwdM
  ==>
    GotResponse(i);
    Sharer[i] := false;
    Sharer[Requester] := true;
    H2DRsp[Requester] := GO_S;
    undefine Requester;
    Host := SharedM;
  endrule;

  rule "HostSARspSFwdM"
    Host = SA & D2HRsp[i] = RspSFwdM
  ==>
    GotResponse(i);
    Sharer[Requester] := true;
    H2DRsp[Requester] := GO_S;
    undefine Requester;
    Host := SharedM;
  endrule;

  rule "HostMADRspIFwdM"
    Host = MAD & D2HRsp[i] = RspIFwdM
  ==>
    GotResponse(i);
    Sharer[i] := false;
    Sharer[Requester] := true;
    H2DRsp[Requester] := GO_M;
    Host := MD;
  endrule;

  rule "HostMARspIFwdM"
    Host = MA & D2HRsp[i] = RspIFwdM
  ==>
    GotResponse(i);
    Sharer[i] := false;
    Sharer[Requester] := true;
    H2DRsp[Requester] := GO_M;
    undefine Requester;
    Host := ModifiedM;
  endrule;

  rule "HostMARspIHitSE_NotLast"
    Host = MA & D2HRsp[i] = RspIHitSE
    & exists j : DEVICE do j != i & SnpPending[j] endexists
  ==>
    GotResponse(i);
    Sharer[i] := false;
  endrule;

  rule "HostMARspIHitSE"
    Host = MA & D2HRsp[i] = RspIHitSE
    & forall j : DEVICE do j != i -> !SnpPending[j] endforall
  ==>
    GotResponse(i);
    Sharer[i] := false;
    Sharer[Requester] := true;
    H2DRsp[Requester] := GO_M;
    undefine Requester;
    Host := ModifiedM;
  endrule;

endruleset;

------------------------------------------------- the host: data

ruleset i : DEVICE do

  rule "HostSADData"
    Host = SAD & D2HData[i].Valid
  ==>
    Memory := D2HData[i].Data;
    DropData(i);
    SendData(Requester);
    Host := SA;
  endrule;

  rule "HostSDData"
    Host = SD & D2HData[i].Valid
  ==>
    Memory := D2HData[i].Data;
    DropData(i);
    SendData(Requester);
    undefine Requester;
    Host := SharedM;
  endrule;

  rule "HostMADData"
    Host = MAD & D2HData[i].Valid
  ==>
    Memory := D2HData[i].Data;
    DropData(i);
    SendData(Requester);
    Host := MA;
  endrule;

  rule "HostMDData"
    Host = MD & D2HData[i].Valid
  ==>
    Memory := D2HData[i].Data;
    DropData(i);
    SendData(Requester);
    undefine Requester;
    Host := ModifiedM;
  endrule;

  rule "HostIDData"
    Host = ID & D2HData[i].Valid
  ==>
    Memory := D2HData[i].Data;
    DropData(i);
    Host := InvalidM;
  endrule;

  rule "HostIBDataPrevious"
    Host = IB & D2HData[i].Valid
  ==>
    DropData(i);
    Host := InvalidM;
  endrule;

  rule "HostSBData"
    Host = SB & D2HData[i].Valid
  ==>
    DropData(i);
    Host := SharedM;
  endrule;

  rule "HostMBData"
    Host = MB & D2HData[i].Valid
  ==>
    DropData(i);
    Host := ModifiedM;
  endrule;

endruleset;

------------------------------------------------- the host: evictions

ruleset i : DEVICE do

  rule "HostShared_CleanEvict_NotLastData"
    Host = SharedM & D2HReq[i] = CleanEvict
    & exists j : DEVICE do j != i & Sharer[j] endexists
  ==>
    D2HReq[i] := NoReq;
    H2DRsp[i] := GO_WritePull;
    Sharer[i] := false;
    Host := SB;
  endrule;

  rule "HostShared_CleanEvict_NotLastDrop"
    Host = SharedM & D2HReq[i] = CleanEvict
    & exists j : DEVICE do j != i & Sharer[j] endexists
  ==>
    D2HReq[i] := NoReq;
    H2DRsp[i] := GO_WritePullDrop;
    Sharer[i] := false;
  endrule;

  rule "HostShared_CleanEvict_Last"
    Host = SharedM & D2HReq[i] = CleanEvict
    & forall j : DEVICE do j != i -> !Sharer[j] endforall
  ==>
    D2HReq[i] := NoReq;
    H2DRsp[i] := GO_WritePull;
    Sharer[i] := false;
    Host := IB;
  endrule;

  rule "HostShared_CleanEvictNoData_NotLast"
    Host = SharedM & D2HReq[i] = CleanEvictNoData
    & exists j : DEVICE do j != i & Sharer[j] endexists
  ==>
    D2HReq[i] := NoReq;
    H2DRsp[i] := GO_I;
    Sharer[i] := false;
  endrule;

  rule "HostShared_CleanEvictNoData_Last"
    Host = SharedM & D2HReq[i] = CleanEvictNoData
    & forall j : DEVICE do j != i -> !Sharer[j] endforall
  ==>
    D2HReq[i] := NoReq;
    H2DRsp[i] := GO_I;
    Sharer[i] := false;
    Host := InvalidM;
  endrule;

  rule "HostShared_DirtyEvict"
    Host = SharedM & D2HReq[i] = DirtyEvict
    & exists j : DEVICE do j != i & Sharer[j] endexists
  ==>
    D2HReq[i] := NoReq;
    H2DRsp[i] := GO_WritePull;
    Sharer[i] := false;
    Host := SB;
  endrule;

  rule "HostShared_DirtyEvict_Last"
    Host = SharedM & D2HReq[i] = DirtyEvict
    & forall j : DEVICE do j != i -> !Sharer[j] endforall
  ==>
    D2HReq[i] := NoReq;
    H2DRsp[i] := GO_WritePull;
    Sharer[i] := false;
    Host := IB;
  endrule;

  rule "HostModifiedDirtyEvict"
    Host = ModifiedM & D2HReq[i] = DirtyEvict & Sharer[i]
  ==>
    D2HReq[i] := NoReq;
    H2DRsp[i] := GO_WritePull;
    Sharer[i] := false;
    Host := ID;
  endrule;

  rule "HostModifiedDirtyEvictPrevious"
    Host = ModifiedM & D2HReq[i] = DirtyEvict & !Sharer[i]
  ==>
    D2HReq[i] := NoReq;
    H2DRsp[i] := GO_WritePull;
    Host := MB;
  endrule;

  rule "HostInvalidDirtyEvict"
    Host = InvalidM & D2HReq[i] = DirtyEvict
  ==>
    D2HReq[i] := NoReq;
    H2DRsp[i] := GO_WritePull;
    Host := IB;
  endrule;

  rule "HostModified_CleanEvict"
    Host = ModifiedM & D2HReq[i] = CleanEvict
  ==>
    D2HReq[i] := NoReq;
    H2DRsp[i] := GO_WritePullDrop;
  endrule;

  rule "HostInvalid_CleanEvict"
    Host = InvalidM & D2HReq[i] = CleanEvict
  ==>
    D2HReq[i] := NoReq;
    H2DRsp[i] := GO_WritePullDrop;
  endrule;

  rule "HostModified_CleanEvictNoData"
    Host = ModifiedM & D2HReq[i] = CleanEvictNoData
  ==>
    D2HReq[i] := NoReq;
    H2DRsp[i] := GO_I;
  endrule;

  rule "HostInvalid_CleanEvictNoData"
    Host = InvalidM & D2HReq[i] = CleanEvictNoData
  ==>
    D2HReq[i] := NoReq;
    H2DRsp[i] := GO_I;
  endrule;

endruleset;

-------------------------------------------------------------- the properties

-- Single writer or many readers.
invariant "SWMR"
  forall i : DEVICE do
    forall j : DEVICE do
      i != j & State[i] = Modified -> State[j] != Modified & State[j] != Shared
    endforall
  endforall;

-- Whatever a device can read is the last value stored by any.
invariant "DataValue"
  forall i : DEVICE do
    State[i] = Shared | State[i] = Modified -> Data[i] = Latest
  endforall;

invariant "MemoryValue"
  Host = InvalidM | Host = SharedM -> Memory = Latest;
