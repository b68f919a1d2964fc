//! Decides which connections stay. If all slots are in use, a new connection evicts the connection
//! that is least likely to be legitimate.
//!
//! # Eviction order
//!
//! A connection is verified after one of its requests was authenticated: for the webhook, a
//! delivery that was answered 200. The address of a verified connection becomes a known address.
//! Connections are evicted in this order:
//!
//! 1. connections from unknown addresses,
//! 2. unverified connections from known addresses,
//! 3. verified connections.
//!
//! Each class has three groups: silent connections, connections that send a head, and connections
//! that send a body. The server selects the first class that has connections, then the largest
//! group of this class, and evicts the oldest connection of this group. A flood of one kind
//! therefore evicts its own connections: a legitimate connection is usually in another group, or
//! among the newest of the largest group. A connection is never evicted while its response is being
//! prepared, because a response takes only a short time.
//!
//! The number of connections from one address has no limit, because all connections of a proxy come
//! from one address.

use std::collections::{BTreeMap, HashMap};
use std::convert::Infallible;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::oneshot;

/// Maximum number of known addresses. Enough for all addresses of an event source; needs some tens
/// of KiB.
const MAX_KNOWN: usize = 1_024;

/// Progress of the current request of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// No data has arrived.
    Silent,
    /// A part of the head or of a TLS handshake has arrived.
    Head,
    /// A part of the body has arrived.
    Body,
    /// The request is complete, and the response is being prepared.
    Answering,
}

/// A receiver that resolves with an error when the connection is evicted.
pub type Evicted = oneshot::Receiver<Infallible>;

/// All connection slots of a server.
pub struct ConnectionSlots {
    most: usize,
    table: Mutex<Table>,
}

#[derive(Default)]
struct Table {
    /// Last sequence number. Connections, their changes of stage, and known addresses get sequence
    /// numbers; a lower number is older.
    next: u64,
    held: HashMap<u64, Held>,
    all: Groups,
    /// Known addresses, with the sequence number of the last verified delivery.
    known: HashMap<IpAddr, u64>,
}

/// Class of a connection, in the order of eviction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Class {
    /// Not verified, from an unknown address.
    Unknown,
    /// Not verified, from a known address.
    Known,
    /// A request on this connection was authenticated.
    Proved,
}

struct Held {
    address: IpAddr,
    class: Class,
    stage: Stage,
    since: u64,
    _evict: oneshot::Sender<Infallible>,
}

/// Connections that can be evicted, with a group for each class and each stage before `Answering`.
/// The oldest connection comes first.
#[derive(Default)]
struct Groups {
    groups: [[BTreeMap<u64, u64>; 3]; 3],
}

impl Groups {
    fn group(&mut self, one: &Held) -> Option<&mut BTreeMap<u64, u64>> {
        self.groups.get_mut(one.class as usize)?.get_mut(one.stage as usize)
    }

    /// Returns the connection to evict next.
    fn first(&self) -> Option<u64> {
        self.groups.iter().find_map(|groups| {
            let largest = groups.iter().max_by_key(|group| group.len())?;
            largest.first_key_value().map(|(_, id)| *id)
        })
    }
}

impl Table {
    fn number(&mut self) -> u64 {
        self.next = self.next.saturating_add(1);
        self.next
    }

    fn put(&mut self, id: u64, one: Held) {
        if let Some(group) = self.all.group(&one) {
            group.insert(one.since, id);
        }
        self.held.insert(id, one);
    }

    /// Removes a connection. If the result is dropped, the connection ends.
    fn take(&mut self, id: u64) -> Option<Held> {
        let one = self.held.remove(&id)?;
        if let Some(group) = self.all.group(&one) {
            group.remove(&one.since);
        }
        Some(one)
    }

    fn change(&mut self, id: u64, change: impl FnOnce(&mut Held)) {
        let Some(mut one) = self.take(id) else { return };
        one.since = self.number();
        change(&mut one);
        self.put(id, one);
    }

