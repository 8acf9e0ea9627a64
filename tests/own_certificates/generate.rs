//! Generates small random models with constructs that make names and normal forms hard.
//!
//! They have elements written as numbers, several types with the same bounds and without names, unions, matrices over
//! one type, loops over numbers, and names that resemble other names. Most variables start with a single value, so that
//! some of the properties hold.

/// Pseudo-random numbers that depend only on the seed (Steele, Lea, Flood, "Fast splittable pseudorandom number
/// generators", 2014).
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^= mixed >> 31;
        usize::try_from(mixed % u64::try_from(bound).unwrap()).unwrap()
    }

    fn chance(&mut self, of: usize) -> bool {
        self.below(of) == 0
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }
}

/// The simple types of the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Boolean,
    Enum,
    /// `P` and `Q`, which have the same bounds if they are ranges.
    First,
    Second,
    /// A range without a name.
    Anonymous,
    /// A few numbers.
    Small,
    /// `First` or a member of the enumeration.
    Union,
}

const KINDS: [Kind; 7] =
    [Kind::Boolean, Kind::Enum, Kind::First, Kind::Second, Kind::Anonymous, Kind::Small, Kind::Union];

/// A state variable: its name, the types of its indices, and that of its values.
struct Variable {
    name: &'static str,
    indices: Vec<Kind>,
    field: Option<&'static str>,
    value: Kind,
    start: String,
}

