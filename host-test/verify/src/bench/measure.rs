//! Measures of the benchmarks, with the names that reports and tables show.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A measure, with its unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "each name explains its measure")]
pub enum Measure {
    #[serde(rename = "CPU us a call")]
    CpuMicrosPerCall,
    #[serde(rename = "calls a second")]
    CallsPerSecond,
    #[serde(rename = "CPU us an event")]
    CpuMicrosPerEvent,
    #[serde(rename = "a second")]
    PerSecond,
    #[serde(rename = "ms for half of them")]
    MedianMillis,
    #[serde(rename = "ms for 99 in 100")]
    P99Millis,
    #[serde(rename = "ms")]
    Millis,
    #[serde(rename = "us")]
    Micros,
    #[serde(rename = "KB a call in flight")]
    KilobytesPerCallInFlight,
    #[serde(rename = "KB each")]
    KilobytesEach,
}

impl Measure {
    /// Returns true if a higher value is better.
    pub(super) fn is_rate(self) -> bool {
        matches!(self, Self::CallsPerSecond | Self::PerSecond)
    }

    /// Returns true if the measure needs many rounds.
    pub(super) fn is_percentile(self) -> bool {
        matches!(self, Self::MedianMillis | Self::P99Millis | Self::Millis)
    }
}

impl fmt::Display for Measure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Displays the serialized name.
        self.serialize(f)
    }
}
