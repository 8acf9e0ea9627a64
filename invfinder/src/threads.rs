//! The threads that the stages use.

use rayon::prelude::*;
use system::alone;

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

/// The result for each item in their order, or one of those without a value. Several threads share the items, unless the run is short.
pub(crate) fn all<I, T, C>(items: Vec<I>, result: impl Fn(I) -> T + Sync + Send) -> C
where
    I: Send,
    T: Send,
    C: FromIterator<T> + FromParallelIterator<T>,
{
    if alone::is_so() { items.into_iter().map(result).collect() } else { items.into_par_iter().map(result).collect() }
}
