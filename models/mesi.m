-- paraproof: verdict = proven
-- paraproof: rules = 4
-- paraproof: properties = 1
-- paraproof: states NODE_NUM=2 8
-- paraproof: states NODE_NUM=3 14
-- paraproof: states NODE_NUM=4 24
-- paraproof: states NODE_NUM=5 42

-- MESI: one line of memory, kept in snooping caches on an atomic bus.
--
-- A copy is modified (M: the only valid one, newer than memory), exclusive
-- (E: the only one, memory agrees), shared (S: perhaps one of several, memory
-- agrees) or invalid (I). A bus transaction is one atomic step in which each
-- cache reacts to what it sees, so every rule but the silent one has a loop
-- over all caches. As usual in this abstraction a miss on a write and an
-- upgrade fetch the line as E, and the write itself follows as its own step;
-- a read miss always ends in S, even when no other cache holds the line.
--
-- M. S. Papamarcos and J. H. Patel, 'A low-overhead coherence solution for
-- multiprocessors with private cache memories', ISCA 1984; as a parameterized
-- system: G. Delzanno, 'Automatic verification of parameterized cache
-- coherence protocols', CAV 2000.

const
  NODE_NUM : 3;

type
  NODE  : scalarset(NODE_NUM);
  STATE : enum { M, E, S, I };

var
  state : array [NODE] of STATE;

startstate "Init"
  for i : NODE do
    state[i] := I;
  endfor;
endstartstate;

ruleset i : NODE do

  -- A write to an exclusive copy needs no bus.
  rule "Write"
    state[i] = E
  ==>
    state[i] := M;
  endrule;

  -- Whoever holds the line becomes a sharer; a modified copy is written back.
  rule "ReadMiss"
    state[i] = I
  ==>
    for j : NODE do
      if j = i | state[j] != I then
        state[j] := S;
      endif;
    endfor;
  endrule;

  -- A sharer about to write asks all others to drop their copies.
  rule "Upgrade"
    state[i] = S
  ==>
    for j : NODE do
      if j = i then
        state[j] := E;
      else
        state[j] := I;
      endif;
    endfor;
  endrule;

  -- The same for a cache that does not have the line yet.
  rule "WriteMiss"
    state[i] = I
  ==>
    for j : NODE do
      if j = i then
        state[j] := E;
      else
        state[j] := I;
      endif;
    endfor;
  endrule;

endruleset;

invariant "OneModified"
  forall i : NODE do
    forall j : NODE do
      i != j & state[i] = M -> state[j] != M
    endforall
  endforall;
