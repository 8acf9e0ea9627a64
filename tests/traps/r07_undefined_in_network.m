-- An undefined part of a message is copied out of the network. Violated from N = 4 on. VARY N=2,3,4
const N : 2;
type NODE : scalarset (N); MSG : record number : 0..5; end;
var on : array [NODE] of boolean; many : boolean; net : multiset [3] of MSG; low : 0..2; high : 3..5; sent : boolean; seen : boolean;
startstate begin many := false; for i : NODE do on[i] := false; end; undefine net; low := 0; high := 3; sent := false; seen := false; end;
ruleset i : NODE do rule "on" begin on[i] := true; end; end;
rule "many" exists a : NODE do exists b : NODE do exists c : NODE do exists d : NODE do
  on[a] & on[b] & on[c] & on[d] & a != b & a != c & a != d & b != c & b != d & c != d end end end end ==> begin many := true; end;
rule "send" many & !sent ==> var msg : MSG; begin undefine msg; multisetadd(msg, net); sent := true; end;
choose m : net do rule "receive" true ==> begin low := net[m].number; high := net[m].number; seen := true; end; end;
invariant "not seen" !seen;
