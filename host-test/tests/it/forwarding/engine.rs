//! A scripted HTTP trigger of a workflow engine, and a store to forward from.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use messaging_inbox::{self, Entry, Event, State, Store};
use messaging_server::forward::{Forwarder, Options};
use tempfile::TempDir;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use super::PAUSE;

/// Answer of the engine to a request.
#[derive(Clone, Debug)]
pub enum Answer {
    Status(u16, &'static str),
    RedirectTo(String),
    /// A status with these header lines.
    With(u16, String),
    Reset,
    Never,
}

pub const TAKEN: Answer = Answer::Status(200, "");

#[derive(Debug)]
pub struct Received {
    pub head: String,
    pub key: String,
    pub body: Vec<u8>,
    pub at: Instant,
}

/// The HTTP trigger of a workflow engine. Gives the answers of its script, then the answer that
/// [`does`](Self::does) sets, initially 200.
pub struct Engine {
    pub url: String,
    otherwise: Arc<Mutex<Answer>>,
    pub received: UnboundedReceiver<Received>,
}

impl Engine {
    pub async fn start(script: impl IntoIterator<Item = Answer>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/trigger?token=canary-token", listener.local_addr().unwrap());
        let script = Arc::new(Mutex::new(script.into_iter().collect::<VecDeque<_>>()));
        let otherwise = Arc::new(Mutex::new(TAKEN));
        let (sender, received) = unbounded_channel();
        let rest = Arc::clone(&otherwise);
        tokio::spawn(async move {
            loop {
                let (stream, _) = listener.accept().await.unwrap();
                let (answers, rest, sender) =
                    (Arc::clone(&script), Arc::clone(&rest), sender.clone());
                tokio::spawn(async move {
                    let next = || {
                        let next = answers.lock().unwrap().pop_front();
                        next.unwrap_or_else(|| rest.lock().unwrap().clone())
                    };
                    serve(stream, sender, next).await
                });
            }
        });
        Self { url, otherwise, received }
    }

    pub async fn next(&mut self) -> Received {
        let next = tokio::time::timeout(Duration::from_secs(30), self.received.recv()).await;
        next.unwrap_or_else(|_| panic!("no request arrived")).unwrap()
    }

    pub fn has_received_more(&mut self) -> bool {
        self.received.try_recv().is_ok()
    }

    pub fn does(&self, answer: Answer) {
        *self.otherwise.lock().unwrap() = answer;
    }
}

async fn serve(
    mut stream: TcpStream,
    sender: UnboundedSender<Received>,
    next: impl Fn() -> Answer,
) -> Option<()> {
    loop {
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            head.push(stream.read_u8().await.ok()?);
        }
        let head = String::from_utf8(head).unwrap();
        let header = |name: &str| {
            let is = |line: &&str| line.to_lowercase().starts_with(name);
            Some(head.lines().find(is)?.split_once(": ")?.1.to_string())
        };
        let mut body = vec![0; header("content-length")?.parse().unwrap()];
        stream.read_exact(&mut body).await.ok()?;
        let key = header("x-idempotency-key").unwrap_or_default();
        let answer = next();
        sender.send(Received { key, body, at: Instant::now(), head }).ok()?;
        let (status, more, body) = match answer {
            Answer::Status(status, body) => (status, String::new(), body),
            Answer::With(status, lines) => (status, lines, ""),
            Answer::RedirectTo(url) => (307, format!("Location: {url}\r\n"), ""),
            Answer::Reset => {
                #[allow(deprecated, reason = "a linger time of 0 does not block")]
                stream.set_linger(Some(Duration::ZERO)).ok()?;
                return None;
            }
            Answer::Never => std::future::pending().await,
        };
        let length = body.len();
        let reply = format!("HTTP/1.1 {status} S\r\n{more}Content-Length: {length}\r\n\r\n{body}");
        stream.write_all(reply.as_bytes()).await.ok()?;
    }
}

pub struct Fixture {
    folder: TempDir,
    pub store: Store,
    pub clock: Arc<AtomicI64>,
}

impl Fixture {
    /// Creates a store with a clock that only the test advances.
    pub fn standing() -> Self {
        Self::with(|clock| {
            let clock = Arc::clone(clock);
            Arc::new(move || clock.load(Ordering::SeqCst))
        })
    }

    pub fn new() -> Self {
        Self::with(|_| messaging_inbox::Options::default().clock)
    }

    fn with(clock: impl FnOnce(&Arc<AtomicI64>) -> messaging_inbox::Clock) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let time = Arc::new(AtomicI64::new(1_000_000));
        let options =
            messaging_inbox::Options { clock: clock(&time), ..messaging_inbox::Options::default() };
        let store = Store::open(folder.path().join("inbox.sqlite"), options).unwrap();
        Self { folder, store, clock: time }
    }

    pub fn path(&self) -> PathBuf {
        self.folder.path().join("inbox.sqlite")
    }

    pub async fn put(&self, key: &str, json: &str) {
        self.put_of_kind(key, "message:in:new", json).await;
    }

    pub async fn put_of_kind(&self, key: &str, kind: &str, json: &str) {
        let entry = Entry {
            idempotency_key: key.into(),
            message_id: "m-1".into(),
            kind: kind.into(),
            json: json.into(),
        };
        self.store.put(entry).await.unwrap();
    }

    pub fn forwarder(&self, engine: &Engine) -> Forwarder {
        let options = Options {
            first_pause: PAUSE,
            timeout: Duration::from_millis(500),
            ..Options::new(engine.url.parse().unwrap())
        };
        Forwarder::start(self.store.clone(), options).unwrap()
    }

    /// Waits until the event has this state.
    pub async fn until(&self, id: i64, state: State) -> Event {
        let looking = async {
            loop {
                let event = self.event(id).await;
                if event.state == state {
                    return event;
                }
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        let found = tokio::time::timeout(Duration::from_secs(30), looking).await;
        found.unwrap_or_else(|_| panic!("event {id} does not become {state}"))
    }

    pub async fn event(&self, id: i64) -> Event {
        self.store.get(id).await.unwrap()
    }
}

impl Received {
    /// Returns the values of a header. `name` must be in lower case.
    pub fn all(&self, name: &str) -> Vec<&str> {
        let lines = self.head.lines().filter_map(|line| line.split_once(": "));
        lines.filter(|(one, _)| one.to_lowercase() == name).map(|(_, value)| value).collect()
    }

    /// Returns the headers, parsed by the `http` crate.
    pub fn headers(&self) -> http::HeaderMap {
        let lines = self.head.lines().filter_map(|line| line.split_once(": "));
        lines.map(|(name, value)| (name.parse().unwrap(), value.parse().unwrap())).collect()
    }
}
