-- What other nodes store decides what global variables hold.
const NODE_NUM : 2;
type NODE : scalarset (NODE_NUM);
type KIND : enum { no, some, many };
var a : array [NODE] of boolean; seen : boolean;
var s : array [NODE] of KIND; g : KIND; b : boolean;
startstate begin seen := false; for i : NODE do a[i] := false; end;
for i : NODE do s[i] := no; end; g := no; b := false;
end;
ruleset i : NODE do rule "set" !a[i] ==> begin a[i] := true; seen := true; end; end;
ruleset i : NODE; j : NODE do
rule "more" begin s[i] := a[j] ? some : many; g := s[j]; end;
rule "tell" i != j & s[i] = s[j] ==> begin b := a[i] = a[j]; g := s[i]; end;
rule "switch" begin switch s[i] case no: g := some; case some: s[j] := g; b := a[j]; else s[i] := s[j]; a[j] := false; end; end;
end;
invariant "two" forall i : NODE do forall j : NODE do i != j & a[i] & a[j] -> seen end end;
