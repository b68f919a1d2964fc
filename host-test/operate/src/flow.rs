//! Flow of events in the last hour, by minute. Each figure is the increase of a counter of this
//! process.

use std::collections::VecDeque;

use serde_json::Value;

/// Number of minutes that the flow covers.
const MINUTES: usize = 60;
const MINUTE_MS: i64 = 60_000;

/// Values of the counters at one time, with their names.
pub type Sample = [(&'static str, u64); 8];

/// Values of the counters at the start of each minute, oldest first.
#[derive(Default)]
pub struct Flow(VecDeque<(i64, Sample)>);

impl Flow {
    /// Records the counters. Keeps the first sample of each minute. If the clock is set back,
    /// samples are discarded until the clock has caught up.
    pub fn note(&mut self, now_ms: i64, sample: Sample) {
        let minute_ms = now_ms.saturating_sub(now_ms.rem_euclid(MINUTE_MS));
        if self.0.back().is_none_or(|(last_ms, _)| *last_ms < minute_ms) {
            self.0.push_back((minute_ms, sample));
        }
        while self.0.len() > MINUTES {
            self.0.pop_front();
        }
    }

    /// Returns the increase of each counter in each minute. The last minute is incomplete.
    pub fn view(&self, now: Sample) -> Vec<Value> {
        let ends = self.0.iter().skip(1).map(|(_, sample)| *sample).chain([now]);
        let minutes = self.0.iter().zip(ends);
        minutes
            .map(|((minute_ms, begin), end)| {
                let grown = end.into_iter().zip(begin).map(|((name, end), (_, begin))| {
                    (name.to_string(), Value::from(end.saturating_sub(*begin)))
                });
                [("minute_ms".to_string(), (*minute_ms).into())].into_iter().chain(grown).collect()
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stored(stored: u64) -> Sample {
        [("stored", stored); 8]
    }

    fn counts(flow: &Flow, now: u64) -> Vec<(i64, u64)> {
        let minute = |minute: &Value| {
            (minute["minute_ms"].as_i64().unwrap(), minute["stored"].as_u64().unwrap())
        };
        flow.view(stored(now)).iter().map(minute).collect()
    }

    #[test]
    fn each_minute_shows_growth_of_counters() {
        let mut flow = Flow::default();
        flow.note(60_500, stored(0));
        flow.note(119_999, stored(3));
        flow.note(120_000, stored(4));
        assert_eq!(counts(&flow, 9), [(60_000, 4), (120_000, 5)]);
        // The clock is set back, then jumps ahead after a suspension.
        flow.note(30_000, stored(9));
        flow.note(600_000, stored(10));
        assert_eq!(counts(&flow, 10), [(60_000, 4), (120_000, 6), (600_000, 0)]);
    }

    #[test]
    fn hour_is_kept() {
        let mut flow = Flow::default();
        for minute in 0..200 {
            flow.note(minute * MINUTE_MS, stored(u64::try_from(minute).unwrap()));
        }
        let shown = counts(&flow, 200);
        assert_eq!((shown.len(), shown[0], shown[59]), (60, (8_400_000, 1), (11_940_000, 1)));
    }
}
