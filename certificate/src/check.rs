//! Drives the kernel: on several threads, for as long as the caller wishes, over all places or over some.
//!
//! Nothing here accepts anything: [`Check::accept`] rejects what was not checked. What is not in canonical form is rejected
//! here.

use std::collections::BTreeSet;

use rayon::prelude::*;
use system::{System, alone};

use crate::format::canonical;
use crate::kernel::accept::{Check, CheckedCertificate, Model};
use crate::kernel::fault::{Fault, Place, Problem};
use crate::kernel::proof::Certificate;

/// Whether to go on. It is called from several threads.
pub type Proceed<'p> = dyn Fn() -> bool + Sync + 'p;

/// Checks a certificate.
///
/// # Errors
/// Returns all faults, in the order of the certificate.
pub fn check<'a>(
    system: &'a System,
    certificate: &'a Certificate,
    model: &Model,
) -> Result<CheckedCertificate<'a>, Vec<Fault>> {
    check_while(system, certificate, model, &|| true)
}

/// Checks a certificate, for as long as `proceed` returns `true`.
///
/// # Errors
/// Returns all faults. An interrupted check is a fault.
pub fn check_while<'a>(
    system: &'a System,
    certificate: &'a Certificate,
    model: &Model,
    proceed: &Proceed<'_>,
) -> Result<CheckedCertificate<'a>, Vec<Fault>> {
    let check = Check::new(system, certificate, model)?;
    let findings = at_all(check.places(), |place| proceed().then(|| check.at(place))).into_iter().flatten().collect();
    let accepted = check.accept(findings);
    let form = canonical::faults(system, certificate);
    if form.is_empty() { accepted } else { Err(joined(accepted.err().unwrap_or_default(), form)) }
}

/// The faults at some of the places, in the order of the certificate.
pub(crate) fn faults_at(
    system: &System,
    certificate: &Certificate,
    model: &Model,
    wanted: impl Fn(&Place) -> bool,
) -> Vec<Fault> {
    let check = match Check::new(system, certificate, model) {
        Ok(check) => check,
        Err(faults) => return faults,
    };
    let places = check.places().into_iter().filter(&wanted);
    let faults = at_all(places, |place| check.at(place).into_faults());
    let mut all = joined(faults.concat(), canonical::faults(system, certificate));
    all.retain(|fault| wanted(&fault.place));
    all
}

/// What is found at each place, in their order: alone at first, then on several threads.
fn at_all<T: Send>(places: impl IntoIterator<Item = Place>, at: impl Fn(Place) -> T + Send + Sync) -> Vec<T> {
    let mut places = places.into_iter();
    let mut found = Vec::new();
    while alone::is_so() {
        let Some(place) = places.next() else { return found };
        found.push(at(place));
    }
    let rest: Vec<Place> = places.collect();
    found.par_extend(rest.into_par_iter().map(at));
    found
}

/// The faults in the order of the certificate. Of an invariant that is not in normal form, nothing else is said.
fn joined(faults: Vec<Fault>, form: Vec<Fault>) -> Vec<Fault> {
    let broken: BTreeSet<Place> = form.iter().filter(|own| is_broken(own)).map(|own| own.place.clone()).collect();
    let is_about_broken = |fault: &Fault| match fault.place {
        Place::Initial { invariant, .. } | Place::Relation { invariant, .. } => {
            broken.contains(&Place::Invariant(invariant))
        }
        Place::System | Place::Header | Place::Invariant(_) | Place::Property { .. } => false,
    };
    let mut all: Vec<Fault> = faults.into_iter().filter(|fault| !is_about_broken(fault)).chain(form).collect();
    all.sort_by(|a, b| a.place.cmp(&b.place));
    all
}

fn is_broken(fault: &Fault) -> bool {
    matches!(fault.problem, Problem::Cube(_))
}
