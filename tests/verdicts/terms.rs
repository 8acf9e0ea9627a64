//! Expressions of generated models.
//!
//! They use the names in scope, and everything is correctly typed; whether a value fits into its range is left to the
//! execution.

use super::model::{Function, Generator, Kind, Over, Place};

impl Generator {
    /// Whether values of the kind are numbers.
    pub(super) fn is_number(&self, kind: Kind) -> bool {
        match kind {
            Kind::K => true,
            Kind::P => !self.p.scalarset,
            Kind::Q => self.q.as_ref().is_some_and(|q| !q.scalarset),
            Kind::Boolean | Kind::E | Kind::U | Kind::R | Kind::S | Kind::V | Kind::W => false,
        }
    }

    /// Returns whether a place of one kind can be read where another kind is expected.
    fn stands_for(&self, place: Kind, wanted: Kind, (mixed, twins): (bool, bool)) -> bool {
        let alike = self.q.as_ref().is_some_and(|q| q.like_p && !q.scalarset) && !self.p.scalarset;
        match (wanted, place) {
            (Kind::R | Kind::S, Kind::R | Kind::S) | (Kind::V | Kind::W, Kind::V | Kind::W) => place == wanted || alike,
            (Kind::U, Kind::P) => true,
            (Kind::U, Kind::Q) => self.union_of_q || (!self.p.scalarset && self.is_number(place)),
            (Kind::U, Kind::K) => !self.p.scalarset && mixed,
            _ if place == wanted => true,
            (Kind::P, Kind::Q) | (Kind::Q, Kind::P) => twins && self.is_number(place) && self.is_number(wanted),
            _ => mixed && self.is_number(place) && self.is_number(wanted),
        }
    }

    /// Returns a place that can be read as a value of the kind, one without holes if there is no depth left.
    pub(super) fn place(&mut self, kind: Kind, depth: u32) -> Option<String> {
        let mixing = (self.dice.percent(self.has.flows), self.dice.percent(30));
        let fits =
            |place: &&Place| self.stands_for(place.kind, kind, mixing) && (depth > 0 || !place.shape.contains('@'));
        let fitting: Vec<Place> = self.places.iter().filter(fits).cloned().collect();
        // Bound variables are read more often than the state.
        let bound: Vec<Place> = fitting.iter().filter(|place| !place.global && place.kind == kind).cloned().collect();
        let same: Vec<Place> = fitting.iter().filter(|place| place.kind == kind).cloned().collect();
        for from in [bound, same, fitting.clone()] {
            if !from.is_empty() && self.dice.percent(60) {
                let place = self.dice.one(&from).clone();
                return self.filled(&place.shape, depth.saturating_sub(1));
            }
        }
        if fitting.is_empty() {
            return None;
        }
        let place = self.dice.one(&fitting).clone();
        self.filled(&place.shape, depth.saturating_sub(1))
    }

    /// Returns the place with its holes filled by indices, or `None` if nothing can be an index.
    pub(super) fn filled(&mut self, shape: &str, depth: u32) -> Option<String> {
        let mut shape = shape.to_owned();
        for (hole, kind) in [("@P", Kind::P), ("@Q", Kind::Q), ("@U", Kind::U)] {
            while shape.contains(hole) {
                let depth = if self.dice.percent(35) { depth } else { 0 };
                let index = self.maybe_value(kind, depth)?;
                shape = shape.replacen(hole, &index, 1);
            }
        }
        while shape.contains("@L") {
            let index = self.dice.weighted(&[(4, "0"), (4, "1")]).to_owned();
            let index =
                if depth > 0 && self.dice.percent(15) { format!("({} ? 1 : 0)", self.condition(0)) } else { index };
            shape = shape.replacen("@L", &index, 1);
        }
        Some(shape)
    }

    /// Returns an expression of the kind, if there is one.
    pub(super) fn maybe_value(&mut self, kind: Kind, depth: u32) -> Option<String> {
        if kind == Kind::Boolean {
            return Some(self.condition(depth));
        }
        if depth > 0 && self.dice.percent(22) {
            let (condition, yes, no) =
                (self.condition(depth - 1), self.branch(kind, depth)?, self.branch(kind, depth)?);
            return Some(format!("({condition} ? {yes} : {no})"));
        }
        if depth > 0
            && self.dice.percent(15)
            && let Some(call) = self.called(Some(kind), depth - 1)
        {
            return Some(call);
        }
        match kind {
            Kind::K | Kind::P | Kind::Q if self.is_number(kind) => Some(self.number(kind, depth)),
            Kind::E if self.dice.percent(60) => Some((*self.dice.one(&["A", "B", "C"])).to_owned()),
            Kind::U => self.united(depth),
            Kind::Boolean | Kind::P | Kind::Q | Kind::K | Kind::E | Kind::R | Kind::S | Kind::V | Kind::W => {
                self.place(kind, depth)
            }
        }
    }

