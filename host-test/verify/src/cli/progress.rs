//! Progress of a campaign: completed units, pace and remaining time.

use std::collections::VecDeque;
use std::io::IsTerminal;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use messaging_cli::complain;

/// Period over which the pace is measured.
const PACE: Duration = Duration::from_secs(60);
/// Display interval on a terminal, and in a log.
const ON_TERMINAL: Duration = Duration::from_millis(200);
const IN_LOG: Duration = Duration::from_secs(60);

/// Progress on standard error: a line in place on a terminal, otherwise one line per minute.
pub struct Progress {
    /// Name of the counted unit.
    unit: &'static str,
    on_terminal: bool,
    state: Mutex<State>,
}

struct State {
    /// Samples of the last period, oldest first.
    seen: VecDeque<(Instant, u64)>,
    shown: Instant,
}

impl Progress {
    pub fn new(unit: &'static str) -> Self {
        let now = Instant::now();
        let state = State { seen: VecDeque::from([(now, 0)]), shown: now };
        Self { unit, on_terminal: std::io::stderr().is_terminal(), state: Mutex::new(state) }
    }

    pub fn show(&self, done: u64, all: u64) {
        let now = Instant::now();
        let mut state = self.state();
        let every = if self.on_terminal { ON_TERMINAL } else { IN_LOG };
        if now.duration_since(state.shown) < every {
            return;
        }
        state.shown = now;
        state.seen.push_back((now, done));
        let pace = state.pace();
        drop(state);
        let text = line(done, all, self.unit, pace);
        match self.on_terminal {
            true => anstream::eprint!("\r\x1b[2K{text}"),
            false => complain!("{text}"),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if self.on_terminal {
            anstream::eprint!("\r\x1b[2K");
        }
    }
}

impl State {
    /// Returns the pace of the last period, in units per second. Removes older samples.
    fn pace(&mut self) -> f64 {
        let Some(&(now, done)) = self.seen.back() else { return 0.0 };
        while self.seen.len() > 2
            && self.seen.get(1).is_some_and(|(at, _)| now.duration_since(*at) >= PACE)
        {
            self.seen.pop_front();
        }
        let Some(&(since, before)) = self.seen.front() else { return 0.0 };
        per_second(done.saturating_sub(before), now.duration_since(since).as_secs_f64())
    }
}

/// Returns the count per second, or 0 if no time has passed.
pub fn per_second(count: u64, seconds: f64) -> f64 {
    // Printed for people, with few digits.
    #[allow(clippy::cast_precision_loss, reason = "shown with one digit")]
    let count = count as f64;
    if seconds > 0.0 { count / seconds } else { 0.0 }
}

fn line(done: u64, all: u64, unit: &str, pace: f64) -> String {
    // Rounded up. Without progress, the remaining time is omitted.
    #[allow(clippy::cast_precision_loss, reason = "shown in seconds")]
    let left = Duration::try_from_secs_f64((all.saturating_sub(done) as f64 / pace).ceil());
    let left = left.map(|left| format!(", {} left", humantime::format_duration(left)));
    let pace = if unit == "seconds" { String::new() } else { format!(", {pace:.1} a second") };
    format!("{done} of {all} {unit}{pace}{}", left.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_line_has_pace_and_time_left() {
        assert_eq!(line(40, 100, "kills", 0.5), "40 of 100 kills, 0.5 a second, 2m left");
        assert_eq!(line(0, 100, "kills", 0.0), "0 of 100 kills, 0.0 a second");
        assert_eq!(line(40, 100, "seconds", 1.0), "40 of 100 seconds, 1m left");
    }

    #[test]
    fn pace_is_that_of_last_minute() {
        let start = Instant::now();
        let at = |seconds| start + Duration::from_secs(seconds);
        let seen =
            VecDeque::from([(at(0), 0), (at(100), 1_000), (at(200), 1_100), (at(260), 1_160)]);
        let mut state = State { seen, shown: start };
        assert!((state.pace() - 1.0).abs() < 0.001);
        assert_eq!(state.seen.len(), 2);
    }
}
