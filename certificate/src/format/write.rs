//! From a certificate to bytes.
//!
//! The output is canonical JSON, one entry on each line. A number that the system does not have is written with the
//! name `?`, which no reader accepts.

use system::{Comparison, IndexTerm, IndexTypeId, Literal, NamedId, RuleId, System, Term, VariableId};

use serde::Serialize;

use super::read::named_of;
use super::shape::{Claim, Counts};
use super::{FORMAT, NAMED_SIGN, OLDEST_VERSION, OTHER_SIGN, UNIVERSAL_VERSION, VERSION};
use crate::kernel::proof::{
    Argument, Certificate, InitialEntry, Instance, Invariant, InvariantOrigin, PropertyEntry, Relation, RelationEntry,
    Split, SplitOn, Symbol,
};

/// Writes a certificate.
#[must_use]
pub fn write(certificate: &Certificate, system: &System) -> String {
    let mut writer = Writer { system, text: String::new() };
    writer.file(certificate);
    writer.text
}

/// The version of the format that a certificate needs: the oldest that has everything that occurs in it.
fn version_of(certificate: &Certificate, system: &System) -> u32 {
    let universal = certificate.invariants.iter().any(|invariant| !invariant.cube.universals.is_empty());
    if system.sorts.iter().any(|sort| sort.numbers.is_some()) {
        VERSION
    } else if universal || !system.axioms.is_empty() {
        UNIVERSAL_VERSION
    } else {
        OLDEST_VERSION
    }
}

/// The text so far.
struct Writer<'a> {
    system: &'a System,
    text: String,
}

