-- A function returns from a loop where one of two conditions holds: what the loop leaves is the same in any order. A node works only
-- while all nodes are stable, and one that works is not.

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
    if !(state[n] = Idle | state[n] = Ready) then
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
