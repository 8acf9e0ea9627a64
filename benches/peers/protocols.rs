//! The protocols that are compared.

/// A proof: `paraproof find` and `check`, and `verify`, beside Cubicle on the translated model.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Proof {
    /// The model's path below `models`.
    pub(crate) model: &'static str,
    /// Settings that Cubicle's user must find out for this protocol.
    pub(crate) settings: &'static [&'static str],
}

/// An instance: `paraproof simulate` beside rumur and CMurphi, without symmetry reduction.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Instance {
    /// The model's path below `models`.
    pub(crate) model: &'static str,
    /// Constants that get other values.
    pub(crate) constants: &'static [(&'static str, u32)],
    /// The memory that CMurphi's user must allot for the state table.
    pub(crate) megabytes: u32,
}

const USUAL: &[&str] = &["-brab", "2"];
const FLASH: &[&str] = &["-brab", "3", "-forward-depth", "14"];

const fn proof(model: &'static str) -> Proof {
    Proof { model, settings: USUAL }
}

const fn flash(model: &'static str) -> Proof {
    Proof { model, settings: FLASH }
}

/// The proofs, fastest first, of correct and broken protocols.
pub(crate) const PROOFS: &[Proof] = &[
    proof("mutualex.m"),
    proof("mesi.m"),
    proof("moesi.m"),
    proof("germanish.m"),
    proof("german.m"),
    proof("german_baukus.m"),
    proof("german_ctc.m"),
    proof("german_pfs.m"),
    proof("szymanski_at.m"),
    proof("szymanski_na.m"),
    proof("szymanski_at_any.m"),
    proof("szymanski_na_any.m"),
    proof("berkeley.m"),
    proof("burns.m"),
    proof("burns_any.m"),
    proof("chandra_toueg.m"),
    proof("dekker_n.m"),
    proof("dijkstra.m"),
    proof("dragon.m"),
    proof("firefly.m"),
    proof("futurebus.m"),
    proof("illinois.m"),
    proof("mcs.m"),
    proof("mutdata.m"),
    proof("peterson.m"),
    proof("ricart_agrawala.m"),
    proof("synapse.m"),
    proof("ticket.m"),
    proof("broken/mutualex_unguarded.m"),
    proof("broken/mesi_silent_upgrade.m"),
    proof("broken/moesi_keeps_modified.m"),
    proof("broken/germanish_skips_sharers.m"),
    proof("broken/german_eager_shared.m"),
    proof("broken/german_baukus_keeps_copy.m"),
    proof("broken/german_ctc_stale_memory.m"),
    proof("broken/german_pfs_eager_invalidation.m"),
    proof("broken/szymanski_na_stale_counter.m"),
    proof("broken/szymanski_at_any_order.m"),
    proof("broken/szymanski_at_any_unordered.m"),
    proof("broken/szymanski_na_any_stale_counter.m"),
    flash("flash_nodata.m"),
    flash("flash.m"),
    flash("broken/flash_home_unchecked_grant.m"),
    flash("flash_home.m"),
];

/// The instances.
pub(crate) const INSTANCES: &[Instance] = &[
    Instance { model: "german_baukus.m", constants: &[("NODE_NUM", 3)], megabytes: 8 },
    Instance { model: "german.m", constants: &[("NODE_NUM", 2)], megabytes: 8 },
    Instance { model: "german_ctc.m", constants: &[("NODE_NUM", 3)], megabytes: 8 },
    Instance { model: "flash_nodata.m", constants: &[("NODE_NUM", 2)], megabytes: 8 },
    Instance { model: "flash_nodata.m", constants: &[("NODE_NUM", 3)], megabytes: 32 },
    Instance { model: "flash.m", constants: &[("NODE_NUM", 2)], megabytes: 8 },
    Instance { model: "flash_home.m", constants: &[("NODE_NUM", 2)], megabytes: 64 },
    Instance { model: "flash.m", constants: &[("NODE_NUM", 3)], megabytes: 256 },
    Instance { model: "german_ctc.m", constants: &[("NODE_NUM", 4)], megabytes: 256 },
    Instance { model: "german.m", constants: &[("NODE_NUM", 3)], megabytes: 1024 },
    Instance { model: "german_baukus.m", constants: &[("NODE_NUM", 4)], megabytes: 64 },
];

impl Instance {
    /// Returns the name in the table.
    pub(crate) fn name(&self) -> String {
        let constants: Vec<String> = self.constants.iter().map(|(name, value)| format!("{name}={value}")).collect();
        format!("{} {}", self.model, constants.join(" "))
    }

    /// Returns the model with the constants replaced.
    pub(crate) fn text(&self, model: &str) -> anyhow::Result<String> {
        let mut text = model.to_owned();
        for (name, value) in self.constants {
            let declared = format!("{name} :");
            let line = text.lines().find(|line| line.trim_start().starts_with(&declared)).map(str::to_owned);
            let line = line.ok_or_else(|| anyhow::anyhow!("{} does not declare {name}", self.model))?;
            text = text.replacen(&line, &format!("  {name} : {value};"), 1);
        }
        Ok(text)
    }
}
