//! From bytes to a certificate.
//!
//! The reader resolves names, and reports every one that does not fit the system; of the JSON it reports the first
//! error only. It reads and resolves the relations rule by rule. So it needs memory for the bytes, for the relations
//! that are wanted, and for the JSON of one rule at a time.

use serde::de::DeserializeSeed;
use system::{
    Comparison, Cube, IndexTerm, IndexTypeId, IndexVariable, IndexVariableId, Literal, NamedId, PropertyId, RuleId,
    StartstateId, System, Term, Universal, VariableId,
};
use thiserror::Error;

use super::shape::{self, Counts, Kind, Object};
use super::words::{self, Words};
use super::{FORMAT, OLDEST_VERSION, VERSION};
use crate::kernel::ground::Read;
use crate::kernel::proof::{
    Argument, Certificate, InitialEntry, Instance, Invariant, InvariantId, InvariantOrigin, Match, PropertyEntry,
    Relation, RelationEntry, Split, SplitOn, Symbol,
};

/// At most this many problems are listed.
const PROBLEM_LIMIT: usize = 1000;

/// Why bytes are not a certificate for a system.
#[derive(Debug, Error)]
pub enum ReadError {
    /// The bytes are not JSON of the right form.
    #[error("line {line}, column {column}: {message}")]
    Json {
        /// The line, from 1.
        line: usize,
        /// The column, from 1.
        column: usize,
        /// What is wrong.
        message: String,
    },
    /// The file is something else.
    #[error("this is not a certificate: its `format` is {found:?}, not {FORMAT:?}")]
    Format {
        /// The `format` of the file.
        found: String,
    },
    /// This program does not know the version.
    #[error("the certificate has version {found}; this program reads versions {OLDEST_VERSION} to {VERSION}{}", older(*found))]
    Version {
        /// The version.
        found: u32,
    },
    /// Names or numbers do not fit the system or each other.
    #[error("{}", show(.0))]
    Names(Vec<ReadProblem>),
}

/// A name or a number that does not fit the system.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{place}: {what}")]
pub struct ReadProblem {
    /// Where it is: `invariants[3]`, `relations, rule 2, entry 17`.
    pub place: String,
    /// What is wrong.
    pub what: String,
}

/// Advice about an old version.
fn older(version: u32) -> &'static str {
    if version < OLDEST_VERSION {
        ": older versions do not say what their proof covers; `paraproof find` makes a new certificate"
    } else {
        ""
    }
}

fn show(problems: &[ReadProblem]) -> String {
    let lines: Vec<String> = problems.iter().map(ToString::to_string).collect();
    lines.join("\n")
}

/// Reads a certificate.
///
/// # Errors
/// If the bytes are not JSON of the right form and version, or the names in it are not those of the system.
pub fn read(bytes: &[u8], system: &System) -> Result<Certificate, ReadError> {
    read_rules(bytes, system, &|_| true).map(|(certificate, _)| certificate)
}

/// Reads a certificate without the relations of rules that are not wanted; names in those are not resolved. Returns
/// the number of all relations, too.
///
/// # Errors
/// As for [`read`].
pub(crate) fn read_rules(
    bytes: &[u8],
    system: &System,
    wanted: &dyn Fn(RuleId) -> bool,
) -> Result<(Certificate, u64), ReadError> {
    let file = parse(bytes)?;
    let mut reader = Reader { system, invariants: Vec::new(), counts: Counts::default(), problems: Vec::new() };
    let (counts, mut certificate) = reader.file(file);
    let mut last = None;
    let mut each = |group: shape::RuleRelations| reader.group(group, &mut last, wanted, &mut certificate.relations);
    let mut json = serde_json::Deserializer::from_slice(bytes);
    shape::EachRule(&mut each).deserialize(&mut json).map_err(json_error)?;
    reader.compare(&counts);
    let relations = reader.counts.relations;
    if reader.problems.is_empty() { Ok((certificate, relations)) } else { Err(ReadError::Names(reader.problems)) }
}

