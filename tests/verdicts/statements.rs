//! Statements and functions of generated models, built from the names in scope.

use super::model::{Function, Generator, Kind, Over, Place};

impl Generator {
    pub(super) fn statement(&mut self, depth: u32) {
        let is_done = match self.dice.pick(12) {
            0 | 1 => self.effect(depth),
            2 => self.set_statement(),
            _ => false,
        };
        if is_done {
            return;
        }
        match self.dice.pick(if depth == 0 { 12 } else { 22 }) {
            0..=5 => self.assignment(),
            6 => self.step(),
            7 if self.has.asserts => self.assertion(2),
            8 if self.has.undefined => self.undefine(),
            9 if self.dice.percent(70) => self.copy(),
            9 => self.clear(),
            11 if self.dice.percent(20) => self.put(),
            10 | 11 => match self.called(None, 1).filter(|_| !self.pure) {
                Some(call) => self.line(&format!("{call};")),
                None => self.assignment(),
            },
            12..=15 => {
                let condition = self.condition(2);
                self.line(&format!("if {condition} then"));
                self.statement(depth - 1);
                if self.dice.percent(30) {
                    self.line("else");
                    self.statement(depth - 1);
                }
                self.line("end;");
            }
            16..=18 => self.loop_(depth),
            19 => self.switch(depth),
            20 | 21 => self.alias(depth),
            _ => self.assignment(),
        }
    }

    /// Returns a place that may be written, of the given kind if there is one, and its kind.
    pub(super) fn target(&mut self, kind: Option<Kind>) -> Option<(String, Kind)> {
        let fits = |place: &&Place| {
            place.writable && !(self.pure && place.global) && kind.is_none_or(|kind| kind == place.kind)
        };
        let fitting: Vec<Place> = self.places.iter().filter(fits).cloned().collect();
        if fitting.is_empty() {
            return None;
        }
        let place = self.dice.one(&fitting).clone();
        Some((self.filled(&place.shape, 1)?, place.kind))
    }

    fn assignment(&mut self) {
        let Some((place, kind)) = self.target(None) else { return };
        let depth = if kind == Kind::Boolean && self.dice.percent(60) { 0 } else { 2 };
        let value = if kind == Kind::Boolean && self.dice.percent(60) {
            Some((*self.dice.one(&["true", "true", "false"])).to_owned())
        } else {
            self.maybe_value(kind, depth)
        };
        if let Some(value) = value {
            self.line(&format!("{place} := {value};"));
        }
    }

    /// Generates an increment or decrement.
    fn step(&mut self) {
        match self.target(Some(Kind::K)) {
            Some((place, _)) => {
                let sign = *self.dice.one(&["+", "+", "+", "-"]);
                self.line(&format!("{place} := {place} {sign} 1;"));
            }
            None => self.assignment(),
        }
    }

    pub(super) fn assertion(&mut self, depth: u32) {
        let condition = self.condition(depth);
        if self.dice.percent(50) {
            self.line(&format!("assert {condition} \"assertion\";"));
        } else {
            self.line(&format!("if {condition} then error \"error\"; end;"));
        }
    }

    /// Writes the result of a function.
    fn put(&mut self) {
        let results: Vec<Kind> = self.functions.iter().filter_map(|function| function.result).collect();
        let kind = if results.is_empty() { None } else { Some(*self.dice.one(&results)) };
        match kind.and_then(|kind| self.called(Some(kind), 1)) {
            Some(call) => self.line(&format!("put {call};")),
            None => self.assignment(),
        }
    }

    fn undefine(&mut self) {
        let kind = *self.dice.one(&[Kind::P, Kind::P, Kind::Q, Kind::U, Kind::R, Kind::S]);
        match self.target(Some(kind)) {
            Some((place, _)) => self.line(&format!("undefine {place};")),
            None => self.assignment(),
        }
    }

    /// Gives a place the first value of its type, which is a number that is not written.
    fn clear(&mut self) {
        let (kind, part) = *self.dice.one(&[
            (Kind::P, Kind::P),
            (Kind::Q, Kind::Q),
            (Kind::K, Kind::K),
            (Kind::R, Kind::P),
            (Kind::S, Kind::Q),
        ]);
        match self.target(Some(kind)).filter(|_| self.is_number(part) && self.has.literals > 0) {
            Some((place, _)) => self.line(&format!("clear {place};")),
            None => self.assignment(),
        }
    }

