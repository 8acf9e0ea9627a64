-- paraproof: verdict = violated
-- paraproof: rules = 15
-- paraproof: properties = 1
-- paraproof: violates = CntrlProp

-- Broken twin of german_pfs.m: for a shared request the home invalidates
-- sharers too. That looks merely wasteful, but a shared copy is granted
-- without waiting for acknowledgements.
--
-- The acknowledgement of an old copy arrives after the same node was granted a
-- new one, and the home strikes the node off Shrset although a copy is on its
-- way.

const
  NODE_NUM : 2;

type
  NODE  : scalarset(NODE_NUM);
  STATE : enum { Invalid, Shared, Exclusive };
  MSG1  : enum { Empty1, Reqs, Reqe };
  MSG2  : enum { Empty2, Inv, Gnts, Gnte };
  MSG3  : enum { Empty3, Invack };

var
  Cache  : array [NODE] of STATE;
  Chan1  : array [NODE] of MSG1;
  Chan2  : array [NODE] of MSG2;
  Chan3  : array [NODE] of MSG3;
  Curptr : array [NODE] of boolean;   -- true for the node last taken up
  Shrset : array [NODE] of boolean;
  Invset : array [NODE] of boolean;
  Curcmd : MSG1;
  Exgntd : boolean;
  Flag   : boolean;                   -- the home is copying Shrset

startstate "Init"
  for i : NODE do
    Cache[i] := Invalid;
    Chan1[i] := Empty1;
    Chan2[i] := Empty2;
    Chan3[i] := Empty3;
    Curptr[i] := false;
    Shrset[i] := false;
    Invset[i] := false;
  endfor;
  Curcmd := Empty1;
  Exgntd := false;
  Flag := false;
endstartstate;

---- Taking up a request

ruleset i : NODE do

  rule "RecvReqS"
    !Flag & Curcmd = Empty1 & Chan1[i] = Reqs
  ==>
    Flag := true;
    Curcmd := Reqs;
    Chan1[i] := Empty1;
    for j : NODE do
      Curptr[j] := j = i;
      Invset[j] := Shrset[j];
    endfor;
  endrule;

  rule "RecvReqE"
    !Flag & Curcmd = Empty1 & Chan1[i] = Reqe
  ==>
    Flag := true;
    Curcmd := Reqe;
    Chan1[i] := Empty1;
    for j : NODE do
      Curptr[j] := j = i;
      Invset[j] := Shrset[j];
    endfor;
  endrule;

  rule "CopyAbsent"
    Flag & !Shrset[i]
  ==>
    Invset[i] := false;
  endrule;

  rule "CopySharer"
    Flag & Shrset[i]
  ==>
    Invset[i] := true;
  endrule;

endruleset;

rule "CopyDone"
  Flag & forall j : NODE do Invset[j] = Shrset[j] endforall
==>
  Flag := false;
endrule;

---- Serving it

ruleset i : NODE do

  rule "SendInvS"
    -- broken: only while Exgntd
    !Flag & Curcmd = Reqs & Invset[i] & Chan2[i] = Empty2
  ==>
    Chan2[i] := Inv;
    Invset[i] := false;
  endrule;

  rule "SendInvE"
    !Flag & Curcmd = Reqe & Invset[i] & Chan2[i] = Empty2
  ==>
    Chan2[i] := Inv;
    Invset[i] := false;
  endrule;

  rule "RecvInvAck"
    !Flag & Curcmd != Empty1 & Chan3[i] = Invack
  ==>
    Chan3[i] := Empty3;
    Shrset[i] := false;
    Exgntd := false;
  endrule;

  rule "SendGntS"
    !Flag & Curcmd = Reqs & Curptr[i] & !Exgntd & Chan2[i] = Empty2
  ==>
    Chan2[i] := Gnts;
    Shrset[i] := true;
    Curcmd := Empty1;
  endrule;

  rule "SendGntE"
    !Flag & Curcmd = Reqe & Curptr[i] & !Exgntd & Chan2[i] = Empty2
    & forall j : NODE do !Shrset[j] endforall
  ==>
    Chan2[i] := Gnte;
    Shrset[i] := true;
    Exgntd := true;
    Curcmd := Empty1;
  endrule;

endruleset;

---- The caches

ruleset i : NODE do

  rule "SendReqS"
    !Flag & Cache[i] = Invalid & Chan1[i] = Empty1
  ==>
    Chan1[i] := Reqs;
  endrule;

  rule "SendReqE"
    !Flag & Cache[i] != Exclusive & Chan1[i] = Empty1
  ==>
    Chan1[i] := Reqe;
  endrule;

  rule "SendInvAck"
    !Flag & Chan2[i] = Inv & Chan3[i] = Empty3
  ==>
    Cache[i] := Invalid;
    Chan2[i] := Empty2;
    Chan3[i] := Invack;
  endrule;

  rule "RecvGntS"
    !Flag & Chan2[i] = Gnts
  ==>
    Cache[i] := Shared;
    Chan2[i] := Empty2;
  endrule;

  rule "RecvGntE"
    !Flag & Chan2[i] = Gnte
  ==>
    Cache[i] := Exclusive;
    Chan2[i] := Empty2;
  endrule;

endruleset;

invariant "CntrlProp"
  forall i : NODE do
    forall j : NODE do
      i != j & Cache[i] = Exclusive -> Cache[j] = Invalid
    endforall
  endforall;
