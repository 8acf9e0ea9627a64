//! The number of threads that the stages use.

/// Why the number of threads cannot be set.
#[derive(Debug, thiserror::Error)]
#[error("the worker threads cannot be started: {0}")]
pub struct ThreadError(#[from] rayon::ThreadPoolBuildError);

/// Sets the number of threads for the whole process. Results do not depend on it.
///
/// # Errors
/// Returns an error if the threads cannot be started, or if they have already been started.
pub fn set_threads(number: usize) -> Result<(), ThreadError> {
    Ok(rayon::ThreadPoolBuilder::new().num_threads(number).build_global()?)
}
