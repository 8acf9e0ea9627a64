-- paraproof: verdict = violated
-- paraproof: rules = 4
-- paraproof: properties = 2
-- paraproof: violates = TheGreatestLeads

-- Broken twin of leader_greatest.m: a node leads when it has heard from some
-- other node.

const
  NODE_NUM : 3;
  MAX_ID   : 3;

type
  NODE : scalarset(NODE_NUM);
  ID   : 0..MAX_ID;
  ROLE : enum { Undecided, Leader, Follower };

var
  Id       : array [NODE] of ID;
  Greatest : array [NODE] of ID;
  Heard    : array [NODE] of array [NODE] of boolean;  -- Heard[i][j]: i from j
  Chosen   : array [NODE] of boolean;                  -- has an identifier
  Role     : array [NODE] of ROLE;

startstate "Init"
  for i : NODE do
    Id[i] := 0;
    Greatest[i] := 0;
    Chosen[i] := false;
    Role[i] := Undecided;
    for j : NODE do
      Heard[i][j] := false;
    endfor;
  endfor;
endstartstate;

-- Identifiers are given out before anything is sent.
ruleset i : NODE; id : ID do
  rule "Choose"
    !Chosen[i] & forall j : NODE do Chosen[j] -> Id[j] != id endforall
  ==>
    Id[i] := id;
    Greatest[i] := id;
    Chosen[i] := true;
  endrule;
endruleset;

ruleset i : NODE; j : NODE do
  rule "Hear"
    i != j & Chosen[i] & Chosen[j] & !Heard[i][j]
  ==>
    Heard[i][j] := true;
    if Id[j] > Greatest[i] then
      Greatest[i] := Id[j];
    endif;
  endrule;
endruleset;

ruleset i : NODE do

  rule "Lead"
    Role[i] = Undecided & Greatest[i] = Id[i]
    & Chosen[i] & exists j : NODE do Heard[i][j] endexists
  ==>
    Role[i] := Leader;
  endrule;

  rule "Follow"
    Role[i] = Undecided & Greatest[i] != Id[i]
    & Chosen[i] & forall j : NODE do j = i | Heard[i][j] endforall
  ==>
    Role[i] := Follower;
  endrule;

endruleset;

invariant "OneLeader"
  forall i : NODE do
    forall j : NODE do
      i != j -> !(Role[i] = Leader & Role[j] = Leader)
    endforall
  endforall;

invariant "TheGreatestLeads"
  forall i : NODE do
    forall j : NODE do
      Role[i] = Leader -> Id[j] <= Id[i]
    endforall
  endforall;