/// The invariants of a certificate that may be for another form of the model.
#[derive(Clone, Debug)]
pub struct Candidates {
    /// The digest of the model that the certificate is for.
    pub model_digest: String,
    /// The settings of that model.
    pub settings: Vec<String>,
    /// For each invariant, its cube in terms of the system; or why it says nothing about it, as the first name that the system
    /// does not have.
    pub cubes: Vec<Result<Cube, String>>,
}

/// Reads the invariants alone, for a system that need not be that of the certificate. They claim nothing about it.
///
/// # Errors
/// If the bytes are not JSON of the right form and version.
pub fn read_candidates(bytes: &[u8], system: &System) -> Result<Candidates, ReadError> {
    let file = parse(bytes)?;
    let reader = Reader { system, invariants: Vec::new(), counts: Counts::default(), problems: Vec::new() };
    let candidate = |(position, Object(found)): (usize, Object<shape::Invariant>)| {
        let cube = reader.invariant(position, found)?.cube;
        system::wellformed::cube(system, &cube).map_err(str::to_owned)?;
        let others = cube.universals.iter().map(|universal| universal.variables.len()).max().unwrap_or(0);
        if cube.variables.len().saturating_add(others) > Cube::MOST_IN_CANDIDATE {
            return Err(format!("it is about more than {} elements", Cube::MOST_IN_CANDIDATE));
        }
        let normal = Cube::normalize_with(system, &cube.variables, &cube.literals, &cube.universals);
        normal.ok_or_else(|| "it always holds now".to_owned())
    };
    Ok(Candidates {
        cubes: file.invariants.into_iter().enumerate().map(candidate).collect(),
        model_digest: file.model.0.sha256,
        settings: file.model.0.settings,
    })
}

/// Everything but the relations, with names as they are in the file.
fn parse(bytes: &[u8]) -> Result<shape::File, ReadError> {
    let version: shape::Version = serde_json::from_slice(bytes).map_err(json_error)?;
    if version.format != FORMAT {
        return Err(ReadError::Format { found: version.format });
    }
    if !(OLDEST_VERSION..=VERSION).contains(&version.version) {
        return Err(ReadError::Version { found: version.version });
    }
    let Object(file) = serde_json::from_slice(bytes).map_err(json_error)?;
    Ok(file)
}

fn json_error(error: serde_json::Error) -> ReadError {
    let (line, column) = (error.line(), error.column());
    let text = error.to_string();
    let message = text.strip_suffix(&format!(" at line {line} column {column}")).unwrap_or(&text).to_owned();
    ReadError::Json { line, column, message }
}

/// A file whose names are being resolved.
struct Reader<'a> {
    system: &'a System,
    /// The types of the variables of each invariant.
    invariants: Vec<Vec<IndexTypeId>>,
    /// What has been read so far.
    counts: Counts,
    problems: Vec<ReadProblem>,
}

/// A resolved part of the file, or what is wrong with it. The caller adds the place.
type Resolved<T> = Result<T, String>;

