//! What `find` and `verify` share: the search for a proof under limits, with progress.

use invfinder::{Account, Header, Reason, Stage as SearchStage, Verdict, prove};
use protocol::System;
use protocol::lower::Lowered;
use protocol::scope::Scope;

use crate::arguments::SearchSettings;
use crate::model::{Model, Stopped};
use crate::progress::Progress;
use crate::watch::{Cause, Watch};

/// What a search came to.
pub(super) struct Found {
    pub(super) verdict: Verdict,
    pub(super) account: Account,
    /// Why it was stopped and how far it was by then, if it was.
    pub(super) stopped: Option<(Cause, String)>,
}

impl Found {
    /// Why there is no verdict, in one line.
    pub(super) fn reason(&self, reason: &Reason, system: &System) -> String {
        if *reason == Reason::NoProperty {
            return Scope::of(system).proven();
        }
        match &self.stopped {
            Some((cause, at)) if at.is_empty() => format!("the search was stopped: {cause}"),
            Some((cause, at)) => format!("the search was stopped: {cause}; by then: {at}"),
            None => reason.to_string(),
        }
    }
}

/// Sets the number of threads, before anything uses them.
pub(super) fn set_threads(settings: &SearchSettings) -> anyhow::Result<()> {
    if let Some(threads) = settings.limits.threads {
        invfinder::set_threads(usize::try_from(threads)?)?;
    }
    Ok(())
}

/// Lowers the model, as long as the watch goes on; or why it was stopped.
///
/// # Errors
/// Where the model cannot be lowered.
pub(super) fn lowered(model: &Model, watch: &Watch) -> anyhow::Result<Result<Lowered, String>> {
    match (model.lower(), watch.cause()) {
        (Ok(lowered), _) => Ok(Ok(lowered)),
        (Err(error), Some(cause)) if error.is::<Stopped>() => {
            Ok(Err(format!("lowering the model was stopped: {cause}")))
        }
        (Err(error), _) => Err(error),
    }
}

/// Searches for a proof.
///
/// A proof that there is no time left to check is worth nothing, so dropping what it can do without may take half of the
/// time that is left when it begins.
pub(super) fn search(
    system: &System,
    model: &Model,
    settings: &SearchSettings,
    watch: &Watch,
    progress: &mut Progress,
) -> Found {
    let header = Header { model_digest: model.identity.digest.clone(), settings: model.identity.settings.clone() };
    let limits = invfinder::Limits {
        max_states: settings.limits.max_states.map(|limit| usize::try_from(limit).unwrap_or(usize::MAX)),
        timeout: None,
        sizes: settings.sizes.clone(),
    };
    let (mut stopped, mut rest) = (None, None);
    let (verdict, account) = progress.stage("search", |stage| {
        prove(system, &header, &limits, &mut |at| {
            stage.update(|| tell(&at, system));
            if matches!(at, SearchStage::Minimizing { .. }) {
                let rest = rest.get_or_insert_with(|| watch.left().map(|left| left / 2));
                return watch.go_on() && rest.is_none_or(|rest| watch.left().is_some_and(|left| left > rest));
            }
            if let Some(cause) = watch.cause() {
                stopped.get_or_insert_with(|| (cause, tell(&at, system)));
            }
            stopped.is_none()
        })
    });
    Found { verdict, account, stopped }
}

fn tell(stage: &SearchStage<'_>, system: &System) -> String {
    match stage {
        SearchStage::Exploring(sizes) => format!("exploring an instance with {}", sizes_text(system, sizes)),
        SearchStage::Searching(figures) => {
            format!("{} cubes visited, {} waiting, {} undone", figures.visited, figures.waiting, figures.undone)
        }
        SearchStage::Arguing { done, needed } => format!("{done} of {needed} invariants have their arguments"),
        SearchStage::Minimizing { done, of } => format!("{done} of {of} invariants tried without"),
    }
}

/// `NODE = 3, DATA = 2`.
pub(super) fn sizes_text(system: &System, sizes: &[u32]) -> String {
    let named = system.index_types.iter().zip(sizes);
    let parts: Vec<String> = named.map(|(over, size)| format!("{} = {size}", over.name)).collect();
    if parts.is_empty() { "its sizes as they are".to_owned() } else { parts.join(", ") }
}