    /// Copies a record or an array.
    fn copy(&mut self) {
        let mut kinds = vec![Kind::R, Kind::S, Kind::V, Kind::W];
        kinds.retain(|kind| self.places.iter().any(|place| place.kind == *kind && place.writable));
        let kind = if kinds.is_empty() { Kind::R } else { *self.dice.one(&kinds) };
        match (self.target(Some(kind)), self.place(kind, 1)) {
            (Some((place, _)), Some(value)) => self.line(&format!("{place} := {value};")),
            _ => self.assignment(),
        }
    }

    fn loop_(&mut self, depth: u32) {
        let scope = self.places.len();
        let name = self.fresh("i");
        let (over, kind) = self.domain();
        match over {
            Over::Type(ty) => self.line(&format!("for {name}: {ty} do")),
            Over::Numbers(_) if self.dice.percent(25) => {
                let bounds = *self.dice.one(&["3 to 1 by -1", "N to 1 by -1", "1 to 3 by 2"]);
                self.line(&format!("for {name} := {bounds} do"));
            }
            Over::Numbers(bounds) => self.line(&format!("for {name} := {bounds} do")),
        }
        self.add_place(&name, kind, false, false);
        // The last match wins, so the order matters.
        if self.dice.percent(30)
            && let Some((place, _)) = self.target(Some(kind))
        {
            if self.dice.percent(60) {
                let condition = self.condition(1);
                self.line(&format!("if {condition} then {place} := {name}; end;"));
            } else {
                self.line(&format!("{place} := {name};"));
            }
        } else {
            self.statement(depth - 1);
        }
        self.line("end;");
        self.places.truncate(scope);
    }

    fn switch(&mut self, depth: u32) {
        let kinds: &[Kind] = if self.p.scalarset { &[Kind::E, Kind::K] } else { &[Kind::E, Kind::K, Kind::P, Kind::P] };
        let kind = *self.dice.one(kinds);
        let value = self.value(kind, 2);
        let cases: Vec<String> = if kind == Kind::E {
            vec!["A".to_owned(), "B".to_owned()]
        } else if self.dice.percent(50) || self.has.literals == 0 {
            self.place(kind, 1).into_iter().collect()
        } else {
            vec![(*self.dice.one(&["1", "2", if self.has.sizes { "N" } else { "3" }])).to_owned()]
        };
        let Some(case) = cases.first() else { return };
        let second = cases.get(1).cloned();
        let value = if kind == Kind::E { self.place(kind, 1).unwrap_or_else(|| "A".to_owned()) } else { value };
        self.line(&format!("switch {value} case {case}:"));
        self.statement(depth - 1);
        if let Some(second) = second {
            self.line(&format!("case {second}:"));
            self.statement(depth - 1);
        }
        if self.dice.percent(30) {
            self.line("else");
            self.statement(depth - 1);
        }
        self.line("end;");
    }

    fn alias(&mut self, depth: u32) {
        let of_size = self.has.sizes && self.dice.percent(30);
        let size = *self.dice.one(&[("N", Kind::K), ("N - 1", Kind::K), ("N > 3", Kind::Boolean)]);
        let target = if of_size { Some((size.0.to_owned(), size.1)) } else { self.target(None) };
        let Some((place, kind)) = target else { return };
        let scope = self.places.len();
        let name = self.fresh("z");
        self.line(&format!("alias {name}: {place} do"));
        self.add_place(&name, kind, !of_size, !of_size);
        self.statement(depth - 1);
        self.line("end;");
        self.places.truncate(scope);
    }

    /// Generates functions that conditions, values and rules call.
    pub(super) fn procedures(&mut self) {
        if self.dice.percent(30) {
            self.condition_function();
        }
        if self.dice.percent(25) {
            self.value_function();
        }
        if self.dice.percent(30) {
            self.procedure();
        }
    }

    /// Puts parameters into scope. The flag says whether they are passed by reference.
    pub(super) fn parameters(&mut self, kinds: &[(Kind, bool)]) -> String {
        let mut texts = Vec::new();
        for &(kind, reference) in kinds {
            let name = self.fresh("p");
            let word = if reference { "var " } else { "" };
            texts.push(format!("{word}{name}: {}", self.type_of(kind)));
            self.add_place(&name, kind, reference, reference);
        }
        texts.join("; ")
    }

