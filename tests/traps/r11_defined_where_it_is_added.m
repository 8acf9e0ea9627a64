-- The owner is undefined at times, but not where it is added to the set. Right for every N.
const N : 3;
type NODE : scalarset (N);
var owner : NODE; taken : boolean; sharers : multiset [N] of NODE; on : array [NODE] of boolean;
procedure share(n : NODE); begin
  if multisetcount(s : sharers, sharers[s] = n) = 0 then multisetadd(n, sharers); end;
end;
startstate begin undefine owner; taken := false; undefine sharers; for i : NODE do on[i] := false; end; end;
ruleset i : NODE do rule "take" !taken ==> begin owner := i; taken := true; on[i] := true; end; end;
rule "share" taken ==> begin share(owner); undefine owner; taken := false; end;
rule "drop" taken & isundefined(owner) ==> begin share(owner); end;
choose s : sharers do rule "leave" !taken ==> begin on[sharers[s]] := false; multisetremove(s, sharers); end; end;
invariant "a taken owner is on" taken -> on[owner];
