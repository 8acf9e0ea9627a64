-- paraproof: verdict = violated
-- paraproof: rules = 4
-- paraproof: properties = 1
-- paraproof: violates = NoKeyIsLost

-- Broken twin of sharded_store_kept.m: a key without a value is moved.
--
-- No message carries it, so nobody owns it any more.

const
  NODE_NUM  : 1;
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

ruleset n : NODE; m : NODE; k : KEY do

  rule "Reshard"
    Owner[n][k]   -- broken: and it has a value for k
  ==>
    Owner[n][k] := false;
    for v : VALUE do
      if Table[n][k][v] then
        Table[n][k][v] := false;
        Transfer[m][k][v] := true;
      endif;
    endfor;
  endrule;

endruleset;

invariant "NoKeyIsLost"
  forall k : KEY do
    Unclaimed[k]
    | exists n : NODE do
        Owner[n][k] | exists v : VALUE do Transfer[n][k][v] endexists
      endexists
  endforall;
