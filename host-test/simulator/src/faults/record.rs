//! Requests and events recorded by a [`ScriptedServer`](super::ScriptedServer).

use serde::Serialize;

/// The requests of a server and the events of its connections.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Record {
    /// The requests, in order of arrival.
    pub requests: Vec<Received>,
    /// Requests to the server's second address, which should receive none.
    pub elsewhere: Vec<Received>,
    /// Events of all connections, in order.
    pub events: Vec<Event>,
}

/// A request as received. Bytes that are not UTF-8 are replaced.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Received {
    /// HTTP method.
    pub method: String,
    /// The target in the request line.
    pub target: String,
    /// The headers, with names in lower case.
    pub headers: Vec<(String, String)>,
    /// The part of the body that was read.
    pub body: String,
}

/// An event of one connection.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Event {
    /// Number of the connection, counted from 1 in the order of acceptance.
    pub connection: usize,
    /// The event.
    pub what: ConnectionEvent,
}

/// Kind of a connection event.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ConnectionEvent {
    /// The connection was accepted.
    Accepted,
    /// The TLS handshake failed, with this error.
    NoTls(String),
    /// The part of the request that the script asks for was read.
    Read,
    /// This many bytes were written.
    Wrote(usize),
    /// The gate of this name opened.
    Opened(String),
    /// The script waited for the gate of this name, and the gate is open.
    Passed(String),
    /// The caller closed the connection.
    Left,
    /// The script closed the connection.
    Ended,
}

impl Record {
    /// Returns the events of one connection.
    pub fn on(&self, connection: usize) -> Vec<ConnectionEvent> {
        let own = self.events.iter().filter(|event| event.connection == connection);
        own.map(|event| event.what.clone()).collect()
    }
}
