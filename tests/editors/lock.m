-- A session in an editor quotes the name of the rule, renames the variable, and lays out the text.
const NODES : 3;
type node : scalarset(NODES);
var free : boolean; holds : array [node] of boolean;
startstate free := true; for n : node do holds[n] := false; end; end;
ruleset n : node do
rule acquire free ==> free := false; holds[n] := true; end;
rule "release" holds[n] ==> holds[n] := false; free := true; end;
end;
invariant "exclusion" forall m : node; n : node do m != n -> !(holds[m] & holds[n]) end;
