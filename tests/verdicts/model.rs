//! Generates small models that mix what has misled lowering before.
//!
//! The constants of a model size its types, and there are properties to choose from. Models are correct Murphi and have
//! few states for every size from 2 to 5; executing them may cause run-time errors. They consist of index types
//! declared as scalarsets, ranges and numbers; sizes that are also values; conditionals, literals and arithmetic used
//! as indices; unions; records and arrays over two types; assertions everywhere; undefined pointers; loops whose order
//! matters; and named elements. Expressions are in `terms`, statements in `statements`.

use super::beyond::Multiset;
use super::dice::Dice;
use super::queues::Queue;

/// The kinds of values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    Boolean,
    /// The first index type.
    P,
    /// The second one.
    Q,
    /// A range used for counting.
    K,
    /// An enumeration.
    E,
    /// A union of an index type and an enumeration.
    U,
    /// A record over the first index type.
    R,
    /// A record of the same shape over the second.
    S,
    /// An array of two elements of the first type.
    V,
    /// The same of the second.
    W,
}

/// A place, with holes such as `@P` for indices.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    pub(crate) shape: String,
    pub(crate) kind: Kind,
    pub(crate) writable: bool,
    /// Whether it belongs to the state or to a `var` parameter, so that a function without effects must not write it.
    pub(crate) global: bool,
}

/// A constant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Constant {
    pub(crate) name: &'static str,
    pub(crate) value: i64,
}

/// A generated model.
#[derive(Clone, Debug)]
pub(crate) struct Model {
    /// The text without properties. Each declaration, rule and statement of a startstate has its own lines.
    pub(crate) body: String,
    /// Conditions that may become properties.
    pub(crate) candidates: Vec<String>,
    /// The constants that can be varied.
    pub(crate) constants: Vec<Constant>,
}

/// A function that an expression can call.
#[derive(Clone, Debug)]
pub(super) struct Function {
    pub(super) name: String,
    pub(super) parameters: Vec<(Kind, bool)>,
    /// The type of the result, or `None` for a procedure.
    pub(super) result: Option<Kind>,
}

/// The constructs that a model uses. Each model lacks some, since a construct that hides a fault in one model is absent
/// from another (Groce and others, "Swarm testing", 2012).
#[derive(Clone, Copy, Debug)]
pub(super) struct Features {
    /// Sizes are used as values.
    pub(super) sizes: bool,
    /// The percentage of cases in which a number is used as an index. A type of which many elements are written as
    /// numbers keeps its size, so some models have few.
    pub(super) literals: usize,
    /// Indices are compared by order and used for counting.
    pub(super) order: bool,
    /// The percentage of cases in which a number of one range is used where one of another is expected.
    pub(super) flows: usize,
    /// There are assertions.
    pub(super) asserts: bool,
    /// Pointers may be undefined.
    pub(super) undefined: bool,
    /// There are loops over numbers, and ranges without names.
    pub(super) numbers: bool,
}

impl Features {
    fn new(dice: &mut Dice) -> Self {
        Self {
            sizes: dice.percent(40),
            literals: dice.weighted(&[(2, 0), (5, 6), (3, 40)]),
            order: dice.percent(20),
            flows: dice.weighted(&[(4, 0), (3, 8), (2, 50)]),
            asserts: dice.percent(45),
            undefined: dice.percent(60),
            numbers: dice.percent(40),
        }
    }
}

pub(super) struct Generator {
    pub(super) dice: Dice,
    pub(super) has: Features,
    pub(super) out: String,
    pub(super) places: Vec<Place>,
    pub(super) functions: Vec<Function>,
    /// The text of the first index type, and of its least number if it has numbers.
    pub(super) p: Index,
    pub(super) q: Option<Index>,
    pub(super) has_union: bool,
    /// Whether the union has the second type among its members.
    pub(super) union_of_q: bool,
    pub(super) second_constant: bool,
    /// Whether `many` is set where there are at least four elements.
    pub(super) gate: bool,
    /// Whether only constructs that rumur accepts are used.
    pub(super) plain: bool,
    pub(super) names: u32,
    /// An array with one marked place, which shows what was stored, and its index type.
    pub(super) witness: Option<(String, Kind)>,
    /// The number that is used as an index if only few are.
    pub(super) favorite: &'static str,
    /// Whether a function without effects is being written.
    pub(super) pure: bool,
    /// Whether calls are allowed in the function that is being written.
    pub(super) calls: bool,
    /// The functions that change the state and have a result.
    pub(super) effects: Vec<Function>,
    /// A variable that nothing writes, its kind, and whether it is an array.
    pub(super) unwritten: Option<(String, Kind, bool)>,
    pub(super) sets: Vec<Multiset>,
    pub(super) queue: Option<Queue>,
    /// Whether a condition on the elements of a multiset is being written.
    pub(super) in_set: bool,
}

