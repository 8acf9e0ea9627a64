//! The types of what subcommands print with `--json`. The schemas in `docs/schema` are made from them.

mod make;
mod system;
mod table;
mod validate;

use std::collections::BTreeMap;

use schemars::JsonSchema;

pub(crate) use make::schema_of;
pub(crate) use system::Lint;
pub(crate) use table::Table;
pub(crate) use validate::faults;

/// A value that may be null. An `Option` is a key that may be absent, and is not null.
#[derive(JsonSchema)]
#[schemars(inline, extend("nullable" = true))]
pub(crate) struct Nullable<T>(#[schemars(with = "Option<T>")] T);

/// What `verify` comes to. A key is present only where it applies.
#[derive(JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Verify {
    /// The version of this schema.
    pub(crate) schema: Option<u32>,
    pub(crate) verdict: Verdict,
    /// The model's path.
    pub(crate) model: Option<String>,
    /// How many rules the model has.
    pub(crate) rules: Option<u64>,
    /// How many properties the system has.
    pub(crate) properties: Option<u64>,
    /// The names of the types of any size.
    pub(crate) any_size: Option<Vec<String>>,
    pub(crate) claim: Option<Claim>,
    /// What could not be lowered.
    pub(crate) refused_properties: Option<Vec<String>>,
    /// How many warnings there are, run-time errors included.
    pub(crate) warnings: Option<u64>,
    /// What was explored of the model's own instance.
    pub(crate) instance: Option<Instance>,
    /// Rules that never fire in the instance; null if that is not known.
    pub(crate) dead_rules: Option<Nullable<Vec<String>>>,
    /// Run-time errors that an instance meets.
    pub(crate) runtime_errors: Option<Vec<RuntimeError>>,
    /// That the proof is, or may be, about no execution.
    pub(crate) no_execution: Option<String>,
    /// The instance that guided the search.
    pub(crate) oracle: Option<Oracle>,
    pub(crate) search: Option<Search>,
    /// Invariants in the certificate.
    pub(crate) invariants: Option<u64>,
    /// Invariants that the search found before dropping unnecessary ones.
    pub(crate) invariants_found: Option<u64>,
    /// Whether unnecessary invariants were dropped to the end.
    pub(crate) minimized: Option<bool>,
    pub(crate) relations: Option<Relations>,
    pub(crate) certificate: Option<Written>,
    /// What became of the invariants of an earlier certificate.
    pub(crate) earlier: Option<Earlier>,
    /// What became of the candidates that the model offers.
    pub(crate) candidates: Option<Candidates>,
    /// The violated property.
    pub(crate) property: Option<String>,
    /// The line where the model states it; null if it is no property of the model.
    pub(crate) property_line: Option<Nullable<u32>>,
    /// The run to the violation or run-time error.
    pub(crate) trace: Option<Trace>,
    /// Why the run is inconclusive.
    pub(crate) reason: Option<String>,
    /// Why the model is not proven with all values that its numbers may have, where it is with those in the model.
    pub(crate) not_for_any_size: Option<String>,
    /// The unconfirmed trace.
    pub(crate) candidate: Option<Nullable<Candidate>>,
    /// What a limit kept from being written.
    pub(crate) not_written: Option<Vec<String>>,
    /// Why it was not written.
    pub(crate) not_written_because: Option<String>,
    /// Seconds by stage, with `total`.
    pub(crate) seconds: Option<BTreeMap<String, f64>>,
    /// Null where the system does not say.
    pub(crate) peak_memory_bytes: Option<Nullable<u64>>,
    /// Of one of several models: the exit code of its run.
    pub(crate) exit_code: Option<u8>,
    /// With `--expect`: what the model's header expects.
    pub(crate) expected: Option<Expected>,
    /// With `--expect`: whether the verdict is the expected one.
    pub(crate) as_expected: Option<bool>,
}

/// What `verify` of several models comes to.
#[derive(JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Several {
    /// The version of this schema.
    pub(crate) schema: u32,
    pub(crate) models: Vec<Verify>,
    /// The worst exit code.
    pub(crate) exit_code: u8,
    pub(crate) seconds: f64,
}

/// What a run comes to; `refused` is one whose input or usage is wrong.
#[derive(JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Verdict {
    Proven,
    Violated,
    Inconclusive,
    Refused,
}

/// What a header expects.
#[derive(JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Expected {
    pub(crate) verdict: String,
    /// The property that should be violated; null if any may be.
    pub(crate) violates: Nullable<String>,
}

