-- paraproof: verdict = violated
-- paraproof: rules = 7
-- paraproof: properties = 3
-- paraproof: violates = AbortHasCause

-- Broken twin of two_phase_commit.m: a node that has waited for too long
-- aborts, although it has voted yes.

const
  NODE_NUM : 1;

type
  NODE     : scalarset(NODE_NUM);
  VOTE     : enum { NoVote, Yes, No };
  ORDER    : enum { NoOrder, GoCommit, GoAbort };
  DECISION : enum { Undecided, Committed, Aborted };

var
  Vote     : array [NODE] of VOTE;
  Failed   : array [NODE] of boolean;
  Order    : array [NODE] of ORDER;   -- what the coordinator has sent to the node
  Decision : array [NODE] of DECISION;

startstate "Init"
  for i : NODE do
    Vote[i] := NoVote;
    Failed[i] := false;
    Order[i] := NoOrder;
    Decision[i] := Undecided;
  endfor;
endstartstate;

ruleset i : NODE do

  rule "VoteYes"
    !Failed[i] & Vote[i] = NoVote
  ==>
    Vote[i] := Yes;
  endrule;

  rule "VoteNo"
    !Failed[i] & Vote[i] = NoVote
  ==>
    Vote[i] := No;
  endrule;

  rule "Fail"
    !Failed[i]
  ==>
    Failed[i] := true;
  endrule;

  rule "Commit"
    !Failed[i] & Order[i] = GoCommit
  ==>
    Decision[i] := Committed;
  endrule;

  rule "Abort"
    !Failed[i] & (Order[i] = GoAbort
                | Order[i] = NoOrder & Vote[i] = Yes)   -- broken: a timeout
  ==>
    Decision[i] := Aborted;
  endrule;

  rule "TellAbort"
    (Vote[i] = No | Failed[i])
    & forall j : NODE do Order[j] = NoOrder endforall
  ==>
    for j : NODE do
      Order[j] := GoAbort;
    endfor;
  endrule;

endruleset;

rule "TellCommit"
  forall j : NODE do Order[j] = NoOrder & Vote[j] = Yes endforall
==>
  for j : NODE do
    Order[j] := GoCommit;
  endfor;
endrule;

invariant "Agreement"
  forall i : NODE do
    forall j : NODE do
      !(Decision[i] = Committed & Decision[j] = Aborted)
    endforall
  endforall;

invariant "CommitIsUnanimous"
  forall i : NODE do
    forall j : NODE do
      Decision[i] = Committed -> Vote[j] = Yes
    endforall
  endforall;

invariant "AbortHasCause"
  forall i : NODE do
    Decision[i] = Aborted ->
      exists j : NODE do Vote[j] = No | Failed[j] endexists
  endforall;
