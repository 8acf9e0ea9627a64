-- With `--deadlock=stuttering`: two messages that change places are the same network. A deadlock from N = 4 on. VARY N=2,3,4
const N : 2;
type NODE : scalarset (N); KIND : enum { request, reply };
var on : array [NODE] of boolean; many : boolean; turn : boolean; net : multiset [3] of KIND;
startstate begin many := false; for i : NODE do on[i] := false; end; turn := false; undefine net; multisetadd(request, net); multisetadd(reply, net); end;
ruleset i : NODE do rule "on" begin on[i] := true; end; end;
rule "many" exists a : NODE do exists b : NODE do exists c : NODE do exists d : NODE do
  on[a] & on[b] & on[c] & on[d] & a != b & a != c & a != d & b != c & b != d & c != d end end end end ==> begin many := true; end;
rule "turn" !many ==> begin turn := !turn; end;
choose a : net do choose b : net do
  rule "exchange" many & net[a] = request & net[b] = reply ==> begin net[a] := reply; net[b] := request; end;
end; end;
invariant "as many" many | !many;
