-- The instance without nodes violates 'p' in the system and not in the model, where N is at least 1. Violated from N = 4 on ('q').
const N : 2;
type NODE : scalarset (N);
var on : array [NODE] of boolean; many : boolean;
x : 0..2;
function f(k : 0..2) : 0..2; begin for i : NODE do if !on[i] then return k; end; end; return 2; end;
startstate begin many := false; for i : NODE do on[i] := false; end; x := 0; end;
ruleset i : NODE do rule "on" !on[i] ==> begin on[i] := true; end; end;
rule "many" exists a : NODE do exists b : NODE do exists c : NODE do exists d : NODE do
  on[a] & on[b] & on[c] & on[d] & a != b & a != c & a != d & b != c & b != d & c != d end end end end ==> begin many := true; end;

rule begin x := f(1); end;
invariant "p" x != 2 | exists i : NODE do on[i] end;
invariant "q" x = 2 -> !many;