/// An index type.
#[derive(Clone, Debug)]
pub(super) struct Index {
    pub(super) text: &'static str,
    pub(super) scalarset: bool,
    /// Its text where it is used: its name or its bounds.
    pub(super) written: &'static str,
    /// Whether it always has as many elements as the first.
    pub(super) like_p: bool,
}

/// Returns the model of a seed.
pub(crate) fn generate(seed: u64) -> Model {
    let mut dice = Dice::new(seed);
    let p = first_index(&mut dice);
    let q = dice.percent(50).then(|| second_index(&mut dice, &p));
    let plain = dice.percent(65);
    let has = Features::new(&mut dice);
    let favorite = dice.weighted(&[(4, "1"), (5, "2"), (2, "3"), (1, "0")]);
    let generator = Generator {
        dice,
        has,
        out: String::new(),
        places: Vec::new(),
        functions: Vec::new(),
        p,
        q,
        has_union: false,
        union_of_q: false,
        second_constant: false,
        gate: false,
        plain,
        names: 0,
        witness: None,
        favorite,
        pure: false,
        calls: true,
        effects: Vec::new(),
        unwritten: None,
        sets: Vec::new(),
        queue: None,
        in_set: false,
    };
    generator.model()
}

fn first_index(dice: &mut Dice) -> Index {
    let (text, written) = dice.weighted(&[
        (8, ("scalarset(N)", "P")),
        (9, ("1..N", "P")),
        (3, ("0..N - 1", "P")),
        (1, ("0..N", "P")),
        (2, ("1..N", "1..N")),
        (1, ("scalarset(M)", "P")),
        (1, ("1..M", "P")),
    ]);
    Index { text, scalarset: text.starts_with('s'), written, like_p: true }
}

fn second_index(dice: &mut Dice, p: &Index) -> Index {
    if p.scalarset {
        let text = *dice.one(&["scalarset(N)", "scalarset(2)", "scalarset(M)"]);
        return Index { text, scalarset: true, written: "Q", like_p: text == p.text };
    }
    let text = dice.weighted(&[(8, p.text), (1, "1..3"), (1, "1..M"), (1, "1..N + 1"), (1, "2..N")]);
    Index { text, scalarset: false, written: "Q", like_p: text == p.text }
}

impl Generator {
    fn model(mut self) -> Model {
        let mut constants = self.constants();
        self.types();
        constants.extend(self.queue());
        self.variables();
        self.witness_variable();
        self.unwritten();
        self.multisets();
        self.procedures();
        self.effect_function();
        if self.witness.is_some() && self.dice.percent(35) {
            self.witness_procedure();
        }
        self.gate();
        self.startstates();
        for _ in 0..self.dice.weighted(&[(1, 1), (3, 2), (4, 3), (2, 4)]) {
            self.rule();
        }
        if self.witness.is_some() {
            self.witness_rule();
        }
        self.choose_rule();
        self.queue_rules();
        self.assumption();
        let mut candidates = self.candidates();
        candidates.extend(self.queue_candidates());
        if self.dice.percent(12) && !candidates.is_empty() {
            let assumed = self.dice.one(&candidates).clone();
            self.line(&format!("assume {assumed};"));
        }
        Model { body: used(&self.out, &candidates), candidates, constants }
    }

    pub(super) fn line(&mut self, text: &str) {
        self.out.push_str(text);
        self.out.push('\n');
    }

    /// Returns a name that is not used for anything else.
    pub(super) fn fresh(&mut self, letter: &str) -> String {
        self.names += 1;
        format!("{letter}{}", self.names)
    }

