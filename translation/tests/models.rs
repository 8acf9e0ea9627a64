//! What translations look like, and what has no counterpart.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

use system::front_end::{Diagnostic, FrontEnd, Settings};
use translation::{to_cubicle, to_murphi};

#[path = "../../murphi/tests/support/document.rs"]
mod document;

fn cubicle_of(text: &str) -> Result<String, Vec<Diagnostic>> {
    let model = murphi::Model::read(text, &Settings::default())?;
    to_cubicle(text, model.lower()?.system)
}

/// Whitespace is a matter of layout, which the command takes care of.
fn words(text: &str) -> Vec<&str> {
    text.split_whitespace().collect()
}

#[test]
fn every_example_of_the_page_is_refused_as_it_says() {
    let mut tried = 0;
    for section in document::sections(&document::document()) {
        let found = match section.code.as_str() {
            "T001" => to_murphi(&section.example),
            "T002" => cubicle_of(&section.example),
            _ => continue,
        };
        let found = found.unwrap_err();
        let told: Vec<(&str, &str)> = found.iter().map(|own| (own.code, own.message.as_str())).collect();
        assert_eq!(told, [(section.code.as_str(), section.message.as_str())]);
        assert!(found[0].help.is_some() && !found[0].labels.is_empty());
        tried += 1;
    }
    assert_eq!(tried, 2);
}

#[test]
fn names_comments_and_order_stay() {
    let text = "
        (* A lock. (* Held once. *) *)
        type place = Idle | End
        (* Where they are *)
        array At[proc] : place
        var Free : bool
        init (z) { At[z] = Idle && Free = True }
        unsafe (z y) { At[z] = End && At[y] = End }
        invariant (z) { At[z] = End && Free = True }
        (* One waits for the other. *)
        transition enter (i to) requires { Free = True && forall_other y. At[y] = Idle } { At[i] := End; Free := False }
        transition leave (i) requires { At[i] = End } { At[j] := case | j = i : Idle | _ : At[j]; Free := True }
    ";
    let expected = r#"
        -- A lock. (* Held once. *)
        const PROC_NUM : 2;
        type proc : scalarset(PROC_NUM);
        type place : enum { Idle, End_ };
        -- Where they are
        var At : array [proc] of place;
        var Free : boolean;
        startstate
        begin
          Free := true;
          for z : proc do
            At[z] := Idle;
          end;
        end;
        invariant "unsafe at line 8" forall z : proc do forall y : proc do (z != y) -> (!((At[z] = End_) & (At[y] = End_))) end end;
        -- A candidate in Cubicle's language, which is no claim:
        -- invariant (z) { At[z] = End && Free = True }
        -- One waits for the other.
        ruleset i : proc; to_ : proc do
          rule "enter"
            ((i != to_) & Free & forall y : proc do ((y != i) & (y != to_)) -> (At[y] = Idle) end)
          ==>
          begin
            At[i] := End_;
            Free := false;
          end;
        end;
        ruleset i : proc do
          rule "leave"
            (At[i] = End_)
          ==>
          begin
            At[i] := Idle;
            Free := true;
          end;
        end;
    "#;
    let found = to_murphi(text).unwrap();
    assert_eq!(words(&found), words(expected), "{found}");
}

/// Updates happen at once, so one that reads what another one writes comes first, and values are kept where each reads what the
/// other one writes.
#[test]
fn updates_read_the_state_before_all_of_them() {
    let text = "
        array A[proc] : bool
        array B[proc] : bool
        var X : bool
        var Y : bool
        init (z) { A[z] = False && B[z] = True && X = True && Y = False }
        transition swap () { X := Y; Y := X }
        transition swap_arrays () { A[j] := case | _ : B[j]; B[j] := case | _ : A[j] }
        transition shift (p q) { A[p] := A[q]; X := A[p] }
        transition same_as (p) { A[j] := case | A[p] = True : False | _ : True }
    ";
    let found = to_murphi(text).unwrap();
    let body = |name: &str| {
        let start = found.find(&format!("rule \"{name}\"")).unwrap();
        let (before, body) = found[start..].split_once("begin\n").unwrap();
        let indent = before.rsplit('\n').next().unwrap();
        words(&body[..body.find(&format!("\n{indent}end;")).unwrap()]).join(" ")
    };
    assert_eq!(body("swap"), "old := X; X := Y; Y := old;");
    assert_eq!(
        body("swap_arrays"),
        "old := A; for j : proc do A[j] := B[j]; end; for j : proc do B[j] := old[j]; end;"
    );
    assert!(body("shift").starts_with("X := A[p]; A[p] := A[q];"), "{found}");
    assert_eq!(body("same_as"), "old := A[p]; for j : proc do if old then A[j] := false; else A[j] := true; end; end;");
}

#[test]
fn all_that_has_no_counterpart_is_reported() {
    let text = "
        const K : int
        var N : int
        var R : real
        array Q[proc] : int
        init (z) { Q[z] = 0 && R = 0.0 }
        transition any () { N := . }
        transition add () { N := N + K }
    ";
    let found: Vec<String> = to_murphi(text).unwrap_err().into_iter().map(|own| own.message).collect();
    let wanted = [
        "a number that is only known to be a constant",
        "real numbers",
        "a real number",
        "a number that has any value",
        "a choice among all numbers",
        "a sum with several variables",
    ];
    for what in wanted {
        assert!(found.iter().any(|own| own.ends_with(&format!("for {what}"))), "{what}: {found:?}");
    }
}

#[test]
fn a_murphi_model_keeps_its_names() {
    let text = "
        -- A lock.
        type NODE : scalarset(2); STATE : enum { idle, busy };
        var Chan : array [NODE] of record Cmd : STATE; end; free : boolean;
        startstate for i : NODE do Chan[i].Cmd := idle; end; free := true; end;
        ruleset i : NODE do rule \"Take it\" free & Chan[i].Cmd = idle ==> Chan[i].Cmd := busy; free := false; end; end;
        invariant forall i : NODE; j : NODE do i != j -> !(Chan[i].Cmd = busy & Chan[j].Cmd = busy) end;
    ";
    let found = cubicle_of(text).unwrap();
    for line in ["(* A lock. *)", "type state = Idle | Busy", "array Chan_Cmd[proc] : state", "transition Take_it (i)"]
    {
        assert!(found.contains(line), "{line}: {found}");
    }
    assert!(cubicle::Model::read(&found, &Settings::default()).is_ok(), "{found}");
}
