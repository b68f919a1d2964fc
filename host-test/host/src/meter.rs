//! Usage counters of a call, for work in wasm and in host functions. The store, the connections and
//! the streams of an instance share one meter.

use std::cell::Cell;
use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::task::Poll;
use std::time::{Duration, Instant};

use cpu_time::ThreadTime;
use messaging_net::departure::in_future;
use messaging_net::permit::Permit;

use crate::limits::{Limit, Limits, count};

/// Maximum delay between a deadline and its detection in a running process. After a longer delay,
/// the process is assumed to have been stopped.
const LATE: Duration = Duration::from_millis(100);

/// Extra time for a call whose process was stopped past the deadline, because the response may have
/// arrived during the stop.
const AFTER_A_STOP: Duration = Duration::from_secs(1);

/// Processor time of a poll after which the call yields its thread to other tasks.
const TURN: Duration = Duration::from_millis(10);

/// Value of `polled_since` outside a poll.
const IDLE: u64 = u64::MAX;

/// A poll below this duration is charged by elapsed time. A reading of processor time is reused up
/// to this age. A system call for the processor time costs as much as a short poll.
const GRAIN: Duration = Duration::from_micros(100);

/// Usage counters of one instance.
pub struct Meter {
    limits: Limits,
    /// Deadline of the call.
    deadline: Mutex<Instant>,
    /// Processor time of finished polls, in nanoseconds.
    spent: AtomicU64,
    /// Processor time of the thread at the start of the running poll, in nanoseconds.
    polled_since: AtomicU64,
    /// Number of calls in flight. An instance may run many calls at once.
    calls: Arc<AtomicUsize>,
    requests: AtomicU32,
    under_way: Arc<AtomicUsize>,
    transferred: AtomicU64,
    logged: AtomicU64,
    /// True if the rest of the component's output in this call is not logged.
    is_quiet: AtomicBool,
    random: AtomicU64,
    reached: OnceLock<Limit>,
}

impl Meter {
    /// Creates a meter with a full budget that starts now.
    pub fn new(limits: Limits) -> Arc<Self> {
        Arc::new(Self {
            limits,
            deadline: Mutex::new(later(limits.wall)),
            spent: AtomicU64::new(0),
            polled_since: AtomicU64::new(IDLE),
            calls: Arc::default(),
            requests: AtomicU32::new(0),
            under_way: Arc::default(),
            transferred: AtomicU64::new(0),
            logged: AtomicU64::new(0),
            is_quiet: AtomicBool::new(false),
            random: AtomicU64::new(0),
            reached: OnceLock::new(),
        })
    }

    /// Gives the next call a full budget. The resources that the instance holds stay counted.
    pub fn restart(&self) {
        *self.deadline.lock().unwrap_or_else(PoisonError::into_inner) = later(self.limits.wall);
        self.spent.store(0, Ordering::Relaxed);
        if self.polled_since.load(Ordering::Relaxed) != IDLE {
            self.polled_since.store(thread_time(), Ordering::Relaxed);
        }
        self.requests.store(0, Ordering::Relaxed);
        self.is_quiet.store(false, Ordering::Relaxed);
        for count in [&self.transferred, &self.logged, &self.random] {
            count.store(0, Ordering::Relaxed);
        }
    }

    /// Returns the limits.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Returns the counter of calls in flight. The owner of the instance updates it.
    #[cfg(feature = "p3")]
    pub fn calls(&self) -> &Arc<AtomicUsize> {
        &self.calls
    }

    /// Runs a part of a call until it finishes, a limit is reached or the deadline passes. Takes a
    /// pinned future, because a future that is passed by value needs twice the memory.
    ///
    /// # Errors
    /// Returns the limit that was reached. The future must not be polled again.
    pub async fn within<T>(&self, call: Pin<&mut impl Future<Output = T>>) -> Result<T, Limit> {
        let deadline = *self.deadline.lock().unwrap_or_else(PoisonError::into_inner);
        let ended = in_time(deadline, pin!(self.counted(call))).await;
        ended.unwrap_or_else(|| Err(self.reach(Limit::Wall)))
    }

    /// Runs a part of a call until it finishes or a limit is reached, without a deadline.
    ///
    /// # Errors
    /// Returns the limit that was reached. The future must not be polled again.
    pub async fn counted<T>(
        &self,
        mut call: Pin<&mut impl Future<Output = T>>,
    ) -> Result<T, Limit> {
        poll_fn(|context| {
            let began = Instant::now();
            self.polled_since.store(thread_time_at(began), Ordering::Relaxed);
            let polled = call.as_mut().poll(context);
            let passed = began.elapsed();
            let spent = self.spent.load(Ordering::Relaxed);
            // Charges a long poll at least as much as the longest short poll.
            let spent = match passed < GRAIN {
                true => spent.saturating_add(nanos(passed)),
                false => self.cpu_nanos().max(spent.saturating_add(nanos(GRAIN))),
            };
            self.polled_since.store(IDLE, Ordering::Relaxed);
            self.spent.store(spent, Ordering::Relaxed);
            match polled {
                Poll::Ready(result) => Poll::Ready(Ok(result)),
                Poll::Pending => self.over().map_or(Poll::Pending, |limit| Poll::Ready(Err(limit))),
            }
        })
        .await
    }

