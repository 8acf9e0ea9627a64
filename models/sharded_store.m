-- paraproof: verdict = proven
-- paraproof: rules = 4
-- paraproof: properties = 2
-- paraproof: states NODE_NUM=2 KEY_NUM=1 VALUE_NUM=2 11
-- paraproof: states NODE_NUM=2 KEY_NUM=2 VALUE_NUM=2 121
-- paraproof: states NODE_NUM=3 KEY_NUM=2 VALUE_NUM=3 484

-- A key-value store whose keys move between nodes.
--
-- Each key is owned by at most one node, which alone may write a value for it.
-- To move a key, its owner takes the value out of its table and sends both away;
-- the node that receives them is the new owner. Messages are kept as a relation
-- between their receiver, the key and the value.
--
-- After the key-value store in C. Hawblitzel et al., 'IronFleet: proving practical
-- distributed systems correct', SOSP 2015; in this form among the protocols of
-- A. Goel and K. Sakallah, 'On symmetry and quantification: a new approach to
-- verify distributed protocols', NFM 2021.
-- Here the first owner of a key is any node, which claims it.

const
  NODE_NUM  : 2;
  KEY_NUM   : 1;
  VALUE_NUM : 2;

type
  NODE  : scalarset(NODE_NUM);
  KEY   : scalarset(KEY_NUM);
  VALUE : scalarset(VALUE_NUM);

var
  Unclaimed : array [KEY] of boolean;
  Owner     : array [NODE] of array [KEY] of boolean;
  Table     : array [NODE] of array [KEY] of array [VALUE] of boolean;
  Transfer  : array [NODE] of array [KEY] of array [VALUE] of boolean;

startstate "Init"
  for k : KEY do
    Unclaimed[k] := true;
    for n : NODE do
      Owner[n][k] := false;
      for v : VALUE do
        Table[n][k][v] := false;
        Transfer[n][k][v] := false;
      endfor;
    endfor;
  endfor;
endstartstate;

ruleset n : NODE; k : KEY do

  rule "Claim"
    Unclaimed[k]
  ==>
    Unclaimed[k] := false;
    Owner[n][k] := true;
  endrule;

endruleset;

ruleset n : NODE; k : KEY; v : VALUE do

  rule "Put"
    Owner[n][k]
  ==>
    for w : VALUE do
      Table[n][k][w] := false;
    endfor;
    Table[n][k][v] := true;
  endrule;

  rule "ReceiveTransfer"
    Transfer[n][k][v]
  ==>
    Transfer[n][k][v] := false;
    Table[n][k][v] := true;
    Owner[n][k] := true;
  endrule;

endruleset;

ruleset n : NODE; m : NODE; k : KEY; v : VALUE do

  rule "Reshard"
    Owner[n][k] & Table[n][k][v]
  ==>
    Table[n][k][v] := false;
    Owner[n][k] := false;
    Transfer[m][k][v] := true;
  endrule;

endruleset;

-- A key has at most one value in all tables, at one node.
invariant "OneNode"
  forall k : KEY do
    forall n : NODE do
      forall m : NODE do
        forall v : VALUE do
          forall w : VALUE do
            Table[n][k][v] & Table[m][k][w] -> n = m
          endforall
        endforall
      endforall
    endforall
  endforall;

invariant "OneValue"
  forall k : KEY do
    forall n : NODE do
      forall v : VALUE do
        forall w : VALUE do
          Table[n][k][v] & Table[n][k][w] -> v = w
        endforall
      endforall
    endforall
  endforall;
