-- paraproof: verdict = proven
-- paraproof: rules = 10
-- paraproof: properties = 3
-- paraproof: states NODE_NUM=2 LINE_NUM=1 2109
-- paraproof: states NODE_NUM=3 LINE_NUM=1 54918

-- A full-map directory: for each line of memory, one presence bit for each node,
-- and one dirty bit.
--
-- A node asks the home of a line for a copy to read, or to write. For a read, a
-- dirty copy elsewhere is first cleaned: its node keeps it to read. For a write,
-- all copies are first invalidated, an own one too. The home of a line serves one
-- request at a time. A clean copy may be dropped without telling the home, so
-- presence bits say who may have a copy.
--
-- L. M. Censier and P. Feautrier, 'A new solution to coherence problems in
-- multicache systems', IEEE Transactions on Computers C-27(12), 1978. The messages
-- are our own.

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
    Present[l][n] := Serving[l] = Read;
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

-- Some node is on the map of a dirty line.
invariant "DirtySomewhere"
  forall l : LINE do
    IsDirty[l] -> exists n : NODE do Present[l][n] endexists
  endforall;
