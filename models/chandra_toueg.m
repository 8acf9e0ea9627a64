-- paraproof: verdict = proven
-- paraproof: rules = 17
-- paraproof: properties = 2
-- paraproof: states NODE_NUM=2 DATA_NUM=2 1144
-- paraproof: states NODE_NUM=3 DATA_NUM=2 78038

-- Consensus with rotating coordinators, where processes may omit to send.
--
-- Every process has an estimate of the value to agree on. In each phase another
-- process coordinates, in synchronous rounds:
--
--   Requests    all who are undecided send the coordinator their estimate, and
--               it adopts one that is as fresh as any; without a request it is
--               done;
--   Estimates   it sends its estimate to all, and who gets it adopts it;
--   Objections  all who are undecided and did not get it tell the coordinator;
--               one that is told so is faulty, and gives up;
--   Decisions   otherwise it tells all to decide on their estimates.
--
-- A faulty process may fail to send any message, but what is sent arrives. A
-- process is faulty here from its first failure on; what fails always can do
-- so as well. The ones that are faulty and those that halt are not told apart,
-- since who fails to send everything may as well have halted.
--
-- T. D. Chandra and S. Toueg, 'Time and message efficient reliable broadcasts',
-- WDAG 1990. F. Alberti, S. Ghilardi, E. Pagani, S. Ranise and G. P. Rossi,
-- 'Automated support for the design and validation of fault tolerant
-- parameterized systems: a case study', AVoCS 2010.
--
-- What is special in this version: estimates are numbered by their coordinators
-- in the literature, and those by their turn; here Fresher keeps the order
-- between estimates, so processes need no numbers and coordinate in any order.
-- Any number of values. Who has taken part in a round is in Done; the round
-- ends with a rule that looks at all.

const
  NODE_NUM : 2;
  DATA_NUM : 2;

type
  NODE  : scalarset(NODE_NUM);
  DATA  : scalarset(DATA_NUM);
  SET   : array [NODE] of boolean;
  ROUND : enum {
    Proposals, Election, Requests, Estimates, Objections, Decisions
  };

var
  Round       : ROUND;
  Coordinator : NODE;        -- undefined before the first phase
  Served      : SET;         -- has been coordinator, or is
  Faulty      : SET;
  Estimate    : array [NODE] of DATA;
  Fresher     : array [NODE] of SET;   -- [i][j]: i has a later estimate than j
  Decided     : SET;
  Decision    : array [NODE] of DATA;  -- defined when Decided

  Done        : SET;         -- has taken part in this round
  Asked       : SET;         -- its request has arrived
  Received    : SET;         -- got the estimate in this phase
  Objected    : boolean;

procedure Enter(r : ROUND);
begin
  Round := r;
  for i : NODE do
    Done[i] := false;
  endfor;
endprocedure;

function RoundIsOver() : boolean;
begin
  return forall i : NODE do Decided[i] | Done[i] endforall;
endfunction;

ruleset d : DATA do
  startstate "Init"
    Enter(Proposals);
    undefine Coordinator;
    undefine Decision;
    for i : NODE do
      Served[i] := false;
      Faulty[i] := false;
      Estimate[i] := d;
      Decided[i] := false;
      Asked[i] := false;
      Received[i] := false;
      for j : NODE do
        Fresher[i][j] := false;
      endfor;
    endfor;
    Objected := false;
  endstartstate;
endruleset;

ruleset i : NODE; d : DATA do
  rule "Propose"
    Round = Proposals
  ==>
    Estimate[i] := d;
  endrule;
endruleset;

ruleset i : NODE do
  rule "Elect"
    (Round = Proposals | Round = Election) & !Served[i]
  ==>
    Coordinator := i;
    Served[i] := true;
    for j : NODE do
      Asked[j] := false;
      Received[j] := false;
    endfor;
    Objected := false;
    Enter(Requests);
  endrule;
endruleset;

-- Requests

ruleset i : NODE do

  rule "SendRequest"
    Round = Requests & !Decided[i] & !Done[i]
  ==>
    Asked[i] := true;
    Done[i] := true;
  endrule;

  rule "OmitRequest"
    Round = Requests & !Decided[i] & !Done[i] & Coordinator != i
  ==>
    Faulty[i] := true;
    Done[i] := true;
  endrule;

  rule "Adopt"
    Round = Requests & RoundIsOver()
    & Asked[i] & forall j : NODE do Asked[j] -> !Fresher[j][i] endforall
  ==>
    Estimate[Coordinator] := Estimate[i];
    Enter(Estimates);
  endrule;

endruleset;

rule "NobodyAsked"
  Round = Requests & RoundIsOver() & forall j : NODE do !Asked[j] endforall
==>
  Enter(Election);
endrule;

-- Estimates

ruleset i : NODE do

  rule "SendEstimate"
    Round = Estimates & !Decided[i] & !Done[i]
  ==>
    Estimate[i] := Estimate[Coordinator];
    for j : NODE do
      Fresher[i][j] := !Received[j];
    endfor;
    for j : NODE do
      Fresher[j][i] := false;
    endfor;
    Received[i] := true;
    Done[i] := true;
  endrule;

  rule "OmitEstimate"
    Round = Estimates & !Decided[i] & !Done[i] & Coordinator != i
  ==>
    Faulty[Coordinator] := true;
    Done[i] := true;
  endrule;

endruleset;

rule "EstimatesSent"
  Round = Estimates & RoundIsOver()
==>
  Enter(Objections);
endrule;

-- Objections

ruleset i : NODE do

  rule "SendObjection"
    Round = Objections & !Decided[i] & !Done[i] & !Received[i]
  ==>
    Objected := true;
    Done[i] := true;
  endrule;

  rule "OmitObjection"
    Round = Objections & !Decided[i] & !Done[i] & !Received[i]
  ==>
    Faulty[i] := true;
    Done[i] := true;
  endrule;

  rule "NoObjection"
    Round = Objections & !Decided[i] & !Done[i] & Received[i]
  ==>
    Done[i] := true;
  endrule;

endruleset;

rule "GiveUp"
  Round = Objections & RoundIsOver() & Objected
==>
  Enter(Election);
endrule;

rule "GoAhead"
  Round = Objections & RoundIsOver() & !Objected
==>
  Enter(Decisions);
endrule;

-- Decisions

ruleset i : NODE do

  rule "SendDecision"
    Round = Decisions & !Decided[i] & !Done[i]
  ==>
    Decided[i] := true;
    Decision[i] := Estimate[i];
  endrule;

  rule "OmitDecision"
    Round = Decisions & !Decided[i] & !Done[i] & Coordinator != i
  ==>
    Faulty[Coordinator] := true;
    Done[i] := true;
  endrule;

endruleset;

rule "DecisionsSent"
  Round = Decisions & RoundIsOver()
==>
  Enter(Election);
endrule;

invariant "Agreement"
  forall i : NODE do
    forall j : NODE do
      !Faulty[i] & Decided[i] & !Faulty[j] & Decided[j]
        -> Decision[i] = Decision[j]
    endforall
  endforall;

-- After a phase with a correct coordinator, nobody who is correct is left.
invariant "Termination"
  Round = Election -> forall i : NODE do
    forall j : NODE do
      Coordinator = i & !Faulty[i] & !Faulty[j] -> Decided[j]
    endforall
  endforall;