    /// Returns the limit that has been reached, if any. Also checks the processor time.
    pub fn over(&self) -> Option<Limit> {
        let cpu = || Duration::from_nanos(self.cpu_nanos()) > self.limits.cpu;
        self.reached().or_else(|| cpu().then(|| self.reach(Limit::Cpu)))
    }

    /// Returns the limit that has been recorded, if any.
    pub fn reached(&self) -> Option<Limit> {
        self.reached.get().copied()
    }

    /// Records the limit that ends the call, unless a limit is already recorded. Returns the
    /// recorded limit.
    pub fn reach(&self, limit: Limit) -> Limit {
        *self.reached.get_or_init(|| limit)
    }

    /// Returns true if the running poll has taken less than [`TURN`]. wasmtime also interrupts an
    /// instance that has just been woken, because its deadline passed during the wait.
    pub fn has_turn(&self) -> bool {
        self.polled_nanos().is_some_and(|polled| polled < nanos(TURN))
    }

    fn cpu_nanos(&self) -> u64 {
        self.spent.load(Ordering::Relaxed).saturating_add(self.polled_nanos().unwrap_or(0))
    }

    /// Returns the processor time of the running poll, in nanoseconds; `None` outside a poll.
    fn polled_nanos(&self) -> Option<u64> {
        match self.polled_since.load(Ordering::Relaxed) {
            IDLE => None,
            since => Some(thread_time().saturating_sub(since)),
        }
    }

    /// Counts a request, which is active until the permit is dropped. Returns `None` if the call
    /// has too many requests, in total or at once.
    pub fn request(&self) -> Option<Permit> {
        let calls = self.calls.load(Ordering::Relaxed).max(1);
        let requests = self.requests.fetch_add(1, Ordering::Relaxed);
        if count(requests) >= count(self.limits.requests).saturating_mul(calls) {
            self.reach(Limit::Requests);
            return None;
        }
        Permit::take(&self.under_way, count(self.limits.concurrent_requests).saturating_mul(calls))
    }

    /// Counts bytes that the call moves. Returns false if the total exceeds the limit.
    pub fn transfer(&self, bytes: usize) -> bool {
        self.spend(&self.transferred, bytes, self.limits.transfer_bytes, Limit::Transfer)
    }

    /// Counts random bytes. Returns false if the total exceeds the limit.
    pub fn random(&self, bytes: u64) -> bool {
        let bytes = usize::try_from(bytes).unwrap_or(usize::MAX);
        self.spend(&self.random, bytes, self.limits.random_bytes, Limit::Random)
    }

    fn spend(&self, count: &AtomicU64, bytes: usize, most: u64, limit: Limit) -> bool {
        let within = add(count, bytes) <= most;
        if !within {
            self.reach(limit);
        }
        within
    }

    /// Stops logging the component's output until the end of this call.
    #[cfg(feature = "webhook")]
    pub fn quiet(&self) {
        self.is_quiet.store(true, Ordering::Relaxed);
    }

    /// Counts a log line of this size, and decides if it is written.
    pub fn log(&self, bytes: usize) -> Log {
        if self.is_quiet.load(Ordering::Relaxed) {
            return Log::Drop;
        }
        let logged = add(&self.logged, bytes);
        let before = logged.saturating_sub(u64::try_from(bytes).unwrap_or(u64::MAX));
        match self.limits.log_bytes {
            most if logged <= most => Log::Write,
            most if before <= most => Log::SaySo,
            _ => Log::Drop,
        }
    }
}

/// Decision about a log line.
pub enum Log {
    /// Write the line.
    Write,
    /// Write a notice instead, because this is the first dropped line.
    SaySo,
    /// Drop the line.
    Drop,
}

fn add(count: &AtomicU64, bytes: usize) -> u64 {
    let bytes = u64::try_from(bytes).unwrap_or(u64::MAX);
    let next = |so_far: u64| Some(so_far.saturating_add(bytes));
    let before = count.try_update(Ordering::Relaxed, Ordering::Relaxed, next);
    before.unwrap_or(u64::MAX).saturating_add(bytes)
}

/// Waits for a call until its deadline; `None` if it does not finish. If the process was stopped
/// and resumes long after the deadline, the call gets [`AFTER_A_STOP`] to use data that has
/// arrived.
pub async fn in_time<T>(
    deadline: Instant,
    mut call: Pin<&mut impl Future<Output = T>>,
) -> Option<T> {
    if let Ok(result) = tokio::time::timeout_at(deadline.into(), call.as_mut()).await {
        return Some(result);
    }
    if deadline.elapsed() <= LATE {
        return None;
    }
    tokio::time::timeout(AFTER_A_STOP, call).await.ok()
}

