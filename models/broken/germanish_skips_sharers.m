-- paraproof: verdict = violated
-- paraproof: rules = 6
-- paraproof: properties = 1
-- paraproof: violates = CntrlProp

-- Broken twin of germanish.m: an exclusive copy is granted as soon as nobody
-- else has an exclusive one. The home forgets that there may be sharers.
--
-- One cache gets a shared copy, the other asks for an exclusive one and gets
-- it at once.

const
  NODE_NUM : 2;

type
  NODE  : scalarset(NODE_NUM);
  CMD   : enum { Empty, ReqS, ReqE };
  CACHE : enum { Invalid, Shared, Exclusive };

var
  Cache  : array [NODE] of CACHE;
  ShrSet : array [NODE] of boolean;
  ExGntd : boolean;
  CurCmd : CMD;
  CurPtr : NODE;

ruleset p : NODE do
  startstate "Init"
    for i : NODE do
      Cache[i] := Invalid;
      ShrSet[i] := false;
    endfor;
    ExGntd := false;
    CurCmd := Empty;
    CurPtr := p;
  endstartstate;
endruleset;

ruleset i : NODE do

  rule "ReqShared"
    CurCmd = Empty & Cache[i] = Invalid
  ==>
    CurCmd := ReqS;
    CurPtr := i;
  endrule;

  rule "ReqExclusive"
    CurCmd = Empty & Cache[i] != Exclusive
  ==>
    CurCmd := ReqE;
    CurPtr := i;
  endrule;

  rule "Invalidate"
    CurCmd = ReqE & ShrSet[i]
  ==>
    Cache[i] := Invalid;
    ShrSet[i] := false;
    ExGntd := false;
  endrule;

  rule "Downgrade"
    CurCmd = ReqS & ExGntd & ShrSet[i]
  ==>
    Cache[i] := Shared;
    ExGntd := false;
  endrule;

  rule "GrantShared"
    CurCmd = ReqS & CurPtr = i & !ExGntd
  ==>
    Cache[i] := Shared;
    ShrSet[i] := true;
    CurCmd := Empty;
  endrule;

  rule "GrantExclusive"
    CurCmd = ReqE & CurPtr = i & !ExGntd   -- broken: and no sharer is left
  ==>
    Cache[i] := Exclusive;
    ShrSet[i] := true;
    ExGntd := true;
    CurCmd := Empty;
  endrule;

endruleset;

-- Next to an exclusive copy there is no other.
invariant "CntrlProp"
  forall i : NODE do
    forall j : NODE do
      i != j & Cache[i] = Exclusive -> Cache[j] = Invalid
    endforall
  endforall;