    fn remember(&mut self, address: IpAddr) {
        let now = self.number();
        if self.known.insert(address, now).is_none() && self.known.len() > MAX_KNOWN {
            let oldest = self.known.iter().min_by_key(|(_, since)| **since);
            if let Some(oldest) = oldest.map(|(address, _)| *address) {
                self.known.remove(&oldest);
            }
        }
    }
}

impl ConnectionSlots {
    /// Creates slots for `most` connections.
    pub fn new(most: usize) -> Arc<Self> {
        Arc::new(Self { most, table: Mutex::default() })
    }

    /// Returns a slot for a connection from the address `from`. If all slots are in use, evicts a
    /// connection. `None` if all connections are being answered.
    pub fn take(self: &Arc<Self>, from: IpAddr) -> Option<(Arc<ConnectionSlot>, Evicted)> {
        let address = network(from);
        let mut table = self.table();
        if table.held.len() >= self.most {
            let id = table.all.first()?;
            table.take(id);
        }
        let id = table.number();
        let is_known = table.known.contains_key(&address);
        let class = if is_known { Class::Known } else { Class::Unknown };
        let (sender, evicted) = oneshot::channel();
        let stage = Stage::Silent;
        table.put(id, Held { address, class, stage, since: id, _evict: sender });
        drop(table);
        Some((Arc::new(ConnectionSlot { slots: Arc::clone(self), id }), evicted))
    }

    /// Creates a slot outside the limits, for a connection that only gets a rejection. Such a
    /// connection evicts no other connection and is never evicted.
    pub fn outside(self: &Arc<Self>) -> Arc<ConnectionSlot> {
        // Uses ID 0, because regular IDs start at 1.
        Arc::new(ConnectionSlot { slots: Arc::clone(self), id: 0 })
    }

    /// Evicts a connection to free its other resources, such as its file descriptor.
    pub fn free_one(&self) {
        let mut table = self.table();
        if let Some(id) = table.all.first() {
            table.take(id);
        }
    }

    fn table(&self) -> MutexGuard<'_, Table> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The slot of a connection. Dropping it frees the slot.
pub struct ConnectionSlot {
    slots: Arc<ConnectionSlots>,
    id: u64,
}

impl ConnectionSlot {
    /// Records the progress of the request.
    pub fn now(&self, stage: Stage) {
        let mut table = self.slots.table();
        if table.held.get(&self.id).is_some_and(|one| one.stage != stage) {
            table.change(self.id, |one| one.stage = stage);
        }
    }

    /// Returns true while a response is being prepared.
    pub fn is_answering(&self) -> bool {
        let table = self.slots.table();
        table.held.get(&self.id).is_some_and(|one| one.stage == Stage::Answering)
    }