/// Returns the time `wall` from now.
pub fn later(wall: Duration) -> Instant {
    in_future(Instant::now().into(), wall).into()
}

/// Returns the processor time of this thread, in nanoseconds. Falls back to elapsed time if the
/// system does not measure processor time.
fn thread_time() -> u64 {
    static START: OnceLock<Instant> = OnceLock::new();
    let time = ThreadTime::try_now().map(|time| time.as_duration());
    nanos(time.unwrap_or_else(|_| START.get_or_init(Instant::now).elapsed()))
}

/// Returns the processor time of this thread at `now`, derived from a reading that is at most
/// [`GRAIN`] old. If the thread has paused since the reading, the result is too high by the length
/// of the pause.
fn thread_time_at(now: Instant) -> u64 {
    thread_local! {
        static READING: Cell<Option<(Instant, u64)>> = const { Cell::new(None) };
    }
    READING.with(|reading| {
        if let Some((at, time)) = reading.get() {
            let age = now.saturating_duration_since(at);
            if age <= GRAIN {
                return time.saturating_add(nanos(age));
            }
        }
        let time = thread_time();
        reading.set(Some((now, time)));
        time
    })
}

fn nanos(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Simulates a stopped process by blocking its thread.
    #[tokio::test]
    async fn stopped_call_can_still_answer_briefly() {
        let limits = Limits { wall: Duration::from_millis(50), ..Limits::default() };
        for (work, answered) in [(20, true), (60_000, false)] {
            let (answer, answers) = tokio::sync::oneshot::channel();
            let peer = tokio::spawn(async move {
                std::thread::sleep(Duration::from_millis(500));
                tokio::time::sleep(Duration::from_millis(work)).await;
                let _ = answer.send(());
            });
            let ended = Meter::new(limits).within(pin!(answers)).await;
            assert_eq!(ended == Ok(Ok(())), answered, "{ended:?}");
            assert_eq!(ended == Err(Limit::Wall), !answered, "{ended:?}");
            peer.abort();
        }
    }

    #[tokio::test]
    async fn longest_wall_time_ends_no_call() {
        let limits = Limits { wall: Duration::MAX, ..Limits::default() };
        let call = pin!(tokio::time::sleep(Duration::from_millis(20)));
        assert_eq!(Meter::new(limits).within(call).await, Ok(()));
    }

    /// The call computes and blocks in one poll, like a slow host function.
    #[tokio::test]
    async fn only_computing_time_is_charged() {
        let limits = Limits { cpu: Duration::from_millis(200), ..Limits::default() };
        for (computes, stands, within) in [(100, 400, true), (400, 0, false)] {
            let meter = Meter::new(limits);
            let call = pin!(async {
                let began = ThreadTime::now();
                while began.elapsed() < Duration::from_millis(computes) {}
                std::thread::sleep(Duration::from_millis(stands));
                tokio::task::yield_now().await;
            });
            let expected = if within { Ok(()) } else { Err(Limit::Cpu) };
            assert_eq!(meter.counted(call).await, expected, "{computes} {stands}");
            meter.restart();
            assert_eq!(meter.cpu_nanos(), 0);
        }
    }

    #[tokio::test]
    async fn turn_lasts_ten_milliseconds_of_computing() {
        let meter = Meter::new(Limits::default());
        assert!(!meter.has_turn());
        let call = pin!(async {
            assert!(meter.has_turn());
            std::thread::sleep(TURN * 2);
            assert!(meter.has_turn());
            let began = ThreadTime::now();
            while began.elapsed() < TURN {}
            assert!(!meter.has_turn());
            tokio::task::yield_now().await;
            assert!(meter.has_turn());
        });
        assert_eq!(meter.counted(call).await, Ok(()));
    }

    /// Covers both ways of charging: short polls and long polls.
    #[tokio::test]
    async fn each_poll_is_charged() {
        for poll in [20, 90, 110, 2_000].map(Duration::from_micros) {
            let meter = Meter::new(Limits { cpu: Duration::from_secs(9), ..Limits::default() });
            let began = ThreadTime::now();
            let all = Duration::from_millis(40);
            let call = pin!(async {
                while began.elapsed() < all {
                    let poll_began = Instant::now();
                    while poll_began.elapsed() < poll {}
                    tokio::task::yield_now().await;
                }
            });
            assert_eq!(meter.counted(call).await, Ok(()));
            let charged = Duration::from_nanos(meter.cpu_nanos());
            // Expects less than `all`, because the clock and the test use a part of each short
            // poll.
            assert!(charged > all / 3, "{charged:?} in polls of {poll:?}");
        }
    }
}
