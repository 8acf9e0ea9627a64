-- paraproof: verdict = proven
-- paraproof: rules = 15
-- paraproof: properties = 1
-- paraproof: states NODE_NUM=2 1737
-- paraproof: states NODE_NUM=3 32373

-- German's protocol without data, in the version that came with the tool PFS.
--
-- PFS works on rows of finite-state processes, so this version has no pointer
-- to the node being served: Curptr is a bit per node. And it makes the copy of
-- Shrset into Invset a phase of its own. While Flag is up nobody moves but the
-- home, which goes through the nodes (CopyAbsent, CopySharer) and lowers Flag
-- (CopyDone) when both sets agree. As RecvReqS and RecvReqE have copied the
-- whole set already, those two find nothing to change; they are rules that fire
-- in place.
--
-- P. A. Abdulla, G. Delzanno, N. Ben Henda and A. Rezine, 'Regular model
-- checking without transducers', TACAS 2007. The protocol is S. M. German's.

const
  NODE_NUM : 3;

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
    !Flag & Curcmd = Reqs & Exgntd & Invset[i] & Chan2[i] = Empty2
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