    fn constants(&mut self) -> Vec<Constant> {
        let own = self.dice.weighted(&[(3, 3), (1, 2)]);
        let mut constants = vec![Constant { name: "N", value: own }];
        self.line(&format!("const N: {own};"));
        let used = |index: &Index| index.text.contains('M');
        if used(&self.p) || self.q.as_ref().is_some_and(used) || self.dice.percent(35) {
            self.second_constant = true;
            let derived = ["N", "N - 1", "N + 1", "N < 4 ? 2 : 1", "N = 3 ? 2 : 3", "2 * N - 2"];
            let sizes = if used(&self.p) || self.q.as_ref().is_some_and(used) { 70 } else { 50 };
            if self.dice.percent(sizes) {
                let value = *self.dice.one(&derived);
                self.line(&format!("const M: {value};"));
            } else {
                let value = self.dice.weighted(&[(2, 2), (1, 3)]);
                self.line(&format!("const M: {value};"));
                constants.push(Constant { name: "M", value });
            }
        }
        if self.has.sizes && self.dice.percent(20) {
            let truth = *self.dice.one(&["N > 3", "N < 4", "N = 3", "N > 2"]);
            self.line(&format!("const BIG: {truth};"));
            self.add_place("BIG", Kind::Boolean, false, false);
        }
        constants
    }

    fn types(&mut self) {
        let p = self.p.text;
        self.line(&format!("type P: {p};"));
        if let Some(q) = self.q.clone() {
            self.line(&format!("type Q: {};", q.text));
        }
        let sized = if self.has.sizes { 4 } else { 0 };
        let counter = self.dice.weighted(&[
            (sized, "0..N"),
            (3, "0..3"),
            (2, "0..5"),
            (sized / 4, "1..N"),
            (sized / 4, "0..N + 1"),
            (1, "0..2"),
            (sized / 4, if self.second_constant { "0..M" } else { "0..4" }),
        ]);
        self.line(&format!("type K: {counter};"));
        self.line("type E: enum { A, B, C };");
        if self.has.sizes && self.dice.percent(20) {
            self.line("const MANY: N > 3 ? A : B;");
            self.add_place("MANY", Kind::E, false, false);
        }
        if !self.plain && self.dice.percent(60) {
            self.has_union = true;
            let mut members = vec!["P", *self.dice.one(&["enum { home }", "enum { home }", "enum { home, away }"])];
            if self.q.as_ref().is_some_and(|q| q.scalarset) && self.dice.percent(60) {
                self.union_of_q = true;
                members.insert(1, "Q");
            }
            self.line(&format!("type U: union {{ {} }};", members.join(", ")));
        }
        let (p, q) = (self.p.written, self.q.as_ref().map(|q| q.written));
        self.line(&format!("type R: record x: {p}; f: boolean; end;"));
        let two = if !self.has.numbers || self.dice.percent(60) { "L" } else { "0..1" };
        self.line("type L: 0..1;");
        self.line(&format!("type V: array[{two}] of {p};"));
        if let Some(q) = q {
            self.line(&format!("type S: record x: {q}; f: boolean; end;"));
            self.line(&format!("type W: array[{two}] of {q};"));
        }
    }

