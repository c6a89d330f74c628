//! Work that is shared among threads.

use std::thread::{Builder, ScopedJoinHandle, scope};

use super::TuningError;

/// The stack of a thread in bytes: enough for a search.
const STACK: usize = 64 << 20;

/// Runs the same work on each of several threads, and collects the results.
///
/// # Errors
///
/// [`TuningError::Thread`] if a thread cannot be started or panics, else the first error of the
/// work.
pub(super) fn on_threads<T: Send>(
    threads: usize,
    work: impl Fn() -> Result<T, TuningError> + Sync,
) -> Result<Vec<T>, TuningError> {
    let threads = threads.max(1);
    in_parts(&vec![(); threads], threads, |_| work())?.into_iter().collect()
}

/// Splits a list among several threads, and collects their results in the order of the list.
///
/// # Errors
///
/// [`TuningError::Thread`] if a thread cannot be started or panics.
pub(super) fn in_parts<T: Sync, R: Send>(
    list: &[T],
    threads: usize,
    work: impl Fn(&[T]) -> R + Sync,
) -> Result<Vec<R>, TuningError> {
    let part = list.len().div_ceil(threads.max(1)).max(1);
    let work = &work;
    let results: Vec<Option<R>> = scope(|scope| {
        let start = |part| Builder::new().stack_size(STACK).spawn_scoped(scope, move || work(part));
        let running: Vec<_> = list.chunks(part).map(start).collect();
        // Join all threads even if one fails: the scope panics if a panicked thread is not joined.
        running.into_iter().map(|thread| thread.ok().map(ScopedJoinHandle::join)?.ok()).collect()
    });
    results.into_iter().collect::<Option<_>>().ok_or(TuningError::Thread)
}

/// The sum of the vectors that `add` contributes for each item of a list, using this many threads.
///
/// # Errors
///
/// [`TuningError::Thread`] if a thread cannot be started or panics.
pub(super) fn sum_vectors<T: Sync>(
    list: &[T],
    threads: usize,
    length: usize,
    add: impl Fn(&T, &mut [f64]) + Sync,
) -> Result<Vec<f64>, TuningError> {
    let of_part = |items: &[T]| {
        let mut sum = vec![0.0; length];
        items.iter().for_each(|item| add(item, &mut sum));
        sum
    };
    let mut total = vec![0.0; length];
    for part in in_parts(list, threads, of_part)? {
        total.iter_mut().zip(part).for_each(|(total, part)| *total += part);
    }
    Ok(total)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_stay_in_order() {
        let list: Vec<u32> = (0..10).collect();
        for threads in [0, 1, 3, 10, 99] {
            let parts = in_parts(&list, threads, <[u32]>::to_vec).expect("threads");
            assert!(parts.len() <= threads.max(1));
            assert_eq!(parts.concat(), list);
        }
        assert_eq!(in_parts(&[0; 0], 2, <[u32]>::len).expect("threads"), [0; 0]);
    }

    #[test]
    fn panics_are_errors() {
        let work = |part: &[u32]| assert!(part[0] < 1, "planted");
        assert!(matches!(in_parts(&[0, 1, 2], 3, work), Err(TuningError::Thread)));
    }
}
