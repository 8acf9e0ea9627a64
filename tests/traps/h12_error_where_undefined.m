-- unsafe: an error is reached only where a pointer is undefined, in a procedure that is called twice
const N: 3;
type P: scalarset(N);
var p: P; x: boolean;
procedure check(); begin if isundefined(p) then error "lost"; end; end;
startstate begin undefine p; x := false; end;
ruleset i: P do rule "point" begin p := i; end; end;
rule "twice" x ==> begin check(); x := !x; check(); end;
rule "begin" !isundefined(p) ==> begin check(); x := true; end;
rule "forget" begin undefine p; end;