    /// Generates state variables, as many as a small number of states allows, counted with five elements.
    fn variables(&mut self) {
        let (p, q) = (self.p.written, self.q.as_ref().map(|q| q.written));
        let mut forms: Vec<(usize, usize, Kind, String, &str)> = vec![
            // Weight, number of values, kind, type, and what follows the name in a place.
            (10, 32, Kind::Boolean, format!("array[{p}] of boolean"), "[@P]"),
            (2, 243, Kind::E, format!("array[{p}] of E"), "[@P]"),
            (2, 243, Kind::K, format!("array[{p}] of 0..2"), "[@P]"),
            (1, 400, Kind::P, format!("array[{p}] of {p}"), "[@P]"),
            (1, 300, Kind::Boolean, format!("array[{p}] of array[0..1] of boolean"), "[@P][@L]"),
            (7, 6, Kind::P, p.to_owned(), ""),
            (6, 6, Kind::K, "K".to_owned(), ""),
            (6, 2, Kind::Boolean, "boolean".to_owned(), ""),
            (2, 3, Kind::E, "E".to_owned(), ""),
            (3, 12, Kind::R, "R".to_owned(), ""),
            (3, 16, Kind::V, "V".to_owned(), ""),
            (1, 300, Kind::Boolean, format!("array[{p}] of array[{p}] of boolean"), "[@P][@P]"),
        ];
        if let Some(q) = q {
            forms.push((5, 32, Kind::Boolean, format!("array[{q}] of boolean"), "[@Q]"));
            forms.push((4, 6, Kind::Q, q.to_owned(), ""));
            forms.push((4, 12, Kind::S, "S".to_owned(), ""));
            forms.push((4, 16, Kind::W, "W".to_owned(), ""));
            forms.push((1, 400, Kind::Q, format!("array[{p}] of {q}"), "[@P]"));
            forms.push((2, 300, Kind::Boolean, format!("array[{p}] of array[{q}] of boolean"), "[@P][@Q]"));
        }
        if self.has_union {
            forms.push((8, 7, Kind::U, "U".to_owned(), ""));
            forms.push((4, 64, Kind::Boolean, "array[U] of boolean".to_owned(), "[@U]"));
            forms.push((1, 400, Kind::P, format!("array[U] of {p}"), "[@U]"));
        }
        if self.dice.percent(70) {
            // A variable indexed by the first type, so that the type matters.
            self.variable(Kind::Boolean, &format!("array[{p}] of boolean"), "[@P]");
        }
        let mut product = if self.queue.is_some() { 400 } else { 32 };
        if self.union_of_q && self.dice.percent(50) {
            self.variable(Kind::Boolean, "array[U] of boolean", "[@U]");
            product *= 16;
        }
        for _ in 0..12 {
            if self.places.len() >= 7 || product > 1500 {
                break;
            }
            let form = self.dice.pick(forms.iter().map(|form| form.0).sum());
            let mut before = 0;
            let Some(form) = forms.iter().find(|candidate| {
                before += candidate.0;
                form < before
            }) else {
                continue;
            };
            if product * form.1 <= 16_000 {
                product *= form.1;
                let (kind, ty, rest) = (form.2, form.3.clone(), form.4);
                self.variable(kind, &ty, rest);
            }
        }
    }

    fn variable(&mut self, kind: Kind, ty: &str, rest: &str) {
        let name = self.fresh("v");
        self.line(&format!("var {name}: {ty};"));
        self.add_place(&format!("{name}{rest}"), kind, true, true);
    }

    /// Adds a place with its parts.
    pub(super) fn add_place(&mut self, shape: &str, kind: Kind, writable: bool, global: bool) {
        let mut add = |shape: String, kind| self.places.push(Place { shape, kind, writable, global });
        add(shape.to_owned(), kind);
        let part = match kind {
            Kind::R | Kind::V => Kind::P,
            Kind::S | Kind::W => Kind::Q,
            Kind::Boolean | Kind::P | Kind::Q | Kind::K | Kind::E | Kind::U => return,
        };
        if matches!(kind, Kind::R | Kind::S) {
            add(format!("{shape}.x"), part);
            add(format!("{shape}.f"), Kind::Boolean);
        } else {
            add(format!("{shape}[@L]"), part);
        }
    }

    /// Generates a rule that only fires where there are at least four elements, and whose effect others may ask for. What is
    /// behind it is not seen in smaller instances.
    fn gate(&mut self) {
        if !self.dice.percent(30) {
            return;
        }
        self.gate = true;
        let p = self.p.written;
        self.line("var many: boolean;");
        self.line(&format!(
            "rule exists a: {p} do exists b: {p} do exists c: {p} do exists d: {p} do\n\
             a != b & a != c & a != d & b != c & b != d & c != d end end end end ==>\nbegin many := true; end;"
        ));
    }

    /// Returns the places that are whole variables.
    fn variables_of_state(&self) -> Vec<Place> {
        let whole = |place: &&Place| place.global && !place.shape.contains('.') && !self.is_part(place);
        self.places.iter().filter(whole).cloned().collect()
    }

    fn is_part(&self, place: &Place) -> bool {
        let base = place.shape.strip_suffix("[@L]");
        base.is_some_and(|base| self.places.iter().any(|other| other.shape == base))
    }

