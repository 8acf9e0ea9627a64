//! The generator produces what has misled lowering before: each kind of trap occurs in some text.

use super::model::generate;

/// The number of models examined.
const MODELS: u64 = 24_000;

/// Whether some line of the text satisfies this.
type Sign = fn(&Text<'_>) -> bool;

/// A text, prepared for the questions about it.
struct Text<'t> {
    lines: Vec<&'t str>,
}

impl Text<'_> {
    fn any(&self, wanted: impl Fn(&str) -> bool) -> bool {
        self.lines.iter().any(|line| wanted(line))
    }

    /// Returns whether a line that satisfies `first` is followed by one that satisfies `second`.
    fn pair(&self, first: impl Fn(&str) -> bool, second: impl Fn(&str) -> bool) -> bool {
        self.lines.windows(2).any(|pair| first(pair[0]) && second(pair[1]))
    }

    /// Returns whether the lines from one with this start to the next `end;` contain one of these words.
    fn within(&self, start: &str, words: &[&str]) -> bool {
        let starts = (0..self.lines.len()).filter(|&at| self.lines[at].starts_with(start));
        starts.into_iter().any(|at| {
            let block = self.lines[at..].iter().take_while(|line| **line != "end;");
            block.into_iter().any(|line| words.iter().any(|word| line.contains(word)))
        })
    }

    /// Returns the variables of a type.
    fn of_type(&self, ty: &str) -> Vec<String> {
        let end = format!(": {ty};");
        let names = self.lines.iter().filter_map(|line| line.strip_prefix("var ")?.strip_suffix(&end));
        names.map(str::to_owned).collect()
    }

    /// Returns whether a line has `sign` between a variable of one type and one of another.
    fn joined(&self, one: &str, sign: &str, other: &str) -> bool {
        self.of_type(one).iter().any(|left| {
            let of_other = self.of_type(other);
            of_other.iter().any(|right| self.any(|line| line.contains(&format!("{left} {sign} {right}"))))
        })
    }
}

fn number_in_branch(line: &str) -> bool {
    line.contains(" ? 3 : ") || line.contains(" : 3)")
}

