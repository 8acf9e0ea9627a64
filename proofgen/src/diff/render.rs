//! Renders differences as lines for a terminal, or as Markdown for a review comment.

use std::fmt::{self, Write};

use similar::{ChangeTag, TextDiff};
use system::scope::counted;

use super::{Diff, Scope};

impl Diff {
    /// Returns the differences as text for a terminal.
    #[must_use]
    pub fn text(&self) -> String {
        let style = Style {
            line: &|text, line| writeln!(text, "{line}"),
            formula: &|formula| format!("    {formula}"),
            change: &marked_changes,
        };
        self.rendered(&style)
    }

    /// Returns the differences as Markdown for a review comment.
    #[must_use]
    pub fn markdown(&self) -> String {
        let line = |text: &mut String, line: &str| {
            let line =
                if line.ends_with(':') { format!("\n**{}**\n", line.trim_end_matches(':')) } else { line.to_owned() };
            writeln!(text, "{line}")
        };
        self.rendered(&Style { line: &line, formula: &|formula| format!("  `{formula}`"), change: &fenced_changes })
    }

    fn rendered(&self, style: &Style<'_>) -> String {
        let mut text = String::new();
        self.write(&mut text, style).expect("writing to memory does not fail");
        text
    }

    fn write(&self, text: &mut String, style: &Style<'_>) -> fmt::Result {
        let Style { line, formula, change } = style;
        let kept = counted(self.kept.len(), "invariant", "invariants");
        match self.scope {
            Scope::Models if self.is_empty() => {
                return line(text, "No difference: the same rules, startstates, assumptions and properties.");
            }
            Scope::Proofs if self.is_empty() => {
                return line(text, &format!("No difference: {kept}, the same rules and arguments."));
            }
            Scope::Tables if self.is_empty() => {
                let same = "the same rules by name, the same premises.";
                return line(text, &format!("No difference in the tables: {kept}, {same}"));
            }
            Scope::Proofs | Scope::Tables => {
                let same = counted(self.kept.len(), "invariant is", "invariants are");
                line(text, &format!("{same} unchanged."))?;
            }
            Scope::Earlier => {
                let same = counted(self.kept.len(), "invariant", "invariants");
                line(text, &format!("{same} of the earlier proof unchanged"))?;
            }
            Scope::Models => {}
        }
        for (title, list) in [("Removed invariants:", &self.removed), ("Added invariants:", &self.added)] {
            if !list.is_empty() {
                line(text, title)?;
            }
            for entry in list {
                line(text, &format!("- {}. {}", entry.number, entry.name))?;
                if !entry.formula.is_empty() {
                    line(text, &formula(&entry.formula))?;
                }
            }
        }
        for (title, list) in
            [("Strengthened invariants:", &self.strengthened), ("Weakened invariants:", &self.weakened)]
        {
            if !list.is_empty() {
                line(text, title)?;
            }
            for (old, new) in list {
                line(text, &format!("- {} became {}: {}", old.number, new.number, new.name))?;
                let (before, after) = (old.formula.clone(), new.formula.clone());
                change(&[before], &[after]).iter().try_for_each(|told| line(text, told))?;
            }
        }
        for (title, list) in [("Removed rules:", &self.rules_removed), ("Added rules:", &self.rules_added)] {
            if !list.is_empty() {
                line(text, title)?;
            }
            for rule in list {
                line(text, &format!("- {rule}"))?;
            }
        }
        if !self.rules_changed.is_empty() {
            line(text, "Changed rules:")?;
        }
        for changed in &self.rules_changed {
            line(text, &format!("- {} (line {}, now {})", changed.rule, changed.lines.0, changed.lines.1))?;
            change(&changed.removed, &changed.added).iter().try_for_each(|told| line(text, told))?;
        }
        if !self.others_changed.is_empty() {
            line(text, "Other differences:")?;
        }
        self.others_changed.iter().try_for_each(|changed| line(text, &format!("- {changed}")))?;
        if !self.relations_changed.is_empty() {
            line(text, "Arguments with different premises:")?;
        }
        for change in &self.relations_changed {
            let list = |premises: &[String]| if premises.is_empty() { "none".to_owned() } else { premises.join(" ") };
            line(
                text,
                &format!(
                    "- rule {}, invariant {}: {} instead of {}",
                    change.rule,
                    change.after,
                    list(&change.premises_after),
                    list(&change.premises_before)
                ),
            )?;
        }
        Ok(())
    }
}

/// How differences are written.
struct Style<'s> {
    line: &'s dyn Fn(&mut String, &str) -> fmt::Result,
    formula: &'s dyn Fn(&str) -> String,
    /// Renders what was removed and what was added.
    change: &'s Changes,
}

type Changes = dyn Fn(&[String], &[String]) -> Vec<String>;

/// Lists what was removed and what was added. An effect on the same state variable, or a formula that replaces another
/// one, is one line with its changes marked.
fn marked_changes(removed: &[String], added: &[String]) -> Vec<String> {
    let target = |part: &String| part.split_once(" := ").map(|(target, _)| target.to_owned());
    let successor = |part: &String| {
        let alone = removed.len() == 1 && added.len() == 1 && target(part).is_none();
        added.iter().find(|new| alone && target(new).is_none() || target(part).is_some() && target(new) == target(part))
    };
    let gone = removed.iter().map(|part| match successor(part) {
        Some(new) => format!("    ~ {}", marked(part, new)),
        None => format!("    - {part}"),
    });
    let successors: Vec<&String> = removed.iter().filter_map(successor).collect();
    let new = added.iter().filter(|part| !successors.contains(part)).map(|part| format!("    + {part}"));
    gone.chain(new).collect()
}

/// Lists the same as a block that a review comment shows in colours.
fn fenced_changes(removed: &[String], added: &[String]) -> Vec<String> {
    let gone = removed.iter().map(|part| format!("  - {part}"));
    let new = added.iter().map(|part| format!("  + {part}"));
    std::iter::once("  ~~~diff".to_owned()).chain(gone).chain(new).chain(std::iter::once("  ~~~".to_owned())).collect()
}

/// Returns the second text, with additions as `{+...+}` and deletions as `[-...-]`.
fn marked(old: &str, new: &str) -> String {
    let diff = TextDiff::from_words(old, new);
    let mut parts: Vec<(ChangeTag, String)> = Vec::new();
    for change in diff.iter_all_changes() {
        match parts.last_mut() {
            Some((tag, text)) if *tag == change.tag() => text.push_str(change.value()),
            _ => parts.push((change.tag(), change.value().to_owned())),
        }
    }
    let told = parts.into_iter().map(|(tag, text)| {
        let blank = if text.ends_with(' ') { " " } else { "" };
        let inner = text.strip_suffix(' ').unwrap_or(&text);
        match tag {
            ChangeTag::Equal => text,
            ChangeTag::Delete => format!("[-{inner}-]{blank}"),
            ChangeTag::Insert => format!("{{+{inner}+}}{blank}"),
        }
    });
    told.collect()
}
