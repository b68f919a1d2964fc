//! Runs concurrent calls in every order of their store operations, or in random orders. For tests:
//! a test store waits for its [`turn`] before each operation.
#![allow(clippy::arithmetic_side_effects, clippy::indexing_slicing, reason = "for tests")]

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::future::poll_fn;
use core::pin::Pin;
use core::task::{Context, Poll, Waker};

/// A source of choices, for example which call performs the next operation.
pub enum Choices {
    /// Explores all orders systematically.
    Every {
        /// For each choice: the index of the chosen operation, and the number of possible
        /// operations.
        taken: Vec<(usize, usize)>,
        /// Index of the next choice in `taken`.
        at: usize,
    },
    /// Random choices. Holds the seed, which must not be 0.
    Random(u64),
}

impl Choices {
    /// Creates choices that explore all orders systematically.
    pub fn every() -> Self {
        Self::Every { taken: Vec::new(), at: 0 }
    }

    /// Returns a choice from 0 to `of` - 1.
    pub fn pick(&mut self, of: usize) -> usize {
        match self {
            Self::Every { taken, at } => {
                if taken.len() == *at {
                    taken.push((0, of));
                }
                *at += 1;
                taken[*at - 1].0
            }
            Self::Random(state) => {
                *state ^= *state << 13;
                *state ^= *state >> 7;
                *state ^= *state << 17;
                let of = u64::try_from(of).unwrap_or(u64::MAX);
                usize::try_from(*state % of).unwrap_or_default()
            }
        }
    }

    /// Advances to the next order. Returns false after the last order; random choices never end.
    pub fn advance(&mut self) -> bool {
        let Self::Every { taken, at } = self else { return true };
        *at = 0;
        while let Some((way, of)) = taken.pop() {
            if way + 1 < of {
                taken.push((way + 1, of));
                return true;
            }
        }
        false
    }
}

/// Waits until the scheduler chooses this call. Each turn permits one operation.
pub async fn turn() {
    let mut waited = false;
    poll_fn(
        |_| if core::mem::replace(&mut waited, true) { Poll::Ready(()) } else { Poll::Pending },
    )
    .await;
}

/// A call to run concurrently with others, as a boxed future.
pub type Call<'a, T> = Pin<Box<dyn Future<Output = T> + 'a>>;

/// Runs calls until all have ended. If `may_end` is true, calls may also be canceled. Runs `check`
/// after each operation. Returns the results; `None` for canceled calls.
pub fn run<T>(
    calls: Vec<Call<'_, T>>,
    choices: &mut Choices,
    may_end: bool,
    check: impl Fn(),
) -> Vec<Option<T>> {
    let mut answers: Vec<_> = calls.iter().map(|_| None).collect();
    let mut calls: Vec<_> = calls.into_iter().map(Some).collect();
    let context = &mut Context::from_waker(Waker::noop());
    loop {
        let running: Vec<_> = (0..calls.len()).filter(|one| calls[*one].is_some()).collect();
        if running.is_empty() {
            return answers;
        }
        let chosen = running[choices.pick(running.len())];
        let polled = calls[chosen].as_mut().map(|call| call.as_mut().poll(context));
        if let Some(Poll::Ready(answer)) = polled {
            answers[chosen] = Some(answer);
            calls[chosen] = None;
        } else if may_end && choices.pick(2) == 1 {
            calls[chosen] = None;
        }
        check();
    }
}
