//! The report of a search that ends without a verdict: the attempt that failed, for a reader who decides what to do
//! next.
//!
//! It shows the property that could not be proven and the chain of pre-images that leads from an initial state to its
//! violation, as far as the search has one, as Markdown and as one HTML file. It says what the search knows, and never
//! that a property holds or does not hold.

use std::fmt::{self, Write};

use minijinja::{AutoEscape, Environment, UndefinedBehavior, context};
use serde_json::{Value, json};
use system::scope::Scope;
use system::{IndexTypeId, PropertyId, RuleId, System};

use crate::report::ReportError;
use crate::table::markdown::{cell, code, heading};
use crate::table::rule_names;
use system::notation::Notation;

/// A search without a verdict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attempt {
    model: String,
    reason: String,
    /// What the search tried to prove; `None` if the model was not lowered.
    asked: Option<Scope>,
    /// The explored instance, and whether all its states were visited; `None` if the search did not get that far.
    explored: Option<(Vec<(String, u64)>, bool)>,
    candidate: Option<Candidate>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Candidate {
    property: String,
    line: u32,
    statement: String,
    bad_states: Vec<String>,
    chain: Vec<Link>,
    /// The sizes of an instance that has a run along the chain if any instance has one.
    deciding: Vec<(String, u64)>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Link {
    rule: String,
    line: u32,
    guard: String,
}

impl Attempt {
    /// Creates the report of a search in the given model.
    #[must_use]
    pub fn new(model: &str) -> Self {
        Self { model: model.to_owned(), reason: String::new(), asked: None, explored: None, candidate: None }
    }

    /// Adds what the search tried to prove.
    #[must_use]
    pub fn asked(mut self, scope: Scope) -> Self {
        self.asked = Some(scope);
        self
    }

    /// Adds the sizes of the explored instance.
    #[must_use]
    pub fn explored(mut self, sizes: &[(String, u64)], complete: bool) -> Self {
        self.explored = Some((sizes.to_vec(), complete));
        self
    }

    /// Adds the reason why the search ended without a verdict.
    #[must_use]
    pub fn ended(mut self, reason: &str) -> Self {
        reason.clone_into(&mut self.reason);
        self
    }

    /// Adds the property that could not be proven and the rules that lead to its violation, first to last.
    #[must_use]
    pub fn with_chain(mut self, system: &System, property: PropertyId, rules: &[RuleId]) -> Self {
        let notation = Notation::new(system);
        let names = rule_names(system);
        let property = &system.properties[property.index()];
        let bad = property.bad.iter().map(|cube| {
            let names = notation.names(&cube.variables);
            let parts = notation.separation(cube, &names).into_iter().chain([notation.bad_states(cube, &names)]);
            parts.map(|part| part.to_string()).collect::<Vec<_>>().join(" & ")
        });
        let link = |rule: &RuleId| {
            let (rule, name) = (&system.rules[rule.index()], names[rule.index()].clone());
            let scope: Vec<String> = rule.scope.iter().map(|variable| variable.name.clone()).collect();
            let types: Vec<IndexTypeId> = rule.scope.iter().map(|variable| variable.index_type).collect();
            Link {
                rule: name,
                line: rule.origin.line,
                guard: notation.formula(&rule.guard, &scope, &types).to_string(),
            }
        };
        let (scope, types): (Vec<String>, Vec<IndexTypeId>) =
            property.scope.iter().map(|variable| (variable.name.clone(), variable.index_type)).unzip();
        self.candidate = Some(Candidate {
            property: property.name.clone(),
            line: property.origin.line,
            statement: notation.formula(&property.formula, &scope, &types).to_string(),
            bad_states: bad.collect(),
            chain: rules.iter().map(link).collect(),
            deciding: deciding(system, property, rules),
        });
        self
    }

    /// Returns the report as Markdown, for a review comment.
    #[must_use]
    pub fn markdown(&self) -> String {
        let mut text = String::new();
        self.write_markdown(&mut text).expect("writing to memory does not fail");
        text
    }

    fn write_markdown(&self, text: &mut String) -> fmt::Result {
        writeln!(text, "# {}: no verdict\n\n{}.\n", heading(&self.model), heading(&self.reason))?;
        if let Some(asked) = &self.asked {
            let properties: Vec<String> = asked.properties.iter().map(|name| code(name)).collect();
            let properties = if properties.is_empty() { "nothing".to_owned() } else { properties.join(", ") };
            writeln!(text, "To be proven {}: {properties}.\n", heading(&asked.sizes()))?;
            let limits = limits(asked);
            limits.iter().try_for_each(|limit| writeln!(text, "- {}", heading(limit)))?;
            if !limits.is_empty() {
                writeln!(text)?;
            }
        }
        match self.explored_text() {
            Some(explored) => writeln!(text, "Explored: {explored}.")?,
            None => writeln!(text, "No instance was explored.")?,
        }
        match &self.candidate {
            Some(candidate) => write!(text, "\n{}", self.story(candidate)),
            None => Ok(()),
        }
    }

    fn explored_text(&self) -> Option<String> {
        let (sizes, complete) = self.explored.as_ref()?;
        let part = if *complete { "all" } else { "not all" };
        Some(format!("an instance with {}, {part} of its states", told(sizes)))
    }

    /// Returns the part about the failed attempt as Markdown; empty if the search has no chain.
    #[must_use]
    pub fn guess(&self) -> String {
        self.candidate.as_ref().map(|candidate| self.story(candidate)).unwrap_or_default()
    }

    fn story(&self, candidate: &Candidate) -> String {
        let mut text = String::new();
        self.write_story(candidate, &mut text).expect("writing to memory does not fail");
        text
    }

    fn write_story(&self, candidate: &Candidate, text: &mut String) -> fmt::Result {
        writeln!(text, "## What could not be proven\n")?;
        let (property, statement) = (code(&candidate.property), code(&candidate.statement));
        writeln!(text, "Property {property} (line {}): {statement}\n", candidate.line)?;
        candidate.bad_states.iter().try_for_each(|bad| writeln!(text, "- bad states: {}", code(bad)))?;
        writeln!(text, "\n## How the pre-images lead from an initial state to a bad state\n")?;
        writeln!(text, "| step | rule | line | guard |\n|---:|---|---:|---|")?;
        for (number, link) in candidate.chain.iter().enumerate() {
            let guard = code(&link.guard).replace('|', "\\|");
            writeln!(text, "| {} | {} | {} | {guard} |", number + 1, cell(&link.rule), link.line)?;
        }
        writeln!(text, "\n## Which instances would decide it\n\n{}", decision(candidate))?;
        let sizes: Vec<String> =
            candidate.deciding.iter().map(|(name, size)| format!(" --oracle-size {name}={size}")).collect();
        writeln!(text, "\n    paraproof verify {}.m{}", self.model, sizes.concat())
    }

    /// Returns the report as one HTML file.
    ///
    /// # Errors
    /// Returns an error if the template uses a name that it is not given.
    pub fn html(&self) -> Result<String, ReportError> {
        let mut environment = Environment::new();
        environment.set_undefined_behavior(UndefinedBehavior::Strict);
        environment.set_auto_escape_callback(|_| AutoEscape::Html);
        environment.add_template("attempt", include_str!("report/attempt.html"))?;
        Ok(environment.get_template("attempt")?.render(context! {
            style => include_str!("report/style.css"),
            model => self.model,
            reason => self.reason,
            asked => self.asked.as_ref().map(Scope::sizes),
            properties => self.asked.as_ref().map(|asked| asked.properties.as_slice()),
            limits => self.asked.as_ref().map(limits),
            explored => self.explored_text(),
            candidate => self.value(),
        })?)
    }

    /// Returns the failed attempt as JSON, for programs; `null` if the search has no chain.
    #[must_use]
    pub fn value(&self) -> Value {
        let Some(candidate) = &self.candidate else { return Value::Null };
        let link = |link: &Link| json!({"rule": link.rule, "line": link.line, "guard": link.guard});
        json!({
            "property": candidate.property,
            "line": candidate.line,
            "statement": candidate.statement,
            "bad_states": candidate.bad_states,
            "chain": candidate.chain.iter().map(link).collect::<Value>(),
            "deciding_sizes": candidate.deciding.iter().map(|(name, size)| json!([name, size])).collect::<Value>(),
            "decision": decision(candidate),
        })
    }
}

/// Why constants and types stay as they are, what is assumed, and what the search does not cover.
fn limits(asked: &Scope) -> Vec<String> {
    asked.kept().into_iter().chain(asked.limits()).collect()
}

/// Counts the elements that a run along a chain involves: the named ones, those of the property, and the rules'
/// parameters. The search instantiates universal guards with these elements only; in an instance without others, that
/// is all of them.
fn deciding(system: &System, property: &system::Property, rules: &[RuleId]) -> Vec<(String, u64)> {
    let of = |id: IndexTypeId| {
        let named = system.named.iter().filter(|named| named.index_type == id).count();
        let bad = property.bad.iter().map(|cube| cube.variables.iter().filter(|over| **over == id).count());
        let parameters = rules.iter().map(|rule| {
            let rule = &system.rules[rule.index()];
            let count = usize::try_from(rule.parameters).unwrap_or(usize::MAX);
            rule.scope.iter().take(count).filter(|variable| variable.index_type == id).count()
        });
        let all = named + bad.max().unwrap_or(0) + parameters.sum::<usize>();
        u64::try_from(all).unwrap_or(u64::MAX).max(1)
    };
    (0..).map(IndexTypeId).zip(&system.index_types).map(|(id, over)| (over.name.clone(), of(id))).collect()
}

fn decision(candidate: &Candidate) -> String {
    format!(
        "A run along these rules involves no more elements than an instance with {} has. If no instance up to these sizes \
         has such a run, the chain is spurious, and the property needs an invariant that the search cannot express.",
        told(&candidate.deciding)
    )
}

fn told(sizes: &[(String, u64)]) -> String {
    let parts: Vec<String> = sizes.iter().map(|(name, size)| format!("{name} = {size}")).collect();
    if parts.is_empty() { "the sizes of the model".to_owned() } else { parts.join(", ") }
}

#[cfg(test)]
mod tests {
    use system::{Assumption, Claim, KeptConstant, Origin};

    use super::*;
    use crate::example::mutual_exclusion;

    #[test]
    fn the_chain_is_shown_with_its_deciding_instance() {
        let system = mutual_exclusion(true);
        let attempt = Attempt::new("mutex").ended("nothing <&> was found");
        assert!(attempt.markdown().contains("No instance was explored."));
        let attempt = attempt.explored(&[("NODE".to_owned(), 2)], true).asked(Scope::of(&system));
        let text = attempt.markdown();
        assert!(
            text.contains("To be proven for any number of NODE: `Mutex`.\n\nExplored: an instance with NODE = 2, all"),
            "{text}"
        );
        assert_eq!(attempt.value(), Value::Null);
        let attempt = attempt.with_chain(&system, PropertyId(0), &[RuleId(0), RuleId(1)]);
        let text = attempt.markdown();
        assert!(text.contains("| 2 | Crit |"), "{text}");
        // Two elements of the property, and one parameter of each rule.
        assert!(text.contains("--oracle-size NODE=4"), "{text}");
        let html = attempt.html().unwrap();
        assert!(html.contains("nothing &lt;&amp;&gt; was found") && html.contains("Crit"), "{html}");
    }

    #[test]
    fn the_goal_of_the_search_is_stated_with_all_its_limits() {
        let mut asked = Scope::of(&mutual_exclusion(true));
        let at = |line: u32| Origin { line, column: 1, start: 0, end: 1 };
        asked.claim = Claim {
            constants: vec![KeptConstant { name: "N_1".to_owned(), value: "3".to_owned(), origin: at(2) }],
            assumptions: vec![Assumption { origin: at(9), axiom: None }],
            ..Claim::default()
        };
        let attempt = Attempt::new("mutex").asked(asked);
        let (text, html) = (attempt.markdown(), attempt.html().unwrap());
        assert!(
            text.contains("To be proven for any number of NODE; with N\\_1 = 3 as it is: `Mutex`.\n\n- N\\_1 = 3 "),
            "{text}"
        );
        assert!(
            html.contains("To be proven for any number of NODE; with N_1 = 3 as it is: <code>Mutex</code>."),
            "{html}"
        );
        for said in [text.replace('\\', ""), html] {
            assert!(said.contains("N_1 = 3 is kept as it is") && said.contains("`assume` in line 9 fails"), "{said}");
        }
    }
}