/// What the verdict is about.
#[derive(JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Claim {
    /// The sizes and values, in words.
    pub(crate) sizes: String,
    pub(crate) any_size: Vec<AnySize>,
    /// The constants that may have any value, besides those that only size such a type.
    pub(crate) any_value: Vec<String>,
    pub(crate) constants: Vec<Constant>,
    pub(crate) finite_types: Vec<FiniteType>,
    pub(crate) assumptions: Vec<Assumption>,
    pub(crate) left_out: Vec<LeftOut>,
}

/// A type of any size.
#[derive(JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct AnySize {
    pub(crate) name: String,
    /// The least number of elements.
    pub(crate) least: u64,
}

/// A constant that stays as it is.
#[derive(JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Constant {
    pub(crate) name: String,
    pub(crate) value: serde_json::Value,
    pub(crate) line: u32,
    pub(crate) column: u32,
}

/// A type that stays as it is.
#[derive(JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct FiniteType {
    pub(crate) name: String,
    pub(crate) size: u64,
    pub(crate) reason: String,
    pub(crate) line: u32,
    pub(crate) column: u32,
}

/// An assumption of the model. One about all states is an axiom, and has a name.
#[derive(JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Assumption {
    pub(crate) name: Option<String>,
    /// Whether nothing writes what the axiom is about.
    pub(crate) immutable: Option<bool>,
    pub(crate) line: u32,
    pub(crate) column: u32,
}

/// What the model states and the verdict is not about.
#[derive(JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct LeftOut {
    pub(crate) kind: String,
    pub(crate) name: String,
    /// The code of the diagnostic.
    pub(crate) code: String,
    pub(crate) reason: String,
    pub(crate) line: u32,
    pub(crate) column: u32,
}

/// An instance that was explored.
#[derive(JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Instance {
    pub(crate) sizes: BTreeMap<String, u64>,
    pub(crate) states: u64,
    pub(crate) rules_fired: u64,
    pub(crate) depth: u64,
    /// Whether permutations count once.
    pub(crate) symmetry: bool,
    /// Whether all states are known.
    pub(crate) complete: bool,
}

/// An error of the model that an instance meets.
#[derive(JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct RuntimeError {
    pub(crate) message: String,
    pub(crate) code: String,
    pub(crate) line: u32,
    pub(crate) column: u32,
    /// The rule, startstate or property that meets it.
    pub(crate) rule: String,
    pub(crate) help: Option<String>,
    pub(crate) sizes: Vec<(String, u64)>,
}

/// The instance that guided a search.
#[derive(JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Oracle {
    pub(crate) sizes: BTreeMap<String, u64>,
    pub(crate) states: u64,
    pub(crate) complete: bool,
}

/// Figures of a search.
#[derive(JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Search {
    /// Cubes visited.
    pub(crate) cubes: u64,
    /// Approximations used.
    pub(crate) generalized: u64,
    /// Approximations taken back.
    pub(crate) undone: u64,
}

/// Obligations by kind.
#[derive(JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Relations {
    pub(crate) holds_after: u64,
    pub(crate) unaffected: u64,
    pub(crate) implied: u64,
}

/// A certificate.
#[derive(JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Written {
    /// Null if it is not written.
    pub(crate) path: Nullable<String>,
    pub(crate) bytes: u64,
}

/// What became of the invariants of an earlier certificate in a proof.
#[derive(JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Earlier {
    pub(crate) certificate: String,
    /// How many it has.
    pub(crate) invariants: u64,
    /// How many of them the proof has, too.
    pub(crate) kept: u64,
    /// Invariants in place of which the proof has a stronger one.
    pub(crate) strengthened: Vec<Replaced>,
    /// Invariants in place of which the proof has a weaker one.
    pub(crate) weakened: Vec<Replaced>,
    /// Invariants in place of which the proof has none.
    pub(crate) lost: Vec<NamedInvariant>,
}

/// An invariant, and the one in its place.
#[derive(JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Replaced {
    pub(crate) before: NamedInvariant,
    pub(crate) after: NamedInvariant,
}

/// An invariant of a certificate.
#[derive(JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NamedInvariant {
    pub(crate) number: u32,
    /// What it states, in words; or why the model has no such statement.
    pub(crate) name: String,
    /// Empty where the model has no such statement.
    pub(crate) invariant: String,
}

/// What became of the candidates that a model offers.
#[derive(JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Candidates {
    /// How many there are.
    pub(crate) tried: u64,
    /// How many of them an invariant of the proof implies.
    pub(crate) proven: u64,
}

