-- paraproof: verdict = violated
-- paraproof: rules = 11
-- paraproof: properties = 4
-- paraproof: violates = IdleHasLentNothing

-- Broken twin of server_edges.m: the first client that gives up access
-- is taken for the last.

const
  CLIENT_NUM : 3;
  SERVER_NUM : 1;

type
  CLIENT : scalarset(CLIENT_NUM);
  SERVER : scalarset(SERVER_NUM);
  EDGE   : enum {
    NoEdge, WantsShared, WantsExclusive, Shared, Exclusive, Revoked
  };
  STATE  : enum { Absent, Idle, Sharing, Owned, Revoking };

var
  Present : array [CLIENT] of boolean;
  State   : array [SERVER] of STATE;
  Edge    : array [CLIENT] of array [SERVER] of EDGE;

startstate "Init"
  for c : CLIENT do
    Present[c] := false;
    for s : SERVER do
      Edge[c][s] := NoEdge;
    endfor;
  endfor;
  for s : SERVER do
    State[s] := Absent;
  endfor;
endstartstate;

ruleset c : CLIENT do
  rule "ClientAppears"
    !Present[c]
  ==>
    Present[c] := true;
  endrule;
endruleset;

ruleset s : SERVER do

  rule "ServerAppears"
    State[s] = Absent
  ==>
    State[s] := Idle;
  endrule;

  rule "NothingShared"
    State[s] = Sharing & forall c : CLIENT do Edge[c][s] != Shared endforall
  ==>
    State[s] := Idle;
  endrule;

  rule "AllRevoked"
    State[s] = Revoking & forall c : CLIENT do Edge[c][s] != Revoked endforall
  ==>
    State[s] := Idle;
  endrule;

endruleset;

ruleset c : CLIENT; s : SERVER do

  rule "AskForShared"
    Present[c] & State[s] != Absent & Edge[c][s] = NoEdge
  ==>
    Edge[c][s] := WantsShared;
  endrule;

  rule "AskForExclusive"
    Present[c] & State[s] != Absent & Edge[c][s] = NoEdge
  ==>
    Edge[c][s] := WantsExclusive;
  endrule;

  rule "GrantShared"
    Edge[c][s] = WantsShared & (State[s] = Idle | State[s] = Sharing)
  ==>
    Edge[c][s] := Shared;
    State[s] := Sharing;
  endrule;

  rule "GrantExclusive"
    Edge[c][s] = WantsExclusive & State[s] = Idle
  ==>
    Edge[c][s] := Exclusive;
    State[s] := Owned;
  endrule;

  rule "Revoke"
    Edge[c][s] = WantsExclusive & State[s] = Sharing
    | (Edge[c][s] = WantsExclusive | Edge[c][s] = WantsShared)
      & State[s] = Owned
  ==>
    State[s] := Revoking;
    for d : CLIENT do
      if Edge[d][s] = Shared | Edge[d][s] = Exclusive then
        Edge[d][s] := Revoked;
      endif;
    endfor;
  endrule;

  rule "GiveUp"
    Edge[c][s] = Revoked | Edge[c][s] = Shared
  ==>
    if Edge[c][s] = Revoked then
      State[s] := Idle;   -- broken: rule AllRevoked alone does that
    endif;
    Edge[c][s] := NoEdge;
  endrule;

  rule "GiveBack"
    Edge[c][s] = Exclusive
  ==>
    Edge[c][s] := NoEdge;
    State[s] := Idle;
  endrule;

endruleset;

-- An idle server has lent nothing.
invariant "IdleHasLentNothing"
  forall s : SERVER do
    forall c : CLIENT do
      State[s] = Idle ->
        Edge[c][s] != Shared & Edge[c][s] != Exclusive & Edge[c][s] != Revoked
    endforall
  endforall;

-- A server that has not appeared yet has no edges.
invariant "AbsentHasNoEdges"
  forall s : SERVER do
    State[s] = Absent -> forall c : CLIENT do Edge[c][s] = NoEdge endforall
  endforall;

-- Exclusive access excludes all other access.
invariant "ExclusiveIsAlone"
  forall s : SERVER do
    forall c : CLIENT do
      Edge[c][s] = Exclusive ->
        forall d : CLIENT do
          c = d | Edge[d][s] != Shared & Edge[d][s] != Exclusive
                  & Edge[d][s] != Revoked
        endforall
    endforall
  endforall;

-- An owned server has an owner.
invariant "OwnedHasOwner"
  forall s : SERVER do
    State[s] = Owned -> exists c : CLIENT do Edge[c][s] = Exclusive endexists
  endforall;
