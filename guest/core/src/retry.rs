//! Timing of retries: a maximum number of attempts, a deadline, and delays with full jitter. Does
//! not decide which failures may be retried.

use crate::error::Error;
use crate::limits::{BACKOFF_BASE_MS, BACKOFF_CAP_MS, MIN_ATTEMPT_MS};

/// The attempts and the time that a call may still use.
#[derive(Clone, Debug)]
pub struct Budget {
    deadline_ms: u64,
    left: u32,
    spent: u32,
    random: u64,
    /// The error that led to the current delay; `None` outside of a delay.
    paused_for: Option<Error>,
}

impl Budget {
    /// Creates a budget of `attempts` requests. A retry starts at least [`MIN_ATTEMPT_MS`] before
    /// `deadline_ms`. `seed` randomizes the delays, so concurrent calls do not retry together.
    pub fn new(attempts: u32, deadline_ms: u32, seed: u64) -> Self {
        Self {
            deadline_ms: deadline_ms.into(),
            left: attempts.saturating_sub(1),
            spent: 0,
            random: seed,
            paused_for: None,
        }
    }

    /// Checks that a request may still start. Each retry needs this check after its delay, because
    /// the process can be suspended during the delay.
    ///
    /// # Errors
    /// Returns the error that led to the preceding delay if the deadline is too close. Without a
    /// preceding delay, returns the result of `late` if the deadline has passed.
    pub fn begin(&mut self, elapsed_ms: u64, late: fn(&'static str) -> Error) -> Result<(), Error> {
        let paused_for = self.paused_for.take();
        let last_ms = if paused_for.is_some() { self.last_ms() } else { self.deadline_ms };
        if elapsed_ms < last_ms {
            return Ok(());
        }
        Err(paused_for.unwrap_or_else(|| late("the deadline passed before a request was made")))
    }

    /// Uses one attempt and returns the delay before that attempt, in milliseconds. `hint_ms` is
    /// the minimum delay that the service requested (RFC 9110 section 10.2.3).
    ///
    /// # Errors
    /// Returns `error` if no attempts are left, or if the delay would end too close to the
    /// deadline.
    pub fn pause(
        &mut self,
        elapsed_ms: u64,
        hint_ms: Option<u32>,
        error: Error,
    ) -> Result<u32, Error> {
        match self.retry(elapsed_ms, hint_ms) {
            Some(pause) => {
                self.paused_for = Some(error);
                Ok(pause)
            }
            None => Err(error),
        }
    }

    fn retry(&mut self, elapsed_ms: u64, hint_ms: Option<u32>) -> Option<u32> {
        self.left = self.left.checked_sub(1)?;
        let bound =
            BACKOFF_BASE_MS.saturating_mul(1_u32.checked_shl(self.spent).unwrap_or(u32::MAX));
        let jitter = self.up_to(bound.min(BACKOFF_CAP_MS));
        let pause = hint_ms.unwrap_or(0).saturating_add(jitter);
        self.spent = self.spent.saturating_add(1);
        (elapsed_ms.saturating_add(pause.into()) < self.last_ms()).then_some(pause)
    }

    /// Returns the time before which a retry must start, in milliseconds since the start of the call.
    fn last_ms(&self) -> u64 {
        self.deadline_ms.saturating_sub(MIN_ATTEMPT_MS.into())
    }

    /// Returns a random number from 0 to `bound`. Uses SplitMix64.
    fn up_to(&mut self, bound: u32) -> u32 {
        self.random = self.random.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.random;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^= mixed >> 31;
        let range = u64::from(bound).saturating_add(1);
        u32::try_from(mixed.checked_rem(range).unwrap_or(0)).unwrap_or(bound)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attempts_run_out() {
        let mut budget = Budget::new(3, 30_000, 7);
        assert!(budget.retry(0, None).is_some());
        assert!(budget.retry(0, None).is_some());
        assert_eq!(budget.retry(0, None), None);
        assert_eq!(Budget::new(1, 30_000, 7).retry(0, None), None);
    }

    #[test]
    fn no_attempt_begins_without_time_for_it() {
        assert_eq!(Budget::new(3, 1_000, 7).retry(900, None), None);
        assert_eq!(Budget::new(3, 1_000, 7).retry(0, Some(900)), None);
        assert!(Budget::new(3, 1_200, 7).retry(0, Some(900)).is_some());
        let pause = Budget::new(2, 1_000, 7).retry(0, None).unwrap();
        let last = pause + MIN_ATTEMPT_MS;
        assert_eq!(Budget::new(2, last, 7).retry(0, None), None, "start at the limit is too late");
        assert_eq!(Budget::new(2, last + 1, 7).retry(0, None), Some(pause));
    }

    #[test]
    fn random_numbers_are_those_of_split_mix_64() {
        let mut budget = Budget::new(1, 0, 1_234_567);
        // The lower halves of the generator's published outputs for this seed.
        for expected in [0xfb08_fc85, 0x5854_0fa5, 0xa3f2_7c77, 0xe917_7b3f, 0x08cb_5ecd] {
            assert_eq!(budget.up_to(u32::MAX), expected);
        }
    }

    #[test]
    fn retry_hint_is_minimum_delay() {
        let pauses: std::collections::BTreeSet<u32> = (0..100)
            .map(|seed| Budget::new(2, 60_000, seed).retry(0, Some(2_000)).unwrap())
            .collect();
        assert!(pauses.iter().all(|pause| (2_000..=2_100).contains(pause)));
        assert!(pauses.len() > 30, "{}", pauses.len());
    }

    #[test]
    fn pauses_stay_below_their_doubling_bound() {
        for seed in 0..1_000 {
            let mut budget = Budget::new(10, u32::MAX, seed);
            for bound in [100, 200, 400, 800, 1_600, 3_200, 5_000, 5_000, 5_000] {
                assert!(budget.retry(0, None).unwrap() <= bound);
            }
        }
    }
}
