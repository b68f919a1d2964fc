//! Requests and events that a [`ScriptedServer`](super::ScriptedServer) has recorded.

use serde::Serialize;

/// Requests that arrived, and events of their connections.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Record {
    /// The requests, in the order of their arrival.
    pub requests: Vec<Received>,
    /// Requests that came to the other address.
    pub elsewhere: Vec<Received>,
    /// Events of all connections, in their order.
    pub events: Vec<Event>,
}

/// One request as it was received. What is not UTF-8 is replaced.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Received {
    /// HTTP method.
    pub method: String,
    /// The target of the request line.
    pub target: String,
    /// The headers, names in lower case.
    pub headers: Vec<(String, String)>,
    /// The body, as far as it was read.
    pub body: String,
}

/// Something that happened on a connection.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Event {
    /// Number of the connection: counted from 1, in the order in which they were accepted.
    pub connection: usize,
    /// The event itself.
    pub what: ConnectionEvent,
}

/// Event of a connection.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ConnectionEvent {
    /// It was accepted.
    Accepted,
    /// The handshake failed: what the peer was told.
    NoTls(String),
    /// A request was read, as far as the script says.
    Read,
    /// This many bytes were written.
    Wrote(usize),
    /// A gate opened.
    Opened(String),
    /// A gate was waited for, and is open.
    Passed(String),
    /// The caller ended it.
    Left,
    /// The script ended it.
    Ended,
}

impl Record {
    /// Returns the events of one connection.
    #[must_use]
    pub fn on(&self, connection: usize) -> Vec<ConnectionEvent> {
        let own = self.events.iter().filter(|event| event.connection == connection);
        own.map(|event| event.what.clone()).collect()
    }
}