impl Writer<'_> {
    fn file(&mut self, certificate: &Certificate) {
        self.raw("{\n\"format\":");
        self.string(FORMAT);
        self.raw(",\n\"version\":");
        self.number(version_of(certificate, self.system));
        self.raw(",\n\"model\":{\"sha256\":");
        self.string(&certificate.model_digest);
        self.raw(",\"settings\":");
        self.list(&certificate.settings, |writer, setting| writer.string(setting));
        self.raw("}");
        self.claim(&Claim::of(self.system));
        self.names();
        self.counts(&Counts::of(certificate));
        let numbered: Vec<(usize, &Invariant)> = certificate.invariants.iter().enumerate().collect();
        self.table("invariants", &numbered, |writer, (number, invariant)| writer.invariant(*number, invariant));
        self.table("proofs", &certificate.properties, Self::proof);
        self.table("initial", &certificate.initial, Self::initial);
        let groups: Vec<&[RelationEntry]> = certificate.relations.chunk_by(|a, b| a.rule == b.rule).collect();
        self.table("relations", &groups, |writer, group| writer.relations_of_rule(group));
        self.raw("\n}\n");
    }

    /// The names that numbers in the file stand for.
    fn names(&mut self) {
        let system = self.system;
        let types: Vec<(IndexTypeId, &str)> =
            (0..).map(IndexTypeId).zip(system.index_types.iter().map(|t| t.name.as_str())).collect();
        self.table("index_types", &types, |writer, (id, name)| {
            writer.raw("{\"name\":");
            writer.string(name);
            writer.raw(",\"named\":");
            writer.list(&named_of(system, *id), |writer, name| writer.string(name));
            writer.raw("}");
        });
        self.table("startstates", &system.startstates, |writer, start| writer.string(&start.name));
        self.table("rules", &system.rules, |writer, rule| {
            writer.list(&[&rule.name, &rule.case], |writer, name| writer.string(name));
        });
        self.table("properties", &system.properties, |writer, property| writer.string(&property.name));
        if !system.axioms.is_empty() {
            self.table("axioms", &system.axioms, |writer, axiom| writer.string(&axiom.name));
        }
    }

    /// The claim of the proof, one kind on each line.
    fn claim(&mut self, claim: &Claim) {
        self.raw(",\n\"claim\":{\n\"any_size\":");
        self.json(&claim.any_size);
        self.raw(",\n\"constants\":");
        self.json(&claim.constants);
        self.raw(",\n\"finite_types\":");
        self.json(&claim.finite_types);
        self.raw(",\n\"assumptions\":");
        self.json(&claim.assumptions);
        self.raw(",\n\"left_out\":");
        self.json(&claim.left_out);
        self.raw("}");
    }

    fn counts(&mut self, counts: &Counts) {
        self.raw(",\n\"counts\":");
        self.json(counts);
    }

    #[expect(clippy::expect_used, reason = "writing to a string does not fail")]
    fn json(&mut self, value: &impl Serialize) {
        self.raw(&serde_json::to_string(value).expect("structs of numbers, texts and lists are JSON"));
    }

    fn invariant(&mut self, number: usize, invariant: &Invariant) {
        self.raw("{\"id\":");
        self.raw(&number.to_string());
        self.raw(",\"variables\":");
        self.list(&invariant.cube.variables, |writer, index_type| writer.type_name(*index_type));
        self.raw(",\"literals\":");
        self.list(&invariant.cube.literals, Self::literal);
        if !invariant.cube.universals.is_empty() {
            self.raw(",\"universals\":");
            self.list(&invariant.cube.universals, |writer, universal| {
                writer.raw("{\"variables\":");
                writer.list(&universal.variables, |writer, index_type| writer.type_name(*index_type));
                writer.raw(",\"literals\":");
                writer.list(&universal.literals, Self::literal);
                writer.raw("}");
            });
        }
        match invariant.origin {
            InvariantOrigin::Property(property) => {
                self.raw(",\"origin\":{\"property\":");
                self.number(property.0);
            }
            InvariantOrigin::PreImage { rule, of } => {
                self.raw(",\"origin\":{\"rule\":");
                self.number(rule.0);
                self.raw(",\"of\":");
                self.number(of.0);
            }
        }
        self.raw("}}");
    }

    fn literal(&mut self, literal: &Literal) {
        self.raw("[");
        self.term(&literal.left);
        let (sign, sum) = match literal.comparison {
            Comparison::Different => ("!=", None),
            Comparison::Equal => ("=", None),
            Comparison::AtMost(sum) => ("<=", Some(sum)),
            Comparison::AtLeast(sum) => (">=", Some(sum)),
        };
        self.raw(&format!(",\"{sign}\","));
        self.term(&literal.right);
        if let Some(sum) = sum {
            self.raw(&format!(",{sum}"));
        }
        self.raw("]");
    }

    fn term(&mut self, term: &Term) {
        match term {
            Term::Constant(constant) => {
                let name = self.system.constants.get(constant.index()).map_or("?", |constant| constant.name.as_str());
                self.string(name);
            }
            Term::Zero => self.raw("null"),
            Term::Index(IndexTerm::Variable(variable)) => self.number(variable.0),
            Term::Index(IndexTerm::Named(named)) => {
                self.raw("{\"element\":");
                let name = self.named_name(*named).to_owned();
                self.string(&name);
                self.raw(",\"of\":");
                match self.system.named.get(named.index()) {
                    Some(named) => self.type_name(named.index_type),
                    None => self.string("?"),
                }
                self.raw("}");
            }
            Term::Read(variable, arguments) => {
                let arguments: Vec<Symbol> = arguments
                    .iter()
                    .map(|argument| match argument {
                        IndexTerm::Variable(variable) => Symbol::Variable(variable.0),
                        IndexTerm::Named(named) => Symbol::Named(*named),
                    })
                    .collect();
                self.read(*variable, &arguments);
            }
        }
    }

    fn read(&mut self, variable: VariableId, arguments: &[Symbol]) {
        self.raw("[");
        let name = self.system.variables.get(variable.index()).map_or("?", |variable| variable.name.as_str());
        self.string(name);
        for argument in arguments {
            self.raw(",");
            self.symbol(*argument);
        }
        self.raw("]");
    }

    fn proof(&mut self, entry: &PropertyEntry) {
        self.raw("{\"property\":");
        self.number(entry.property.0);
        self.raw(",\"name\":");
        let name = self.system.properties.get(entry.property.index()).map_or("?", |property| property.name.as_str());
        self.string(name);
        self.raw(",\"cube\":");
        self.number(entry.cube);
        self.raw(",");
        self.argument(&entry.argument);
        self.raw("}");
    }

    fn initial(&mut self, entry: &InitialEntry) {
        self.raw("{\"s\":");
        self.number(entry.startstate.0);
        self.raw(",\"i\":");
        self.number(entry.invariant.0);
        self.raw(",\"m\":");
        self.symbols(&entry.matching.0);
        self.raw("}");
    }

    fn relations_of_rule(&mut self, group: &[RelationEntry]) {
        let rule = group.first().map_or(RuleId(0), |entry| entry.rule);
        let (name, case) = self.system.rules.get(rule.index()).map_or(("?", "?"), |rule| (&rule.name, &rule.case));
        self.raw("{\"rule\":");
        self.number(rule.0);
        self.raw(",\"name\":");
        self.string(name);
        self.raw(",\"case\":");
        self.string(case);
        self.raw(",\"entries\":[");
        self.lines(group, Self::relation);
        self.raw("]}");
    }

    fn relation(&mut self, entry: &RelationEntry) {
        self.raw("{\"i\":");
        self.number(entry.invariant.0);
        if let Some(matching) = &entry.matching {
            self.raw(",\"m\":");
            self.symbols(&matching.0);
        }
        if let Some(branch) = entry.branch {
            self.raw(",\"b\":");
            self.number(branch);
        }
        match &entry.relation {
            Relation::HoldsAfter => self.raw(",\"k\":\"holds_after\"}"),
            Relation::Unaffected => self.raw(",\"k\":\"unaffected\"}"),
            Relation::Implied(argument) => {
                self.raw(",\"k\":\"implied\",");
                self.argument(argument);
                self.raw("}");
            }
        }
    }

    /// An argument; the recursion is as deep as its splits are nested.
    fn argument(&mut self, argument: &Argument) {
        self.raw("\"by\":");
        self.list(&argument.premises, Self::instance);
        if let Some(split) = &argument.split {
            self.raw(",\"split\":");
            self.split(split);
        }
    }

    fn instance(&mut self, instance: &Instance) {
        self.raw("[");
        self.number(instance.invariant.0);
        self.raw(",");
        self.symbols(&instance.substitution);
        self.raw("]");
    }

    fn split(&mut self, split: &Split) {
        match &split.on {
            SplitOn::Value(variable, arguments) => {
                self.raw("{\"on\":");
                self.read(*variable, arguments);
            }
            SplitOn::Witness(instance) => {
                self.raw("{\"witness\":");
                self.instance(instance);
            }
            SplitOn::Bound(left, right, sum) => {
                self.raw("{\"bound\":[");
                self.read(left.variable, &left.arguments);
                self.raw(",");
                match right {
                    Some(right) => self.read(right.variable, &right.arguments),
                    None => self.raw("null"),
                }
                self.raw(&format!(",{sum}]"));
            }
        }
        self.raw(",\"cases\":");
        self.list(&split.cases, |writer, case| {
            writer.raw("{");
            writer.argument(case);
            writer.raw("}");
        });
        self.raw("}");
    }

    fn symbols(&mut self, symbols: &[Symbol]) {
        self.list(symbols, |writer, symbol| writer.symbol(*symbol));
    }

    fn symbol(&mut self, symbol: Symbol) {
        match symbol {
            Symbol::Variable(number) => self.number(number),
            Symbol::Other(number) => {
                let mut text = String::from(OTHER_SIGN);
                text.push_str(&number.to_string());
                self.string(&text);
            }
            Symbol::Named(named) => {
                let mut text = String::from(NAMED_SIGN);
                text.push_str(self.named_name(named));
                self.string(&text);
            }
        }
    }

    fn named_name(&self, named: NamedId) -> &str {
        self.system.named.get(named.index()).map_or("?", |named| named.name.as_str())
    }

    fn type_name(&mut self, index_type: IndexTypeId) {
        let name = self.system.index_types.get(index_type.index()).map_or("?", |own| own.name.as_str());
        self.string(name);
    }

    /// A key and its list, one element on each line.
    fn table<T>(&mut self, key: &str, elements: &[T], write: impl Fn(&mut Self, &T)) {
        self.raw(",\n");
        self.string(key);
        self.raw(":[");
        self.lines(elements, write);
        self.raw("]");
    }

    fn lines<T>(&mut self, elements: &[T], write: impl Fn(&mut Self, &T)) {
        for (position, element) in elements.iter().enumerate() {
            self.raw(if position == 0 { "\n" } else { ",\n" });
            write(self, element);
        }
        self.raw("\n");
    }

    fn list<T>(&mut self, elements: &[T], write: impl Fn(&mut Self, &T)) {
        self.raw("[");
        for (position, element) in elements.iter().enumerate() {
            if position > 0 {
                self.raw(",");
            }
            write(self, element);
        }
        self.raw("]");
    }

    fn number(&mut self, number: u32) {
        self.text.push_str(&number.to_string());
    }

    fn string(&mut self, text: &str) {
        self.text.push_str(&serde_json::Value::from(text).to_string());
    }

    fn raw(&mut self, text: &str) {
        self.text.push_str(text);
    }
}