    /// Generates an array that starts without a mark, and in which only one rule sets marks.
    fn witness_variable(&mut self) {
        if !self.dice.percent(60) {
            return;
        }
        let kind = if self.q.is_some() && self.dice.percent(50) { Kind::Q } else { Kind::P };
        let (name, hole) = (self.fresh("w"), if kind == Kind::P { "@P" } else { "@Q" });
        let over = self.type_of(kind);
        self.line(&format!("var {name}: array[{over}] of boolean;"));
        self.add_place(&format!("{name}[{hole}]"), Kind::Boolean, false, true);
        self.witness = Some((name, kind));
    }

    fn startstates(&mut self) {
        let two = self.dice.percent(15);
        for _ in 0..=usize::from(two) {
            let scope = self.places.len();
            let parameter = self.p.scalarset || self.dice.percent(if self.has.literals < 20 { 60 } else { 25 });
            if parameter {
                self.line(&format!("ruleset h: {} do", self.p.written));
                self.add_place("h", Kind::P, false, false);
            }
            let often = if self.has.literals < 20 { 60 } else { 20 };
            let of_q = self.q.clone().filter(|q| q.scalarset || self.dice.percent(often));
            if let Some(q) = &of_q {
                self.line(&format!("ruleset g: {} do", q.written));
                self.add_place("g", Kind::Q, false, false);
            }
            self.line("startstate begin");
            if self.gate {
                self.line("many := false;");
            }
            for place in self.variables_of_state() {
                if place.writable {
                    self.initialize(&place);
                }
            }
            if let Some((name, kind)) = self.witness.clone() {
                let over = self.type_of(kind);
                self.line(&format!("for i: {over} do {name}[i] := false; end;"));
            }
            self.empty();
            self.empty_queue();
            if self.dice.percent(15) {
                self.statement(2);
            }
            if self.has.asserts && self.dice.percent(20) {
                self.assertion(2);
            }
            self.line("end;");
            for _ in 0..usize::from(parameter) + usize::from(of_q.is_some()) {
                self.line("end;");
            }
            self.places.truncate(scope);
        }
    }

    fn initialize(&mut self, place: &Place) {
        let mut shape = place.shape.clone();
        let mut loops = 0;
        let mut text = String::new();
        let q = self.q.as_ref().map_or("", |q| q.written);
        for (hole, over) in [("@P", self.p.written), ("@Q", q), ("@U", "U"), ("@L", "0..1")] {
            while shape.contains(hole) {
                let name = self.fresh("i");
                text.push_str(&format!("for {name}: {over} do "));
                shape = shape.replacen(hole, &name, 1);
                loops += 1;
            }
        }
        let undefined = self.has.undefined
            && matches!(place.kind, Kind::P | Kind::Q | Kind::R | Kind::S | Kind::V | Kind::W | Kind::U);
        if undefined && loops == 0 && self.dice.percent(25) {
            self.line(&format!("undefine {shape};"));
            return;
        }
        for (part, kind) in parts(&shape, place.kind) {
            let value = self.initial(kind);
            text.push_str(&format!("{part} := {value}; "));
        }
        text.push_str(&"end; ".repeat(loops));
        self.line(&text);
    }

    pub(super) fn initial(&mut self, kind: Kind) -> String {
        match kind {
            Kind::Boolean => (*self.dice.one(&["false", "false", "true"])).to_owned(),
            Kind::E => (*self.dice.one(&["A", "A", "B"])).to_owned(),
            Kind::K => self.dice.weighted(&[(6, "0"), (3, "1"), (1, "2")]).to_owned(),
            Kind::U if self.dice.percent(70) => "home".to_owned(),
            Kind::P | Kind::U => self.named(Kind::P, "h"),
            Kind::Q => self.named(Kind::Q, "g"),
            Kind::R | Kind::S | Kind::V | Kind::W => unreachable!("they are set by their parts"),
        }
    }

    /// Returns a value of an index type for a startstate.
    fn named(&mut self, kind: Kind, parameter: &str) -> String {
        let has_parameter = self.places.iter().any(|place| place.shape == parameter);
        let index = if kind == Kind::P { Some(&self.p) } else { self.q.as_ref() };
        if index.is_some_and(|index| index.scalarset)
            || (has_parameter && self.dice.percent(if self.has.literals < 20 { 90 } else { 50 }))
        {
            return parameter.to_owned();
        }
        let sized = usize::from(self.has.sizes);
        if self.has.literals < 20 {
            return self.favorite.to_owned();
        }
        self.dice.weighted(&[(5, "1"), (3, "2"), (sized, "N"), (sized, "N - 1")]).to_owned()
    }

