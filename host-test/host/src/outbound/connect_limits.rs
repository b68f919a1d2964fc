//! Time limits of connection attempts.

use std::time::Duration;

use messaging_core::limits::{BACKOFF_BASE_MS, BACKOFF_CAP_MS};
use messaging_net::connect::CONNECT_LIMIT;
use messaging_net::departure::Moment;

/// Minimum time between the end of a connection attempt and the component's deadline.
pub(crate) const CONNECT_MARGIN: Duration = Duration::from_millis(50);

/// Time limits of connection attempts. Each attempt ends before the deadline of the call, because a
/// component cannot report after the deadline that nothing was sent.
#[derive(Clone, Copy)]
pub(super) struct ConnectLimits {
    /// Maximum duration of a call, minus the margin.
    pub(super) call: Duration,
    /// Maximum duration of an attempt if all attempts of a call get equal time. Used if `began` is
    /// `None`.
    pub(super) attempt: Duration,
    /// Start of the call. `None` if an instance runs many calls at once, because the host then does
    /// not know the call that a request belongs to.
    pub(super) began: Option<Moment>,
}

impl ConnectLimits {
    pub(super) fn new(deadline: Duration, attempts: u32) -> Self {
        let call = deadline.saturating_sub(CONNECT_MARGIN);
        let pause = |attempt: u32| {
            let bound = BACKOFF_BASE_MS.saturating_mul(2_u32.saturating_pow(attempt));
            Duration::from_millis(bound.min(BACKOFF_CAP_MS).into())
        };
        let between = attempts.saturating_sub(1).min(16);
        let pauses: Duration = (0..between).map(|one| pause(one) + CONNECT_MARGIN).sum();
        let share = |time: Duration, of: u32| time.checked_div(of).unwrap_or(call);
        // The delays between attempts could use up the whole call. A minimum share gives each
        // attempt some time, even if the call then ends before its last attempt.
        let least = share(call, attempts.saturating_add(between.min(1)));
        let attempt = share(call.saturating_sub(pauses), attempts).max(least);
        Self { call, attempt, began: None }
    }

    /// Returns the deadline for the first byte of a request that is made `now`.
    pub(super) fn deadline(&self, now: Moment) -> Moment {
        now.after(CONNECT_LIMIT).min(match self.began {
            Some(began) => began.after(self.call),
            None => now.after(self.attempt),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn connect_deadline_follows_from_rest_of_call() {
        let ms = Duration::from_millis;
        let began = Moment::now();
        let later =
            |after| Moment { monotonic: began.monotonic + ms(after), wall: began.wall + ms(after) };
        let known = ConnectLimits { began: Some(began), ..ConnectLimits::new(ms(30_000), 3) };
        for (after, until) in [(0, 10_000), (10_100, 20_100), (20_300, 29_950), (29_960, 29_950)] {
            assert_eq!(known.deadline(later(after)), began.after(ms(until)), "{after}");
        }
        // Simulates a machine that was suspended for an hour.
        let suspended = Moment { wall: began.wall + ms(3_600_000), ..later(10_100) };
        let deadline = known.deadline(suspended);
        assert_eq!(deadline.wall, began.wall + ms(29_950));
        // All attempts of maximum duration fit, including the delays between them.
        for deadline in [1_500, 5_000, 30_000, 600_000] {
            for attempts in [1, 2, 3] {
                let limits = ConnectLimits::new(ms(deadline), attempts);
                let each = limits.deadline(began).monotonic - began.monotonic;
                let pauses = ms([0, 100, 300][attempts as usize - 1]);
                let all = each * attempts + pauses;
                assert!(all <= ms(deadline - 50), "{deadline} {attempts}: {all:?}");
                assert!(each >= ms(10_000).min(ms(deadline - 50) / (attempts + 1)));
            }
        }
    }
}
