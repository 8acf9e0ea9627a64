-- As `y01_one_pair_is_free`, but a flag of the first pair is set, too: after twelve steps none is free.

var
  a0 : boolean;
  b0 : boolean;
  a1 : boolean;
  b1 : boolean;
  a2 : boolean;
  b2 : boolean;
  a3 : boolean;
  b3 : boolean;
  a4 : boolean;
  b4 : boolean;
  a5 : boolean;
  b5 : boolean;
  a6 : boolean;
  b6 : boolean;
  a7 : boolean;
  b7 : boolean;
  a8 : boolean;
  b8 : boolean;
  a9 : boolean;
  b9 : boolean;
  a10 : boolean;
  b10 : boolean;
  a11 : boolean;
  b11 : boolean;
  a12 : boolean;
  b12 : boolean;

startstate
begin
  a0 := false;
  b0 := false;
  a1 := false;
  b1 := false;
  a2 := false;
  b2 := false;
  a3 := false;
  b3 := false;
  a4 := false;
  b4 := false;
  a5 := false;
  b5 := false;
  a6 := false;
  b6 := false;
  a7 := false;
  b7 := false;
  a8 := false;
  b8 := false;
  a9 := false;
  b9 := false;
  a10 := false;
  b10 := false;
  a11 := false;
  b11 := false;
  a12 := false;
  b12 := false;
end;

rule "left"
  true
==>
begin
  assert (!a0 & !b0)
    | (!a1 & !b1)
    | (!a2 & !b2)
    | (!a3 & !b3)
    | (!a4 & !b4)
    | (!a5 & !b5)
    | (!a6 & !b6)
    | (!a7 & !b7)
    | (!a8 & !b8)
    | (!a9 & !b9)
    | (!a10 & !b10)
    | (!a11 & !b11)
    | (!a12 & !b12) "one is free";
  if !b1 then a1 := !a1; end;
end;

rule "set 2"
  a1 | b1
==>
begin
  a2 := !a2;
  a0 := true;
  b2 := !b1;
end;

rule "set 3"
  a2 | b2
==>
begin
  a3 := !a3;
  b3 := !b2;
end;

rule "set 4"
  a3 | b3
==>
begin
  a4 := !a4;
  b4 := !b3;
end;

rule "set 5"
  a4 | b4
==>
begin
  a5 := !a5;
  b5 := !b4;
end;

rule "set 6"
  a5 | b5
==>
begin
  a6 := !a6;
  b6 := !b5;
end;

rule "set 7"
  a6 | b6
==>
begin
  a7 := !a7;
  b7 := !b6;
end;

rule "set 8"
  a7 | b7
==>
begin
  a8 := !a8;
  b8 := !b7;
end;

rule "set 9"
  a8 | b8
==>
begin
  a9 := !a9;
  b9 := !b8;
end;

rule "set 10"
  a9 | b9
==>
begin
  a10 := !a10;
  b10 := !b9;
end;

rule "set 11"
  a10 | b10
==>
begin
  a11 := !a11;
  b11 := !b10;
end;

rule "set 12"
  a11 | b11
==>
begin
  a12 := !a12;
  b12 := !b11;
end;
