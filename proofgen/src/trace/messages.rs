//! What the steps of a trace change, as it is told to people: of a multiset, the messages that come and go.
//!
//! In a trace, a multiset is an array of slots, some of them free, and a message may move to another slot when one before
//! it is removed. This is right for what executes the trace again, and says nothing to a reader. Here a multiset is what it
//! holds: `net = {}` at the start, then `net: + {kind: Req, from: NODE_1}`.

use system::front_end::{Change, Step, Trace};

/// The end of the name of the flag that says whether a slot is used: `net{0} present`.
const PRESENT: &str = "} present";

/// A change as it is told.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Told {
    /// The state variable, or the multiset.
    pub(super) variable: String,
    /// The elements among its arguments.
    pub(super) elements: Vec<String>,
    pub(super) what: What,
}

/// What is told of a state variable or a multiset.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum What {
    /// The value of a state variable, or the messages in a multiset, at the start.
    Is(String),
    /// A state variable had the first value, and has the second one now.
    Becomes(String, String),
    /// A message came into a multiset.
    Comes(String),
    /// A message went out of a multiset.
    Goes(String),
}

/// Returns what each step changes.
pub(super) fn told(trace: &Trace) -> Vec<Vec<Told>> {
    let Some((start, steps)) = trace.steps.split_first() else { return Vec::new() };
    let mut multisets = multisets(start);
    let initial = told_step(start, &multisets, &|change| What::Is(change.after.clone()), &|multiset| {
        vec![What::Is(format!("{{{}}}", multiset.messages().join(", ")))]
    });
    let mut all = vec![initial];
    for step in steps {
        let before = multisets.clone();
        step.changes.iter().for_each(|change| apply(&mut multisets, change));
        let becomes = |change: &Change| What::Becomes(change.before.clone(), change.after.clone());
        let moves = |now: &Multiset| {
            let before = before.iter().find(|multiset| multiset.name == now.name).map(Multiset::messages);
            moved(before.unwrap_or_default(), now.messages())
        };
        all.push(told_step(step, &multisets, &becomes, &moves));
    }
    all
}

/// Returns what a step changes: of a multiset, all at the place of its first slot.
fn told_step(
    step: &Step,
    multisets: &[Multiset],
    of_variable: &dyn Fn(&Change) -> What,
    of_multiset: &dyn Fn(&Multiset) -> Vec<What>,
) -> Vec<Told> {
    let mut told = Vec::new();
    let mut done: Vec<&str> = Vec::new();
    for change in &step.changes {
        let multiset = slot(&change.variable).and_then(|(name, ..)| multisets.iter().find(|own| own.name == name));
        let Some(multiset) = multiset else {
            let (variable, elements) = (change.variable.clone(), change.elements.clone());
            told.push(Told { variable, elements, what: of_variable(change) });
            continue;
        };
        if !done.contains(&multiset.name.as_str()) {
            done.push(&multiset.name);
            let (variable, elements) = (&multiset.name, &multiset.elements);
            let tell = |what| Told { variable: variable.clone(), elements: elements.clone(), what };
            told.extend(of_multiset(multiset).into_iter().map(tell));
        }
    }
    told
}

/// Returns the messages that went and those that came.
fn moved(before: Vec<String>, after: Vec<String>) -> Vec<What> {
    let mut came = after;
    let mut went = before;
    went.retain(|message| match came.iter().position(|other| other == message) {
        Some(position) => {
            came.remove(position);
            false
        }
        None => true,
    });
    went.into_iter().map(What::Goes).chain(came.into_iter().map(What::Comes)).collect()
}

/// A multiset in a state.
#[derive(Clone, Debug)]
struct Multiset {
    name: String,
    /// The elements among its arguments.
    elements: Vec<String>,
    slots: Vec<Slot>,
}

#[derive(Clone, Debug, Default)]
struct Slot {
    is_used: bool,
    /// The parts of the message, each with its value.
    parts: Vec<(String, String)>,
}

impl Multiset {
    fn messages(&self) -> Vec<String> {
        self.slots.iter().filter(|slot| slot.is_used).map(Slot::text).collect()
    }
}

impl Slot {
    fn text(&self) -> String {
        match self.parts.as_slice() {
            [(part, value)] if part.is_empty() => value.clone(),
            parts => {
                let parts: Vec<String> =
                    parts.iter().map(|(part, value)| format!("{}: {value}", part.trim_start_matches('.'))).collect();
                format!("{{{}}}", parts.join(", "))
            }
        }
    }
}

/// Returns the multisets of the initial state, which is told in full.
fn multisets(start: &Step) -> Vec<Multiset> {
    let mut multisets: Vec<Multiset> = Vec::new();
    for change in start.changes.iter().filter(|change| change.variable.ends_with(PRESENT)) {
        if let Some((name, ..)) = slot(&change.variable)
            && !multisets.iter().any(|multiset| multiset.name == name)
        {
            multisets.push(Multiset { name: name.to_owned(), elements: change.elements.clone(), slots: Vec::new() });
        }
    }
    start.changes.iter().for_each(|change| apply(&mut multisets, change));
    multisets
}

