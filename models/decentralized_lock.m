-- paraproof: verdict = proven
-- paraproof: rules = 2
-- paraproof: properties = 1
-- paraproof: states NODE_NUM=2 6
-- paraproof: states NODE_NUM=3 12
-- paraproof: states NODE_NUM=4 20

-- A lock that nodes pass among each other, without a server.
--
-- Any node has the lock at first. Who has it sends it to a node of its choice,
-- and has it no longer. Messages are not lost.
--
-- After the lock service in C. Hawblitzel et al., 'IronFleet: proving practical
-- distributed systems correct', SOSP 2015, without its epochs, which are not
-- needed if a message is received only once. This simple form is among the
-- protocols of A. Goel and K. Sakallah, 'On symmetry and quantification: a new
-- approach to verify distributed protocols', NFM 2021.

const
  NODE_NUM : 3;

type
  NODE : scalarset(NODE_NUM);

var
  Has     : array [NODE] of boolean;
  Message : array [NODE] of array [NODE] of boolean;   -- sender, receiver

ruleset first : NODE do
  startstate "Init"
    for i : NODE do
      Has[i] := i = first;
      for j : NODE do
        Message[i][j] := false;
      endfor;
    endfor;
  endstartstate;
endruleset;

ruleset i : NODE; j : NODE do

  rule "Send"
    Has[i]
  ==>
    Has[i] := false;
    Message[i][j] := true;
  endrule;

  rule "Receive"
    Message[i][j]
  ==>
    Message[i][j] := false;
    Has[j] := true;
  endrule;

endruleset;

invariant "MutualExclusion"
  forall i : NODE do
    forall j : NODE do
      Has[i] & Has[j] -> i = j
    endforall
  endforall;