    fn parameter_kind(&mut self) -> Kind {
        let mut kinds = vec![Kind::P, Kind::P, Kind::P, Kind::K, Kind::R];
        if self.q.is_some() {
            kinds.extend([Kind::Q, Kind::S, Kind::S, Kind::W]);
        }
        if self.has_union {
            kinds.extend([Kind::U, Kind::U, Kind::U]);
        }
        *self.dice.one(&kinds)
    }

    /// Generates a boolean function, usually with an assertion in it.
    fn condition_function(&mut self) {
        let scope = self.places.len();
        let name = self.fresh("f");
        let kinds = vec![(self.parameter_kind(), false)];
        let parameters = self.parameters(&kinds);
        self.line(&format!("function {name}({parameters}): boolean;"));
        self.line("begin");
        (self.pure, self.calls) = (true, false);
        if self.has.asserts && self.dice.percent(85) {
            self.assertion(2);
        }
        let result =
            if self.dice.percent(30) { self.dice.one(&["true", "false"]).to_string() } else { self.condition(1) };
        self.line(&format!("return {result};"));
        self.line("end;");
        (self.pure, self.calls) = (false, true);
        self.places.truncate(scope);
        self.functions.push(Function { name, parameters: kinds, result: Some(Kind::Boolean) });
    }

    /// Generates a function whose value depends on a condition.
    fn value_function(&mut self) {
        let scope = self.places.len();
        let mut results = vec![Kind::P, Kind::P, Kind::K];
        if self.has_union {
            results.push(Kind::U);
        }
        if !self.plain {
            results.extend([Kind::R, Kind::R]);
            if self.q.is_some() {
                results.push(Kind::S);
            }
        }
        let result = *self.dice.one(&results);
        let name = self.fresh("f");
        let mut kinds = vec![(self.parameter_kind(), false)];
        if self.p.scalarset && result == Kind::P || matches!(result, Kind::R | Kind::S) {
            kinds.push((result, false));
        }
        let parameters = self.parameters(&kinds);
        self.line(&format!("function {name}({parameters}): {};", self.type_of(result)));
        self.line("begin");
        (self.pure, self.calls) = (true, false);
        // The first element in their order.
        if matches!(result, Kind::P | Kind::Q) && self.dice.percent(40) {
            let scope = self.places.len();
            let (bound, over) = (self.fresh("i"), self.type_of(result));
            self.add_place(&bound, result, false, false);
            let condition = self.condition(1);
            self.line(&format!("for {bound}: {over} do if {condition} then return {bound}; end; end;"));
            self.places.truncate(scope);
        }
        let condition = self.condition(1);
        let (first, second) = (self.value(result, 1), self.value(result, 1));
        if self.dice.percent(50) {
            self.line(&format!("if {condition} then return {first}; end;"));
        }
        self.line(&format!("return {second};"));
        self.line("end;");
        (self.pure, self.calls) = (false, true);
        self.places.truncate(scope);
        self.functions.push(Function { name, parameters: kinds, result: Some(result) });
    }

    /// Generates a procedure that changes the state.
    fn procedure(&mut self) {
        let scope = self.places.len();
        let name = self.fresh("g");
        let mut kinds = vec![(self.parameter_kind(), false)];
        if self.dice.percent(30) {
            kinds.push((*self.dice.one(&[Kind::Boolean, Kind::P]), true));
        }
        let parameters = self.parameters(&kinds);
        self.line(&format!("procedure {name}({parameters});"));
        self.line("begin");
        self.calls = self.dice.percent(50);
        for _ in 0..self.dice.weighted(&[(2, 1), (1, 2)]) {
            self.statement(1);
        }
        self.calls = true;
        if self.dice.percent(20) {
            let condition = self.condition(1);
            self.line(&format!("if {condition} then return; end;"));
            self.statement(1);
        }
        self.line("end;");
        self.places.truncate(scope);
        self.functions.push(Function { name, parameters: kinds, result: None });
    }