/// Writes a change into the slot that it is about, if any.
fn apply(multisets: &mut [Multiset], change: &Change) {
    let Some((name, position, part)) = slot(&change.variable) else { return };
    let Some(multiset) = multisets.iter_mut().find(|multiset| multiset.name == name) else { return };
    if multiset.slots.len() <= position {
        multiset.slots.resize_with(position + 1, Slot::default);
    }
    let slot = &mut multiset.slots[position];
    if part == " present" {
        slot.is_used = change.after == "true";
    } else if let Some((_, value)) = slot.parts.iter_mut().find(|(own, _)| own == part) {
        value.clone_from(&change.after);
    } else {
        slot.parts.push((part.to_owned(), change.after.clone()));
    }
}

/// Returns the multiset, the position and the part of a variable such as `net[NODE_1]{2}.kind`.
fn slot(variable: &str) -> Option<(&str, usize, &str)> {
    let (name, rest) = variable.split_once('{')?;
    let (position, part) = rest.split_once('}')?;
    Some((name, position.parse().ok()?, part))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(changes: &[(&str, &str, &str)]) -> Step {
        let change = |(variable, before, after): &(&str, &str, &str)| Change {
            variable: (*variable).to_owned(),
            elements: if variable.starts_with("net[N_1]") { vec!["N_1".to_owned()] } else { Vec::new() },
            before: (*before).to_owned(),
            after: (*after).to_owned(),
        };
        Step { rule: "R".to_owned(), line: 1, parameters: Vec::new(), changes: changes.iter().map(change).collect() }
    }

    fn trace(steps: Vec<Step>) -> Trace {
        Trace { sizes: Vec::new(), constants: Vec::new(), violates: "P".to_owned(), error: None, steps }
    }

    /// What is told, as text.
    fn lines(trace: &Trace) -> Vec<Vec<String>> {
        let line = |told: &Told| match &told.what {
            What::Is(value) => format!("{} = {value}", told.variable),
            What::Becomes(before, after) => format!("{}: {before} -> {after}", told.variable),
            What::Comes(message) => format!("{}: + {message}", told.variable),
            What::Goes(message) => format!("{}: - {message}", told.variable),
        };
        told(trace).iter().map(|step| step.iter().map(line).collect()).collect()
    }

    /// Two slots, the first one used by a message from N_2, and a state variable.
    fn start() -> Step {
        step(&[
            ("net[N_1]{0}.kind", "", "Req"),
            ("net[N_1]{0}.from", "", "N_2"),
            ("net[N_1]{1}.kind", "", "Undefined"),
            ("net[N_1]{1}.from", "", "Undefined"),
            ("net[N_1]{0} present", "", "true"),
            ("net[N_1]{1} present", "", "false"),
            ("x", "", "true"),
        ])
    }

    #[test]
    fn a_free_slot_is_not_told() {
        let lines = lines(&trace(vec![start()]));
        assert_eq!(lines, [["net[N_1] = {{kind: Req, from: N_2}}", "x = true"]]);
    }

    #[test]
    fn a_message_that_only_moves_is_not_told() {
        let second = step(&[
            ("x", "true", "false"),
            ("net[N_1]{1}.kind", "Undefined", "Gnt"),
            ("net[N_1]{1}.from", "Undefined", "N_1"),
            ("net[N_1]{1} present", "false", "true"),
        ]);
        // The first message is removed, and the second one moves to its place.
        let third = step(&[
            ("net[N_1]{0}.kind", "Req", "Gnt"),
            ("net[N_1]{0}.from", "N_2", "N_1"),
            ("net[N_1]{1}.kind", "Gnt", "Undefined"),
            ("net[N_1]{1}.from", "N_1", "Undefined"),
            ("net[N_1]{1} present", "true", "false"),
        ]);
        let trace = trace(vec![start(), second, third]);
        let lines = lines(&trace);
        assert_eq!(lines[1], ["x: true -> false", "net[N_1]: + {kind: Gnt, from: N_1}"]);
        assert_eq!(lines[2], ["net[N_1]: - {kind: Req, from: N_2}"]);
        assert!(told(&trace)[2].iter().all(|told| told.elements == ["N_1"]));
    }

    #[test]
    fn a_message_that_is_changed_or_alike_is_told() {
        let (used, free) = ("true", "false");
        let start =
            step(&[("m{0}", "", "1"), ("m{1}", "", "0"), ("m{0} present", "", used), ("m{1} present", "", free)]);
        let changed = step(&[("m{0}", "1", "2")]);
        let another = step(&[("m{1}", "0", "2"), ("m{1} present", free, used)]);
        let lines = lines(&trace(vec![start, changed, another]));
        assert_eq!(lines, [vec!["m = {1}"], vec!["m: - 1", "m: + 2"], vec!["m: + 2"]]);
    }

    #[test]
    fn an_empty_multiset_holds_nothing() {
        let start = step(&[("m{0}", "", "Undefined"), ("m{0} present", "", "false")]);
        assert_eq!(lines(&trace(vec![start])), [["m = {}"]]);
        assert!(told(&trace(Vec::new())).is_empty());
    }
}
