-- paraproof: verdict = violated
-- paraproof: rules = 6
-- paraproof: properties = 1
-- paraproof: violates = MutualExclusion

-- Broken twin of peterson.m: a process names itself in Turn before it says
-- that it wants to enter.
--
-- P names itself, then Q does, wants to, and enters because P does not want to
-- yet; then P wants to, and enters because Q came later.

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

  rule "ComeLast"
    At[p] = Idle
  ==>
    Turn := p;   -- broken: should set Want first, Turn second
    At[p] := Announced;
  endrule;

  rule "Want"
    At[p] = Announced
  ==>
    Want[p] := true;
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
