//! A trace as one HTML file: why the property fails, the steps forward and back with the whole state, and the chart.

use std::collections::{BTreeMap, BTreeSet};

use minijinja::{AutoEscape, Environment, UndefinedBehavior, context};
use serde_json::{Map, Value, json};
use system::front_end::{Step, Trace};
use system::{IndexTypeId, Sort, System};

use super::why::elements;
use super::{Why, chart, title};
use crate::report::{ReportError, excerpt, script_data};

/// Renders the page of a trace of a model with this name and text, and of why it ends where it does.
///
/// # Errors
/// Returns an error if the template uses a name that it is not given.
pub fn html(trace: &Trace, why: &Why, system: &System, (model, text): (&str, &str)) -> Result<String, ReportError> {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_auto_escape_callback(|_| AutoEscape::Html);
    environment.add_template("trace", include_str!("page.html"))?;
    let sizes: Vec<String> = trace.sizes.iter().map(|(name, size)| format!("{name} = {size}")).collect();
    let constants: Vec<String> = trace.constants.iter().map(|(name, value)| format!("{name} = {value}")).collect();
    Ok(environment.get_template("trace")?.render(context! {
        style => include_str!("../report/style.css"),
        script => concat!(include_str!("evaluate.js"), include_str!("page.js")),
        data => script_data(&data(trace, why, system, text)),
        model => model,
        title => title(trace),
        steps => trace.steps.len().saturating_sub(1),
        ending => trace.ending(),
        help => trace.error.as_ref().and_then(|error| error.help.clone()),
        sizes => sizes,
        constants => constants,
        why => why,
        chart => chart::svg(trace, &why.variables()),
    })?)
}

/// What the script shows.
fn data(trace: &Trace, why: &Why, system: &System, text: &str) -> Value {
    let step = |step: &Step| {
        let changes = step.changes.iter().map(|change| json!([change.variable, change.before, change.after]));
        json!({
            "title": step.title(),
            "line": step.line,
            "changes": changes.collect::<Value>(),
            "source": source(step, system, text),
        })
    };
    let names = system.variables.iter().map(|variable| (variable.name.clone(), json!(variable.sort.index())));
    let types = elements(trace, system);
    let sorts = system.sorts.iter().map(|sort| values(sort, system, &types));
    let constants = trace.constants.iter().map(|(name, value)| (name.clone(), json!(value)));
    json!({
        "steps": trace.steps.iter().map(step).collect::<Value>(),
        "bad": why.variables(),
        "constants": constants.collect::<Map<_, _>>(),
        "types": named(system, &types),
        "sorts": sorts.collect::<Value>(),
        "variables": names.collect::<Map<_, _>>(),
    })
}

/// The values that a type with a name has in the trace's instance, where all of them are known.
fn named(system: &System, types: &BTreeMap<IndexTypeId, BTreeSet<String>>) -> Map<String, Value> {
    let of_any_size = (0..).map(IndexTypeId).zip(&system.index_types);
    let of_any_size = of_any_size.filter_map(|(id, over)| Some((over.name.clone(), json!(types.get(&id)?))));
    let finite = system.sorts.iter().map(|sort| (sort.name.clone(), values(sort, system, types)));
    finite.filter(|(_, values)| *values != json!([])).chain(of_any_size).collect()
}

/// All values of a sort; none where not all are known.
fn values(sort: &Sort, system: &System, types: &BTreeMap<IndexTypeId, BTreeSet<String>>) -> Value {
    let elements: Option<Vec<&BTreeSet<String>>> = sort.index_types.iter().map(|id| types.get(id)).collect();
    let Some(elements) = elements.filter(|_| sort.numbers.is_none()) else { return json!([]) };
    let constants = sort.constants.iter().map(|constant| system.constants[constant.index()].name.clone());
    elements.into_iter().flatten().cloned().chain(constants).collect()
}

/// The rule or startstate of a step, as the model has it.
fn source(step: &Step, system: &System, text: &str) -> String {
    let rules = system.rules.iter().map(|rule| &rule.origin);
    let starts = system.startstates.iter().map(|start| &start.origin);
    let origin = rules.chain(starts).find(|origin| origin.line == step.line);
    origin.map(|origin| excerpt(text, origin)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use system::front_end::{Change, Trace};

    use super::*;
    use crate::example::mutual_exclusion;

    fn trace() -> Trace {
        let change = |variable: &str, element: &str, before: &str, after: &str| Change {
            variable: variable.to_owned(),
            elements: if element.is_empty() { vec![] } else { vec![element.to_owned()] },
            before: before.to_owned(),
            after: after.to_owned(),
        };
        let step = |rule: &str, changes| Step { rule: rule.to_owned(), line: 0, parameters: vec![], changes };
        let nodes = ["NODE_1", "NODE_2", "NODE_3"];
        let mut start: Vec<Change> = nodes.iter().map(|node| change(&format!("n[{node}]"), node, "", "I")).collect();
        start.push(change("x", "", "", "true"));
        Trace {
            sizes: vec![("NODE".to_owned(), 3)],
            constants: vec![],
            violates: mutual_exclusion(true).properties[0].name.clone(),
            error: None,
            steps: vec![
                step("Init </script>", start),
                step("Crit", vec![change("n[NODE_1]", "NODE_1", "I", "C")]),
                step("Crit", vec![change("n[NODE_3]", "NODE_3", "I", "C"), change("x", "", "true", "false")]),
            ],
        }
    }

    #[test]
    fn the_violating_elements_and_values_are_found() {
        let why = Why::of(&trace(), &mutual_exclusion(true), "");
        let elements: Vec<&str> = why.elements.iter().map(|(_, element)| element.as_str()).collect();
        assert_eq!(elements, ["NODE_1", "NODE_3"]);
        assert_eq!(why.literals, ["n[NODE_1] = C", "n[NODE_3] = C"]);
        assert_eq!(why.cells, [("n[NODE_1]".into(), "C".into()), ("n[NODE_3]".into(), "C".into())]);
        assert!(!why.statement.is_empty());
        // Before the last step, nothing is violated.
        let mut shorter = trace();
        shorter.steps.pop();
        assert_eq!(Why::of(&shorter, &mutual_exclusion(true), "").cells, []);
    }

    #[test]
    fn the_page_has_all_of_it_and_no_markup_from_names() {
        let (trace, system) = (trace(), mutual_exclusion(true));
        let page = html(&trace, &Why::of(&trace, &system, ""), &system, ("broken", "")).unwrap();
        for part in ["n[NODE_3] = C", "class=\"bad\"", "id=\"step\"", "Crit"] {
            assert!(page.contains(part), "{part}");
        }
        assert!(!page.contains("Init </script>"));
    }
}