    /// Marks the connection as verified and its address as known.
    pub fn proved(&self) {
        let mut table = self.slots.table();
        let Some(one) = table.held.get(&self.id) else { return };
        let address = one.address;
        if one.class != Class::Proved {
            table.change(self.id, |one| one.class = Class::Proved);
        }
        table.remember(address);
    }
}

impl Drop for ConnectionSlot {
    fn drop(&mut self) {
        self.slots.table().take(self.id);
    }
}

/// Returns the part of an address that identifies a known client: all bits for IPv4; for IPv6, the
/// first 64 bits, because a client can choose the rest.
fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => {
            let [a, b, c, d, ..] = address.segments();
            Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0).into()
        }
        address => address,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(last: u8) -> IpAddr {
        [10, 0, 0, last].into()
    }

    fn is_evicted(evicted: &mut Evicted) -> bool {
        !matches!(evicted.try_recv(), Err(oneshot::error::TryRecvError::Empty))
    }

    #[test]
    fn oldest_silent_connection_is_evicted() {
        let slots = ConnectionSlots::new(3);
        let mut held: Vec<_> = (0..3).map(|last| slots.take(address(last)).unwrap()).collect();
        let _fourth = slots.take(address(3)).unwrap();
        let evictions: Vec<_> = held.iter_mut().map(|(_, evicted)| is_evicted(evicted)).collect();
        assert_eq!(evictions, [true, false, false]);
    }

    #[test]
    fn flood_evicts_its_own_connections() {
        let slots = ConnectionSlots::new(8);
        for (flood, honest) in [
            (Stage::Silent, Stage::Head),
            (Stage::Body, Stage::Silent),
            (Stage::Body, Stage::Head),
            (Stage::Head, Stage::Body),
        ] {
            let mut held: Vec<_> = (0..7).map(|last| slots.take(address(last)).unwrap()).collect();
            held.iter().for_each(|(slot, _)| slot.now(flood));
            let (slot, mut evicted) = slots.take(address(100)).unwrap();
            slot.now(honest);
            for last in 10..60 {
                let peer = slots.take(address(last)).unwrap();
                peer.0.now(flood);
                held.push(peer);
            }
            assert!(!is_evicted(&mut evicted), "{flood:?}");
        }
    }

    #[test]
    fn unproven_connection_is_evicted_first() {
        let slots = ConnectionSlots::new(4);
        let (sender, mut evicted) = slots.take(address(1)).unwrap();
        sender.now(Stage::Answering);
        sender.proved();
        sender.now(Stage::Silent);
        let mut peers: Vec<_> = (10..13).map(|last| slots.take(address(last)).unwrap()).collect();
        peers.iter().for_each(|(slot, _)| slot.now(Stage::Body));
        let _more: Vec<_> = (20..30).map(|last| slots.take(address(last)).unwrap()).collect();
        assert!(peers.iter_mut().any(|(_, evicted)| is_evicted(evicted)));
        assert!(!is_evicted(&mut evicted));
        // A second connection from the known address is also protected from the start.
        let (_second, mut of_second) = slots.take(address(1)).unwrap();
        let _more: Vec<_> = (40..50).map(|last| slots.take(address(last)).unwrap()).collect();
        assert!(!is_evicted(&mut of_second) && !is_evicted(&mut evicted));
        // If all connections come from one address, as behind a proxy, the verified connection
        // stays.
        let _more: Vec<_> = (0..50).map(|_| slots.take(address(1)).unwrap()).collect();
        assert!(is_evicted(&mut of_second) && !is_evicted(&mut evicted));
    }

    #[test]
    fn idle_proven_connection_is_evicted_last() {
        let slots = ConnectionSlots::new(2);
        let mut held: Vec<_> = (0..2).map(|last| slots.take(address(last)).unwrap()).collect();
        held.iter().for_each(|(slot, _)| slot.proved());
        let _third = slots.take(address(3)).unwrap();
        assert!(is_evicted(&mut held[0].1) && !is_evicted(&mut held[1].1));
    }

    #[test]
    fn ipv6_network_counts_as_one_address() {
        let v6 = |last: u16| IpAddr::from([0x2001, 0xdb8, 1, 2, 3, 4, 5, last]);
        assert_eq!(network(v6(1)), network(v6(2)));
        let mapped = "::ffff:10.0.0.9".parse::<IpAddr>().unwrap();
        assert_eq!(network(mapped), address(9));
    }

    #[test]
    fn answering_connection_is_never_evicted() {
        let slots = ConnectionSlots::new(2);
        let mut held: Vec<_> = (0..2).map(|last| slots.take(address(last)).unwrap()).collect();
        held.iter().for_each(|(slot, _)| slot.now(Stage::Answering));
        assert!(slots.take(address(3)).is_none());
        assert!(!held.iter_mut().any(|(_, evicted)| is_evicted(evicted)));
        held.pop();
        assert!(slots.take(address(3)).is_some());
    }

    #[test]
    fn closed_connections_leave_no_data() {
        let slots = ConnectionSlots::new(64);
        for round in 0..10_000_u32 {
            let [_, a, b, c] = round.to_be_bytes();
            let (slot, _evicted) = slots.take([10, a, b, c].into()).unwrap();
            slot.now(Stage::Head);
            slot.proved();
        }
        let table = slots.table();
        assert!(table.held.is_empty() && table.all.first().is_none());
        assert_eq!(table.known.len(), MAX_KNOWN);
    }
}