    /// Returns a branch of a conditional. The types of both branches must be compatible, so a branch of a union is not
    /// a member of the enumeration if the other is a number.
    pub(super) fn branch(&mut self, kind: Kind, depth: u32) -> Option<String> {
        if kind == Kind::U {
            let of_union: Vec<Place> = self.places.iter().filter(|place| place.kind == Kind::U).cloned().collect();
            if of_union.is_empty() {
                return None;
            }
            let place = self.dice.one(&of_union).clone();
            return self.filled(&place.shape, 0);
        }
        // A number in one branch of a conditional is easy to overlook.
        if kind != Kind::K && self.is_number(kind) && self.dice.percent(8 * self.has.literals.min(8)) {
            return Some((*self.dice.one(&["1", "2", "3"])).to_owned());
        }
        self.maybe_value(kind, depth - 1)
    }

    /// Returns an expression of the kind, or a number or member if there is none.
    pub(super) fn value(&mut self, kind: Kind, depth: u32) -> String {
        let simplest = match kind {
            Kind::U => "home",
            Kind::E => "A",
            Kind::Boolean | Kind::P | Kind::Q | Kind::K | Kind::R | Kind::S | Kind::V | Kind::W => "1",
        };
        self.maybe_value(kind, depth).unwrap_or_else(|| simplest.to_owned())
    }

    fn number(&mut self, kind: Kind, depth: u32) -> String {
        let index = kind != Kind::K;
        if index && self.dice.percent(self.has.literals) {
            return self.literal(kind);
        }
        match self.dice.pick(if depth > 0 { 12 } else { 8 }) {
            0..=2 if !index => self.literal(kind),
            3 | 10 if self.has.sizes => self.size(),
            8 | 9 if !index || self.has.order || self.dice.percent(self.has.flows) => {
                let of = if index && self.has.order { *self.dice.one(&[kind, Kind::K]) } else { Kind::K };
                let number = self.place(of, depth - 1).unwrap_or_else(|| "1".to_owned());
                format!("{number} {} 1", self.dice.one(&["+", "+", "-"]))
            }
            _ => self.place(kind, depth).unwrap_or_else(|| self.literal(kind)),
        }
    }

    fn literal(&mut self, kind: Kind) -> String {
        if kind == Kind::K {
            self.dice.weighted(&[(4, "0"), (4, "1"), (3, "2"), (3, "3"), (1, "4")]).to_owned()
        } else if self.has.literals < 20 {
            self.favorite.to_owned()
        } else {
            self.dice.weighted(&[(1, "0"), (5, "1"), (5, "2"), (4, "3")]).to_owned()
        }
    }

    /// Returns a size as a value.
    fn size(&mut self) -> String {
        if self.second_constant && self.dice.percent(35) {
            return "M".to_owned();
        }
        self.dice.weighted(&[(6, "N"), (2, "N - 1"), (1, "N - 2"), (2, "N / 2"), (1, "(N + 1) / 2")]).to_owned()
    }

    fn united(&mut self, depth: u32) -> Option<String> {
        match self.dice.pick(10) {
            0 | 1 if !self.p.scalarset && self.has.literals > 0 => Some(self.literal(Kind::P)),
            0..=2 => Some("home".to_owned()),
            3 | 4 if !self.p.scalarset => Some(self.number(Kind::P, depth)),
            3..=5 => self.place(Kind::P, depth),
            _ => self.place(Kind::U, depth),
        }
    }

    /// Returns a call of a function with this result, or of a procedure.
    pub(super) fn called(&mut self, result: Option<Kind>, depth: u32) -> Option<String> {
        if !self.calls {
            return None;
        }
        let fitting: Vec<_> = self.functions.iter().filter(|function| function.result == result).cloned().collect();
        if fitting.is_empty() {
            return None;
        }
        let function = self.dice.one(&fitting).clone();
        self.call(&function, depth)
    }

    /// Returns a call of a function.
    pub(super) fn call(&mut self, function: &Function, depth: u32) -> Option<String> {
        let mut arguments = Vec::new();
        for (kind, reference) in &function.parameters {
            arguments.push(if *reference { self.target(Some(*kind))?.0 } else { self.maybe_value(*kind, depth)? });
        }
        Some(format!("{}({})", function.name, arguments.join(", ")))
    }

    /// A condition.
    pub(super) fn condition(&mut self, depth: u32) -> String {
        if depth == 0 {
            let place = self.place(Kind::Boolean, 1);
            return place.unwrap_or_else(|| self.compared(0));
        }
        if self.dice.percent(12)
            && let Some(condition) = self.set_condition()
        {
            return condition;
        }
        match self.dice.pick(28) {
            0..=3 => self.condition(0),
            4..=6 => format!("!{}", self.atom(depth - 1)),
            7..=9 => format!("({} & {})", self.condition(depth - 1), self.condition(depth - 1)),
            10 | 11 => format!("({} | {})", self.condition(depth - 1), self.condition(depth - 1)),
            12 => format!("({} -> {})", self.condition(depth - 1), self.condition(depth - 1)),
            13 => format!("({} ? {} : {})", self.condition(0), self.condition(depth - 1), self.condition(depth - 1)),
            14 | 15 => self.quantified(depth - 1),
            16 if self.has.sizes => self.sizes_compared(),
            17 if self.has.undefined => self.undefinedness(),
            18..=19 => self.called(Some(Kind::Boolean), depth - 1).unwrap_or_else(|| self.compared(depth - 1)),
            20 => self.wholes_compared(),
            21 if self.has_union => {
                let place = self.place(Kind::U, 1).unwrap_or_else(|| "home".to_owned());
                format!("ismember({place}, {})", self.dice.one(&["P", "P"]))
            }
            22 | 23 => self.ordered(depth - 1),
            _ => self.compared(depth - 1),
        }
    }

