//! How many threads the stages use.

/// Why the number cannot be set.
#[derive(Debug, thiserror::Error)]
#[error("the worker threads cannot be started: {0}")]
pub struct ThreadError(#[from] rayon::ThreadPoolBuildError);

/// Sets the number of threads for the whole process, once; results do not depend on it.
///
/// # Errors
/// Where the threads cannot be started, or were started already.
pub fn set_threads(number: usize) -> Result<(), ThreadError> {
    Ok(rayon::ThreadPoolBuilder::new().num_threads(number).build_global()?)
}