    fn rule(&mut self) {
        let scope = self.places.len();
        let mut opened = 0;
        for _ in 0..self.dice.weighted(&[(3, 0), (5, 1), (2, 2)]) {
            self.parameter();
            opened += 1;
        }
        let depth = self.dice.weighted(&[(1, 0), (4, 1), (3, 2), (2, 3)]);
        let guard = if self.dice.percent(12) { "true".to_owned() } else { self.condition(depth) };
        let guard = if self.dice.percent(8) { format!("{guard} & {}", self.some_for_each()) } else { guard };
        let guard = if self.gate && self.dice.percent(50) { format!("many & {guard}") } else { guard };
        self.line("rule");
        self.line(&format!("{guard} ==>"));
        let local = self.dice.percent(12).then(|| self.local());
        if self.has.sizes && self.dice.percent(12) {
            self.local_constant();
        }
        self.line("begin");
        if let Some((name, kind)) = local {
            let value = self.value(kind, 1);
            self.line(&format!("{name} := {value};"));
        }
        for _ in 0..self.dice.weighted(&[(4, 1), (4, 2), (1, 3)]) {
            self.statement(2);
        }
        self.line("end;");
        for _ in 0..opened {
            self.line("end;");
        }
        self.places.truncate(scope);
    }

    /// Returns a condition that says of each element that some element exists.
    fn some_for_each(&mut self) -> String {
        let scope = self.places.len();
        let kinds = if self.q.is_some() { vec![Kind::P, Kind::Q] } else { vec![Kind::P] };
        let (each, some) = (*self.dice.one(&kinds), *self.dice.one(&kinds));
        let (each_name, some_name) = (self.fresh("i"), self.fresh("i"));
        self.add_place(&each_name, each, false, false);
        let also = if self.dice.percent(30) { format!("{} | ", self.condition(1)) } else { String::new() };
        self.add_place(&some_name, some, false, false);
        let inner = self.condition(1);
        self.places.truncate(scope);
        let (each, some) = (self.type_of(each), self.type_of(some));
        format!("(forall {each_name}: {each} do {also}exists {some_name}: {some} do {inner} end end)")
    }

    fn local(&mut self) -> (String, Kind) {
        let name = self.fresh("l");
        let kinds: &[Kind] = if self.p.scalarset { &[Kind::K, Kind::E] } else { &[Kind::K, Kind::P, Kind::P] };
        let kind = *self.dice.one(kinds);
        let ty = self.type_of(kind);
        self.line(&format!("var {name}: {ty};"));
        self.add_place(&name, kind, true, false);
        (name, kind)
    }

    /// Declares a constant in a rule: with the name of the one that is the size, or computed from it.
    fn local_constant(&mut self) {
        if self.dice.percent(50) {
            self.line("const N: 3;");
        } else {
            let name = self.fresh("d");
            self.line(&format!("const {name}: N - 1;"));
            self.add_place(&name, Kind::K, false, false);
        }
    }

    /// Generates a ruleset with one parameter.
    fn parameter(&mut self) {
        let name = self.fresh("i");
        let (over, kind) = self.domain();
        let text = match over {
            Over::Type(ty) => format!("ruleset {name}: {ty} do"),
            Over::Numbers(bounds) => format!("ruleset {name} := {bounds} do"),
        };
        self.line(&text);
        self.add_place(&name, kind, false, false);
    }

    /// Returns the domain of a bound variable.
    pub(super) fn domain(&mut self) -> (Over, Kind) {
        let q = self.q.as_ref().map(|q| q.written);
        match self.dice.pick(if self.has.numbers { 14 } else { 11 }) {
            7 | 8 if self.has_union => (Over::Type("U"), Kind::U),
            0..=8 => (Over::Type(self.p.written), Kind::P),
            9 | 10 if q.is_some() => (Over::Type(q.unwrap_or_default()), Kind::Q),
            11 => {
                // A loop up to the size visits all elements, and has its own type.
                let numbers = *self.dice.one(&["1 to N", "1 to N", "1 to 3", "1 to 2", "2 to N"]);
                (Over::Numbers(numbers), self.number_kind())
            }
            12 => {
                let range = *self.dice.one(&["1..3", "1..2", "1..N", "0..1"]);
                (Over::Type(range), self.number_kind())
            }
            13 => (Over::Type("boolean"), Kind::Boolean),
            _ => (Over::Type(self.p.written), Kind::P),
        }
    }