/// A run of an instance.
#[derive(JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Trace {
    pub(crate) sizes: Vec<(String, u64)>,
    pub(crate) constants: Vec<(String, i64)>,
    /// The property that the last state violates.
    pub(crate) violates: String,
    /// The run-time error that it ends in instead.
    pub(crate) error: Option<TraceError>,
    /// The first one is a startstate, and changes the whole state.
    pub(crate) steps: Vec<Step>,
}

/// A run-time error at the end of a trace.
#[derive(JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct TraceError {
    pub(crate) message: String,
    pub(crate) line: u32,
    pub(crate) column: u32,
    pub(crate) rule: String,
    pub(crate) help: Option<String>,
}

/// A step of a trace.
#[derive(JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Step {
    pub(crate) rule: String,
    /// 0 where it is not known.
    pub(crate) line: u32,
    pub(crate) parameters: Vec<(String, String)>,
    pub(crate) changes: Vec<Change>,
}

/// A change of a state variable.
#[derive(JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Change {
    pub(crate) variable: String,
    /// The elements among its arguments.
    pub(crate) elements: Vec<String>,
    /// Empty at the start.
    pub(crate) before: String,
    pub(crate) after: String,
}

/// A trace of the search that no execution confirms.
#[derive(JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Candidate {
    pub(crate) property: String,
    pub(crate) line: u32,
    pub(crate) statement: String,
    pub(crate) bad_states: serde_json::Value,
    pub(crate) chain: Vec<Link>,
    pub(crate) deciding_sizes: Vec<(String, u64)>,
    pub(crate) decision: serde_json::Value,
}

/// A rule of such a trace.
#[derive(JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Link {
    pub(crate) rule: String,
    pub(crate) line: u32,
    pub(crate) guard: String,
}

/// What `find` comes to.
#[derive(JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Find {
    /// The version of this schema.
    pub(crate) schema: u32,
    pub(crate) verdict: FindVerdict,
    pub(crate) claim: Option<Claim>,
    /// That the proof is, or may be, about no execution.
    pub(crate) no_execution: Option<String>,
    pub(crate) invariants: Option<u64>,
    pub(crate) certificate: Option<Written>,
    pub(crate) property: Option<String>,
    pub(crate) trace: Option<Trace>,
    pub(crate) reason: Option<String>,
}

/// What `find` comes to in a word.
#[derive(JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum FindVerdict {
    Found,
    Violated,
    Inconclusive,
    Refused,
}

/// What `check` comes to.
#[derive(JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Check {
    /// The version of this schema.
    pub(crate) schema: u32,
    pub(crate) verdict: CheckVerdict,
    pub(crate) covers: Option<Covers>,
    /// That the proof is, or may be, about no execution.
    pub(crate) no_execution: Option<String>,
    pub(crate) claim: Option<Claim>,
    /// The names of the properties that the certificate proves.
    pub(crate) properties: Option<Vec<String>>,
    pub(crate) invariants: Option<u64>,
    /// Obligations by kind; with `--merge`, how many there are.
    pub(crate) relations: Option<RelationsOrCount>,
    pub(crate) seconds: Option<BTreeMap<String, f64>>,
    pub(crate) peak_memory_bytes: Option<Nullable<u64>>,
    /// With `--merge`: the digest of the certificate.
    pub(crate) certificate: Option<String>,
    /// With `--merge`: the digest of the model.
    pub(crate) model: Option<String>,
    /// With `--merge`: the settings of the model.
    pub(crate) settings: Option<Vec<String>>,
    /// With `--merge`: how many parts there are.
    pub(crate) parts: Option<u64>,
    pub(crate) faults: Option<Vec<Fault>>,
    pub(crate) reason: Option<String>,
}

/// What `check` comes to in a word.
#[derive(JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum CheckVerdict {
    Accepted,
    Rejected,
    Inconclusive,
    Refused,
}

/// How much of what the model states is covered.
#[derive(JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Covers {
    All,
    Part,
    Nothing,
}

/// Obligations.
#[derive(JsonSchema)]
#[serde(untagged)]
pub(crate) enum RelationsOrCount {
    ByKind(Relations),
    Count(u64),
}

