//! What a reader sees of a check: the texts of faults, the explanation of an obligation, and the results of shards.
//!
//! Nothing here decides whether a certificate is accepted.

mod explain;
mod fault;
mod shard;
mod text;

pub use explain::{ExplainedStep, Explanation, explain, explain_property, explain_startstate};
pub use fault::{FaultReport, Part};
pub use shard::{FileIdentity, MergeError, Merged, ShardError, ShardResult, check_shard, merge, read_shard};
