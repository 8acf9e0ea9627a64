//! The summary that `verify` prints at its end, as text or as one JSON object.
//!
//! It collects the results of the stages one after the other. A run that was stopped prints what is known by then.

use std::path::Path;
use std::time::Instant;

use bytesize::ByteSize;
use certificate::CheckedCertificate;
use proofgen::instances::Look;
use proofgen::report::{RuntimeError, Seen};
use serde_json::{Map, Value, json};
use system::System;
use system::front_end::{Error, Exploration, Lowered, Outcome as Explored, RUN_ERROR, Trace};
use system::scope::{Scope, counted};

use crate::commands::check::RelationCounts;
use crate::commands::earlier::Tried;
use crate::commands::search::{Found, sizes_text};
use crate::files;
use crate::outcome::Outcome;
use crate::progress::Progress;
use crate::resources::peak_memory_bytes;
use crate::terminal;

/// What a run says at its end.
#[derive(Clone)]
pub(super) struct Summary {
    object: Map<String, Value>,
    pub(super) lines: Vec<String>,
    /// For which sizes the model is proven, where it is.
    scope: Scope,
    /// What the first line says besides: that there may be no execution, and errors at run time.
    cautions: Option<String>,
    pub(super) sizes: Vec<(String, u64)>,
    /// Invariants before unnecessary ones were dropped.
    closed: usize,
    /// Whether there was no search, since candidates were a proof.
    by_candidates: bool,
    /// What the instance shows when the statements of the model are executed.
    pub(super) seen: Option<Seen>,
    started: Instant,
}

impl Summary {
    pub(super) fn new(model: &str) -> Self {
        let mut summary = Self {
            object: Map::new(),
            lines: Vec::new(),
            scope: Scope::default(),
            cautions: None,
            sizes: Vec::new(),
            closed: 0,
            by_candidates: false,
            seen: None,
            started: Instant::now(),
        };
        summary.put("verdict", "inconclusive");
        summary.put("model", model);
        summary
    }

    pub(super) fn lowered(&mut self, lowered: &Lowered<'_>) {
        let system = lowered.system;
        let rules = system.written_rules();
        self.put("rules", rules);
        self.put("properties", system.properties.len());
        let names: Vec<&str> = system.index_types.iter().map(|over| over.name.as_str()).collect();
        self.put("any_size", names.clone());
        let refused: Vec<&str> = lowered.refused_properties.iter().map(|refused| refused.message.as_str()).collect();
        self.put("refused_properties", refused);
        self.scope = Scope::of(system);
        self.put("claim", self.scope.value());
        let properties = counted(system.properties.len(), "property", "properties");
        self.lines.push(format!("{}, {properties}", counted(rules, "rule", "rules")));
        self.lines.extend(self.scope.limits());
    }

    /// What is said here comes after a run without a verdict about more sizes.
    pub(super) fn second_of(&mut self, first: &Self, answer: &str) {
        self.object.insert("warnings".to_owned(), first.object.get("warnings").cloned().unwrap_or_default());
        self.put("not_for_any_size", answer);
        self.started = first.started;
        self.lines.push(answer.to_owned());
    }

    /// What was tried once more, in vain.
    pub(super) fn afterwards(&mut self, answer: String, progress: &Progress) {
        self.lines.pop();
        self.lines.push(answer);
        self.times(progress, None);
    }

    pub(super) fn put(&mut self, key: &str, value: impl Into<Value>) {
        self.object.insert(key.to_owned(), value.into());
    }

    pub(super) fn account(&mut self, system: &System, found: &Found) {
        let named = system.index_types.iter().zip(&found.account.sizes);
        self.sizes = named.map(|(over, size)| (over.name.clone(), u64::from(*size))).collect();
        let sizes: Map<String, Value> = self.sizes.iter().map(|(name, size)| (name.clone(), json!(size))).collect();
        let complete = found.account.complete;
        self.closed = found.account.figures.closed;
        self.by_candidates = found.account.by_candidates;
        self.put("minimized", found.account.minimized);
        self.put("oracle", json!({ "sizes": sizes, "states": found.account.states, "complete": complete }));
        let figures = found.account.figures;
        let search =
            json!({ "cubes": figures.visited, "generalized": figures.approximations, "undone": figures.undone });
        self.put("search", search);
        if found.account.states == 0 {
            // Nothing was explored, and so there is nothing to tell.
            return;
        }
        let part = if complete { "all" } else { "not all" };
        let states = counted(found.account.states, "state", "states");
        let sizes = sizes_text(system, &found.account.sizes);
        self.lines.push(format!("oracle: an instance with {sizes}, {states} ({part} of them)"));
    }

