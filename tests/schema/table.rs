//! The type of `invariants.json`: the tables of a proof.

use std::collections::BTreeMap;

use schemars::JsonSchema;

use super::{Claim, Relations};

/// The tables of a proof.
#[derive(JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Table {
    /// The version of this schema.
    pub(crate) schema: u32,
    /// The SHA-256 digest of the model's text.
    pub(crate) model_digest: String,
    /// The settings with which the model is read.
    pub(crate) settings: Vec<String>,
    pub(crate) properties: Vec<PropertyRow>,
    pub(crate) rules: Vec<RuleRow>,
    /// The invariants, group after group.
    pub(crate) invariants: Vec<InvariantRow>,
    /// Obligations by kind.
    pub(crate) relation_counts: Relations,
    pub(crate) relations: Vec<RelationRow>,
    pub(crate) claim: Claim,
}

/// A property.
#[derive(JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PropertyRow {
    pub(crate) name: String,
    pub(crate) kind: PropertyKind,
    pub(crate) line: u32,
    /// The numbers of the invariants that imply it.
    pub(crate) shown_by: Vec<u32>,
}

/// The statement of a property.
#[derive(JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum PropertyKind {
    Invariant,
    Assert,
    Error,
}

/// A rule, with its obligations by kind.
#[derive(JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct RuleRow {
    pub(crate) name: String,
    pub(crate) line: u32,
    pub(crate) holds_after: u64,
    pub(crate) unaffected: u64,
    pub(crate) implied: u64,
    /// The numbers of the invariants on which the arguments about the rule rely.
    pub(crate) relies_on: Vec<u32>,
}

/// An invariant.
#[derive(JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct InvariantRow {
    pub(crate) number: u32,
    /// What it states, in words.
    pub(crate) name: String,
    /// The title of its group; empty where there are no groups.
    pub(crate) group: String,
    /// The state variable that it is about.
    pub(crate) about: String,
    /// The invariant in Murphi.
    pub(crate) invariant: String,
    /// The states that it excludes, in Murphi.
    pub(crate) bad_states: String,
    pub(crate) index_variables: Vec<IndexVariable>,
    pub(crate) origin: Origin,
    /// The numbers of the invariants that it needs.
    pub(crate) relies_on: Vec<u32>,
    /// The numbers of the invariants that need it.
    pub(crate) supports: Vec<u32>,
    /// The rules that need it as a premise, to preserve it or another invariant.
    pub(crate) rules: Vec<String>,
    /// The state variables in it.
    pub(crate) reads: Vec<String>,
}

/// An index variable of an invariant.
#[derive(JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct IndexVariable {
    pub(crate) name: String,
    #[serde(rename = "type")]
    pub(crate) over: String,
}

/// Where an invariant comes from.
#[derive(JsonSchema)]
#[serde(untagged)]
pub(crate) enum Origin {
    Property(OfProperty),
    PreImage(PreImage),
}

/// It is a part of a property.
#[derive(JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct OfProperty {
    pub(crate) property: String,
}

/// The rule could break another invariant from states that this one excludes.
#[derive(JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PreImage {
    pub(crate) rule: String,
    pub(crate) invariant: u32,
}

/// Why a rule preserves an invariant, for one match and one branch.
#[derive(JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct RelationRow {
    /// The rule; or `startstate` and its name.
    pub(crate) rule: String,
    pub(crate) invariant: u32,
    /// For each parameter of the rule, the element that it stands for.
    #[serde(rename = "match")]
    pub(crate) matching: Option<BTreeMap<String, String>>,
    /// The number of the branch, where the effect of the rule has several.
    pub(crate) branch: Option<u32>,
    pub(crate) kind: Kind,
    /// The premises, if it is `implied`.
    pub(crate) argument: Option<Vec<Step>>,
}

/// One of the three relations.
#[derive(JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Kind {
    HoldsAfter,
    Unaffected,
    Implied,
}

/// A step of an argument: a premise (an invariant or an assumption, and a substitution) or a split (and its cases). A split
/// on a witness has the invariant or assumption that promises it.
#[derive(JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Step {
    /// The number of an invariant.
    pub(crate) invariant: Option<u32>,
    /// The name of an assumption.
    pub(crate) assumption: Option<String>,
    /// For each variable of the premise, the element that it stands for.
    pub(crate) substitution: Option<BTreeMap<String, String>>,
    /// What is split on.
    pub(crate) split: Option<String>,
    pub(crate) cases: Option<Vec<Case>>,
}

/// A case of a split.
#[derive(JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Case {
    pub(crate) value: String,
    pub(crate) argument: Vec<Step>,
}
