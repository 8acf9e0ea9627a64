//! Generates programs.

use std::fmt::Write;

/// A generator of numbers whose sequence depends on the seed alone.
struct Random {
    state: u64,
    /// The types that the variables of a program have.
    types: Vec<&'static str>,
    /// The process constants in it.
    constants: &'static [&'static str],
    /// Whether processes are compared by `<`.
    has_order: bool,
    /// Whether a constant is added to numbers, but only where they are assigned.
    adds_constants: bool,
    /// Whether numbers are real.
    is_real: bool,
}

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        usize::try_from(self.state % u64::try_from(bound).unwrap()).unwrap()
    }

    fn of<'a>(&mut self, all: &[&'a str]) -> &'a str {
        all[self.below(all.len())]
    }

    fn often(&mut self) -> bool {
        self.below(4) > 0
    }
}

/// The types of variables, with their variables, and what `init` may say about them. A program has those of some types.
const TYPES: [(&str, &str, &[&str]); 5] = [
    (
        "state",
        "array A[proc] : state\nvar S : state",
        &["A[z] = Idle", "S = Idle", "A[z] = Idle", "S <> Busy", "A[z] = S", "A[z] <> Busy"],
    ),
    (
        "bool",
        "array M[proc, proc] : bool\nvar B : bool",
        &["M[z, w] = False", "M[z, z] = True", "M[z, w] = B", "(B = True || B = False)", "B = B", "M[z, w] <> True"],
    ),
    (
        "proc",
        "array P[proc] : proc\nvar X : proc\nvar Y : proc",
        &["P[z] = z", "P[z] = X", "P[z] <> w", "X = Y", "X <> Y", "X <> z", "Y <> z", "X = #1", "P[#1] = #1"],
    ),
    ("data", "var D : data\nvar E : data", &["D = E", "D <> E", "D = D"]),
    (
        "int",
        "array N[proc] : int\nvar I : int\nvar J : int\nconst K : int",
        &[
            "N[z] = 0",
            "I = 1",
            "J = 0",
            "N[z] = I",
            "0 < I",
            "I <= 1",
            "J <= 1",
            "0 <= N[z]",
            "N[z] < 1",
            "I <> 0",
            "(J = 0 || J = 1)",
            "0 < K",
            "K <= 1",
            "K = 1",
            "I >= 0",
            "J = I",
            "not (J < 0)",
            "0 < 1",
        ],
    ),
];

/// Generates a term of the named type that may mention the given processes.
fn term(random: &mut Random, ty: &str, processes: &[&str]) -> String {
    let index = |random: &mut Random| random.of(processes).to_owned();
    match ty {
        "state" if processes.is_empty() || random.below(3) > 0 => random.of(&["Idle", "Busy", "Done", "S"]).to_owned(),
        "state" => format!("A[{}]", index(random)),
        "bool" if processes.is_empty() || random.below(3) > 0 => random.of(&["True", "False", "B"]).to_owned(),
        "bool" => format!("M[{}, {}]", index(random), index(random)),
        "data" => random.of(&["D", "E"]).to_owned(),
        "int" => number(random, processes),
        "proc" if processes.is_empty() || random.below(4) == 0 => random.of(&["X", "Y"]).to_owned(),
        "proc" if random.below(3) == 0 => format!("P[{}]", index(random)),
        "proc" => index(random),
        _ => unreachable!("there is no such type"),
    }
}

/// Generates a number that may mention the given processes.
fn number(random: &mut Random, processes: &[&str]) -> String {
    let known = if random.below(3) > 0 || processes.is_empty() {
        random.of(&["I", "J", "0", "1", "K"]).to_owned()
    } else {
        format!("N[{}]", random.of(processes))
    };
    let is_literal = known == "0" || known == "1";
    if random.below(3) > 0 || is_literal || random.adds_constants {
        known
    } else {
        format!("{known} {}", random.of(&["+ 1", "- 1", "+ 2"]))
    }
}

fn literal(random: &mut Random, processes: &[&str]) -> String {
    if random.has_order && !processes.is_empty() && random.below(4) == 0 {
        let relation = random.of(&["<", "<=", ">", ">="]);
        return format!("{} {relation} {}", random.of(processes), random.of(processes));
    }
    let position = random.below(random.types.len());
    let ty = random.types[position];
    let relations: &[&str] = if ty == "int" { &["=", "<>", "<", "<=", ">", ">="] } else { &["=", "<>"] };
    let relation = random.of(relations);
    format!("{} {relation} {}", term(random, ty, processes), term(random, ty, processes))
}

/// Generates a formula without quantifiers.
fn formula(random: &mut Random, processes: &[&str], depth: usize) -> String {
    if depth == 0 || random.below(3) == 0 {
        return literal(random, processes);
    }
    let mut part = || formula(random, processes, depth - 1);
    let (one, other, third) = (part(), part(), part());
    match random.below(7) {
        0 => format!("({one} || {other})"),
        1 => format!("not ({one})"),
        2 => format!("({one} => {other})"),
        3 => format!("({one} <=> {other})"),
        4 => format!("(if {one} then {other} else {third})"),
        _ => format!("({one} && {other})"),
    }
}

fn guard(random: &mut Random, processes: &[&str]) -> String {
    let mut guard = formula(random, processes, 2);
    let quantifier = random.of(&["", "", "forall_other k. ", "forall k. ", "forall k <> l. ", "not exists k. "]);
    if !quantifier.is_empty() {
        let mut inside = [processes, &["k"]].concat();
        if quantifier.contains("<>") {
            inside.push("l");
        }
        let body = formula(random, &inside, 1);
        let connective = random.of(&["&&", "||"]);
        write!(guard, " {connective} ({quantifier}{body})").unwrap();
    }
    if random.has_order && random.types.contains(&"proc") && !processes.is_empty() && random.below(2) == 0 {
        let relation = random.of(&["<", "<=", ">", ">="]);
        let (read, process) = (term(random, "proc", processes), random.of(processes));
        guard = format!("{read} {relation} {process} && Y {relation} {read} && ({guard})");
    }
    guard
}

