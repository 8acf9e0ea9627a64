-- A lock over an unordered network. Right: proven for any number of NODE and any capacity.
const N : 3; S : 3;
type NODE : scalarset(N); MT : enum { Req, Gnt, Rel };
     MSG : record t : MT; who : NODE; end; ST : enum { I, W, E };
var net : multiset [S] of MSG; st : array [NODE] of ST; busy : boolean;
procedure send(t : MT; n : NODE); var m : MSG; begin m.t := t; m.who := n; multisetadd(m, net); end;
startstate begin undefine net; for n : NODE do st[n] := I; end; busy := false; end;
ruleset n : NODE do
rule "ask" st[n] = I & multisetcount(i : net, true) < S ==> begin send(Req, n); st[n] := W; end;
rule "release" st[n] = E & multisetcount(i : net, true) < S ==> begin st[n] := I; send(Rel, n); end;
end;
choose i : net do
rule "get" net[i].t = Gnt ==> begin st[net[i].who] := E; multisetremove(i, net); end;
rule "grant" net[i].t = Req & !busy ==> var n : NODE; begin busy := true; n := net[i].who; multisetremove(i, net); send(Gnt, n); end;
rule "free" net[i].t = Rel ==> begin busy := false; multisetremove(i, net); end;
end;
invariant "one owner" forall a : NODE do forall b : NODE do a != b -> !(st[a] = E & st[b] = E) end end;
