-- What the guard says of each node is about no state variable: it holds from two nodes on.
const N : 2;
type NODE : scalarset(N);
var done : boolean;
startstate done := false; end;
rule "all" forall i : NODE do exists j : NODE do i != j end end ==> done := true; end;
invariant "not done" !done;
