//! Generates valid programs from bytes: each sequence of bytes gives a Murphi model that its readers must accept.
//!
//! Each byte decides one choice; after the last byte, the simplest choices are made. Models have constants, all kinds
//! of types, functions, rules, startstates and properties. Executing them may lead to run-time errors, which are part
//! of the language. Statements and expressions are in `generate/bodies.rs`.

#[path = "generate/bodies.rs"]
mod bodies;

/// The tools that must accept a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reader {
    /// CMurphi, rumur 2022 and this crate.
    Everybody,
    /// CMurphi and this crate: unions, multisets, priorities, records as results.
    CMurphi,
    /// Only this crate: what CMurphi accepts, sections in any order, and rumur's properties.
    Ours,
}

/// Returns the text of the model for the bytes.
pub(crate) fn program(bytes: &[u8], reader: Reader) -> String {
    let mut generator = Generator {
        bytes: bytes.iter(),
        reader,
        out: String::new(),
        scope: Vec::new(),
        shapes: Vec::new(),
        kinds: vec![Kind::Boolean, Kind::Range, Kind::Enum, Kind::Node],
        bound: 0,
        bags: false,
        called: Called::Nothing,
    };
    generator.model();
    generator.out
}

/// Returns pseudo-random bytes, which depend only on the nonzero seed (Marsaglia, Xorshift RNGs, 2003).
pub(crate) fn random_bytes(seed: u64) -> impl FnMut() -> u8 {
    let mut state = seed;
    move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state.to_le_bytes()[3]
    }
}

/// The simple types of the generated model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Boolean,
    Range,
    Enum,
    Node,
    Union,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Self::Boolean => "boolean",
            Self::Range => "COUNT",
            Self::Enum => "STATE",
            Self::Node => "NODE",
            Self::Union => "WHO",
        }
    }

    /// The first letter of the names of variables of the type.
    fn letter(self) -> char {
        match self {
            Self::Boolean => 'b',
            Self::Range => 'c',
            Self::Enum => 's',
            Self::Node => 'n',
            Self::Union => 'w',
        }
    }
}

/// A name that can be read, and written unless it is bound.
#[derive(Clone)]
struct Place {
    text: String,
    kind: Kind,
    writable: bool,
}

struct Generator<'b> {
    bytes: std::slice::Iter<'b, u8>,
    reader: Reader,
    out: String,
    scope: Vec<Place>,
    /// Places inside arrays and records, where `@` and a letter stand for an index.
    shapes: Vec<(Kind, String)>,
    kinds: Vec<Kind>,
    bound: u32,
    /// Whether there is a multiset.
    bags: bool,
    /// The functions that an expression can call.
    called: Called,
}

/// Functions that an expression can call: those above it, whose assertions may fail.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Called {
    Nothing,
    Next,
    Sure,
}

