//! What generated models have that other tools lack, or evaluate in an order of their own: functions that change the state and
//! have a result, variables that start with any value, and multisets.

use super::model::{Function, Generator, Kind};

/// Marks a line of a model that rumur is not asked about.
pub(crate) const ONLY_HERE: &str = "-- only here";

/// A multiset, and the kind of its elements.
#[derive(Clone, Debug)]
pub(super) struct Multiset {
    name: String,
    kind: Kind,
    size: usize,
}

impl Generator {
    /// Declares variables that nothing writes. An assumption that mentions them lets them have any value.
    pub(super) fn unwritten(&mut self) {
        if self.plain || !self.dice.percent(20) {
            return;
        }
        let p = self.p.written;
        let (kind, ty, hole) = self.dice.weighted(&[
            (4, (Kind::Boolean, "array[P] of boolean", "[@P]")),
            (3, (Kind::P, "P", "")),
            (2, (Kind::Boolean, "boolean", "")),
            (2, (Kind::K, "K", "")),
            (2, (Kind::E, "E", "")),
            (1, (Kind::P, "array[P] of P", "[@P]")),
            (2, (Kind::R, "R", "")),
        ]);
        let name = self.fresh("h");
        let ty = ty.replace('P', p);
        self.line(&format!("var {name}: {ty}; {ONLY_HERE}"));
        self.add_place(&format!("{name}{hole}"), kind, false, true);
        self.unwritten = Some((name, kind, !hole.is_empty()));
    }

    /// Assumes something about the variables that nothing writes.
    pub(super) fn assumption(&mut self) {
        let Some((name, kind, indexed)) = self.unwritten.clone() else { return };
        let place = if indexed { format!("{name}[i]") } else { name };
        let other = self.condition(0);
        let about = match kind {
            Kind::Boolean => (*self.dice.one(&["(@ | #)", "(@ -> #)", "(# -> @)", "(@ | !@)"])).to_owned(),
            Kind::K => (*self.dice.one(&["(@ < 2)", "(@ > 0)", "(@ != 1 | #)"])).to_owned(),
            Kind::E => (*self.dice.one(&["(@ != A)", "(@ = B | #)"])).to_owned(),
            Kind::R => (*self.dice.one(&["(@.f | #)", "(@.x = @.x)"])).to_owned(),
            Kind::P | Kind::Q | Kind::U | Kind::S | Kind::V | Kind::W => "(@ = @ | #)".to_owned(),
        };
        let about = about.replace('@', &place).replace('#', &other);
        let word = *self.dice.one(&["forall", "forall", "exists"]);
        let text = if indexed { format!("{word} i: {} do {about} end", self.p.written) } else { about };
        self.line(&format!("assume {text};"));
    }

    /// Generates a function that changes the state and has a result.
    pub(super) fn effect_function(&mut self) {
        if self.plain || !self.dice.percent(35) {
            return;
        }
        let scope = self.places.len();
        let mut results = vec![Kind::Boolean, Kind::Boolean, Kind::P, Kind::K, Kind::K, Kind::R];
        if self.has_union {
            results.push(Kind::U);
        }
        let result = *self.dice.one(&results);
        let name = self.fresh("c");
        let mut kinds = vec![(result, false)];
        if self.dice.percent(30) {
            kinds.push((*self.dice.one(&[Kind::Boolean, Kind::P]), true));
        }
        let parameters = self.parameters(&kinds);
        self.line(&format!("function {name}({parameters}): {}; {ONLY_HERE}", self.type_of(result)));
        self.line("begin");
        self.calls = false;
        for _ in 0..self.dice.weighted(&[(2, 1), (1, 2)]) {
            self.statement(1);
        }
        let condition = self.condition(1);
        let (first, second) = (self.value(result, 0), self.value(result, 0));
        if self.dice.percent(40) {
            self.line(&format!("if {condition} then return {first}; end;"));
            self.statement(1);
        }
        self.line(&format!("return {second};"));
        self.line("end;");
        self.calls = true;
        self.places.truncate(scope);
        self.effects.push(Function { name, parameters: kinds, result: Some(result) });
    }

    /// Generates a statement with a call that changes the state; returns false if there is none.
    pub(super) fn effect(&mut self, depth: u32) -> bool {
        if self.effects.is_empty() || self.pure || !self.calls {
            return false;
        }
        let function = self.dice.one(&self.effects).clone();
        let (Some(kind), Some(call)) = (function.result, self.call(&function, 1)) else { return false };
        match self.dice.pick(8) {
            0 if kind == Kind::Boolean => {
                self.line(&format!("if {call} then"));
                self.statement(depth.saturating_sub(1));
                self.line("end;");
            }
            1 if kind == Kind::Boolean => self.line(&format!("assert {call} | true \"effect\";")),
            2 => self.line(&format!("put {call};")),
            3 if kind == Kind::K => {
                let Some((place, _)) = self.target(Some(kind)) else { return false };
                let other = self.place(kind, 1).unwrap_or_else(|| "1".to_owned());
                self.line(&format!("{place} := {other} + {call};"));
            }
            4 => {
                let scope = self.places.len();
                let name = self.fresh("z");
                self.line(&format!("alias {name}: {call} do"));
                self.add_place(&name, kind, false, false);
                self.statement(depth.saturating_sub(1));
                self.line("end;");
                self.places.truncate(scope);
            }
            5 if matches!(kind, Kind::E | Kind::P | Kind::K) => {
                let Some(case) = self.place(kind, 0) else { return false };
                self.line(&format!("switch {call} case {case}:"));
                self.statement(depth.saturating_sub(1));
                self.line("end;");
            }
            _ => {
                let Some((place, _)) = self.target(Some(kind)) else { return false };
                self.line(&format!("{place} := {call};"));
            }
        }
        true
    }

