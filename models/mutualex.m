-- paraproof: verdict = proven
-- paraproof: rules = 4
-- paraproof: properties = 1
-- paraproof: states NODE_NUM=2 12
-- paraproof: states NODE_NUM=3 32
-- paraproof: states NODE_NUM=4 80
-- paraproof: states NODE_NUM=5 192

-- Mutual exclusion by one binary semaphore.
--
-- Every node walks through four phases: idle (I), trying (T), critical (C) and
-- exiting (E). The semaphore `x` is true while nobody owns it. A trying node
-- takes it in the same atomic step in which it becomes critical, and gives it
-- back on its way from exiting to idle, so a node in E still owns it.
--
-- The algorithm goes back to E. W. Dijkstra, 'Cooperating sequential
-- processes', 1965 (technical report EWD 123). With these four phases it is
-- the first example of most papers on parameterized verification, for instance
-- A. Pnueli, S. Ruah and L. Zuck, 'Automatic deductive verification with
-- invisible invariants', TACAS 2001.

const
  NODE_NUM : 3;

type
  NODE  : scalarset(NODE_NUM);
  PHASE : enum { I, T, C, E };

var
  n : array [NODE] of PHASE;   -- where each node is
  x : boolean;                 -- is the semaphore free?

ruleset i : NODE do

  rule "Try"
    n[i] = I
  ==>
  begin
    n[i] := T;
  endrule;

  rule "Crit"
    n[i] = T & x
  ==>
  begin
    n[i] := C;
    x := false;
  endrule;

  rule "Exit"
    n[i] = C
  ==>
  begin
    n[i] := E;
  endrule;

  rule "Idle"
    n[i] = E
  ==>
  begin
    n[i] := I;
    x := true;
  endrule;

endruleset;

startstate "Init"
  for i : NODE do
    n[i] := I;
  endfor;
  x := true;
endstartstate;

-- Two different nodes are never critical together.
ruleset i : NODE; j : NODE do
  invariant "MutualExclusion"
    i != j & n[i] = C -> n[j] != C;
endruleset;
