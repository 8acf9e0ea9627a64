//! Valid programs from bytes: each sequence of bytes gives a Murphi model that every reader of Murphi has to accept.
//!
//! In: bytes, each of which decides one choice; where they end, the simplest choice is made. Out: the text of a model
//! with constants, all kinds of types but unions and multisets, functions, rules, startstate and invariants. It uses only
//! what CMurphi and rumur both read. Executing it may meet run-time errors, which are part of the language.

use std::fmt::Write;

/// The text of the model that the bytes stand for.
pub(crate) fn program(bytes: &[u8]) -> String {
    let mut generator = Generator { bytes: bytes.iter(), out: String::new(), scope: Vec::new(), bound: 0 };
    generator.model();
    generator.out
}

/// The simple types of the generated model.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Boolean,
    Range,
    Enum,
    Node,
}

const KINDS: [Kind; 4] = [Kind::Boolean, Kind::Range, Kind::Enum, Kind::Node];

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Self::Boolean => "boolean",
            Self::Range => "COUNT",
            Self::Enum => "STATE",
            Self::Node => "NODE",
        }
    }

    /// The letter with which names of variables of the type start.
    fn letter(self) -> char {
        match self {
            Self::Boolean => 'b',
            Self::Range => 'c',
            Self::Enum => 's',
            Self::Node => 'n',
        }
    }
}

/// A place that can be read, and written unless it is bound.
#[derive(Clone)]
struct Place {
    text: String,
    kind: Kind,
    writable: bool,
}

struct Generator<'b> {
    bytes: std::slice::Iter<'b, u8>,
    out: String,
    scope: Vec<Place>,
    bound: u32,
}

