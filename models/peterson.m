-- paraproof: verdict = proven
-- paraproof: rules = 6
-- paraproof: properties = 1
-- paraproof: states 30

-- Peterson's mutual exclusion for two processes.
--
-- A process that wants to enter says so, then names itself as the one that has
-- come last, and waits until the other does not want to or has come later.
-- Every rule is one read or one write of shared memory.
--
-- G. L. Peterson, 'Myths about the mutual exclusion problem', Information
-- Processing Letters 12(3), 1981.
--
-- What is special: exactly two processes, so they are an enum and there is no
-- size to choose. Turn is undefined until somebody has come.

type
  PROC  : enum { P, Q };
  PHASE : enum { Idle, Announced, Waiting, Critical, Leaving };

var
  At   : array [PROC] of PHASE;
  Want : array [PROC] of boolean;
  Turn : PROC;

function Other(p : PROC) : PROC;
begin
  if p = P then
    return Q;
  else
    return P;
  endif;
endfunction;

startstate "Init"
  for p : PROC do
    At[p] := Idle;
    Want[p] := false;
  endfor;
  undefine Turn;
endstartstate;

ruleset p : PROC do

  rule "Want"
    At[p] = Idle
  ==>
    Want[p] := true;
    At[p] := Announced;
  endrule;

  rule "ComeLast"
    At[p] = Announced
  ==>
    Turn := p;
    At[p] := Waiting;
  endrule;

  rule "EnterAlone"
    At[p] = Waiting & !Want[Other(p)]
  ==>
    At[p] := Critical;
  endrule;

  rule "EnterFirst"
    At[p] = Waiting & Turn != p
  ==>
    At[p] := Critical;
  endrule;

  rule "Leave"
    At[p] = Critical
  ==>
    At[p] := Leaving;
  endrule;

  rule "Rest"
    At[p] = Leaving
  ==>
    Want[p] := false;
    At[p] := Idle;
  endrule;

endruleset;

invariant "MutualExclusion"
  !(At[P] = Critical & At[Q] = Critical);
