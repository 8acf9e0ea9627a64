//! Drives the kernel: on several threads, for as long as the caller wishes, over all places or over some.
//!
//! Nothing here decides anything: [`Check::accept`] rejects what was not checked.

use rayon::prelude::*;
use system::System;

use crate::kernel::accept::{Check, CheckedCertificate, Model};
use crate::kernel::fault::{Fault, Place};
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
    let places: Vec<Place> = check.places().into_iter().collect();
    let findings = places.into_par_iter().filter(|_| proceed()).map(|place| check.at(place)).collect();
    check.accept(findings)
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
    let places: Vec<Place> = check.places().into_iter().filter(wanted).collect();
    let faults: Vec<Vec<Fault>> = places.into_par_iter().map(|place| check.at(place).into_faults()).collect();
    faults.concat()
}
