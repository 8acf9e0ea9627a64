-- As `y03_all_are_stable`, but a node that leaves counts as stable, so that two nodes work at once.

const
  NODE_NUM : 3;

type
  NODE : scalarset(NODE_NUM);
  STATE : enum { Idle, Ready, Working, Leaving };

var
  state : array [NODE] of STATE;

function all_stable() : boolean;
begin
  for n : NODE do
    if !(state[n] = Idle | state[n] = Ready) & state[n] != Leaving then
      return false;
    end;
  end;
  return true;
end;

startstate
begin
  for n : NODE do
    state[n] := Idle;
  end;
end;

ruleset n : NODE do
  rule "get ready"
    state[n] = Idle
  ==>
  begin
    state[n] := Ready;
  end;

  rule "work"
    state[n] = Ready & all_stable()
  ==>
  begin
    state[n] := Working;
  end;

  rule "leave"
    state[n] = Working
  ==>
  begin
    state[n] := Leaving;
  end;

  rule "rest"
    state[n] = Leaving
  ==>
  begin
    state[n] := Idle;
  end;
end;

invariant "one at a time"
  forall n : NODE do forall m : NODE do
    n != m & (state[n] = Working | state[n] = Leaving) -> state[m] != Working & state[m] != Leaving
  end end;
