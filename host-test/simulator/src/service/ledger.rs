//! Ledger of the received requests, created messages and delivered events.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Seek, SeekFrom, Write};
use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::error::BadRequest;
use super::events::Delivery;

/// The service's record of requests, messages and deliveries, each in order.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Ledger {
    /// All requests that arrived completely.
    pub requests: Vec<Received>,
    /// Number of messages created, including messages of earlier processes in the ledger file.
    pub created: u64,
    /// All created messages.
    pub messages: Vec<Accepted>,
    /// All deliveries, including failed deliveries.
    pub deliveries: Vec<Delivery>,
}

/// A request that arrived completely.
#[derive(Clone, Debug, Serialize)]
pub struct Received {
    /// HTTP method.
    pub method: String,
    /// The path without the query.
    pub path: String,
    /// The query, unchanged.
    pub query: Option<String>,
    /// True if the request carries the account's API key exactly once.
    pub authorized: bool,
    /// The headers, in order; the value of `token` is redacted.
    pub headers: Vec<(String, String)>,
    /// The body. Bytes that are not UTF-8 are replaced.
    pub body: String,
}

/// A message that was created.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct Accepted {
    /// Identifier that the service assigned.
    pub id: String,
    /// The message in the request.
    #[serde(flatten)]
    pub message: Message,
}

/// The request body of `wit/service.md`, section 2.1.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct Message {
    /// Phone number of the recipient.
    pub phone: String,
    /// Text of the message.
    pub message: String,
    /// The device to send from, of any JSON type.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub device: Option<Value>,
}

impl Message {
    /// Reads the body of a request. The simulation requires `phone` and `message`; `wit/service.md`
    /// (section 2.6) does not say whether they are required.
    pub(super) fn read(body: &[u8]) -> Result<Self, BadRequest> {
        let body: Value = serde_json::from_slice(body).map_err(|_| BadRequest::NotJson)?;
        let text = |name: &'static str| {
            let value = body.get(name).and_then(Value::as_str).filter(|text| !text.is_empty());
            value.map(ToString::to_string).ok_or(BadRequest::NotAString(name))
        };
        Ok(Self {
            phone: text("phone")?,
            message: text("message")?,
            device: body.get("device").cloned(),
        })
    }
}

impl Ledger {
    /// Creates a ledger with the messages of earlier processes.
    pub(super) fn of(messages: Vec<Accepted>, keep: bool) -> Self {
        let created = u64::try_from(messages.len()).unwrap_or(u64::MAX);
        let messages = if keep { messages } else { Vec::new() };
        Self { created, messages, ..Self::default() }
    }

    /// Creates a message. If there is a ledger file, writes the message to it before the request is
    /// answered.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written. Then no message is created.
    pub(super) fn accept(
        &mut self,
        message: Message,
        keep: bool,
        file: Option<&LedgerFile>,
    ) -> io::Result<String> {
        let number = self.created.saturating_add(1);
        let accepted = Accepted { id: format!("msg-{number:04}"), message };
        if let Some(file) = file {
            file.append(&accepted)?;
        }
        self.created = number;
        let id = accepted.id.clone();
        if keep {
            self.messages.push(accepted);
        }
        Ok(id)
    }

    /// Returns the number of requests that tried to create a message.
    pub fn posts(&self) -> usize {
        self.requests.iter().filter(|request| request.method == "POST").count()
    }
}

/// A file with the created messages, one line of JSON each, for the next process of the service. It
/// survives the end of the process but not a power failure, because writes are not synced.
pub(super) struct LedgerFile(File);

impl LedgerFile {
    /// Opens or creates the file and returns its messages. Removes an incomplete last line, because
    /// the process that wrote this line ended before it answered the request.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read or written, is in use by another process, or is
    /// not a ledger.
    pub(super) fn open(path: &Path) -> io::Result<(Self, Vec<Accepted>)> {
        let mut file = OpenOptions::new().read(true).append(true).create(true).open(path)?;
        file.try_lock().map_err(|_| io::Error::other("another process uses it"))?;
        let (messages, whole) = read(BufReader::new(&mut file))?;
        file.set_len(whole)?;
        file.seek(SeekFrom::End(0))?;
        Ok((Self(file), messages))
    }

    fn append(&self, message: &Accepted) -> io::Result<()> {
        let mut line = serde_json::to_vec(message)?;
        line.push(b'\n');
        (&self.0).write_all(&line)
    }
}

/// Reads the messages of a ledger file. The service may still be running.
///
/// # Errors
/// Returns an error if the file cannot be read or is not a ledger.
pub fn read_messages(path: &Path) -> io::Result<Vec<Accepted>> {
    read(BufReader::new(File::open(path)?)).map(|(messages, _)| messages)
}

/// Reads the complete lines of a ledger file. Returns their messages and their total size in bytes.
fn read(mut file: impl BufRead) -> io::Result<(Vec<Accepted>, u64)> {
    let (mut messages, mut whole, mut line) = (Vec::new(), 0_u64, Vec::new());
    while file.read_until(b'\n', &mut line)? > 0 && line.ends_with(b"\n") {
        let message = serde_json::from_slice(&line);
        messages.push(message.map_err(|error| {
            let number = messages.len().saturating_add(1);
            io::Error::other(format!("line {number} is not a message of a ledger: {error}"))
        })?);
        whole = whole.saturating_add(u64::try_from(line.len()).unwrap_or(u64::MAX));
        line.clear();
    }
    Ok((messages, whole))
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    fn message(text: &str) -> Message {
        Message { phone: "+1".into(), message: text.into(), device: None }
    }

    #[test]
    fn ledger_file_survives_process() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("ledger.jsonl");
        let (file, messages) = LedgerFile::open(&path).unwrap();
        let mut ledger = Ledger::of(messages, true);
        for text in ["one", "two\nlines"] {
            ledger.accept(message(text), true, Some(&file)).unwrap();
        }
        assert!(LedgerFile::open(&path).is_err(), "a second process must not open the file");
        drop(file);
        // An incomplete third line, as a killed process leaves it.
        let mut text = std::fs::read(&path).unwrap();
        text.extend_from_slice(br#"{"id":"msg-0003","pho"#);
        std::fs::write(&path, &text).unwrap();
        assert_eq!(read_messages(&path).unwrap(), ledger.messages);
        let (file, messages) = LedgerFile::open(&path).unwrap();
        assert_eq!(messages, ledger.messages);
        let mut next = Ledger::of(messages, true);
        assert_eq!(next.accept(message("three"), true, Some(&file)).unwrap(), "msg-0003");
        assert_eq!(read_messages(&path).unwrap(), next.messages);
    }

    #[test]
    fn foreign_ledger_file_is_rejected() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("notes.txt");
        std::fs::write(&path, "a letter\nand its end").unwrap();
        let refused = LedgerFile::open(&path).err().unwrap().to_string();
        assert!(refused.contains("line 1 is not a message of a ledger"), "{refused}");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "a letter\nand its end");
    }
}