    /// Returns the kind of a bound number: an index if indices are numbers.
    fn number_kind(&mut self) -> Kind {
        if self.p.scalarset || self.dice.percent(50) { Kind::K } else { Kind::P }
    }

    pub(super) fn type_of(&self, kind: Kind) -> &'static str {
        match kind {
            Kind::Boolean => "boolean",
            Kind::P => self.p.written,
            Kind::Q => self.q.as_ref().map_or("P", |q| q.written),
            Kind::K => "K",
            Kind::E => "E",
            Kind::U => "U",
            Kind::R => "R",
            Kind::S => "S",
            Kind::V => "V",
            Kind::W => "W",
        }
    }

    /// Returns conditions that may become properties, simple ones first, since most proven properties are simple.
    fn candidates(&mut self) -> Vec<String> {
        let mut candidates = Vec::new();
        if let Some((name, kind)) = self.witness.clone() {
            let (over, number) = (self.type_of(kind), self.favorite);
            candidates.push(format!("forall i: {over} do !{name}[i] end"));
            if self.is_number(kind) {
                candidates.push(format!("forall i: {over} do {name}[i] -> i = {number} end"));
                candidates.push(format!("forall i: {over} do {name}[i] -> i != {number} end"));
            }
            // They are chosen as often as all others together.
            candidates.extend(candidates.clone());
        }
        for place in self.places.clone() {
            let (forms, number) = (self.plain_properties(&place), self.dice.pick(16));
            candidates.extend(forms.get(number % forms.len().max(1)).cloned());
        }
        for _ in 0..4 {
            candidates.extend(self.there_is());
        }
        for depth in [1, 1, 2, 1, 2, 2, 3] {
            let scope = self.places.len();
            let mut condition = if self.dice.percent(55) {
                let name = self.fresh("i");
                self.add_place(&name, Kind::P, false, false);
                let inner = self.condition(depth);
                format!("forall {name}: {} do {inner} end", self.p.written)
            } else {
                self.condition(depth)
            };
            self.places.truncate(scope);
            if self.dice.percent(20) {
                let other = self.condition(1);
                condition = format!("{other} -> ({condition})");
            }
            candidates.push(condition);
        }
        candidates
    }

    /// Returns a condition which says that something exists, perhaps for all elements or if something else holds.
    fn there_is(&mut self) -> Option<String> {
        let places: Vec<Place> = self.places.clone();
        let one = |own: &mut Self| {
            let place = places.get(own.dice.pick(places.len().max(1)))?;
            let (over, name, texts) = own.plain(place)?;
            let text = texts.get(own.dice.pick(texts.len().max(1)))?.clone();
            Some((over.map(|kind| own.type_of(kind)), name, text))
        };
        let (over, name, text) = one(self)?;
        let exists = format!("exists {name}: {} do {text} end", over?);
        let (other, other_name, condition) = one(self)?;
        let also = one(self).filter(|(also, _, _)| *also == over).map(|(_, own, text)| text.replace(&own, &name));
        let exists = match also {
            Some(also) if self.dice.percent(40) => format!("exists {name}: {} do {text} & {also} end", over?),
            Some(_) | None => exists,
        };
        Some(match (other, self.dice.pick(4)) {
            (_, 0) => exists,
            (Some(other), 1) if over == Some(other) => format!(
                "forall {other_name}: {other} do {condition} -> exists {name}: {other} do {name} != {other_name} & {text} end end"
            ),
            (Some(other), _) => format!("forall {other_name}: {other} do {condition} -> {exists} end"),
            (None, _) => format!("{condition} -> {exists}"),
        })
    }

    /// Returns conditions about one place of the kind that people write.
    fn plain_properties(&mut self, place: &Place) -> Vec<String> {
        let Some((over, name, texts)) = self.plain(place) else { return Vec::new() };
        let all = |text: String| match over {
            Some(kind) => format!("forall {name}: {} do {text} end", self.type_of(kind)),
            None => text,
        };
        texts.into_iter().map(all).collect()
    }

    /// Returns what [`Self::plain_properties`] says about one element: the kind and the name of its index, if it has one,
    /// and the conditions.
    fn plain(&mut self, place: &Place) -> Option<(Option<Kind>, String, Vec<String>)> {
        let name = self.fresh("i");
        let shape = place.shape.replace("@L", "0");
        let holes = [(Kind::P, "@P"), (Kind::Q, "@Q"), (Kind::U, "@U")];
        let over = match holes.into_iter().filter(|(_, hole)| shape.contains(hole)).collect::<Vec<_>>().as_slice() {
            [] => None,
            [only] => Some(*only),
            [_, _, ..] => return None,
        };
        let number = self.favorite;
        let shape = over.map_or(shape.clone(), |(_, hole)| shape.replace(hole, &name));
        let mut texts = match place.kind {
            Kind::Boolean => vec![format!("!{shape}"), shape.clone()],
            Kind::P | Kind::Q => vec![format!("isundefined({shape})"), format!("!isundefined({shape})")],
            Kind::K => ["< 2", "< 3", "< 4", "= 0"].map(|rest| format!("({shape} {rest})")).into(),
            Kind::E => ["!= C", "= A", "!= B"].map(|rest| format!("({shape} {rest})")).into(),
            Kind::U => vec![format!("({shape} = home)"), format!("!ismember({shape}, P)")],
            Kind::R | Kind::S | Kind::V | Kind::W => return None,
        };
        if matches!(place.kind, Kind::P | Kind::Q) && self.is_number(place.kind) {
            texts.extend(["=", "!="].map(|sign| format!("({shape} {sign} {number})")));
        }
        if place.kind == Kind::K && self.has.sizes {
            texts.extend(["< N", "<= N", "!= N"].map(|rest| format!("({shape} {rest})")));
        }
        if place.kind == Kind::Boolean && over.is_some_and(|(kind, _)| self.is_number(kind)) {
            texts.push(format!("({shape} -> {name} = {number})"));
            texts.push(format!("({name} = {number} -> {shape})"));
        }
        Some((over.map(|(kind, _)| kind), name, texts))
    }
}

