-- paraproof: verdict = proven
-- paraproof: rules = 4
-- paraproof: properties = 1
-- paraproof: states NODE_NUM=2 KEY_NUM=1 VALUE_NUM=2 11
-- paraproof: states NODE_NUM=2 KEY_NUM=2 VALUE_NUM=2 121
-- paraproof: states NODE_NUM=3 KEY_NUM=2 VALUE_NUM=3 484

-- The key-value store of sharded_store.m again: no key is lost.
--
-- A key that has been claimed has an owner, or is on its way to one. That is a
-- property with 'there is' over nodes and over values.

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

invariant "NoKeyIsLost"
  forall k : KEY do
    Unclaimed[k]
    | exists n : NODE do
        Owner[n][k] | exists v : VALUE do Transfer[n][k][v] endexists
      endexists
  endforall;