    /// Declares a multiset.
    pub(super) fn multisets(&mut self) {
        if self.plain || !self.dice.percent(30) {
            return;
        }
        let (kind, ty) = self.dice.weighted(&[
            (6, (Kind::P, "P")),
            (2, (Kind::E, "E")),
            (3, (Kind::R, "R")),
            (1, (Kind::K, "0..2")),
        ]);
        let ty = if kind == Kind::P { self.p.written } else { ty };
        let (name, size) = (self.fresh("n"), self.dice.weighted(&[(3, 2), (1, 3), (1, 1)]));
        self.line(&format!("var {name}: multiset[{size}] of {ty}; {ONLY_HERE}"));
        self.sets.push(Multiset { name, kind, size });
    }

    /// Empties the multisets.
    pub(super) fn empty(&mut self) {
        for set in self.sets.clone() {
            self.line(&format!("undefine {};", set.name));
        }
    }

    /// Returns a condition on the elements of a multiset.
    pub(super) fn set_condition(&mut self) -> Option<String> {
        if self.sets.is_empty() || self.in_set {
            return None;
        }
        let set = self.dice.one(&self.sets).clone();
        if self.dice.percent(20) {
            return Some(format!("(multisetcount(k: {}, true) < {})", set.name, set.size));
        }
        let counts = self.about_element(&set, "k");
        let bound = *self.dice.one(&["> 0", "= 0", "> 0", "= 1", ">= 2"]);
        Some(format!("(multisetcount(k: {}, {counts}) {bound})", set.name))
    }

    /// Returns a condition on the element at a position.
    fn about_element(&mut self, set: &Multiset, position: &str) -> String {
        if self.dice.percent(15) {
            return "true".to_owned();
        }
        let element = format!("{}[{position}]", set.name);
        if self.dice.percent(60)
            && set.kind != Kind::R
            && let Some(value) = self.place(set.kind, 1)
        {
            return format!("{element} = {value}");
        }
        let scope = self.places.len();
        self.add_place(&element, set.kind, false, false);
        self.in_set = true;
        let condition = self.condition(1);
        self.in_set = false;
        self.places.truncate(scope);
        condition
    }

    /// Generates a statement on a multiset; returns false if there is none.
    pub(super) fn set_statement(&mut self) -> bool {
        if self.sets.is_empty() || self.pure {
            return false;
        }
        let Multiset { name, kind, size } = self.dice.one(&self.sets).clone();
        match self.dice.pick(10) {
            0..=4 => {
                let Some(value) = self.place(kind, 1) else { return false };
                let new = if kind != Kind::R && self.dice.percent(40) {
                    format!("multisetcount(k: {name}, {name}[k] = {value}) = 0 & ")
                } else {
                    String::new()
                };
                self.line(&format!(
                    "if {new}multisetcount(k: {name}, true) < {size} then multisetadd({value}, {name}); end;"
                ));
            }
            5..=7 => {
                let set = Multiset { name: name.clone(), kind, size };
                let condition = self.about_element(&set, "k");
                self.line(&format!("multisetremovepred(k: {name}, {condition});"));
            }
            8 => {
                let Some((place, _)) = self.target(Some(Kind::K)) else { return false };
                self.line(&format!("{place} := multisetcount(k: {name}, true);"));
            }
            _ => self.line(&format!("undefine {name};")),
        }
        true
    }

    /// Generates a rule for each element of a multiset.
    pub(super) fn choose_rule(&mut self) {
        if self.sets.is_empty() || !self.dice.percent(50) {
            return;
        }
        let set = self.dice.one(&self.sets).clone();
        let scope = self.places.len();
        let position = self.fresh("k");
        self.line(&format!("choose {position}: {} do", set.name));
        let guard = self.about_element(&set, &position);
        self.line("rule");
        self.line(&format!("{guard} ==>"));
        self.line("begin");
        if self.dice.percent(60) {
            self.add_place(&format!("{}[{position}]", set.name), set.kind, false, false);
            let own = self.sets.iter().position(|other| other.name == set.name).map(|at| self.sets.remove(at));
            self.statement(1);
            self.sets.extend(own);
        }
        if self.dice.percent(70) {
            self.line(&format!("multisetremove({position}, {});", set.name));
        }
        self.line("end;");
        self.line("end;");
        self.places.truncate(scope);
    }
}
