//! A fault with the names of the model and the line that it is about.

use serde::{Deserialize, Serialize};
use system::{Origin, System};

use super::text::Names;
use crate::kernel::fault::{Fault, Place};
use crate::kernel::proof::Certificate;

/// The kind of a place in a certificate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Part {
    /// The system that the certificate is about.
    System,
    /// The header.
    Header,
    /// An invariant.
    Invariant,
    /// The argument for a cube of a property.
    Property,
    /// A startstate and an invariant.
    Initial,
    /// A relation.
    Relation,
}

/// A fault with the names of the model, for readers and for programs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FaultReport {
    /// The kind of place that it is about.
    pub place: Part,
    /// The rule, startstate or property.
    pub name: Option<String>,
    /// The case of the Murphi rule, if it was split into cases.
    pub case: Option<String>,
    /// The number of the rule, startstate or property.
    pub number: Option<u32>,
    /// The number of the invariant, or of the cube of the property.
    pub invariant: Option<u32>,
    /// The match: what each parameter denotes.
    #[serde(rename = "match")]
    pub matching: Option<Vec<String>>,
    /// The branch.
    pub branch: Option<u32>,
    /// What there was to show.
    pub shown: String,
    /// What was found.
    pub found: String,
    /// The line in the model, if there is one.
    pub line: Option<u32>,
    /// The column in the model, if there is one.
    pub column: Option<u32>,
}

impl Fault {
    /// The report of a fault in a certificate for a system.
    #[must_use]
    pub fn report(&self, system: &System, certificate: &Certificate) -> FaultReport {
        let names = Names { system };
        let mut report = FaultReport {
            place: Part::Header,
            name: None,
            case: None,
            number: None,
            invariant: None,
            matching: None,
            branch: None,
            shown: names.shown(&self.place, certificate),
            found: names.found(&self.problem),
            line: None,
            column: None,
        };
        match &self.place {
            Place::Header => {}
            Place::System => report.place = Part::System,
            Place::Invariant(invariant) => {
                report.place = Part::Invariant;
                report.invariant = Some(invariant.0);
            }
            Place::Property { property, cube } => {
                report.place = Part::Property;
                report.number = Some(property.0);
                report.invariant = Some(*cube);
                if let Some(property) = system.properties.get(property.index()) {
                    report.about(&property.name, &property.origin);
                }
            }
            Place::Initial { startstate, invariant, matching } => {
                report.place = Part::Initial;
                report.number = Some(startstate.0);
                report.invariant = Some(invariant.0);
                report.matching = matching.as_ref().map(|matching| names.matching(matching));
                if let Some(startstate) = system.startstates.get(startstate.index()) {
                    report.about(&startstate.name, &startstate.origin);
                }
            }
            Place::Relation { rule, invariant, matching, branch } => {
                report.place = Part::Relation;
                report.number = Some(rule.0);
                report.invariant = Some(invariant.0);
                report.matching = matching.as_ref().map(|matching| names.matching(matching));
                report.branch = *branch;
                if let Some(rule) = system.rules.get(rule.index()) {
                    report.about(&rule.name, &rule.origin);
                    report.case = (!rule.case.is_empty()).then(|| rule.case.clone());
                }
            }
        }
        report
    }
}

impl FaultReport {
    fn about(&mut self, name: &str, origin: &Origin) {
        self.name = Some(name.to_owned());
        self.line = Some(origin.line);
        self.column = Some(origin.column);
    }
}

impl std::fmt::Display for FaultReport {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self.place {
            Part::System => "system",
            Part::Header => "header",
            Part::Invariant => "invariant",
            Part::Property => "property",
            Part::Initial => "startstate",
            Part::Relation => "rule",
        })?;
        if let Some(name) = &self.name {
            write!(f, " \"{name}\"")?;
        }
        if let Some(case) = &self.case {
            write!(f, " [{case}]")?;
        }
        if let Some(line) = self.line {
            write!(f, " (line {line})")?;
        }
        match (self.place, self.invariant) {
            (_, None) => {}
            (Part::Property, Some(cube)) => write!(f, ", cube {cube}")?,
            (Part::Invariant, Some(invariant)) => write!(f, " {invariant}")?,
            (_, Some(invariant)) => write!(f, ", invariant {invariant}")?,
        }
        if let Some(matching) = &self.matching {
            write!(f, ", match [{}]", matching.join(", "))?;
        }
        if let Some(branch) = self.branch {
            write!(f, ", branch {branch}")?;
        }
        write!(f, ": to show: {}; found: {}", self.shown, self.found)
    }
}
