-- An assertion that there is room in a multiset says nothing about instances with another capacity than the model's.
-- Each node sends two messages, for which there is room. The property relates three numbers and is not proven, so that instances with one
-- and two elements of each type are executed: with one node and room for one message, the assertion fails.

const
  NODE_NUM : 2;
  CAPACITY : 8;

type
  NODE : scalarset(NODE_NUM);
  COUNT : 0..8;
  KIND : enum { First, Second };
  MESSAGE : record kind : KIND; from : NODE; end;

var
  net : multiset [CAPACITY] of MESSAGE;
  sent : array [NODE] of 0..2;
  first : COUNT;
  second : COUNT;
  all : COUNT;

startstate
  for n : NODE do sent[n] := 0; end;
  undefine net;
  first := 0;
  second := 0;
  all := 0;
end;

procedure Send(kind : KIND; n : NODE);
var m : MESSAGE;
begin
  assert (multisetcount(i : net, true) < CAPACITY) "there is room";
  m.kind := kind;
  m.from := n;
  multisetadd(m, net);
end;

ruleset n : NODE do
  rule "First" sent[n] = 0 ==>
    sent[n] := 1;
    Send(First, n);
    first := first + 1;
    all := all + 1;
  end;
  rule "Second" sent[n] = 1 ==>
    sent[n] := 2;
    Send(Second, n);
    second := second + 1;
    all := all + 1;
  end;
end;

rule "NoFirst" first > 0 & all = second ==>
  clear first;
end;

invariant "Sum" first > 0 -> all > second;
