-- Only four nodes let a rule undefine what another rule adds to a set.
const N : 2;
type NODE : scalarset(N);
var
  chosen : NODE;
  asked  : multiset [2] of NODE;
  many   : boolean;

ruleset h : NODE do
  startstate chosen := h; undefine asked; many := false; end;
end;

rule "four"
  exists a : NODE do exists b : NODE do exists c : NODE do exists d : NODE do
    a != b & a != c & a != d & b != c & b != d & c != d
  end end end end ==>
  many := true;
end;

rule "forget" many ==> undefine chosen; end;

rule "add" multisetcount(i : asked, true) < 2 ==> multisetadd(chosen, asked); end;

invariant "true" true;
