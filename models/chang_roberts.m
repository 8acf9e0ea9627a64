-- paraproof: verdict = proven
-- paraproof: rules = 4
-- paraproof: properties = 2
-- paraproof: states NODE_NUM=1 MAX_ID=2 8
-- paraproof: states NODE_NUM=2 MAX_ID=3 96
-- paraproof: states NODE_NUM=3 MAX_ID=3 576
-- paraproof: states NODE_NUM=3 MAX_ID=4 2304

-- Election on a ring: the node with the greatest identifier becomes the leader.
--
-- Each node sends its identifier to the next one. A node passes on an identifier that is
-- greater than its own, and drops one that is smaller. A node to which its own identifier
-- comes back is the leader. A node may start again at any time.
--
-- E. Chang, R. Roberts, 'An improved algorithm for decentralized extrema-finding in
-- circular configurations of processes', CACM 22(5), 1979.
--
-- What is special: which nodes a message has passed depends on the order of three nodes:
-- the one that sent it, the one to which it is on its way, and the one in question.
-- Identifiers are any numbers that differ; they are not given by a startstate.

const
  NODE_NUM : 3;
  MAX_ID   : 3;

type
  NODE : 1..NODE_NUM;
  ID   : 1..MAX_ID;

var
  Id      : array [NODE] of ID;
  Message : array [NODE] of array [NODE] of boolean;  -- Message[i][j]: that of j is on its way to i
  Leader  : array [NODE] of boolean;

assume "IdentifiersDiffer"
  forall i : NODE do
    forall j : NODE do
      i != j -> Id[i] != Id[j]
    endforall
  endforall;

function Next(i : NODE) : NODE;
begin
  if i = NODE_NUM then
    return 1;
  else
    return i + 1;
  endif;
endfunction;

startstate "Init"
  for i : NODE do
    Leader[i] := false;
    for j : NODE do
      Message[i][j] := false;
    endfor;
  endfor;
endstartstate;

ruleset i : NODE do
  rule "Start"
    !Message[Next(i)][i]
  ==>
    Message[Next(i)][i] := true;
  endrule;
endruleset;

ruleset i : NODE; j : NODE do

  rule "PassOn"
    Message[i][j] & Id[j] > Id[i]
  ==>
    Message[i][j] := false;
    Message[Next(i)][j] := true;
  endrule;

  rule "Drop"
    Message[i][j] & Id[j] < Id[i]
  ==>
    Message[i][j] := false;
  endrule;

endruleset;

ruleset i : NODE do
  rule "Lead"
    Message[i][i]
  ==>
    Message[i][i] := false;
    Leader[i] := true;
  endrule;
endruleset;

invariant "OneLeader"
  forall i : NODE do
    forall j : NODE do
      i != j -> !(Leader[i] & Leader[j])
    endforall
  endforall;

invariant "TheGreatestLeads"
  forall i : NODE do
    forall j : NODE do
      Leader[i] -> Id[j] <= Id[i]
    endforall
  endforall;