impl Generator<'_> {
    /// Makes one of the given number of choices; the first one after the last byte.
    fn pick(&mut self, choices: usize) -> usize {
        self.bytes.next().map_or(0, |byte| usize::from(*byte) % choices)
    }

    fn one<'t>(&mut self, texts: &[&'t str]) -> &'t str {
        texts[self.pick(texts.len())]
    }

    fn kind(&mut self) -> Kind {
        let pick = self.pick(self.kinds.len());
        self.kinds[pick]
    }

    fn line(&mut self, text: &str) {
        self.out.push_str(text);
        self.out.push('\n');
    }

    fn everybody(&self) -> bool {
        self.reader == Reader::Everybody
    }

    fn model(&mut self) {
        self.types();
        self.variables();
        self.functions();
        self.startstates();
        for number in 0..=self.pick(4) {
            if self.reader == Reader::Ours && self.pick(3) == 1 {
                self.line(&format!("var late{number} : COUNT;"));
            }
            self.rules(2);
        }
        for _ in 0..self.pick(3) {
            self.property();
        }
    }

    fn types(&mut self) {
        let nodes = 1 + self.pick(3);
        let low = self.one(&["0", "-1", "1", "LIMIT - 2", "-LIMIT + 1"]);
        let strict = self.one(&["false", "true", "!false", "2 > 1 & !false"]);
        self.line(&format!("const NODES : {nodes}; LIMIT : 1 + 1; STRICT : {strict};"));
        let node = self.one(&["scalarset(NODES)", "scalarset(NODES)", "1..NODES", "0..NODES - 1"]);
        self.line(&format!("type NODE : {node}; COUNT : {low} .. LIMIT; STATE : enum {{ Idle, Wait, Crit }};"));
        if !self.everybody() && node.starts_with("scalarset") && self.pick(2) == 1 {
            self.kinds.push(Kind::Union);
            self.line("type WHO : union { NODE, enum { Nobody, Somebody } };");
        }
        let union = if self.kinds.contains(&Kind::Union) { " w : WHO;" } else { "" };
        self.line(&format!("  CELL : record b : boolean; c : COUNT; s : STATE; n : NODE;{union} end;"));
        if !self.everybody() && self.pick(3) == 1 {
            self.bags = true;
            self.line("const ROOM : 2; type BAG : multiset [ROOM] of CELL;");
        }
    }

    fn variables(&mut self) {
        self.line("var");
        for kind in self.kinds.clone() {
            let letter = kind.letter();
            for number in 0..=self.pick(2) {
                self.line(&format!("  {letter}{number} : {};", kind.name()));
                self.scope.push(Place { text: format!("{letter}{number}"), kind, writable: true });
            }
            self.shapes.push((kind, format!("cell.{letter}")));
            match self.pick(4) {
                1 => {
                    self.line(&format!("  {letter}a : array [NODE] of {};", kind.name()));
                    self.shapes.push((kind, format!("{letter}a[@n]")));
                }
                2 => {
                    self.line(&format!("  {letter}a : array [boolean] of array [COUNT] of {};", kind.name()));
                    self.shapes.push((kind, format!("{letter}a[@b][@c]")));
                }
                _ => {}
            }
        }
        if self.kinds.contains(&Kind::Union) && self.pick(2) == 1 {
            self.line("  ua : array [WHO] of COUNT;");
            self.shapes.push((Kind::Range, "ua[@w]".into()));
        }
        self.line("  cell, other : CELL;");
        if self.pick(2) == 1 {
            self.line("  cells : array [STATE] of array [NODE] of CELL;");
            for kind in self.kinds.clone() {
                self.shapes.push((kind, format!("cells[@s][@n].{}", kind.letter())));
            }
        }
        if self.bags {
            self.line("  bag : BAG;");
        }
    }

    fn has_cells(&self) -> bool {
        self.shapes.iter().any(|(_, shape)| shape.starts_with("cells"))
    }

    /// A function without effects, a procedure that writes its parameter, and records as parameters and results.
    fn functions(&mut self) {
        let globals = self.scope.len();
        self.scope.push(Place { text: "v".into(), kind: Kind::Range, writable: false });
        let (condition, value) = (self.condition(2), self.value(Kind::Range, 2));
        self.line("function next(v : COUNT) : COUNT;");
        self.line(&format!("begin if {condition} then return {value}; end;"));
        if self.pick(2) == 1 {
            let condition = self.condition(1);
            self.line(&format!("assert {condition} \"next\";"));
        }
        self.line("return v; end;");
        self.scope.truncate(globals);
        self.called = Called::Next;
        self.sure();
        self.called = Called::Sure;
        self.scope.push(Place { text: "w".into(), kind: Kind::Node, writable: true });
        self.scope.push(Place { text: "x".into(), kind: Kind::Boolean, writable: false });
        self.scope.push(Place { text: "l".into(), kind: Kind::Enum, writable: true });
        self.line("procedure act(var w : NODE; x : boolean);");
        self.line("var l : STATE;");
        self.line("begin l := Idle;");
        self.statements(2, false);
        if self.pick(3) == 1 {
            self.line("if x then return; end;");
            self.statements(1, false);
        }
        self.line("end;");
        self.scope.truncate(globals);
        self.line("procedure move(var into : CELL; from : CELL);");
        let condition = self.condition(1);
        self.line(&format!("begin if {condition} then into := from; else into.s := from.s; end; end;"));
        if !self.everybody() {
            self.line("function copy(c : CELL) : CELL;");
            self.line("var result : CELL; begin result := c; result.s := Wait; return result; end;");
        }
    }

    /// A condition that asserts something before it has a value.
    fn sure(&mut self) {
        let globals = self.scope.len();
        self.scope.push(Place { text: "n".into(), kind: Kind::Node, writable: false });
        self.scope.push(Place { text: "b".into(), kind: Kind::Boolean, writable: false });
        let form = self.pick(5);
        let inner = if form >= 3 { self.named("i", Kind::Node, false) } else { String::new() };
        let condition = self.condition(2);
        self.scope.truncate(globals + 2);
        let value = self.condition(1);
        self.line("function sure(n : NODE; b : boolean) : boolean;");
        self.line(&match form {
            0 => format!("begin assert {condition} \"sure\"; return {value}; end;"),
            1 => format!("begin if {condition} then error \"unsure\"; end; return {value}; end;"),
            2 => format!("begin if {condition} then return {value}; end; assert b \"late\"; return !b; end;"),
            3 => format!("begin for {inner} : NODE do assert {condition} \"each\"; end; return {value}; end;"),
            _ => format!(
                "begin for {inner} : NODE do if {condition} then return b; end; end; assert {value} \"none\"; return !b; end;"
            ),
        });
        self.scope.truncate(globals);
    }

    fn startstates(&mut self) {
        let around = self.pick(4);
        self.line(match around {
            1 => "ruleset first : NODE; flag : boolean do",
            2 => "ruleset first : NODE do alias zero : c0; second : first do",
            _ => "ruleset first : NODE do",
        });
        for _ in 0..=self.pick(2) {
            self.startstate(if around == 1 { "flag" } else { "false" });
        }
        self.line(if around == 2 { "end; end;" } else { "end;" });
    }

    fn startstate(&mut self, flag: &str) {
        let name = self.one(&["", "\"init\"", "\"a -- b\""]);
        self.line(&format!("startstate {name} begin"));
        for place in self.scope.clone() {
            let value = self.initial(place.kind, flag);
            match self.pick(8) {
                6 => self.line(&format!("  undefine {};", place.text)),
                7 if matches!(place.kind, Kind::Range | Kind::Enum) => self.line(&format!("  clear {};", place.text)),
                _ => self.line(&format!("  {} := {value};", place.text)),
            }
        }
        for (kind, shape) in self.shapes.clone() {
            let value = self.initial(kind, flag);
            let (mut opened, mut place) = (0, shape.clone());
            for (hole, name, over) in
                [("@n", "i", "NODE"), ("@s", "j", "STATE"), ("@b", "k", "boolean"), ("@c", "l", "COUNT")]
            {
                if place.contains(hole) {
                    place = place.replace(hole, name);
                    opened += 1;
                    self.line(&format!("  for {name} : {over} do"));
                }
            }
            if place.contains("@w") {
                place = place.replace("@w", "m");
                opened += 1;
                self.line("  for m : WHO do");
            }
            self.line(&format!("    {place} := {value};{}", " end;".repeat(opened)));
        }
        self.line("  other := cell;");
        if self.bags {
            self.line("  undefine bag;");
        }
        if self.pick(3) == 1 {
            self.statements(1, true);
        }
        self.line("end;");
    }

    fn initial(&mut self, kind: Kind, flag: &str) -> String {
        match kind {
            Kind::Boolean => flag.to_owned(),
            Kind::Range => self.one(&["LIMIT", "1"]).to_owned(),
            Kind::Enum => self.one(&["Idle", "Wait"]).to_owned(),
            Kind::Node => "first".to_owned(),
            Kind::Union => self.one(&["Nobody", "first"]).to_owned(),
        }
    }

    /// A rule, or rules in a group.
    fn rules(&mut self, depth: u32) {
        let globals = self.scope.len();
        match if depth == 0 { 0 } else { self.pick(7) } {
            1 | 2 => {
                let names = 1 + self.pick(2);
                let parameters: Vec<String> = (0..names).map(|_| self.parameter()).collect();
                self.line(&format!("ruleset {} do", parameters.join("; ")));
                for _ in 0..=self.pick(2) {
                    self.rules(depth - 1);
                }
                let end = self.one(&["end;", "endruleset;"]);
                self.line(end);
            }
            3 => {
                let kind = self.kind();
                let place = self.place(kind);
                let name = self.named("al", kind, true);
                self.line(&format!("alias {name} : {place} do"));
                self.rules(depth - 1);
                let end = self.one(&["end;", "endalias;"]);
                self.line(end);
            }
            4 if self.bags => {
                self.line("choose one : bag do");
                let condition = self.condition(1);
                self.line(&format!("rule \"take\" bag[one].s = Idle & {condition} ==>"));
                let statement = self.one(&["multisetremove(one, bag);", "bag[one].s := Wait;", "other := bag[one];"]);
                self.line(&format!("begin {statement} end; end;"));
            }
            _ => self.rule(),
        }
        self.scope.truncate(globals);
    }

    /// A parameter of a ruleset.
    fn parameter(&mut self) -> String {
        match self.pick(5) {
            3 => {
                let name = self.named("i", Kind::Range, false);
                format!("{name} : {}", self.one(&["0..1", "1..LIMIT", "COUNT"]))
            }
            4 => {
                let name = self.named("i", Kind::Range, false);
                // rumur 2022 crashes if a ruleset counts down.
                format!("{name} := {}", if self.everybody() { "1 to 2" } else { "2 to 1 by -1" })
            }
            pick => {
                let kind = [Kind::Node, Kind::Enum, Kind::Boolean][pick];
                let name = self.named("i", kind, false);
                format!("{name} : {}", kind.name())
            }
        }
    }

    fn rule(&mut self) {
        let name = self.one(&["", "\"r\"", "\"r\"", "\"a: <b> & 'c' $x {y}\""]);
        let priority = if !self.everybody() && self.pick(8) == 1 { "3" } else { "" };
        let guard = if self.pick(6) == 5 { String::new() } else { format!("{} ==>", self.condition(3)) };
        self.line(&format!("rule {priority} {name} {guard}"));
        let locals = ["var t : COUNT;", "var t : COUNT;", "type T : COUNT; var t : T;", "const K : 1; var t : COUNT;"];
        let locals = self.one(&locals);
        self.line(locals);
        self.line("begin t := c0;");
        let globals = self.scope.len();
        self.scope.push(Place { text: "t".into(), kind: Kind::Range, writable: true });
        self.statements(3, true);
        // rumur and this crate accept doubled semicolons.
        let end = ["end;", "endrule;", "end;;"][self.pick(if self.reader == Reader::Ours { 3 } else { 2 })];
        self.line(end);
        self.scope.truncate(globals);
    }

    fn property(&mut self) {
        let words = ["invariant", "invariant", "assume", "cover", "liveness"];
        let word = words[self.pick(if self.reader == Reader::Ours { 5 } else { 2 })];
        match self.pick(3) {
            1 => {
                let globals = self.scope.len();
                let name = self.named("i", Kind::Node, false);
                let condition = self.condition(2);
                self.line(&format!("ruleset {name} : NODE do {word} \"of each\" {condition}; end;"));
                self.scope.truncate(globals);
            }
            _ => {
                let condition = self.condition(3);
                self.line(&format!("{word} \"property\" {condition};"));
            }
        }
    }

    /// A new name in scope.
    fn named(&mut self, letter: &str, kind: Kind, writable: bool) -> String {
        self.bound += 1;
        let name = format!("{letter}{}", self.bound + 9);
        self.scope.push(Place { text: name.clone(), kind, writable });
        name
    }
}
