//! What `find` and `verify` share: the search for a proof under limits, with progress.

use invfinder::{Account, Header, Reason, Stage as SearchStage, Verdict, prove};
use protocol::System;

use crate::arguments::SearchSettings;
use crate::model::Model;
use crate::progress::Progress;
use crate::watch::{Cause, Watch};

/// What a search came to.
pub(super) struct Found {
    pub(super) verdict: Verdict,
    pub(super) account: Account,
    /// Why it was stopped, if it was.
    pub(super) stopped: Option<Cause>,
}

impl Found {
    /// Why there is no verdict, in one line.
    pub(super) fn reason(&self, reason: &Reason) -> String {
        match self.stopped {
            Some(cause) => format!("the search was stopped: {cause}"),
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

/// Searches for a proof.
pub(super) fn search(system: &System, model: &Model, settings: &SearchSettings, progress: &mut Progress) -> Found {
    let header = Header { model_digest: model.identity.digest.clone(), settings: model.identity.settings.clone() };
    let limits = invfinder::Limits {
        max_states: settings.limits.max_states.map(|limit| usize::try_from(limit).unwrap_or(usize::MAX)),
        timeout: settings.limits.timeout,
        sizes: settings.sizes.clone(),
    };
    let watch = Watch::new(&settings.limits);
    let (verdict, account) = progress.stage("search", |stage| {
        prove(system, &header, &limits, &mut |at| {
            stage.update(|| tell(&at, system));
            watch.go_on()
        })
    });
    // The search looks at the clock by itself as well, and may have seen the end of the time first.
    watch.go_on();
    Found { verdict, account, stopped: watch.cause() }
}

fn tell(stage: &SearchStage<'_>, system: &System) -> String {
    match stage {
        SearchStage::Exploring(sizes) => format!("exploring an instance with {}", sizes_text(system, sizes)),
        SearchStage::Searching(figures) => {
            format!("{} cubes visited, {} waiting, {} undone", figures.visited, figures.waiting, figures.undone)
        }
    }
}

/// `NODE = 3, DATA = 2`.
pub(super) fn sizes_text(system: &System, sizes: &[u32]) -> String {
    let named = system.index_types.iter().zip(sizes);
    let parts: Vec<String> = named.map(|(over, size)| format!("{} = {size}", over.name)).collect();
    if parts.is_empty() { "its sizes as they are".to_owned() } else { parts.join(", ") }
}