/// A fault of a rejected certificate. Of a file that is no certificate, it has `place` and `found`.
#[derive(JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Fault {
    pub(crate) place: String,
    pub(crate) name: Option<Nullable<String>>,
    pub(crate) case: Option<Nullable<String>>,
    pub(crate) number: Option<Nullable<u32>>,
    pub(crate) invariant: Option<Nullable<u32>>,
    #[serde(rename = "match")]
    pub(crate) matching: Option<Nullable<Vec<String>>>,
    pub(crate) branch: Option<Nullable<u32>>,
    /// What there was to show.
    pub(crate) shown: Option<String>,
    pub(crate) found: String,
    pub(crate) line: Option<Nullable<u32>>,
    pub(crate) column: Option<Nullable<u32>>,
}

/// What `simulate` comes to.
#[derive(JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Simulate {
    /// The version of this schema.
    pub(crate) schema: u32,
    pub(crate) verdict: SimulateVerdict,
    pub(crate) states: Option<u64>,
    pub(crate) rules_fired: Option<u64>,
    pub(crate) depth: Option<u64>,
    pub(crate) deadlocks: Option<Deadlocks>,
    pub(crate) never_covered: Option<Vec<String>>,
    pub(crate) not_checked: Option<Vec<String>>,
    /// Whether permutations count once.
    pub(crate) symmetry: Option<bool>,
    /// Scalarsets that are not permuted.
    pub(crate) ordered: Option<Vec<String>>,
    pub(crate) trace: Option<Trace>,
    pub(crate) seconds: Option<f64>,
    pub(crate) peak_memory_bytes: Option<Nullable<u64>>,
    pub(crate) reason: Option<String>,
}

/// What `simulate` comes to in a word.
#[derive(JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum SimulateVerdict {
    Holds,
    Violated,
    Error,
    Stopped,
    Inconclusive,
    Refused,
}

/// States without a next one.
#[derive(JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Deadlocks {
    pub(crate) no_rule_enabled: u64,
    pub(crate) no_rule_changes_the_state: u64,
}

/// A finding in a model, one a line on standard error.
#[derive(JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Finding {
    pub(crate) file: String,
    pub(crate) severity: Severity,
    /// The stable code.
    pub(crate) code: String,
    pub(crate) message: String,
    /// The place of the first label.
    pub(crate) line: Nullable<u32>,
    pub(crate) column: Nullable<u32>,
    /// The places; the first is the main one.
    pub(crate) labels: Vec<Part>,
    pub(crate) help: Nullable<String>,
    /// Changes that repair it, to be made together.
    pub(crate) replacements: Vec<Part>,
}

/// How bad a finding is.
#[derive(JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Severity {
    Error,
    Warning,
}

/// A part of the text, with what is said about it or what is to be written there. Lines and columns are from 1.
#[derive(JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Part {
    /// The first byte.
    pub(crate) start: u32,
    /// Behind the last byte.
    pub(crate) end: u32,
    pub(crate) line: u32,
    pub(crate) column: u32,
    pub(crate) end_line: u32,
    pub(crate) end_column: u32,
    pub(crate) text: String,
}

/// What `diff` prints.
#[derive(JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Diff {
    /// Whether nothing differs.
    pub(crate) same: bool,
    /// Invariants that both proofs have, by their numbers.
    pub(crate) kept: Vec<Numbers>,
    pub(crate) removed: Vec<NamedInvariant>,
    pub(crate) added: Vec<NamedInvariant>,
    pub(crate) strengthened: Vec<Replaced>,
    pub(crate) weakened: Vec<Replaced>,
    pub(crate) rules_removed: Vec<String>,
    pub(crate) rules_added: Vec<String>,
    pub(crate) rules_changed: Vec<ChangedRule>,
    /// Startstates, assumptions and properties that differ, and how.
    pub(crate) others_changed: Vec<String>,
    pub(crate) relations_changed: Vec<ChangedRelation>,
}

/// The numbers of an invariant in two proofs.
#[derive(JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Numbers {
    pub(crate) before: u32,
    pub(crate) after: u32,
}

/// What changed in a rule.
#[derive(JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ChangedRule {
    pub(crate) rule: String,
    pub(crate) line_before: u32,
    pub(crate) line_after: u32,
    /// Parts of the guard and effects that only the first one has.
    pub(crate) removed: Vec<String>,
    /// Those that only the second one has.
    pub(crate) added: Vec<String>,
}

/// A rule and an invariant whose argument changed.
#[derive(JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ChangedRelation {
    pub(crate) rule: String,
    pub(crate) before: u32,
    pub(crate) after: u32,
    /// Numbers of the second proof; an invariant that only the first one has, with a minus sign.
    pub(crate) premises_before: Vec<String>,
    pub(crate) premises_after: Vec<String>,
}
