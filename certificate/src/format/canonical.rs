//! The canonical form of a certificate: what [`crate::check()`] demands beyond what acceptance depends on.
//!
//! Literals are in normal form and distinct, entries are in order, and the origin of an invariant exists. `FORMAT.md`
//! demands this, so that equal proofs are equal files. The kernel brings literals into normal form by itself, and neither
//! the order of entries nor an origin proves anything.

use system::{Cube, Literal, PropertyId, System};

use crate::kernel::accept::listed;
use crate::kernel::fault::{Fault, Place, Problem};
use crate::kernel::ground::{Equation, Ground, Side, environment};
use crate::kernel::proof::{Certificate, InvariantId, InvariantOrigin, Symbol, SymbolTypes};

/// Everything that is not in canonical form, in a certificate and in the cubes of its system.
///
/// Cubes that are not well-formed are left to the kernel.
pub(crate) fn faults(system: &System, certificate: &Certificate) -> Vec<Fault> {
    let mut faults = Vec::new();
    let mut note = |place, problem: Option<Problem>| {
        faults.extend(problem.map(|problem| Fault { place, problem }));
    };
    let properties = system.properties.iter().map(|own| ("property", &own.name, &own.origin, &own.bad));
    let axioms = system.axioms.iter().map(|own| ("assumption", &own.name, &own.origin, &own.bad));
    for (kind, name, origin, cubes) in properties.chain(axioms) {
        let problem = cubes.iter().find_map(|cube| normal_form(system, cube).err());
        let text = |problem| Problem::System(format!("{kind} \"{name}\" (line {}): {problem}", origin.line));
        note(Place::System, problem.map(text));
    }
    for (number, invariant) in (0..).map(InvariantId).zip(&certificate.invariants) {
        let exists = origin_exists(system, certificate, invariant.origin);
        note(Place::Invariant(number), normal_form(system, &invariant.cube).err().map(Problem::Cube));
        note(Place::Invariant(number), (!exists).then_some(Problem::Origin));
    }
    let mut before = None;
    for (place, _) in listed(certificate) {
        let is_less = before.as_ref().is_some_and(|before| place < *before);
        note(place.clone(), is_less.then_some(Problem::Disordered));
        before = Some(place);
    }
    faults
}

fn origin_exists(system: &System, certificate: &Certificate, origin: InvariantOrigin) -> bool {
    let property = |property: PropertyId| property.index() < system.properties.len();
    let invariant = |of: InvariantId| of.index() < certificate.invariants.len();
    match origin {
        InvariantOrigin::Property(own) => property(own),
        InvariantOrigin::PreImage { rule, of } => rule.index() < system.rules.len() && invariant(of),
    }
}

/// The literals of a well-formed cube are facts in normal form, and distinct.
fn normal_form(system: &System, cube: &Cube) -> Result<(), &'static str> {
    if system::wellformed::cube(system, cube).is_err() {
        return Ok(());
    }
    let universals = cube.universals.iter().map(|universal| (&universal.variables[..], &universal.literals));
    for (own, literals) in [(&[][..], &cube.literals)].into_iter().chain(universals) {
        let symbols = SymbolTypes { variables: [&cube.variables, own].concat(), others: Vec::new() };
        literals_in_normal_form(Ground { system, symbols: &symbols }, literals)?;
    }
    Ok(())
}

fn literals_in_normal_form(ground: Ground<'_>, literals: &[Literal]) -> Result<(), &'static str> {
    let variables: Vec<Symbol> = (0..).map(Symbol::Variable).take(ground.symbols.variables.len()).collect();
    let environment = environment(&variables);
    let term = |term| ground.term(term, &environment).map_err(|_| "a literal uses a variable that does not exist");
    for (position, literal) in literals.iter().enumerate() {
        let (left, comparison, right) = (term(&literal.left)?, literal.comparison, term(&literal.right)?);
        let Equation::Open(fact) = ground.comparison(left.clone(), comparison, right.clone()) else {
            return Err("a literal is decided by its form");
        };
        if (Side::Read(fact.left), fact.comparison, fact.right) != (left, comparison, right) {
            return Err("a literal is not in normal form");
        }
        if literals.iter().take(position).any(|earlier| earlier == literal) {
            return Err("a literal occurs twice");
        }
    }
    Ok(())
}
