-- paraproof: verdict = violated
-- paraproof: rules = 4
-- paraproof: properties = 2
-- paraproof: violates = OneNode

-- Broken twin of sharded_store.m: a node still writes after it has sent the
-- key away.

const
  NODE_NUM  : 2;
  KEY_NUM   : 1;
  VALUE_NUM : 1;

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
    Transfer[m][k][v] := true;   -- broken: Owner[n][k] := false;
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