fn assignment(random: &mut Random, target: &str, ty: &str, indices: usize, processes: &[&str]) -> String {
    let names = &["j", "i"][..indices];
    if indices == 0 && random.below(4) == 0 {
        return format!("{target} := .");
    }
    if random.adds_constants && ty == "int" && random.often() {
        let sum = random.of(&["J + K", "I - K", "I + 2 * K", "K + 1", "J + 1", "I - 1"]);
        return if indices == 0 { format!("{target} := {sum}") } else { format!("{target}[k] := case | _ : {sum}") };
    }
    if indices > 0 && !processes.is_empty() && random.often() {
        let at: Vec<&str> = names.iter().map(|_| random.of(processes)).collect();
        return format!("{target}[{}] := {}", at.join(", "), term(random, ty, processes));
    }
    let inside = [processes, names].concat();
    let at = if indices == 0 { String::new() } else { format!("[{}]", names.join(", ")) };
    let mut text = format!("{target}{at} := case");
    for _ in 0..=random.below(2) {
        let condition = formula(random, &inside, 1);
        write!(text, " | {condition} : {}", term(random, ty, &inside)).unwrap();
    }
    let default = if random.often() { format!("{target}{at}") } else { term(random, ty, &inside) };
    write!(text, " | _ : {default}").unwrap();
    text
}

fn transition(random: &mut Random, number: usize, text: &mut String) {
    let processes = &["x", "y"][..random.below(3)];
    let mentioned = [processes, random.constants].concat();
    let guard = guard(random, &mentioned);
    let mut updates = Vec::new();
    for (target, ty, indices) in [
        ("A", "state", 1),
        ("M", "bool", 2),
        ("P", "proc", 1),
        ("S", "state", 0),
        ("B", "bool", 0),
        ("X", "proc", 0),
        ("D", "data", 0),
        ("N", "int", 1),
        ("I", "int", 0),
        ("J", "int", 0),
    ] {
        if random.types.contains(&ty) && random.below(3) == 0 {
            updates.push(assignment(random, target, ty, indices, &mentioned));
        }
    }
    writeln!(
        text,
        "transition t{number} ({}) requires {{ {guard} }} {{ {} }}",
        processes.join(" "),
        updates.join("; ")
    )
    .unwrap();
}

fn init(random: &mut Random) -> String {
    let mut parts = Vec::new();
    for (ty, _, claims) in TYPES {
        if random.types.contains(&ty) {
            // There are too many initial states if few numbers are known.
            let least = if ty == "int" { 3 } else { 0 };
            for _ in 0..=least + random.below(3) {
                let claim = random.of(claims);
                if !random.is_real || !claim.contains('1') {
                    parts.push(claim);
                }
            }
        }
    }
    format!("init (z w) {{ {} }}", parts.join(" && "))
}

pub(super) fn program(seed: u64, has_numbers: bool) -> String {
    let state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let constants: &[&str] = if seed.is_multiple_of(3) { &["#1"] } else { &[] };
    let mut random = Random {
        state,
        types: vec!["state"],
        constants,
        has_order: seed % 3 == 1,
        adds_constants: false,
        is_real: false,
    };
    for _ in 0..8 {
        random.below(2);
    }
    let left_out = 1 + random.below(3);
    let is_in = |number: usize| if has_numbers { number == 4 } else { number < 4 && number != left_out };
    let types = TYPES.iter().enumerate().skip(1).filter(|(number, _)| is_in(*number)).map(|(_, (ty, _, _))| *ty);
    random.types.extend(types);
    random.is_real = has_numbers && seed % 5 == 1;
    random.adds_constants = random.is_real || (has_numbers && seed.is_multiple_of(5));
    let mut text = "type state = Idle | Busy | Done\ntype data\n".to_owned();
    for (ty, declarations, _) in TYPES {
        if random.types.contains(&ty) {
            writeln!(text, "{declarations}").unwrap();
        }
    }
    writeln!(text, "{}", init(&mut random)).unwrap();
    for _ in 0..2 {
        let processes = &["x", "y"][..random.below(3)];
        let mentioned = [processes, constants].concat();
        let mut body = formula(&mut random, &mentioned, 2);
        if random.has_order && random.types.contains(&"proc") && !processes.is_empty() && random.below(2) == 0 {
            let (relation, process) = (random.of(&["<", "<=", ">", ">="]), random.of(processes));
            let reads = [(); 2].map(|()| term(&mut random, "proc", processes));
            body = format!("{} {relation} {process} && {} {relation} {} && ({body})", reads[0], reads[1], reads[0]);
        }
        writeln!(text, "unsafe ({}) {{ {body} }}", processes.join(" ")).unwrap();
    }
    if random.below(2) == 0 {
        let mentioned = [["x", "y"].as_slice(), constants].concat();
        let body = formula(&mut random, &mentioned, 1);
        writeln!(text, "unsafe {{ not (forall x <> y. {body}) }}").unwrap();
    }
    for number in 0..2 {
        transition(&mut random, number, &mut text);
    }
    if random.is_real {
        text = text.replace(": int", ": real");
        for number in ["0", "1", "2"] {
            text = text.replace(&format!(" {number}"), &format!(" {number}.0"));
            text = text.replace(&format!("({number}"), &format!("({number}.0"));
        }
    }
    text
}
