-- paraproof: verdict = violated
-- paraproof: rules = 10
-- paraproof: properties = 3
-- paraproof: violates = FullMap

-- Broken twin of full_map.m: a node that has cleaned its copy is
-- taken for one without a copy.

const
  NODE_NUM : 2;
  LINE_NUM : 1;

type
  NODE    : scalarset(NODE_NUM);
  LINE    : scalarset(LINE_NUM);
  COPY    : enum { Invalid, Clean, Dirty };
  REQUEST : enum { NoRequest, Read, Write };
  MESSAGE : enum { NoMessage, CleanIt, Invalidate, GrantRead, GrantWrite };

var
  Copy      : array [NODE] of array [LINE] of COPY;
  ToHome    : array [NODE] of array [LINE] of REQUEST;
  ToNode    : array [NODE] of array [LINE] of MESSAGE;
  Done      : array [NODE] of array [LINE] of boolean;   -- answer to the home
  Present   : array [LINE] of array [NODE] of boolean;
  IsDirty   : array [LINE] of boolean;
  Serving   : array [LINE] of REQUEST;
  Requester : array [LINE] of NODE;   -- undefined while nothing is served
  ToTell    : array [LINE] of array [NODE] of boolean;

startstate "Init"
  for l : LINE do
    IsDirty[l] := false;
    Serving[l] := NoRequest;
    undefine Requester[l];
    for n : NODE do
      Copy[n][l] := Invalid;
      ToHome[n][l] := NoRequest;
      ToNode[n][l] := NoMessage;
      Done[n][l] := false;
      Present[l][n] := false;
      ToTell[l][n] := false;
    endfor;
  endfor;
endstartstate;

-- At the nodes

ruleset n : NODE; l : LINE do

  rule "AskToRead"
    Copy[n][l] = Invalid & ToHome[n][l] = NoRequest
  ==>
    ToHome[n][l] := Read;
  endrule;

  rule "AskToWrite"
    Copy[n][l] != Dirty & ToHome[n][l] = NoRequest
  ==>
    ToHome[n][l] := Write;
  endrule;

  rule "Drop"
    Copy[n][l] = Clean
  ==>
    Copy[n][l] := Invalid;
  endrule;

  rule "ReceiveGrant"
    ToNode[n][l] = GrantRead | ToNode[n][l] = GrantWrite
  ==>
    Copy[n][l] := ToNode[n][l] = GrantRead ? Clean : Dirty;
    ToNode[n][l] := NoMessage;
  endrule;

  rule "Obey"
    ToNode[n][l] = CleanIt | ToNode[n][l] = Invalidate
  ==>
    Copy[n][l] := ToNode[n][l] = CleanIt ? Clean : Invalid;
    ToNode[n][l] := NoMessage;
    Done[n][l] := true;
  endrule;

endruleset;

-- At the homes

ruleset n : NODE; l : LINE do

  rule "Serve"
    Serving[l] = NoRequest & ToHome[n][l] != NoRequest
  ==>
    Serving[l] := ToHome[n][l];
    Requester[l] := n;
    for m : NODE do
      ToTell[l][m] := Present[l][m] & (ToHome[n][l] = Write | IsDirty[l]);
    endfor;
    ToHome[n][l] := NoRequest;
  endrule;

  rule "Tell"
    ToTell[l][n] & ToNode[n][l] = NoMessage
  ==>
    ToTell[l][n] := false;
    ToNode[n][l] := Serving[l] = Read ? CleanIt : Invalidate;
  endrule;

  rule "ReceiveDone"
    Done[n][l]
  ==>
    Done[n][l] := false;
    IsDirty[l] := false;
    Present[l][n] := false;   -- broken: Serving[l] = Read
  endrule;

endruleset;

ruleset l : LINE; n : NODE do

  rule "AllowReading"
    Serving[l] = Read & Requester[l] = n & !IsDirty[l]
    & ToNode[n][l] = NoMessage
  ==>
    ToNode[n][l] := GrantRead;
    Present[l][n] := true;
    Serving[l] := NoRequest;
    undefine Requester[l];
  endrule;

  rule "AllowWriting"
    Serving[l] = Write & Requester[l] = n & ToNode[n][l] = NoMessage
    & forall m : NODE do !Present[l][m] endforall
  ==>
    ToNode[n][l] := GrantWrite;
    Present[l][n] := true;
    IsDirty[l] := true;
    Serving[l] := NoRequest;
    undefine Requester[l];
  endrule;

endruleset;

-- A copy that may be written is the only one.
invariant "OneWriter"
  forall l : LINE do
    forall n : NODE do
      forall m : NODE do
        n != m & Copy[n][l] = Dirty -> Copy[m][l] = Invalid
      endforall
    endforall
  endforall;

-- The map is full: who has a copy is present, and a dirty one is known.
invariant "FullMap"
  forall l : LINE do
    forall n : NODE do
      (Copy[n][l] != Invalid -> Present[l][n])
      & (Copy[n][l] = Dirty -> IsDirty[l])
    endforall
  endforall;

-- A dirty line is dirty somewhere, or is being made so.
invariant "DirtySomewhere"
  forall l : LINE do
    IsDirty[l] -> exists n : NODE do Present[l][n] endexists
  endforall;
