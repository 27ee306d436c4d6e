use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use super::{Command, Output, ProcessError};

type Outcome = Result<Output, ProcessError>;

/// Runs all commands, at most `concurrency` at a time (0 counts as 1). The results are in the order of the commands.
///
/// The calling thread works too. Where the system gives fewer threads than asked for, the commands run on those it gives.
pub fn run_many(commands: &[Command], concurrency: usize) -> Vec<Outcome> {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut outcomes: Vec<(usize, Outcome)> = Vec::new();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(command) = commands.get(index) else { return outcomes };
            outcomes.push((index, command.run()));
        }
    };

    let helpers = concurrency.min(commands.len()).saturating_sub(1);
    let mut outcomes = thread::scope(|scope| {
        let handles: Vec<_> =
            (0..helpers).map_while(|_| thread::Builder::new().spawn_scoped(scope, work).ok()).collect();
        let mut outcomes = work();
        for handle in handles {
            match handle.join() {
                Ok(more) => outcomes.extend(more),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        outcomes
    });
    outcomes.sort_unstable_by_key(|(index, _)| *index);
    outcomes.into_iter().map(|(_, outcome)| outcome).collect()
}