struct Generator {
    random: Random,
    /// How `P` and `Q` are written, and their first numbers, where they are ranges.
    first: (&'static str, Option<i64>),
    second: (&'static str, Option<i64>),
    anonymous: (&'static str, i64),
    names: Names,
    variables: Vec<Variable>,
}

/// The names of types and members. They are often names of other things, keywords of Isabelle, or names that lowering
/// could generate.
struct Names {
    first: &'static str,
    second: &'static str,
    members: [&'static str; 2],
    constant: &'static str,
}

/// Returns the text of the model of this seed.
pub(crate) fn model(seed: u64) -> String {
    let mut random = Random(seed);
    let ranges: [(&'static str, Option<i64>); 4] =
        [("0..N-1", Some(0)), ("1..N", Some(1)), ("scalarset(N)", None), ("1..3", Some(1))];
    let names = Names {
        first: random.pick(&["P", "P", "N_Q", "state", "range_1_3"]),
        second: random.pick(&["Q", "Q", "P_1", "rules", "range_0_2"]),
        members: random.pick(&[["A", "B"], ["P_0", "A"], ["num_1", "val"], ["i", "j"], ["P_2", "range_1_3_b"]]),
        constant: random.pick(&["K", "Home", "P_0x", "undefined_", "True_", "inv_0"]),
    };
    let (first, second) = (random.pick(&ranges), random.pick(&ranges));
    let anonymous = random.pick(&[("1..N", 1), ("0..2", 0), ("1..3", 1)]);
    let mut generator = Generator { random, first, second, anonymous, names, variables: Vec::new() };
    generator.declare();
    generator.text()
}

impl Generator {
    fn declare(&mut self) {
        let names = ["a", "b", "c", "all", "d", "guard"];
        for name in &names[..2 + self.random.below(5)] {
            let indexed = [Kind::First, Kind::Second, Kind::Anonymous, Kind::First];
            let dimensions = self.random.pick(&[0, 1, 1, 2]);
            let mut indices: Vec<Kind> = (0..dimensions).map(|_| self.random.pick(&indexed)).collect();
            if indices.len() == 2 && self.random.chance(2) {
                indices[1] = indices[0];
            }
            let mut value = self.random.pick(&KINDS);
            if value == Kind::Union && self.first.1.is_some() {
                value = Kind::First;
            }
            let field = self.random.chance(4).then_some("f");
            let start = self.start_value(value);
            self.variables.push(Variable { name, indices, field, value, start });
        }
    }

    fn type_name(&self, kind: Kind) -> String {
        match kind {
            Kind::Boolean => "boolean".to_owned(),
            Kind::Enum => "E".to_owned(),
            Kind::First => self.names.first.to_owned(),
            Kind::Second => self.names.second.to_owned(),
            Kind::Anonymous => self.anonymous.0.to_owned(),
            Kind::Small => "0..2".to_owned(),
            Kind::Union => "U".to_owned(),
        }
    }

    /// Returns the numbers of the type that may be written.
    fn numbers(&self, kind: Kind) -> Vec<i64> {
        let first = match kind {
            Kind::First => self.first.1,
            Kind::Second => self.second.1,
            Kind::Anonymous => Some(self.anonymous.1),
            Kind::Small => Some(0),
            Kind::Boolean | Kind::Enum | Kind::Union => None,
        };
        first.map_or_else(Vec::new, |first| vec![first, first, first + 1, first + 2])
    }

    /// Returns a value without variables, or `None` if the type has none that can be written.
    fn literal(&mut self, kind: Kind) -> Option<String> {
        match kind {
            Kind::Boolean => Some(self.random.pick(&["true", "false"]).to_owned()),
            Kind::Enum | Kind::Union => Some(self.random.pick(&self.names.members).to_owned()),
            Kind::First | Kind::Second | Kind::Anonymous | Kind::Small => {
                let numbers = self.numbers(kind);
                if numbers.is_empty() {
                    return None;
                }
                let number = self.random.pick(&numbers);
                Some(if number == 1 && self.random.chance(3) {
                    self.names.constant.to_owned()
                } else {
                    number.to_string()
                })
            }
        }
    }

    fn start_value(&mut self, kind: Kind) -> String {
        self.literal(kind).unwrap_or_else(|| if kind == Kind::First { "p0" } else { "q0" }.to_owned())
    }

    /// Returns a value of the type, using the bound variables.
    fn value(&mut self, kind: Kind, bound: &[(String, Kind)], depth: u32) -> String {
        let mut fitting: Vec<String> =
            bound.iter().filter(|(_, of)| *of == kind).map(|(name, _)| name.clone()).collect();
        if kind == Kind::Union {
            fitting.extend(bound.iter().filter(|(_, of)| *of == Kind::First).map(|(name, _)| name.clone()));
        }
        if !fitting.is_empty() && !self.random.chance(3) {
            return fitting[self.random.below(fitting.len())].clone();
        }
        if (depth > 0 && self.random.chance(2)) || self.literal(kind).is_none() {
            let places: Vec<usize> = (0..self.variables.len()).filter(|&at| self.variables[at].value == kind).collect();
            if !places.is_empty() && depth > 0 {
                let at = self.random.pick(&places);
                return self.place(at, bound, depth - 1);
            }
        }
        match self.literal(kind) {
            Some(literal) => literal,
            None if !fitting.is_empty() => fitting[0].clone(),
            // Every scope binds a variable of each type without numbers.
            None => {
                bound.iter().find(|(_, of)| *of == kind).map_or_else(|| "true".to_owned(), |(name, _)| name.clone())
            }
        }
    }

    fn place(&mut self, at: usize, bound: &[(String, Kind)], depth: u32) -> String {
        let mut text = self.variables[at].name.to_owned();
        for index in self.variables[at].indices.clone() {
            text.push_str(&format!("[{}]", self.value(index, bound, depth)));
        }
        if let Some(field) = self.variables[at].field {
            text.push_str(&format!(".{field}"));
        }
        text
    }

    /// Returns an equation or inequation about a state variable.
    fn literal_about(&mut self, bound: &[(String, Kind)]) -> String {
        let at = self.random.below(self.variables.len());
        let kind = self.variables[at].value;
        let place = self.place(at, bound, 1);
        let other = if self.random.chance(2) { self.variables[at].start.clone() } else { self.value(kind, bound, 1) };
        let other = if other.ends_with('0') && other.len() == 2 { self.value(kind, bound, 1) } else { other };
        let operator = if self.random.chance(3) { "!=" } else { "=" };
        if self.random.chance(4) {
            format!("{other} {operator} {place}")
        } else {
            format!("{place} {operator} {other}")
        }
    }

    fn condition(&mut self, bound: &[(String, Kind)], most: usize) -> String {
        let parts: Vec<String> = (0..=self.random.below(most)).map(|_| self.literal_about(bound)).collect();
        parts.join(if self.random.chance(3) { " | " } else { " & " })
    }

    fn assignment(&mut self, bound: &[(String, Kind)]) -> String {
        let at = self.random.below(self.variables.len());
        let kind = self.variables[at].value;
        let place = self.place(at, bound, 1);
        let mut value = self.variables[at].start.clone();
        if value == "p0" || value == "q0" || self.random.chance(2) {
            value = self.value(kind, bound, 1);
        }
        format!("{place} := {value};")
    }

    fn statement(&mut self, bound: &[(String, Kind)], depth: u32) -> String {
        match self.random.below(if depth == 0 { 2 } else { 5 }) {
            0 | 1 => self.assignment(bound),
            2 => format!("if {} then {} end;", self.condition(bound, 2), self.statement(bound, depth - 1)),
            3 => {
                let numbers = self.random.pick(&["1 to N", "1 to 3", "0 to 2", "0 to 1"]);
                format!("for l{depth} := {numbers} do {} end;", self.statement(bound, depth - 1))
            }
            _ => {
                let kind = self.random.pick(&[Kind::First, Kind::Second, Kind::Anonymous]);
                let mut inner = bound.to_vec();
                inner.push((format!("k{depth}"), kind));
                let body = self.statement(&inner, depth - 1);
                format!("for k{depth} : {} do {body} end;", self.type_name(kind))
            }
        }
    }

    /// Returns the parameters of a ruleset: one of each type without numbers, and some more.
    fn parameters(&mut self) -> Vec<(String, Kind)> {
        let mut bound = Vec::new();
        for kind in [Kind::First, Kind::Second, Kind::Anonymous] {
            if self.numbers(kind).is_empty() || self.random.chance(3) {
                bound.push((format!("x{}", bound.len()), kind));
            }
        }
        if self.random.chance(4) {
            bound.push(("x9".to_owned(), Kind::First));
        }
        bound
    }

    fn text(&mut self) -> String {
        let mut text = format!("const N : 3; {} : 1;\ntype\n", self.names.constant);
        let [one, two] = self.names.members;
        text.push_str(&format!(
            "  {} : {};\n  {} : {};\n",
            self.names.first, self.first.0, self.names.second, self.second.0
        ));
        text.push_str(&format!("  E : enum {{ {one}, {two} }};\n"));
        if self.first.1.is_none() {
            text.push_str(&format!("  U : union {{ {}, E }};\n", self.names.first));
        }
        text.push_str("var\n");
        for variable in &self.variables {
            let indices: String =
                variable.indices.iter().map(|index| format!("array [{}] of ", self.type_name(*index))).collect();
            let value = self.type_name(variable.value);
            let value = variable.field.map_or(value.clone(), |field| format!("record {field} : {value}; end"));
            text.push_str(&format!("  {} : {indices}{value};\n", variable.name));
        }
        text.push_str(&self.startstate());
        for number in 0..1 + self.random.below(3) {
            let bound = self.parameters();
            let ruleset: String =
                bound.iter().map(|(name, kind)| format!("ruleset {name} : {} do ", self.type_name(*kind))).collect();
            let (guard, body) = (self.condition(&bound, 2), self.body(&bound));
            let ends = "end; ".repeat(bound.len());
            text.push_str(&format!("{ruleset}rule \"r{number}\" {guard} ==> begin {body} end; {ends}\n"));
        }
        for number in 0..1 + self.random.below(2) {
            let bound = self.parameters();
            let forall: String =
                bound.iter().map(|(name, kind)| format!("forall {name} : {} do ", self.type_name(*kind))).collect();
            let condition = self.condition(&bound, 3).replace(" & ", " | ");
            text.push_str(&format!("invariant \"i{number}\" {forall}{condition}{};\n", " end".repeat(bound.len())));
        }
        text
    }

    fn body(&mut self, bound: &[(String, Kind)]) -> String {
        (0..=self.random.below(2)).map(|_| self.statement(bound, 2)).collect::<Vec<_>>().join(" ")
    }

    fn startstate(&self) -> String {
        let mut body = String::new();
        for variable in &self.variables {
            let letters = ["y", "z"];
            let named = variable.indices.iter().zip(letters);
            let loops: String =
                named.clone().map(|(kind, letter)| format!("for {letter} : {} do ", self.type_name(*kind))).collect();
            let indices: String = named.map(|(_, letter)| format!("[{letter}]")).collect();
            let field = variable.field.map_or(String::new(), |field| format!(".{field}"));
            let ends = " end;".repeat(variable.indices.len());
            body.push_str(&format!("  {loops}{}{indices}{field} := {};{ends}\n", variable.name, variable.start));
        }
        let ruleset = format!("ruleset p0 : {} do ruleset q0 : {} do", self.names.first, self.names.second);
        format!("{ruleset} startstate\n{body}end; end; end;\n")
    }
}
