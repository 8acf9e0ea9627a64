//! What the parser reads, and how it reports what it cannot read.

mod support;

use murphi::{parse, print};

/// Parses a text without errors, and prints its tree.
fn printed(text: &str) -> String {
    let (ast, errors) = parse(text);
    assert_eq!(errors, [], "{text}");
    let printed = print(&ast);
    let (again, errors) = parse(&printed);
    assert_eq!(errors, [], "after printing: {printed}");
    assert_eq!(support::shape(&again), support::shape(&ast), "{printed}");
    printed
}

/// Checks that two texts have the same tree.
fn same(text: &str, other: &str) {
    assert_eq!(printed(text), printed(other));
}

fn expression(text: &str) -> String {
    let model = printed(&format!("invariant {text};"));
    model.trim().trim_start_matches("invariant ").trim_end_matches(';').to_owned()
}

/// Returns the codes and messages of all errors, with line and column.
fn errors(text: &str) -> Vec<String> {
    let (_, errors) = parse(text);
    errors
        .iter()
        .map(|error| {
            let (line, column) = murphi::diagnostics::line_column(text, error.labels[0].span.start);
            format!("{line}:{column} {} {}", error.code, error.message)
        })
        .collect()
}

#[test]
fn operators_bind_as_in_the_peers() {
    assert_eq!(expression("a -> b | c & !d = e + f * -g"), "a -> (b | (c & (!(d = (e + (f * (-g)))))))");
    assert_eq!(expression("a & b & c | d"), "(a & b & c) | d");
    assert_eq!(expression("(a & b) & c"), "(a & b) & c");
    assert_eq!(expression("a - b - c"), "(a - b) - c");
    assert_eq!(expression("-a * b"), "(-a) * b");
    assert_eq!(expression("x = !y & z"), "(x = (!y)) & z");
    assert_eq!(expression("x = !y = z"), "x = (!(y = z))");
    assert_eq!(expression("a = b ? c | d : e -> f"), "(a = b) ? (c | d) : (e -> f)");
    assert_eq!(expression("a ? b ? c : d : e"), "a ? (b ? c : d) : e");
}

#[test]
fn doubled_operators_are_looser_as_in_rumur() {
    assert_eq!(expression("a && b | c"), "a & (b | c)");
    assert_eq!(expression("a & b && c || d"), "((a & b) & c) | d");
    assert_eq!(expression("a == b ∧ ¬ c ≠ d"), "(a = b) & (!(c != d))");
}

#[test]
fn what_the_peers_do_not_chain_is_refused() {
    assert_eq!(errors("invariant a -> b -> c;"), ["1:18 P008 `->` cannot be chained"]);
    assert_eq!(errors("invariant a = b = c;"), ["1:17 P008 `=` cannot be chained"]);
    assert_eq!(errors("invariant a ? b : c ? d : e;"), ["1:21 P008 `? :` cannot be chained"]);
}

#[test]
fn rules_without_begin_may_start_with_any_statement() {
    for body in ["x := 1", "a[i].b := 1", "f(1)", "if x then y := 1 end", "clear x", "cover x", ""] {
        same(&format!("rule {body} end;"), &format!("rule begin {body}; endrule;"));
    }
    same("rule x = 1 ==> x := 2; end", "rule x = 1 ==> begin x := 2 end;;;");
    same("rule f(x) ==> y := f(x) end", "rule f(x) ==> begin y := f(x); end");
    same("startstate x := 1; end", "startstate begin x := 1; endstartstate");
}

#[test]
fn a_number_behind_rule_is_a_priority() {
    assert_eq!(printed("rule 5 \"a\" x ==> end"), "rule 5 \"a\"\n  (x)\n==>\nbegin\nend;\n");
    assert_eq!(printed("rule 5 (x) ==> end"), "rule 5\n  (x)\n==>\nbegin\nend;\n");
    assert_eq!(printed("rule 5 = x ==> end"), "rule\n  (5 = x)\n==>\nbegin\nend;\n");
}

#[test]
fn ends_keywords_and_semicolons_are_interchangeable() {
    same(
        "RuleSet i : N; Do Rule \"r\" True ==> Begin If x Then y := 1 EndIf; End; EndRuleSet;",
        "ruleset i : N do rule \"r\" True ==> begin if x then y := 1; endfor;; endrule end",
    );
    same("invariant forall i : N : x = i endforall", "invariant forall i : N do x = i end;");
    same("ruleset i, j : N; k : M; do end", "ruleset i : N; j : N; k : M do end");
    same(
        "const a, b : 1 c : 2 type t, u : 0..1 v : t var x : t y : t",
        "const a:1;b:1;c:2;type t:0..1;u:t;v:t;var x:t;y:t;",
    );
    same("procedure p() : t; begin end", "function p() : t; begin endfunction;");
}

#[test]
fn marks_line_ends_and_foreign_characters_are_harmless() {
    same(
        "\u{feff}-- größe\r\nvar x : 0..1; /* π * / \r\n */\r\nrule \"à →\" x = 1 ==> x := 0; end;",
        "var x : 0 .. 1; rule \"à →\" x = 1 ==> begin x := 0 end",
    );
    same("rule “a b” x ==> end", "rule \"a b\"\nx ==> end");
    same("rule \"a\\\" x ==> end", "rule \"a\\\"\nx ==> end");
    printed("rule \"<b>&amp; \\\" ${x} % ; end\" x ==> end");
}