    /// Generates a procedure that marks its argument.
    pub(super) fn witness_procedure(&mut self) {
        let Some((witness, kind)) = self.witness.clone() else { return };
        let record = if kind == Kind::P { Kind::R } else { Kind::S };
        let array = if kind == Kind::P { Kind::V } else { Kind::W };
        let mut kinds = vec![kind, record, record, array];
        if self.has_union && kind == Kind::P {
            kinds.extend([Kind::U, Kind::U]);
        }
        let of = *self.dice.one(&kinds);
        let name = self.fresh("m");
        let index = match of {
            Kind::R | Kind::S => "p.x",
            Kind::V | Kind::W => "p[1]",
            Kind::Boolean | Kind::P | Kind::Q | Kind::K | Kind::E | Kind::U => "p",
        };
        self.line(&format!("procedure {name}(p: {});", self.type_of(of)));
        self.line("begin");
        if of == Kind::U {
            let over = self.type_of(kind);
            self.line(&format!("for i: {over} do if p = i then {witness}[i] := true; end; end;"));
        } else {
            self.line(&format!("{witness}[{index}] := true;"));
        }
        self.line("end;");
        self.functions.push(Function { name, parameters: vec![(of, false)], result: None });
    }

    /// Generates a value that contains something easy to overlook.
    fn source(&mut self, kind: Kind) -> Option<String> {
        if kind == Kind::U && self.dice.percent(60) {
            return self.branch(kind, 1);
        }
        if !self.is_number(kind) || self.has.literals == 0 || self.dice.percent(55) {
            return self.maybe_value(kind, 2);
        }
        let condition = self.condition(0);
        let branch = |generator: &mut Self| match generator.dice.pick(10) {
            0..=3 => generator.favorite.to_owned(),
            4..=6 => (*generator.dice.one(&["1", "2", "3"])).to_owned(),
            7 => generator.place(Kind::K, 0).map_or_else(|| "1".to_owned(), |place| format!("{place} + 1")),
            _ => generator.value(kind, 1),
        };
        let (yes, no) = (branch(self), branch(self));
        Some(format!("({condition} ? {yes} : {no})"))
    }

    /// Generates a rule that marks the value of an expression.
    pub(super) fn witness_rule(&mut self) {
        let Some((witness, kind)) = self.witness.clone() else { return };
        let scope = self.places.len();
        let over = self.type_of(kind);
        let guard = if self.dice.percent(40) { "true".to_owned() } else { self.condition(1) };
        let equal = self.dice.percent(35);
        if equal {
            self.line(&format!("ruleset i: {over} do"));
        }
        // If there is nothing that it could mark, it marks nothing.
        let of = if self.has_union && kind == Kind::P && equal && self.dice.percent(60) { Kind::U } else { kind };
        // Only a value of the union can be compared with an element.
        let value = if of == Kind::U { self.branch(of, 1) } else { self.source(of) };
        let Some(value) = value else {
            self.line(if equal { "rule false ==> begin end; end;" } else { "rule false ==> begin end;" });
            return;
        };
        self.line("rule");
        if equal {
            self.line(&format!("({value} = i) & {guard} ==>"));
            self.line("begin");
            self.line(&format!("{witness}[i] := true;"));
            self.line("end;");
            self.line("end;");
            return;
        }
        self.line(&format!("{guard} ==>"));
        let call = self.functions.iter().find(|function| function.name.starts_with('m')).cloned();
        let argument = call.and_then(|call| Some(format!("{}({})", call.name, self.source(call.parameters[0].0)?)));
        let text = match (argument, self.dice.pick(6)) {
            (Some(call), 0..=4) => format!("{call};"),
            (_, 0 | 1) => {
                let name = self.fresh("l");
                self.line(&format!("var {name}: {over};"));
                format!("{name} := {value}; {witness}[{name}] := true;")
            }
            (_, 2) => format!("alias z: {witness}[{value}] do z := true; end;"),
            (_, 3) => match self.place(kind, 1) {
                Some(case) => format!("switch {value} case {case}: {witness}[{case}] := true; end;"),
                None => format!("{witness}[{value}] := true;"),
            },
            _ => format!("{witness}[{value}] := true;"),
        };
        self.line("begin");
        self.line(&text);
        self.line("end;");
        self.places.truncate(scope);
    }
}
