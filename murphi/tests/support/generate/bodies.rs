//! Statements and expressions of generated programs.
//!
//! They are well typed for what is in scope; whether a value fits into its range is left to the execution.

use super::{Called, Generator, Kind, Place, Reader};

impl Generator<'_> {
    pub(super) fn statements(&mut self, depth: u32, calls: bool) {
        for _ in 0..=self.pick(3) {
            self.statement(depth, calls);
        }
    }

    fn statement(&mut self, depth: u32, calls: bool) {
        match self.pick(if depth == 0 { 6 } else { 15 }) {
            0..=2 => {
                let kind = self.kind();
                let (place, value) = (self.place(kind), self.value(kind, 2));
                self.line(&format!("{place} := {value};"));
            }
            3 if calls => self.call(),
            3 | 4 => self.whole(),
            5 => self.claim(),
            6 | 7 => self.if_(depth, calls),
            8 => self.switch(depth, calls),
            9 => {
                let globals = self.scope.len();
                let (name, kind) = (self.named("i", Kind::Node, false), Kind::Node.name());
                self.line(&format!("for {name} : {kind} do"));
                self.statements(depth - 1, calls);
                self.line("endfor;");
                self.scope.truncate(globals);
            }
            10 => {
                let globals = self.scope.len();
                let (first, second) = (self.named("i", Kind::Enum, false), self.named("i", Kind::Range, false));
                self.line(&format!("for {first} : STATE do for {second} : COUNT do"));
                self.statements(depth - 1, calls);
                self.line("end; end;");
                self.scope.truncate(globals);
            }
            11 => self.numbers(depth, calls),
            12 => self.while_(depth),
            _ => {
                let globals = self.scope.len();
                let kind = self.kind();
                let place = self.place(kind);
                let name = self.named("al", kind, true);
                self.line(&format!("alias {name} : {place} do"));
                self.statements(depth - 1, calls);
                self.line("endalias;");
                self.scope.truncate(globals);
            }
        }
    }

    fn call(&mut self) {
        match self.pick(4) {
            0 => {
                let (node, condition) = (self.variable(Kind::Node, true), self.condition(2));
                self.line(&format!("act({node}, {condition});"));
            }
            1 => self.line("move(cell, other);"),
            2 if !self.everybody() => self.line("other := copy(cell);"),
            _ => {
                let (place, value) = (self.place(Kind::Range), self.value(Kind::Range, 1));
                self.line(&format!("{place} := next({value});"));
            }
        }
    }

    /// Statements about whole records, arrays and multisets, and about undefined values.
    fn whole(&mut self) {
        let kind = self.kind();
        let place = self.place(kind);
        match self.pick(9) {
            0 => self.line(&format!("undefine {place};")),
            1 if matches!(kind, Kind::Boolean | Kind::Range | Kind::Enum) => self.line(&format!("clear {place};")),
            2 => self.line("cell := other;"),
            3 if self.has_cells() => {
                let (state, node) = (self.value(Kind::Enum, 1), self.value(Kind::Node, 1));
                self.line(&format!("cells[{state}][{node}] := cell;"));
            }
            4 if self.has_cells() => self.line("cells[Idle] := cells[Wait];"),
            5 if self.bags => self.line("multisetadd(cell, bag);"),
            6 if self.bags => {
                self.bound += 1;
                let name = format!("i{}", self.bound + 9);
                self.line(&format!("multisetremovepred({name} : bag, bag[{name}].s = Wait);"));
            }
            7 if !self.everybody() => self.line(&format!("{place} := undefined;")),
            _ => self.line("undefine other;"),
        }
    }

    fn claim(&mut self) {
        let condition = self.condition(2);
        let kinds = if self.reader == Reader::Ours { 6 } else { 4 };
        let text = match self.pick(kinds) {
            4 => format!("assume ({condition}) | isundefined(c0);"),
            5 => format!("cover \"covered\" {condition};"),
            0 => format!("assert ({condition}) \"asserted\";"),
            1 => format!("if {condition} then error \"an error\"; end;"),
            2 => "put \"text\"; put c0;".to_owned(),
            _ => format!("assert ({condition}) | true \"never\";"),
        };
        self.line(&text);
    }

    fn if_(&mut self, depth: u32, calls: bool) {
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

    fn switch(&mut self, depth: u32, calls: bool) {
        let (kind, first, others) = match self.pick(3) {
            0 => (Kind::Enum, "Idle", "Wait, Crit"),
            1 => (Kind::Range, "1", "2, 0"),
            _ => (Kind::Boolean, "true", "false"),
        };
        let value = self.value(kind, 1);
        self.line(&format!("switch {value} case {first}:"));
        self.statements(depth - 1, calls);
        if self.pick(2) == 0 {
            self.line(&format!("case {others}:"));
            self.statements(depth - 1, calls);
        } else {
            self.line("else");
            self.statements(depth - 1, calls);
        }
        self.line("endswitch;");
    }

    /// A loop over numbers, upwards or downwards.
    fn numbers(&mut self, depth: u32, calls: bool) {
        let globals = self.scope.len();
        let name = self.named("i", Kind::Range, false);
        // rumur refuses loops that are obviously empty, and some others count down there.
        let (empty, variable) = if self.everybody() { ("1 to 2", "c0 to LIMIT") } else { ("2 to 1", "1 to c0") };
        let bounds = self.one(&["1 to LIMIT", "LIMIT to 1 by -1", "0 to 3 by 2", empty, variable]);
        self.line(&format!("for {name} := {bounds} do"));
        self.statements(depth - 1, calls);
        self.line("endfor;");
        self.scope.truncate(globals);
    }

    /// A loop that terminates, since its variable grows.
    fn while_(&mut self, depth: u32) {
        let condition = self.condition(1);
        self.line(&format!("c0 := 1; while c0 < LIMIT & ({condition} | true) do"));
        for _ in 0..depth.min(2) {
            let kind = [Kind::Boolean, Kind::Enum, Kind::Node][self.pick(3)];
            let (place, value) = (self.place(kind), self.value(kind, 1));
            self.line(&format!("{place} := {value};"));
        }
        self.line("c0 := c0 + 1; endwhile;");
    }

    /// A place of the type that can be assigned to.
    pub(super) fn place(&mut self, kind: Kind) -> String {
        let fitting: Vec<String> =
            self.shapes.iter().filter(|(of, _)| *of == kind).map(|(_, shape)| shape.clone()).collect();
        if fitting.is_empty() || self.pick(2) == 0 {
            return self.variable(kind, true);
        }
        let mut shape = fitting[self.pick(fitting.len())].clone();
        for kind in [Kind::Node, Kind::Enum, Kind::Boolean, Kind::Range, Kind::Union] {
            let hole = format!("@{}", kind.letter());
            while shape.contains(&hole) {
                let depth = u32::from(self.pick(4) == 3);
                let index = if depth == 0 { self.variable(kind, false) } else { self.value(kind, depth) };
                shape = shape.replacen(&hole, &index, 1);
            }
        }
        shape
    }

    pub(super) fn variable(&mut self, kind: Kind, writable: bool) -> String {
        let fits = |place: &&Place| place.kind == kind && (place.writable || !writable);
        let fitting: Vec<String> = self.scope.iter().filter(fits).map(|place| place.text.clone()).collect();
        let pick = self.pick(fitting.len());
        fitting[pick].clone()
    }

    /// An expression of the type.
    pub(super) fn value(&mut self, kind: Kind, depth: u32) -> String {
        if kind == Kind::Boolean {
            return self.condition(depth);
        }
        if depth == 0 || self.pick(3) == 0 {
            return self.variable(kind, false);
        }
        match (kind, self.pick(7)) {
            (Kind::Range, 0) => format!("({} {} 1)", self.value(kind, depth - 1), self.one(&["+", "-", "*"])),
            (Kind::Range, 1) => format!("({} - {})", self.value(kind, depth - 1), self.value(kind, depth - 1)),
            (Kind::Range, 2) if self.reader == Reader::Ours => {
                let operator = self.one(&["/", "%", "&", "|", "^", "<<", ">>"]);
                format!("({} {operator} 2)", self.value(kind, depth - 1))
            }
            (Kind::Range, 2) => format!("({} {} 2)", self.value(kind, depth - 1), self.one(&["/", "%"])),
            (Kind::Range, 3) => self.one(&["LIMIT", "1", "LIMIT - 1", "-1", "(-3) / 2", "(-3) % 2"]).to_owned(),
            (Kind::Range, 5) if self.called >= Called::Next => format!("next({})", self.value(kind, depth - 1)),
            (Kind::Enum, 0..=2) => self.one(&["Idle", "Wait", "Crit"]).to_owned(),
            (Kind::Union, 0 | 1) => self.one(&["Nobody", "Somebody"]).to_owned(),
            (Kind::Union, 2) => self.variable(Kind::Node, false),
            (_, 4) => {
                let (condition, yes) = (self.condition(depth - 1), self.variable(kind, false));
                format!("({condition} ? {yes} : {})", self.variable(kind, false))
            }
            _ => self.place(kind),
        }
    }

    pub(super) fn condition(&mut self, depth: u32) -> String {
        if depth == 0 {
            return if self.pick(4) == 3 { "STRICT".to_owned() } else { self.variable(Kind::Boolean, false) };
        }
        match self.pick(13) {
            0 => self.condition(depth - 1),
            1 => format!("!{}", self.condition(0)),
            2 => format!("({} & {} & {})", self.condition(depth - 1), self.condition(0), self.condition(depth - 1)),
            3 => format!("({} | {})", self.condition(depth - 1), self.condition(depth - 1)),
            4 => format!("({} -> {})", self.condition(depth - 1), self.condition(depth - 1)),
            5 => {
                let sign = self.one(&["<", "<=", ">", ">="]);
                format!("({} {sign} {})", self.value(Kind::Range, depth - 1), self.value(Kind::Range, depth - 1))
            }
            6 => {
                let kind = self.kind();
                format!("isundefined({})", self.place(kind))
            }
            7 if self.kinds.contains(&Kind::Union) => {
                let place = self.place(Kind::Union);
                format!("(!isundefined({place}) & ismember({place}, NODE))")
            }
            8 if self.bags => {
                self.bound += 1;
                let name = format!("i{}", self.bound + 9);
                format!("multisetcount({name} : bag, bag[{name}].s = Idle) {} 1", self.one(&["<", "="]))
            }
            9 => self.quantified(depth),
            10 if self.called == Called::Sure => {
                let (node, condition) = (self.variable(Kind::Node, false), self.condition(depth - 1));
                format!("sure({node}, {condition})")
            }
            _ => {
                let pick = self.pick(self.kinds.len() - 1);
                let kind = self.kinds[1 + pick];
                let sign = self.one(&["=", "!="]);
                // An element and a member of an enumeration can only be compared by way of a union.
                let left = if kind == Kind::Union { self.place(kind) } else { self.value(kind, depth - 1) };
                format!("({left} {sign} {})", self.value(kind, depth - 1))
            }
        }
    }

    /// A quantifier, or several.
    fn quantified(&mut self, depth: u32) -> String {
        let globals = self.scope.len();
        let word = self.one(&["forall", "exists"]);
        let name = self.named("i", Kind::Node, false);
        let over = match self.pick(5) {
            1 => {
                let second = self.named("i", Kind::Enum, false);
                format!("{name} : NODE do {word} {second} : STATE")
            }
            2 => {
                let second = self.named("i", Kind::Range, false);
                format!("{name} : NODE do {word} {second} := 0 to 1")
            }
            3 => {
                let second = self.named("i", Kind::Range, false);
                format!("{name} : NODE do {word} {second} : COUNT")
            }
            _ => format!("{name} : NODE"),
        };
        let body = self.condition(depth - 1);
        self.scope.truncate(globals);
        format!("({word} {over} do {body} end{})", " end".repeat(over.matches(" do ").count()))
    }
}