    pub(super) fn certificate(&mut self, checked: &CheckedCertificate<'_>, out: Option<&Path>, bytes: usize) {
        let certificate = checked.certificate();
        let counts = RelationCounts::of(certificate);
        self.put("invariants", certificate.invariants.len());
        self.put("invariants_found", self.closed);
        self.put("relations", counts.json());
        let path = out.map(|out| files::show(&out.join("certificate.json")));
        self.put("certificate", json!({ "path": path, "bytes": bytes }));
        self.lines.push(format!(
            "{}, of {} found; {}: {} hold after the rule, {} unaffected, {} implied",
            counted(certificate.invariants.len(), "invariant", "invariants"),
            self.closed,
            counted(certificate.relations.len(), "obligation", "obligations"),
            counts.holds_after,
            counts.unaffected,
            counts.implied
        ));
        if self.object.get("minimized") == Some(&json!(false)) && !self.by_candidates {
            let why = "there was no time to drop all that it can do without";
            self.lines.push(format!("the proof may have more invariants than it needs: {why}"));
        }
        let place = path.map_or_else(|| "not written (-o DIR)".to_owned(), |path| format!("in {path}"));
        let size = u64::try_from(bytes).map_or(ByteSize(u64::MAX), ByteSize);
        self.lines.push(format!("certificate of {size}, accepted by the checker, {place}"));
    }

    /// What became of what was tried first.
    pub(super) fn candidates(&mut self, tried: &Tried, checked: &CheckedCertificate<'_>) {
        if let Some((value, lines)) = tried.earlier(checked) {
            self.put("earlier", value);
            self.lines.extend(lines);
        }
        if let Some((value, line)) = tried.own(checked) {
            self.put("candidates", value);
            self.lines.push(line);
        }
    }

    pub(super) fn seen(&mut self, seen: Option<Seen>) {
        let dead = seen.as_ref().and_then(|seen| seen.dead_rules.clone());
        self.put("dead_rules", dead.clone());
        if let Some(dead) = dead.filter(|dead| !dead.is_empty()) {
            self.lines.push(format!("rules that never fire in the instance: {}", dead.join(", ")));
        }
        let errors = seen.as_ref().map(|seen| seen.runtime_errors.clone()).unwrap_or_default();
        let warnings = self.object.get("warnings").and_then(Value::as_u64).unwrap_or(0);
        let no_execution = seen.as_ref().and_then(|seen| seen.no_execution.clone());
        let more = errors.len() + usize::from(no_execution.is_some());
        self.put("warnings", warnings + u64::try_from(more).unwrap_or(u64::MAX));
        if let Some(sentence) = no_execution {
            // The first line says it.
            self.lines.retain(|line| *line != sentence);
            self.put("no_execution", sentence);
        }
        errors.iter().for_each(|error| self.help(error.help.as_ref()));
        self.put("runtime_errors", json!(errors));
        self.cautions = seen.as_ref().and_then(Seen::cautions);
        self.seen = seen;
    }

    /// What was explored of the model's own instance.
    pub(super) fn looked(&mut self, own: &Look) {
        let Exploration { states, rules_fired, depth, outcome, symmetry, .. } = &own.exploration;
        let complete = matches!(outcome, Explored::Complete);
        let sizes: Map<String, Value> = own.sizes.iter().map(|(name, size)| (name.clone(), json!(size))).collect();
        self.put(
            "instance",
            json!({ "sizes": sizes, "states": states, "rules_fired": rules_fired, "depth": depth, "symmetry": symmetry,
                    "complete": complete }),
        );
        let sizes: Vec<String> = own.sizes.iter().map(|(name, size)| format!(" {name} = {size},")).collect();
        let part = if complete { "all" } else { "not all" };
        let number = counted(usize::try_from(*states).unwrap_or(usize::MAX), "state", "states");
        self.lines
            .push(format!("the model's own instance:{} {number} ({part} of them), depth {depth}", sizes.concat()));
        if *states == 0 && complete {
            self.lines
                .push("it has no initial state: an assumption excludes each, so that everything holds".to_owned());
        }
    }

