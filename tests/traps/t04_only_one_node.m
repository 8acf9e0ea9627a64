-- Named elements make the first instances larger than the one that is violated. Violated for N = 1 only.
const N : 3;
type NODE : 1..N;
var t : NODE; on : array [NODE] of boolean;
startstate begin t := 1; for i : NODE do on[i] := true; end; end;
ruleset i : NODE do rule i != 1 & (exists j : NODE do j != i & j != 1 & on[j] end) ==> begin on[i] := false; end; end;
invariant "p" exists i : NODE do i != 1 & on[i] end;
