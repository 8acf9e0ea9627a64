-- A function that computes what `put` writes asserts something, and so does one that computes an index there. Violated from N = 4 on. VARY N=2,3,4
const N : 2;
type NODE : scalarset (N); B : 0..1;
var on : array [NODE] of boolean; many : boolean; x : 0..2; a : array [B] of B;
function index() : B; begin assert (x = 0) "zero"; return 0; end;
startstate begin many := false; for i : NODE do on[i] := false; end; x := 0; for i : B do a[i] := 0; end; end;
ruleset i : NODE do rule "on" begin on[i] := true; end; end;
rule "many" exists a : NODE do exists b : NODE do exists c : NODE do exists d : NODE do
  on[a] & on[b] & on[c] & on[d] & a != b & a != c & a != d & b != c & b != d & c != d end end end end ==> begin many := true; end;
rule "x" many ==> begin x := 1; end;
rule "put" begin put a[index()]; end;
invariant "small" x <= 1;