    /// How an execution ends that shows a violation or an error at run time.
    pub(super) fn ending(&mut self, trace: &Trace) {
        if trace.error.is_some() {
            self.lines.push("this run ends in it:".to_owned());
            self.error(trace);
        } else {
            self.lines.push(format!("'{}' is violated:", trace.violates));
        }
    }

    /// What may help, once.
    fn help(&mut self, help: Option<&String>) {
        let line = help.map(|help| format!("help: {help}")).filter(|line| !self.lines.contains(line));
        self.lines.extend(line);
    }

    /// The error at run time in which an execution ends, if it does.
    pub(super) fn error(&mut self, trace: &Trace) {
        let Some(error) = &trace.error else { return };
        let Error { message, line, column, rule, help } = error.clone();
        self.help(help.as_ref());
        let sizes = trace.sizes.clone();
        let told = RuntimeError { message, code: RUN_ERROR, line, column, rule, help, sizes };
        self.put("runtime_errors", json!([told]));
        self.cautions = Some(error.text());
    }

    /// What was not written, and why not.
    pub(super) fn not_written(&mut self, what: &[&str], why: &str) {
        if what.is_empty() {
            return;
        }
        let before = self.object.get("not_written").and_then(Value::as_array).cloned().unwrap_or_default();
        let all: Vec<Value> = before.into_iter().chain(what.iter().map(|name| json!(name))).collect();
        self.put("not_written", all);
        self.put("not_written_because", why);
        let what = what.join(", ");
        self.lines.push(format!("not written, since {why}: {what}; `paraproof emit` makes them from the certificate"));
    }

    /// What a checked proof comes to.
    pub(super) fn conclude(&mut self, refused: Option<&str>) -> Outcome {
        if let Some(reason) = refused {
            return self.inconclusive(reason);
        }
        self.put("verdict", "proven");
        Outcome::Good
    }

    pub(super) fn inconclusive(&mut self, reason: &str) -> Outcome {
        self.put("verdict", "inconclusive");
        self.put("reason", reason);
        Outcome::Inconclusive
    }

    pub(super) fn times(&mut self, progress: &Progress, found: Option<&Found>) {
        let mut seconds = progress.watch().json();
        if let (Some(object), Some(found)) = (seconds.as_object_mut(), found) {
            object.insert("explore".to_owned(), json!(found.account.explored_seconds));
            object.insert("discover".to_owned(), json!(found.account.search_seconds));
        }
        // Those of a search before are kept.
        let known = self.object.get("seconds").and_then(Value::as_object);
        if let (Some(object), Some(known)) = (seconds.as_object_mut(), known) {
            for key in ["explore", "discover"] {
                known.get(key).map(|own| object.entry(key).or_insert_with(|| own.clone()));
            }
        }
        self.put("seconds", seconds);
        self.put("peak_memory_bytes", peak_memory_bytes());
        let memory = peak_memory_bytes().map_or_else(String::new, |bytes| format!(", {} MB", bytes >> 20));
        self.lines.push(format!("{:.2} s{memory}", progress.watch().total()));
    }

    /// The time that a run took that was cut, unless the times of its stages are known.
    pub(super) fn cut_times(&mut self) {
        if !self.object.contains_key("seconds") {
            let total = self.started.elapsed().as_secs_f64();
            self.put("seconds", json!({ "total": total }));
            self.put("peak_memory_bytes", peak_memory_bytes());
        }
    }

    pub(super) fn print(&self, as_json: bool) -> anyhow::Result<()> {
        if as_json {
            return Ok(terminal::print_object(Value::Object(self.object.clone()))?);
        }
        let text = |key: &str| self.object.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
        let verdict = match text("verdict").as_str() {
            "proven" => self.scope.proven(),
            "inconclusive" => format!("inconclusive: {}", text("reason")),
            other => other.to_owned(),
        };
        let head = match &self.cautions {
            None => verdict,
            Some(cautions) if verdict == "violated" => format!("{verdict}: {cautions}"),
            Some(cautions) => format!("{verdict}; {cautions}"),
        };
        // What was asked is said whatever the answer is.
        let unsaid = !self.scope.properties.is_empty() && !head.contains(&self.scope.sizes());
        let asked = unsaid.then(|| format!("asked {}", self.scope.sizes()));
        let lines: String = asked.iter().chain(&self.lines).map(|line| format!("  {line}\n")).collect();
        Ok(terminal::print(&format!("{}: {head}\n{lines}", text("model")))?)
    }
}