impl Reader<'_> {
    /// Everything but the relations, and the counts in the file.
    fn file(&mut self, file: shape::File) -> (Counts, Certificate) {
        self.header(&file);
        self.counts.invariants = length(file.invariants.len());
        self.counts.proofs = length(file.proofs.len());
        self.counts.initial = length(file.initial.len());
        let invariants: Vec<Invariant> = self.each("invariants", file.invariants, Self::invariant);
        let cubes = invariants.iter().map(|invariant| &invariant.cube);
        let cubes = cubes.chain(self.system.axioms.iter().flat_map(|axiom| &axiom.bad));
        self.invariants = cubes.map(|cube| cube.variables.clone()).collect();
        let certificate = Certificate {
            model_digest: file.model.0.sha256,
            settings: file.model.0.settings,
            properties: self.each("proofs", file.proofs, Self::proof),
            invariants,
            initial: self.each("initial", file.initial, Self::initial),
            relations: Vec::new(),
        };
        (file.counts.0, certificate)
    }

    /// Resolves each element of a table, and reports those that are wrong.
    fn each<T, U>(
        &mut self,
        table: &str,
        elements: Vec<Object<T>>,
        resolve: impl Fn(&Self, usize, T) -> Resolved<U>,
    ) -> Vec<U> {
        let mut all = Vec::with_capacity(elements.len());
        for (position, Object(element)) in elements.into_iter().enumerate() {
            match resolve(self, position, element) {
                Ok(resolved) => all.push(resolved),
                Err(what) => self.problem(format!("{table}[{position}]"), what),
            }
        }
        all
    }

    fn problem(&mut self, place: String, what: String) {
        if self.problems.len() < PROBLEM_LIMIT {
            self.problems.push(ReadProblem { place, what });
        }
    }

    /// The lists of names have to be those of the system.
    fn header(&mut self, file: &shape::File) {
        let types: Vec<(&str, Vec<&str>)> = file
            .index_types
            .iter()
            .map(|Object(t)| (t.name.as_str(), t.named.iter().map(String::as_str).collect()))
            .collect();
        let own_types: Vec<(&str, Vec<&str>)> = (0..)
            .map(IndexTypeId)
            .zip(&self.system.index_types)
            .map(|(id, t)| (t.name.as_str(), named_of(self.system, id)))
            .collect();
        let own_rules: Vec<(&str, &str)> =
            self.system.rules.iter().map(|rule| (rule.name.as_str(), rule.case.as_str())).collect();
        let rules: Vec<(&str, &str)> = file.rules.iter().map(|(name, case)| (name.as_str(), case.as_str())).collect();
        let own_starts: Vec<&str> = self.system.startstates.iter().map(|start| start.name.as_str()).collect();
        let starts: Vec<&str> = file.startstates.iter().map(String::as_str).collect();
        let own_properties: Vec<&str> = self.system.properties.iter().map(|p| p.name.as_str()).collect();
        let properties: Vec<&str> = file.properties.iter().map(String::as_str).collect();
        self.claim(&file.claim.0);
        self.same("index_types", &own_types, &types);
        self.same("startstates", &own_starts, &starts);
        self.same("rules", &own_rules, &rules);
        self.same("properties", &own_properties, &properties);
        let own_axioms: Vec<&str> = self.system.axioms.iter().map(|axiom| axiom.name.as_str()).collect();
        let axioms: Vec<&str> = file.axioms.iter().map(String::as_str).collect();
        self.same("axioms", &own_axioms, &axioms);
    }

    /// The claim of the file has to be that of the model.
    fn claim(&mut self, found: &shape::Claim) {
        let due = shape::Claim::of(self.system);
        self.same("claim.any_size", &due.any_size, &found.any_size);
        self.same("claim.constants", &due.constants, &found.constants);
        self.same("claim.finite_types", &due.finite_types, &found.finite_types);
        self.same("claim.assumptions", &due.assumptions, &found.assumptions);
        self.same("claim.left_out", &due.left_out, &found.left_out);
    }

    fn same<T: PartialEq + Words>(&mut self, table: &str, due: &[T], found: &[T]) {
        if due != found {
            self.problem(table.to_owned(), words::difference(due, found));
        }
    }

    /// The counts of the file have to be right.
    fn compare(&mut self, found: &Counts) {
        let due = self.counts;
        if *found != due && self.problems.is_empty() {
            self.problem("counts".to_owned(), words::counts(due, *found));
        }
    }

    fn invariant(&self, position: usize, found: shape::Invariant) -> Resolved<Invariant> {
        if usize::try_from(found.id) != Ok(position) {
            return Err(format!("`id` is {}", found.id));
        }
        let (variables, literals) = (self.index_types(&found.variables)?, self.literals(found.literals)?);
        let universal = |Object(found): Object<shape::Universal>| {
            let (variables, literals) = (self.index_types(&found.variables)?, self.literals(found.literals)?);
            Ok(Universal { variables, literals })
        };
        let universals = found.universals.into_iter().map(universal).collect::<Resolved<_>>()?;
        let origin = match found.origin {
            shape::Origin::Property(Object(origin)) => InvariantOrigin::Property(PropertyId(origin.property)),
            shape::Origin::PreImage(Object(origin)) => {
                InvariantOrigin::PreImage { rule: RuleId(origin.rule), of: InvariantId(origin.of) }
            }
        };
        Ok(Invariant { cube: Cube { variables, literals, universals }, origin })
    }

    fn index_types(&self, names: &[String]) -> Resolved<Vec<IndexTypeId>> {
        names.iter().map(|name| self.index_type(name)).collect()
    }

    fn bound(
        &self,
        left: &[shape::Symbol],
        comparison: Comparison,
        right: Option<Vec<shape::Symbol>>,
    ) -> Resolved<Literal> {
        let (left, right) = (self.cube_read(left)?, right.map_or(Ok(Term::Zero), |right| self.cube_read(&right))?);
        Ok(Literal { left, comparison, right })
    }

    fn literals(&self, found: Vec<shape::Literal>) -> Resolved<Vec<Literal>> {
        let literal = |found| match found {
            shape::Literal::Equation(left, equal, right) => {
                let (left, right) = (self.cube_read(&left)?, self.right(right)?);
                Ok(Literal { left, comparison: Comparison::equal_if(equal), right })
            }
            shape::Literal::AtMost(left, right, sum) => self.bound(&left, Comparison::AtMost(sum.0), right),
            shape::Literal::AtLeast(left, right, sum) => self.bound(&left, Comparison::AtLeast(sum.0), right),
        };
        found.into_iter().map(literal).collect()
    }

    fn right(&self, found: shape::Right) -> Resolved<Term> {
        Ok(match found {
            shape::Right::Variable(number) => Term::Index(IndexTerm::Variable(IndexVariableId(number))),
            shape::Right::Constant(name) => {
                let position = self.system.constants.iter().position(|constant| constant.name == name);
                let position = position.ok_or_else(|| format!("there is no constant {name:?}"))?;
                Term::Constant(system::ConstantId(number(position)?))
            }
            shape::Right::Read(read) => self.cube_read(&read)?,
            shape::Right::Element(Object(element)) => {
                let index_type = self.index_type(&element.of)?;
                Term::Index(IndexTerm::Named(self.named(&element.element, Some(index_type))?))
            }
        })
    }

    /// A read whose arguments are variables of a cube or named elements.
    fn cube_read(&self, found: &[shape::Symbol]) -> Resolved<Term> {
        let (variable, arguments) = self.read(found)?;
        let arguments = arguments
            .into_iter()
            .map(|symbol| match symbol {
                Symbol::Variable(number) => Ok(IndexTerm::Variable(IndexVariableId(number))),
                Symbol::Named(named) => Ok(IndexTerm::Named(named)),
                Symbol::Other(number) => Err(format!("an invariant has no other element `+{number}`")),
            })
            .collect::<Resolved<_>>()?;
        Ok(Term::Read(variable, arguments))
    }

    /// A read: the name of a state variable, then its arguments.
    fn read(&self, found: &[shape::Symbol]) -> Resolved<(VariableId, Vec<Symbol>)> {
        let Some((shape::Symbol::Plain(name), arguments)) = found.split_first() else {
            return Err("a read starts with the name of a state variable".to_owned());
        };
        let position = self.system.variables.iter().position(|variable| variable.name == *name);
        let position = position.ok_or_else(|| format!("there is no state variable {name:?}"))?;
        let types = &self.system.variables[position].arguments;
        Ok((VariableId(number(position)?), self.symbols(arguments, types)?))
    }

    fn symbols(&self, found: &[shape::Symbol], types: &[IndexTypeId]) -> Resolved<Vec<Symbol>> {
        let types = types.iter().copied().map(Some).chain(std::iter::repeat(None));
        found.iter().zip(types).map(|(symbol, index_type)| self.symbol(symbol, index_type)).collect()
    }

    fn symbol(&self, found: &shape::Symbol, index_type: Option<IndexTypeId>) -> Resolved<Symbol> {
        match found {
            shape::Symbol::Variable(number) => Ok(Symbol::Variable(*number)),
            shape::Symbol::Other(number) => Ok(Symbol::Other(*number)),
            shape::Symbol::Named(name) => Ok(Symbol::Named(self.named(name, index_type)?)),
            shape::Symbol::Plain(text) => Err(format!("{text:?} is not an element: a number, `@NAME` or `+NUMBER`")),
        }
    }

    fn named(&self, name: &str, index_type: Option<IndexTypeId>) -> Resolved<NamedId> {
        let fits = |named: &system::NamedElement| named.name == name && Some(named.index_type) == index_type;
        let position = self.system.named.iter().position(fits);
        Ok(NamedId(number(position.ok_or_else(|| format!("there is no element {name:?} of that type"))?)?))
    }

    fn index_type(&self, name: &str) -> Resolved<IndexTypeId> {
        let position = self.system.index_types.iter().position(|own| own.name == name);
        Ok(IndexTypeId(number(position.ok_or_else(|| format!("there is no index type {name:?}"))?)?))
    }

    fn proof(&self, _: usize, found: shape::Proof) -> Resolved<PropertyEntry> {
        let name = usize::try_from(found.property).ok().and_then(|id| self.system.properties.get(id)).map(|p| &p.name);
        if name != Some(&found.name) {
            return Err(format!("property {} is not called {:?}", found.property, found.name));
        }
        let argument = self.argument(found.by, found.split)?;
        Ok(PropertyEntry { property: PropertyId(found.property), cube: found.cube, argument })
    }

    fn initial(&self, _: usize, found: shape::Initial) -> Resolved<InitialEntry> {
        let start = usize::try_from(found.s).ok().and_then(|id| self.system.startstates.get(id));
        let start = start.ok_or_else(|| format!("there is no startstate {}", found.s))?;
        let matching = Match(self.symbols(&found.m, &types_of(&start.scope))?);
        Ok(InitialEntry { startstate: StartstateId(found.s), invariant: InvariantId(found.i), matching })
    }

    /// The relations of one rule, which come after those of rule `last`.
    fn group(
        &mut self,
        group: shape::RuleRelations,
        last: &mut Option<u32>,
        wanted: &dyn Fn(RuleId) -> bool,
        relations: &mut Vec<RelationEntry>,
    ) {
        for Object(entry) in &group.entries {
            self.counts.add(entry.k);
        }
        let before = last.replace(group.rule);
        if group.entries.is_empty() || before.is_some_and(|before| group.rule <= before) {
            let what = "a rule has no entries, or does not come after the rules before it".to_owned();
            self.problem(format!("relations, rule {}", group.rule), what);
        } else if wanted(RuleId(group.rule)) {
            self.relations_of_rule(group, relations);
        }
    }

    fn relations_of_rule(&mut self, group: shape::RuleRelations, relations: &mut Vec<RelationEntry>) {
        let place = format!("relations, rule {}", group.rule);
        let system = self.system;
        let Some(rule) = usize::try_from(group.rule).ok().and_then(|id| system.rules.get(id)) else {
            self.problem(place, "there is no such rule".to_owned());
            return;
        };
        if (&rule.name, &rule.case) != (&group.name, &group.case) {
            let [found, due] = [(&group.name, &group.case), (&rule.name, &rule.case)];
            let [found, due] = [found, due].map(|(name, case)| (name.as_str(), case.as_str()).words());
            let what = format!("it is not {found}, but {due}");
            self.problem(place, what);
            return;
        }
        let types = types_of(&rule.scope);
        for (position, Object(entry)) in group.entries.into_iter().enumerate() {
            match self.relation(RuleId(group.rule), &types, entry) {
                Ok(entry) => relations.push(entry),
                Err(what) => self.problem(format!("{place}, entry {position}"), what),
            }
        }
    }

    fn relation(&self, rule: RuleId, types: &[IndexTypeId], found: shape::Relation) -> Resolved<RelationEntry> {
        let matching = found.m.map(|symbols| self.symbols(&symbols, types)).transpose()?.map(Match);
        let relation = match (found.k, found.by) {
            (Kind::Implied, Some(by)) => Relation::Implied(self.argument(by, found.split)?),
            (Kind::HoldsAfter, None) if found.split.is_none() => Relation::HoldsAfter,
            (Kind::Unaffected, None) if found.split.is_none() => Relation::Unaffected,
            _ => return Err("`by` belongs to `implied` only, and so does `split`".to_owned()),
        };
        Ok(RelationEntry { rule, invariant: InvariantId(found.i), matching, branch: found.b, relation })
    }

    /// Nesting is bounded by the JSON reader.
    fn argument(&self, by: Vec<shape::Instance>, split: Option<Box<Object<shape::Split>>>) -> Resolved<Argument> {
        let premises = by.into_iter().map(|found| self.instance(found)).collect::<Resolved<_>>()?;
        let split = split.map(|split| self.split(split.0).map(Box::new)).transpose()?;
        Ok(Argument { premises, split })
    }

    fn split(&self, found: shape::Split) -> Resolved<Split> {
        let read = |found: &[shape::Symbol]| {
            let (variable, arguments) = self.read(found)?;
            Ok::<_, String>(Read { variable, arguments })
        };
        let on = match (found.on, found.witness, found.bound) {
            (Some(read), None, None) => {
                let (variable, arguments) = self.read(&read)?;
                SplitOn::Value(variable, arguments)
            }
            (None, Some(instance), None) => SplitOn::Witness(self.instance(instance)?),
            (None, None, Some(shape::Bound(left, right, sum))) => {
                SplitOn::Bound(read(&left)?, right.map(|right| read(&right)).transpose()?, sum.0)
            }
            _ => return Err("a split has one of `on`, `witness` and `bound`".to_owned()),
        };
        let cases =
            found.cases.into_iter().map(|Object(case)| self.argument(case.by, case.split)).collect::<Resolved<_>>()?;
        Ok(Split { on, cases })
    }

    fn instance(&self, shape::Instance(invariant, symbols): shape::Instance) -> Resolved<Instance> {
        let types = usize::try_from(invariant).ok().and_then(|id| self.invariants.get(id));
        let substitution = self.symbols(&symbols, types.map_or(&[], Vec::as_slice))?;
        Ok(Instance { invariant: InvariantId(invariant), substitution })
    }
}