impl Generator<'_> {
    /// One of so many choices; the first one where the bytes are used up.
    fn pick(&mut self, choices: usize) -> usize {
        self.bytes.next().map_or(0, |byte| usize::from(*byte) % choices)
    }

    fn line(&mut self, text: &str) {
        self.out.push_str(text);
        self.out.push('\n');
    }

    fn model(&mut self) {
        let nodes = 1 + self.pick(3);
        let low = ["0", "-1", "1", "LIMIT - 2"][self.pick(4)];
        let strict = self.pick(2) == 1;
        self.line(&format!("const NODES : {nodes}; LIMIT : 2; STRICT : {strict};"));
        self.line("type");
        self.line(&format!("  NODE : scalarset(NODES); COUNT : {low} .. LIMIT;"));
        self.line("  STATE : enum { Idle, Wait, Crit };");
        self.line("  CELL : record b : boolean; c : COUNT; s : STATE; n : NODE; end;");
        self.line("var");
        for kind in KINDS {
            self.line(&format!("  {}0, {}1 : {};", kind.letter(), kind.letter(), kind.name()));
            self.line(&format!("  {}a : array [NODE] of {};", kind.letter(), kind.name()));
            for name in [format!("{}0", kind.letter()), format!("{}1", kind.letter())] {
                self.scope.push(Place { text: name, kind, writable: true });
            }
        }
        self.line("  cell : CELL; cells : array [STATE] of array [NODE] of CELL;");
        self.functions();
        self.startstate();
        for _ in 0..=self.pick(4) {
            self.rule();
        }
        for _ in 0..self.pick(3) {
            let condition = self.condition(3);
            self.line(&format!("invariant \"property\" {condition};"));
        }
    }

    fn functions(&mut self) {
        let globals = self.scope.len();
        self.scope.push(Place { text: "v".into(), kind: Kind::Range, writable: false });
        let (condition, value) = (self.condition(2), self.value(Kind::Range, 2));
        self.line("function next(v : COUNT) : COUNT;");
        self.line(&format!("begin if {condition} then return {value}; end; return v; end;"));
        self.scope.truncate(globals);
        self.scope.push(Place { text: "w".into(), kind: Kind::Node, writable: true });
        self.line("procedure act(var w : NODE; x : boolean);");
        self.line("var l : STATE;");
        self.scope.push(Place { text: "x".into(), kind: Kind::Boolean, writable: false });
        self.scope.push(Place { text: "l".into(), kind: Kind::Enum, writable: true });
        self.line("begin l := Idle;");
        self.statements(2, false);
        self.line("end;");
        self.scope.truncate(globals);
    }

    fn startstate(&mut self) {
        self.line("ruleset first : NODE do startstate \"init\" begin");
        self.line(
            "  b0 := false; b1 := false; c0 := LIMIT; c1 := LIMIT; s0 := Idle; s1 := Idle; n0 := first; n1 := first;",
        );
        self.line("  for n : NODE do ba[n] := false; ca[n] := LIMIT; sa[n] := Idle; na[n] := first; end;");
        self.line("  cell.b := false; cell.c := LIMIT; cell.s := Idle; cell.n := first;");
        self.line("  for s : STATE do for n : NODE do cells[s][n] := cell; end; end;");
        self.line("end; end;");
    }

    fn rule(&mut self) {
        let globals = self.scope.len();
        let kinds = [Kind::Node, Kind::Enum, Kind::Range];
        let parameters = self.pick(3);
        for _ in 0..parameters {
            let kind = kinds[self.pick(3)];
            let name = self.bind(kind);
            self.line(&format!("ruleset {name} : {} do", kind.name()));
        }
        let guard = self.condition(3);
        self.line(&format!("rule \"r\" {guard} ==>"));
        self.line("var t : COUNT; begin t := c0;");
        self.scope.push(Place { text: "t".into(), kind: Kind::Range, writable: true });
        self.statements(3, true);
        self.line(&format!("end;{}", " end;".repeat(parameters)));
        self.scope.truncate(globals);
    }

    /// A new bound variable.
    fn bind(&mut self, kind: Kind) -> String {
        self.bound += 1;
        let name = format!("i{}", self.bound);
        self.scope.push(Place { text: name.clone(), kind, writable: false });
        name
    }

    fn statements(&mut self, depth: u32, calls: bool) {
        for _ in 0..=self.pick(3) {
            self.statement(depth, calls);
        }
    }

    fn statement(&mut self, depth: u32, calls: bool) {
        let choices = if depth == 0 { 3 } else { 9 };
        match self.pick(choices) {
            0 | 1 => {
                let kind = KINDS[self.pick(4)];
                let (place, value) = (self.place(kind), self.value(kind, 2));
                self.line(&format!("{place} := {value};"));
            }
            2 if calls => {
                let condition = self.condition(2);
                self.line(&format!("act(n{}, {condition});", self.bound % 2));
            }
            2 | 3 => {
                let text = ["undefine b1;", "clear cell.c;", "cell := cells[s0][n0];", "put c0;"][self.pick(4)];
                self.line(text);
            }
            4 | 5 => {
                let condition = self.condition(2);
                self.line(&format!("if {condition} then"));
                self.statements(depth - 1, calls);
                if self.pick(2) == 1 {
                    let condition = self.condition(1);
                    self.line(&format!("elsif {condition} then"));
                    self.statements(depth - 1, calls);
                    self.line("else");
                    self.statements(depth - 1, calls);
                }
                self.line("endif;");
            }
            6 => {
                let globals = self.scope.len();
                let name = self.bind(Kind::Node);
                self.line(&format!("for {name} : NODE do"));
                self.statements(depth - 1, calls);
                self.line("endfor;");
                self.scope.truncate(globals);
            }
            7 => {
                let value = self.value(Kind::Enum, 1);
                self.line(&format!("switch {value} case Idle:"));
                self.statements(depth - 1, calls);
                self.line("case Wait, Crit:");
                self.statements(depth - 1, calls);
                self.line("endswitch;");
            }
            _ => {
                let globals = self.scope.len();
                let kind = KINDS[self.pick(4)];
                let place = self.place(kind);
                self.bound += 1;
                let name = format!("al{}", self.bound);
                self.line(&format!("alias {name} : {place} do"));
                self.scope.push(Place { text: name, kind, writable: true });
                self.statements(depth - 1, calls);
                self.line("endalias;");
                self.scope.truncate(globals);
            }
        }
    }

    /// A place of the type that can be assigned.
    fn place(&mut self, kind: Kind) -> String {
        let letter = kind.letter();
        match self.pick(4) {
            1 => format!("{letter}a[{}]", self.value(Kind::Node, 1)),
            2 => format!("cell.{letter}"),
            3 => format!("cells[{}][{}].{letter}", self.value(Kind::Enum, 0), self.value(Kind::Node, 0)),
            _ => self.variable(kind, true),
        }
    }

    fn variable(&mut self, kind: Kind, writable: bool) -> String {
        let fitting: Vec<String> = self
            .scope
            .iter()
            .filter(|place| place.kind == kind && (place.writable || !writable))
            .map(|place| place.text.clone())
            .collect();
        let pick = self.pick(fitting.len().max(1));
        fitting.get(pick).cloned().unwrap_or_default()
    }

    /// An expression of the type.
    fn value(&mut self, kind: Kind, depth: u32) -> String {
        if kind == Kind::Boolean {
            return self.condition(depth);
        }
        if depth == 0 || self.pick(3) == 0 {
            return self.variable(kind, false);
        }
        match (kind, self.pick(4)) {
            (Kind::Range, 0) => format!("({} + 1)", self.value(kind, depth - 1)),
            (Kind::Range, 1) => format!("({} - {})", self.value(kind, depth - 1), self.value(kind, depth - 1)),
            (Kind::Range, 2) => "LIMIT".to_owned(),
            (Kind::Enum, 0 | 1) => ["Idle", "Wait", "Crit"][self.pick(3)].to_owned(),
            (_, 3) => {
                let (condition, yes) = (self.condition(depth - 1), self.variable(kind, false));
                format!("({condition} ? {yes} : {})", self.variable(kind, false))
            }
            _ => self.place(kind),
        }
    }

    fn condition(&mut self, depth: u32) -> String {
        if depth == 0 {
            return if self.pick(4) == 3 { "STRICT".to_owned() } else { self.variable(Kind::Boolean, false) };
        }
        match self.pick(10) {
            0 => self.condition(depth - 1),
            1 => format!("!{}", self.condition(0)),
            2 => format!("({} & {} & {})", self.condition(depth - 1), self.condition(0), self.condition(depth - 1)),
            3 => format!("({} | {})", self.condition(depth - 1), self.condition(depth - 1)),
            4 => format!("({} -> {})", self.condition(depth - 1), self.condition(depth - 1)),
            5 => format!("{} < {}", self.value(Kind::Range, depth - 1), self.value(Kind::Range, depth - 1)),
            6 => format!("isundefined({})", self.place(Kind::Boolean)),
            7 | 8 => {
                let kind = KINDS[1 + self.pick(3)];
                let sign = ["=", "!="][self.pick(2)];
                format!("{} {sign} {}", self.value(kind, depth - 1), self.value(kind, depth - 1))
            }
            _ => {
                let globals = self.scope.len();
                let word = ["forall", "exists"][self.pick(2)];
                let kind = KINDS[1 + self.pick(3)];
                let name = self.bind(kind);
                let mut text = String::new();
                let _ = write!(text, "{word} {name} : {} do {} end", kind.name(), self.condition(depth - 1));
                self.scope.truncate(globals);
                text
            }
        }
    }
}
