-- The queue of generated protocols: places without a name of their own, and loops over numbers.
const
  N : 2;
  CAPACITY : 4;
type
  NODE    : scalarset(N);
  KIND    : enum { Get, Give };
  MESSAGE : record kind : KIND; from : NODE; dest : NODE; end;
var
  net   : array [NODE] of array [0 .. CAPACITY - 1] of MESSAGE;
  count : array [NODE] of 0 .. CAPACITY;
  has   : array [NODE] of boolean;

procedure send(m : MESSAGE);
begin
  assert (count[m.dest] < CAPACITY) "there is room";
  net[m.dest][count[m.dest]] := m;
  count[m.dest] := count[m.dest] + 1;
end;

procedure pop(n : NODE);
begin
  for i := 0 to count[n] - 1 do
    if i < count[n] - 1 then net[n][i] := net[n][i + 1]; else undefine net[n][i]; end;
  end;
  count[n] := count[n] - 1;
end;

ruleset h : NODE do
  startstate
    for n : NODE do
      count[n] := 0; has[n] := n = h;
      for k := 0 to CAPACITY - 1 do undefine net[n][k]; end;
    end;
  end;
end;

ruleset a : NODE; b : NODE do
  rule "give" has[a] & count[b] < CAPACITY ==>
  var m : MESSAGE;
  begin
    m.kind := Give; m.from := a; m.dest := b;
    has[a] := false;
    send(m);
  end;
end;

ruleset n : NODE do
  rule "take" count[n] > 0 ==> begin
    switch net[n][0].kind case Give: has[n] := true; else error "a request"; end;
    pop(n);
  end;
end;

invariant "one has it" forall i : NODE do forall j : NODE do i != j -> !(has[i] & has[j]) end end;
