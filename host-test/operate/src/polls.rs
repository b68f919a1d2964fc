//! Limit of waiting polls by address. Each poll occupies a connection, and acks need connections
//! too.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Mutex, MutexGuard, PoisonError};

use messaging_server::serve::network;

/// The waiting polls.
pub struct Polls {
    most: usize,
    most_of_address: usize,
    waiting: Mutex<HashMap<IpAddr, usize>>,
}

/// A waiting poll. Dropping it ends the poll.
pub struct Poll<'a> {
    polls: &'a Polls,
    from: IpAddr,
}

impl Polls {
    /// Creates limits of three quarters of `all` connections in total, and of three quarters of the
    /// `of_address` connections from one address. Each limit is at least 1.
    pub fn of_connections(all: usize, of_address: usize) -> Self {
        let part = |count: usize| (count.saturating_mul(3) / 4).max(1);
        Self { most: part(all), most_of_address: part(of_address), waiting: Mutex::default() }
    }

    /// Registers a poll. Returns `None` if the limit is reached.
    pub fn begin(&self, from: IpAddr) -> Option<Poll<'_>> {
        let from = network(from);
        let mut waiting = self.waiting();
        if waiting.values().sum::<usize>() >= self.most {
            return None;
        }
        let count = waiting.entry(from).or_default();
        if *count >= self.most_of_address {
            return None;
        }
        *count = count.saturating_add(1);
        Some(Poll { polls: self, from })
    }

    fn waiting(&self) -> MutexGuard<'_, HashMap<IpAddr, usize>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Poll<'_> {
    fn drop(&mut self) {
        let mut waiting = self.polls.waiting();
        if let Some(count) = waiting.get_mut(&self.from) {
            *count = count.saturating_sub(1);
            if *count == 0 {
                waiting.remove(&self.from);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn polls_of_one_address_are_limited() {
        let polls = Polls::of_connections(4, 3);
        let [one, other]: [IpAddr; 2] = [[127, 0, 0, 1].into(), [127, 0, 0, 2].into()];
        let first = polls.begin(one).unwrap();
        let second = polls.begin(one).unwrap();
        assert!(polls.begin(one).is_none());
        let of_other = polls.begin(other).unwrap();
        assert!(polls.begin(other).is_none(), "polls use at most three of four connections");
        drop(first);
        let third = polls.begin(one).unwrap();
        drop((second, third, of_other));
        assert!(polls.waiting().is_empty());
        // As in the server, IPv6 addresses with equal first 64 bits share a limit.
        let near = ["2001:db8::1", "2001:db8::2"].map(|text| text.parse().unwrap());
        let first = [polls.begin(near[0]), polls.begin(near[1])];
        assert!(first.iter().all(Option::is_some) && polls.begin(near[0]).is_none());
    }
}
