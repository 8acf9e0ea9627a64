-- An undefined field goes through a record of another type and back. Violated from N = 4 on. VARY N=2,3,4
const N : 2; K : 2;
type NODE : scalarset (N); R : record x : 0..2; end; S : record x : 0..K; end;
var on : array [NODE] of boolean; many : boolean; r : R; s : S; t : R;
startstate begin many := false; for i : NODE do on[i] := false; end; undefine r; s.x := 0; t.x := 0; end;
ruleset i : NODE do rule "on" begin on[i] := true; end; end;
rule "many" exists a : NODE do exists b : NODE do exists c : NODE do exists d : NODE do
  on[a] & on[b] & on[c] & on[d] & a != b & a != c & a != d & b != c & b != d & c != d end end end end ==> begin many := true; end;
rule "there" many ==> begin s := r; end;
rule "back" begin t := s; end;
invariant "defined" !isundefined(t.x);