impl Counts {
    pub(super) fn of(certificate: &Certificate) -> Self {
        let mut counts = Self {
            invariants: length(certificate.invariants.len()),
            proofs: length(certificate.properties.len()),
            initial: length(certificate.initial.len()),
            ..Self::default()
        };
        for entry in &certificate.relations {
            counts.add(match entry.relation {
                Relation::HoldsAfter => Kind::HoldsAfter,
                Relation::Unaffected => Kind::Unaffected,
                Relation::Implied(_) => Kind::Implied,
            });
        }
        counts
    }

    /// Counts one more relation.
    fn add(&mut self, kind: Kind) {
        let count = match kind {
            Kind::HoldsAfter => &mut self.holds_after,
            Kind::Unaffected => &mut self.unaffected,
            Kind::Implied => &mut self.implied,
        };
        *count = count.saturating_add(1);
        self.relations = self.relations.saturating_add(1);
    }
}

fn length(count: usize) -> u64 {
    u64::try_from(count).unwrap_or(u64::MAX)
}

/// The names of the named elements of a type.
pub(super) fn named_of(system: &System, index_type: IndexTypeId) -> Vec<&str> {
    system.named.iter().filter(|named| named.index_type == index_type).map(|named| named.name.as_str()).collect()
}

fn types_of(scope: &[IndexVariable]) -> Vec<IndexTypeId> {
    scope.iter().map(|variable| variable.index_type).collect()
}

fn number(position: usize) -> Resolved<u32> {
    u32::try_from(position).map_err(|_| "a table is too long".to_owned())
}