/// Returns the text without the types that it does not use.
fn used(text: &str, candidates: &[String]) -> String {
    let mut lines: Vec<&str> = text.lines().collect();
    loop {
        let mentions = |name: &str| {
            let all = lines.iter().copied().chain(candidates.iter().map(String::as_str));
            all.flat_map(|line| line.split(|c: char| !c.is_alphanumeric())).filter(|word| *word == name).count()
        };
        let name = |line: &str| Some(line.strip_prefix("type ")?.split_once(':')?.0.to_owned());
        // An enumeration is used if one of its members is.
        let members =
            |line: &str| ["A", "B", "C", "home", "away"].iter().any(|name| line.contains("enum") && mentions(name) > 1);
        let unused = |line: &&str| name(line).is_some_and(|name| name != "P" && mentions(&name) == 1 && !members(line));
        match lines.iter().position(unused) {
            Some(at) => lines.remove(at),
            None => return format!("{}\n", lines.join("\n")),
        };
    }
}

/// The domain of a bound variable.
pub(super) enum Over {
    Type(&'static str),
    Numbers(&'static str),
}

/// Returns the parts of a place that hold single values.
fn parts(shape: &str, kind: Kind) -> Vec<(String, Kind)> {
    match kind {
        Kind::R => vec![(format!("{shape}.x"), Kind::P), (format!("{shape}.f"), Kind::Boolean)],
        Kind::S => vec![(format!("{shape}.x"), Kind::Q), (format!("{shape}.f"), Kind::Boolean)],
        Kind::V => vec![(format!("{shape}[0]"), Kind::P), (format!("{shape}[1]"), Kind::P)],
        Kind::W => vec![(format!("{shape}[0]"), Kind::Q), (format!("{shape}[1]"), Kind::Q)],
        Kind::Boolean | Kind::P | Kind::Q | Kind::K | Kind::E | Kind::U => vec![(shape.to_owned(), kind)],
    }
}