const KINDS: [(&str, Sign); 41] = [
    ("a01: a size in a property", |text| text.any(|line| line.starts_with("invariant") && line.contains("N"))),
    ("a02: a size in a guard", |text| text.any(|line| line.ends_with("==>") && line.contains(" N)"))),
    ("a04: a size bounds what counts", |text| {
        text.any(|line| line == "type K: 0..N;") && !text.of_type("K").is_empty()
    }),
    ("a08: a computed number in a branch", |text| text.any(|line| line.contains("?") && line.contains(" + 1 : "))),
    ("a10: a number goes into a union", |text| {
        text.of_type("U").iter().any(|name| text.any(|line| line == format!("{name} := 3;")))
    }),
    ("a11: another range goes into a union", |text| {
        let gets_used = |name: &String| text.any(|line| line == format!("{name} := used;"));
        text.joined("U", ":=", "K") || text.of_type("U").iter().any(gets_used)
    }),
    ("a12: a record of another type is copied", |text| text.joined("S", ":=", "R") || text.joined("R", ":=", "S")),
    ("a14: a record of another type is an argument", |text| {
        let calls = |name: &String| text.any(|line| line.starts_with('m') && line.ends_with(&format!("({name});")));
        text.any(|line| line.contains("(p: S)")) && text.of_type("R").iter().any(calls)
    }),
    ("d04: a number in a branch of an index", |text| text.any(|line| line.contains("[(") && number_in_branch(line))),
    ("d05: a number in a branch of what is compared", |text| {
        text.any(|line| line.contains("= (") && number_in_branch(line))
    }),
    ("d09: records of two types are compared", |text| text.joined("R", "=", "S") || text.joined("S", "=", "R")),
    ("d11: an array of another type is copied", |text| text.joined("W", ":=", "V") || text.joined("V", ":=", "W")),
    ("d16: a number is an argument for a union", |text| {
        text.any(|line| line.contains("(p: U)")) && text.any(|line| line.starts_with('m') && line.ends_with("(3);"))
    }),
    ("d17: a switch on a conditional", |text| text.any(|line| line.starts_with("switch (") && number_in_branch(line))),
    ("d19: a constant that is computed from a size", |text| text.any(|line| line.starts_with("const M: N <"))),
    ("e01: an assertion in a startstate", |text| text.within("startstate", &["assert"])),
    ("e02, e04: an assertion in a function that a guard calls", |text| {
        text.within("function", &["assert", "error"]) && text.any(|line| line.ends_with("==>") && line.contains("f"))
    }),
    ("e05: an error in a startstate", |text| text.within("startstate", &["error"])),
    ("e07: a call on the left of another condition", |text| {
        text.any(|line| line.contains(") & ") && line.ends_with("==>") && line.starts_with("(f"))
    }),
    ("e09: an assertion in a loop", |text| {
        text.pair(|line| line.starts_with("for ") && line.ends_with("do"), |line| line.starts_with("assert"))
    }),
    ("e12, g01, g21: what is found last stays", |text| {
        text.pair(
            |line| line.starts_with("for ") && line.ends_with(": P do"),
            |line| line.starts_with("if ") && line.contains(":= i"),
        )
    }),
    ("f02: loops over ranges without names", |text| {
        text.any(|line| line.starts_with("ruleset") && line.contains(":= 1 to N"))
    }),
    ("f05: an array over a union of two types", |text| {
        text.any(|line| line.starts_with("type U: union {") && line.contains("Q"))
            && text.any(|line| line.contains("array[U]"))
    }),
    ("f04: dimensions without names", |text| text.any(|line| line.contains("array[1..N] of array["))),
    ("n03: a member of an enumeration that is computed from a size", |text| {
        text.any(|line| line.starts_with("const MANY: N")) && text.any(|line| line.contains("= MANY"))
    }),
    ("n04: a truth value that is computed from a size", |text| {
        text.any(|line| line.starts_with("const BIG: N"))
            && text.any(|line| line.contains("BIG") && line.ends_with("==>"))
    }),
    ("n05: an alias of a size", |text| text.any(|line| line.starts_with("alias z") && line.ends_with(": N do"))),
    ("n07: a local constant with the name of a size", |text| {
        text.pair(|line| line.ends_with("==>"), |line| line == "const N: 3;")
    }),
    ("q01: a step that only larger instances take", |text| {
        text.any(|line| line.starts_with("many & ") && line.ends_with("==>"))
    }),
    ("r01: a function is called to write its result", |text| text.any(|line| line.starts_with("put f"))),
    ("n10: a loop over what may be nothing", |text| {
        text.any(|line| line.starts_with("for ") && line.contains(":= 2 to N"))
    }),
    ("s01: what is stored changes where it is stored", |text| {
        text.any(|line| line.starts_with('v') && line.contains("] := c"))
    }),
    ("s03: a variable with any value", |text| {
        text.any(|line| line.starts_with("var h")) && text.any(|line| line.contains("isundefined"))
    }),
    ("t13: elements of a multiset are removed", |text| text.any(|line| line.starts_with("multisetremovepred"))),
    ("t20: the number of elements is stored", |text| text.any(|line| line.contains(":= multisetcount"))),
    ("half of a size", |text| text.any(|line| line.contains("N / 2") && line.ends_with("==>"))),
    ("twice a number beside a size", |text| {
        text.any(|line| line.contains("(2 * ") && line.contains(" N)") && line.ends_with("==>"))
    }),
    ("o_t03: a loop moves the items of a queue", |text| text.any(|line| line.contains("queue[k] := queue[k + 1]"))),
    ("x03: a loop moves them in the wrong direction", |text| {
        text.any(|line| line.starts_with("for k: PLACE") && line.contains("queue[k] := queue[k - 1]"))
    }),
    ("x04: a loop moves them by two", |text| text.any(|line| line.contains("queue[k + 2]"))),
    ("i01: a loop over numbers counts", |text| {
        text.pair(|line| line.starts_with("for ") && line.contains(":= 1 to 3"), |line| line.ends_with("+ 1;"))
    }),
];

#[test]
fn each_kind_of_trap_is_generated() {
    let mut wanted: Vec<(&str, Sign)> = KINDS.to_vec();
    for seed in 0..MODELS {
        let model = generate(seed);
        let candidates: Vec<String> = model.candidates.iter().map(|text| format!("invariant {text}")).collect();
        let lines = model.body.lines().map(str::trim).chain(candidates.iter().map(String::as_str)).collect();
        let text = Text { lines };
        wanted.retain(|(_, sign)| !sign(&text));
    }
    let missing: Vec<&str> = wanted.iter().map(|(name, _)| *name).collect();
    assert!(missing.is_empty(), "missing from all models: {missing:?}");
}