#[test]
fn what_rumur_takes_beyond_the_manual_is_read() {
    same("rule \"a\r\n b\" x ==> end", "rule \"a  b\" x ==> end");
    same("const : 1; a, : 2; var : boolean; x, : t; type : 0..1; t : record f, : t; : u end", {
        "const a : 2; var x : t; type t : record f : t; end"
    });
    same("rule alias a : x b, c : y do a := b end end", "rule begin alias a : x; b : y; c : y; do a := b; end; end");
    printed("rule alias do x := y end end; alias do invariant x end; alias : x do rule end end");
    same("rule begin invariant \"m\" x end", "rule begin assert x \"m\"; end");
}

/// Strings may span lines, for models that are written that way; mistakes are reported as before.
#[test]
fn an_open_string_is_told_at_its_line() {
    let text = "rule \"a x ==> end;\nrule \"b\" x ==> end;\n";
    assert_eq!(
        errors(text),
        ["1:6 P007 this string is not closed on its line", "2:1 P001 expected an expression, found `rule`"]
    );
}

#[test]
fn the_words_of_rumur_are_names_elsewhere() {
    printed("var cover, assume : boolean; rule cover ==> assume := cover end; invariant cover | assume; cover cover;");
    printed("procedure assume(liveness : boolean); begin end; rule assume(true) end;");
    printed("assume \"a\" x; cover x \"b\"; liveness x; rule assume (x); cover \"c\" x & y; end");
}

#[test]
fn all_errors_of_a_text_are_reported() {
    let text =
        "const N 2;\nvar x : ;\n  y : 0..1;\nrule x y ==> begin\n  x = 1;\n  y := ;\n  y := 1\n  y := 0;\nend;\nend;";
    assert_eq!(
        errors(text),
        [
            "1:9 P001 expected `:`, found `2`",
            "2:9 P001 expected an expression, found `;`",
            "4:6 P001 expected a name in quotes, found `x`",
            "5:5 P001 expected `:=`, found `=`",
            "6:8 P001 expected an expression, found `;`",
            "8:3 P001 expected `;`, found `y`",
            "10:1 P010 this `end` closes nothing",
        ]
    );
}

#[test]
fn a_missing_end_is_reported_once_where_the_block_starts() {
    let text = "rule a ==>\n  if b then x := 1;\nend;\nrule c ==> x := 2; end;";
    assert_eq!(errors(text), ["1:1 P009 this `rule` is not closed before `rule`"]);
    let text = "ruleset i : N do rule a ==> if b then for j : N do x := 1;";
    assert_eq!(errors(text), ["1:39 P009 this `for` is not closed before the end of the file"]);
}

#[test]
fn keywords_as_names_and_bad_tokens_are_told_apart() {
    assert_eq!(errors("var end : boolean;"), ["1:5 P012 `end` is a keyword of Murphi and cannot be a name"]);
    assert_eq!(
        errors("var x : record Of : boolean end;"),
        ["1:16 P012 `of` is a keyword of Murphi and cannot be a name"]
    );
    assert_eq!(
        errors("var x : boolean; # /* open"),
        ["1:18 P011 the character `#` is not part of Murphi", "1:20 P006 this comment is not closed",]
    );
    assert_eq!(
        errors("const a : 99999999999999999999; b : 1.5; type r : real(3, 10);"),
        [
            "1:11 P005 this number does not fit into 64 bits",
            "1:37 P004 numbers with a fraction are not supported",
            "1:51 P004 real numbers are not supported",
        ]
    );
    assert_eq!(errors("rule \"a\nend;"), ["1:6 P007 this string is not closed on its line"]);
    assert_eq!(errors("type t : 1 + 2;"), ["1:10 P003 expected a type, found an expression"]);
}

#[test]
fn nesting_is_bounded_and_length_is_not() {
    let deep =
        |open: &str, close: &str, times: usize| format!("invariant {}x{};", open.repeat(times), close.repeat(times));
    for (open, close) in
        [("(", ")"), ("!", ""), ("f(", ")"), ("a[", "]"), ("forall i : N do ", " end"), ("x -> (", ")")]
    {
        assert_eq!(errors(&deep(open, close, 60)), [""; 0], "{open}");
        assert!(errors(&deep(open, close, 5000)).iter().any(|error| error.contains("P002")), "{open}");
    }
    for chain in [" + x", ".f", "[x]", " * x"] {
        assert_eq!(errors(&format!("invariant x{};", chain.repeat(100))), [""; 0], "{chain}");
        assert!(errors(&format!("invariant x{};", chain.repeat(5000))).iter().any(|e| e.contains("P002")), "{chain}");
    }
    for chain in [" & x", " | x", " && x"] {
        printed(&format!("invariant x{};", chain.repeat(20_000)));
    }
    let nested = format!("rule {}{} end;", "if x then ".repeat(5000), "end; ".repeat(5000));
    assert!(errors(&nested)[0].contains("P002"));
    let nested = format!("type t : {} 0..1;", "array [0..1] of ".repeat(5000));
    assert!(errors(&nested)[0].contains("P002"));
}

#[test]
fn keywords_as_names_do_not_stop_the_parser() {
    assert_eq!(errors("var startstate : boolean; x : boolean;").len(), 1);
    assert_eq!(errors("var r : record rule : boolean; x : boolean; end;").len(), 1);
}