    /// Returns a condition that can follow `!`.
    fn atom(&mut self, depth: u32) -> String {
        let condition = self.condition(depth.min(1));
        let simple = condition.chars().all(|c| c.is_alphanumeric() || matches!(c, '[' | ']' | '.'));
        if simple || condition.starts_with('!') { condition } else { format!("({condition})") }
    }

    /// Returns a comparison of two values.
    fn compared(&mut self, depth: u32) -> String {
        let mut kinds = vec![Kind::P, Kind::P, Kind::P, Kind::K, Kind::K, Kind::E];
        if self.q.is_some() {
            kinds.extend([Kind::Q, Kind::Q]);
        }
        if self.has_union {
            kinds.extend([Kind::U, Kind::U]);
        }
        for _ in 0..4 {
            let kind = *self.dice.one(&kinds);
            let left: Vec<Place> = self.places.iter().filter(|place| place.kind == kind).cloned().collect();
            if left.is_empty() {
                continue;
            }
            let left = self.dice.one(&left).clone();
            if let (Some(left), Some(right)) = (self.filled(&left.shape, depth), self.maybe_value(kind, depth))
                && left != right
            {
                return format!("({left} {} {right})", self.dice.one(&["=", "=", "!="]));
            }
        }
        if self.has.sizes { self.sizes_compared() } else { (*self.dice.one(&["true", "false"])).to_owned() }
    }

    fn ordered(&mut self, depth: u32) -> String {
        let of_index = !self.p.scalarset && self.has.order;
        let kinds: &[Kind] = if of_index { &[Kind::K, Kind::K, Kind::P] } else { &[Kind::K] };
        let kind = *self.dice.one(kinds);
        let Some(left) = self.place(kind, depth) else { return self.compared(depth) };
        let right = self.number(Kind::K, depth);
        if left == right {
            return self.compared(depth);
        }
        format!("({left} {} {right})", self.dice.one(&["<", "<=", ">", ">="]))
    }

    fn sizes_compared(&mut self) -> String {
        let number = self.dice.weighted(&[(1, "1"), (3, "2"), (5, "3"), (2, "4")]);
        let size = self.size();
        let left = if size.contains('-') || self.dice.percent(30) {
            self.place(Kind::K, 1).unwrap_or_else(|| number.to_owned())
        } else {
            number.to_owned()
        };
        if self.dice.percent(20) {
            return format!("(2 * {left} {} {size})", self.dice.one(&["<", "<=", ">", ">="]));
        }
        format!("({left} {} {size})", self.dice.one(&["=", "!=", "<", "<=", ">"]))
    }

    fn undefinedness(&mut self) -> String {
        let pointers: Vec<Place> = self
            .places
            .iter()
            .filter(|place| place.global && matches!(place.kind, Kind::P | Kind::Q | Kind::U))
            .cloned()
            .collect();
        if pointers.is_empty() {
            return self.compared(0);
        }
        let place = self.dice.one(&pointers).clone();
        match self.filled(&place.shape, 0) {
            Some(place) => {
                let rest = if self.dice.percent(50) { format!(" | {}", self.condition(0)) } else { String::new() };
                let text = format!("isundefined({place}){rest}");
                if self.dice.percent(50) { format!("!({text})") } else { format!("({text})") }
            }
            None => self.compared(0),
        }
    }

    /// Returns a comparison of two records.
    fn wholes_compared(&mut self) -> String {
        let kind = *self.dice.one(&[Kind::R, Kind::S]);
        let left: Vec<Place> = self.places.iter().filter(|place| place.kind == kind).cloned().collect();
        if left.is_empty() || self.plain {
            return self.compared(1);
        }
        let left = self.dice.one(&left).clone();
        match (self.filled(&left.shape, 0), self.place(kind, 1)) {
            (Some(left), Some(right)) => format!("({left} = {right})"),
            _ => self.compared(1),
        }
    }

    fn quantified(&mut self, depth: u32) -> String {
        let scope = self.places.len();
        let name = self.fresh("i");
        let (over, kind) = self.domain();
        self.add_place(&name, kind, false, false);
        let word = *self.dice.one(&["forall", "forall", "exists"]);
        let inner = self.condition(depth.max(1));
        self.places.truncate(scope);
        match over {
            Over::Type(ty) => format!("({word} {name}: {ty} do {inner} end)"),
            Over::Numbers(bounds) => format!("({word} {name} := {bounds} do {inner} end)"),
        }
    }
}
