//! Family `masking`: a service returns the API key of a request, in any form, to a component that
//! reports every reply. No output of the component may contain a part of the key.
//!
//! Each [`Row`] is a form of the key. Each form is tried in the hosts for WASI 0.2 and 0.3, with
//! the hostile component and with the real plugin. Some forms are not tried, because no host
//! promises to find them: another letter case, an undeclared encoding without zero bytes, a fourth
//! layer of JSON.

mod forms;

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::{Context, ensure};
use messaging_core::secret::ApiKey;
use messaging_host::error::CallError;
use messaging_host::outbound::{AllowList, Outbound, Trust};
use messaging_host::{PluginConfig, wit};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

use super::budget::Hosts;
use super::{Attack, AttackResult, Fixture, Target};
use crate::process;
use forms::{PART, encoded, escaped, tells};

/// Name of the family.
pub(super) const FAMILY: &str = "masking";

/// Maximum length of a key in bytes (`messaging-core`).
const LONGEST: usize = 4_096;
/// The API key. No other text contains a part of it.
const KEY: &str = "canary-mask-7f3e91d2c4b8a605-end";

/// The component that makes the request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Caller {
    /// The hostile component, which reports the whole reply.
    Hostile,
    /// The real plugin, which reports only the members of its interface.
    Plugin,
}

/// A request that carries the key.
struct Asked<'a> {
    key: &'a str,
    /// Number of earlier requests.
    number: usize,
    range: Option<&'a str>,
}

/// A form in which the service returns the key.
#[derive(Clone, Copy)]
struct Row {
    name: &'static str,
    tries: &'static str,
    /// Number of calls, each with another reply.
    calls: usize,
    /// True if the component gets the reply with the key masked.
    shows: bool,
    key: fn() -> String,
    /// Returns the pieces of the reply, which are written one after the other.
    reply: fn(&Asked<'_>) -> Vec<Vec<u8>>,
}

const ROWS: &[Row] = &[
    row("a header's name", "2 names", 1, true, |asked| {
        let key = asked.key;
        whole(&format!("{key}: its name\r\nx-{key}-x: within\r\n"), b"{}")
    }),
    row("a header's value", "2 values and a cookie", 1, true, |asked| {
        let key = asked.key;
        let json = escaped(key, 1);
        whole(&format!("x-key: {key}\r\nx-json: \"{json}\"\r\nset-cookie: a={key}\r\n"), b"{}")
    }),
    row("the reason and the body", "once", 1, true, |asked| {
        let body = format!(r#"{{"message":"bad key {}"}}"#, asked.key);
        let head = head("").replace("Bad Request", asked.key);
        vec![format!("{head}Content-Length: {}\r\n\r\n{body}", body.len()).into_bytes()]
    }),
    row("the body", "10,000 times, nested", 1, true, |asked| {
        let (part, _) = asked.key.split_at_checked(PART - 1).unwrap_or_default();
        whole("", format!("{part}{}", asked.key).repeat(10_000).as_bytes())
    }),
    row("the body, cut in two", "across every cut", KEY.len(), true, |asked| {
        let (left, right) = halves(asked);
        chunked("", &[&[b"bad key ", left].concat(), &[right, b"!"].concat()], "")
    }),
    row("the body, byte by byte", "once", 1, true, |asked| {
        let body = format!(r#"{{"message":"bad key {}"}}"#, asked.key);
        let pieces: Vec<&[u8]> = body.as_bytes().chunks(1).collect();
        chunked("", &pieces, "")
    }),
    row("a body before trailers", "split at every byte", KEY.len(), true, |asked| {
        let (left, right) = halves(asked);
        chunked("", &[&[b"bad key ", left].concat(), right], "x-after: 1\r\n")
    }),
    row("trailers", "a name and 2 values", 1, true, |asked| {
        let key = asked.key;
        chunked("", &[b"{}"], &format!("{key}: its name\r\nx-a: {key}\r\nx-b: b{key}b\r\n"))
    }),
    row("JSON escapes", "1 to 3 layers deep", 3, true, |asked| {
        let layers = asked.number % 3 + 1;
        whole("", format!(r#"{{"message":"bad {}"}}"#, escaped(asked.key, layers)).as_bytes())
    }),
    row("a reply that breaks off", "after every byte of the key", KEY.len(), false, |asked| {
        let (left, _) = halves(asked);
        let head = head("Content-Length: 1000\r\n");
        vec![head.into_bytes(), b"\r\n{\"message\":\"".to_vec(), left.to_vec()]
    }),
    row("a compressed body", "gzip, br, an unknown coding, a transfer coding", 4, false, |asked| {
        let coding = match asked.number % 4 {
            0 => "Content-Encoding: gzip",
            1 => "Content-Encoding: identity, br",
            2 => "Content-Encoding: x-other",
            _ => "Transfer-Encoding: gzip, chunked",
        };
        let body = encoded(asked.key);
        match asked.number % 4 {
            3 => chunked_as(&format!("{coding}\r\n"), &[body.as_bytes()], ""),
            _ => whole(&format!("{coding}\r\n"), body.as_bytes()),
        }
    }),
    row("another encoding", "UTF-16, UTF-32, declared and not; IBM037", 5, false, |asked| {
        let wide = |width: usize| -> Vec<u8> {
            let zeros = vec![0; width.saturating_sub(1)];
            asked.key.bytes().flat_map(|byte| [&[byte][..], &zeros].concat()).collect()
        };
        match asked.number % 5 {
            0 => whole("Content-Type: text/plain; charset=utf-16\r\n", &wide(2)),
            1 => whole("Content-Type: text/plain; charset=utf-32\r\n", &wide(4)),
            2 => whole("Content-Type: application/json\r\n", &wide(2)),
            3 => whole("", &wide(4)),
            _ => {
                let kind = "Content-Type: text/plain; charset=ibm037\r\n";
                whole(kind, encoded(asked.key).as_bytes())
            }
        }
    }),
    row("parts", "2 ranges", 2, true, |asked| match asked.range {
        None => whole("", asked.key.as_bytes()),
        Some(_) => {
            let (left, right) = asked.key.split_at_checked(asked.key.len() / 2).unwrap_or_default();
            whole("", if asked.number == 0 { left } else { right }.as_bytes())
        }
    }),
    Row {
        key: || (0..LONGEST / 4).map(|number| format!("{number:04x}")).collect(),
        ..row("a key of 4,096 bytes", "a name, a value, the body", 1, true, |asked| {
            let key = asked.key;
            whole(&format!("x-{key}: 1\r\nx-key: {key}\r\n"), format!("bad {key}!").as_bytes())
        })
    },
];

const fn row(
    name: &'static str,
    tries: &'static str,
    calls: usize,
    shows: bool,
    reply: fn(&Asked<'_>) -> Vec<Vec<u8>>,
) -> Row {
    Row { name, tries, calls, shows, key: || KEY.into(), reply }
}

/// Returns all attacks of the family.
pub(super) fn attacks() -> Vec<Attack> {
    let on = |row: Row, target, caller| {
        let by = if caller == Caller::Hostile { "" } else { ", to the plugin" };
        let name = format!("the key in {}{by}", row.name);
        let name = name.replace("in a key", "as a key");
        Attack::new(FAMILY, name, target, row.tries, move |fixture: Arc<Fixture>| async move {
            let tried = async {
                let hosts = fixture.hosts().await?;
                try_row(hosts, target, caller, row, Holder::Host).await
            };
            AttackResult::of(tried.await)
        })
    };
    let both = [Target::Plugin, Target::PluginP3];
    let callers = [Caller::Hostile, Caller::Plugin];
    let mut attacks: Vec<_> = ROWS
        .iter()
        .flat_map(|row| both.map(|target| callers.map(|caller| on(*row, target, caller))))
        .flatten()
        .collect();
    attacks.push(Attack::on_process(
        FAMILY,
        "an invalid key",
        "white space at its ends, 4,097 bytes",
        refused_keys,
    ));
    attacks
}

/// The holder of the API key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Holder {
    Host,
    /// The component. Only a test uses this holder, to prove that a leak is found.
    #[cfg(test)]
    Component,
}

/// Makes the calls of a row. Returns an error if an output contains a part of the key.
async fn try_row(
    hosts: &Hosts,
    target: Target,
    caller: Caller,
    row: Row,
    holder: Holder,
) -> anyhow::Result<String> {
    let key = (row.key)();
    let service = Echo::start(row.reply, key.clone()).await?;
    let outbound = Outbound::new(AllowList::parse([service.url.as_str()])?, Trust::Public)?;
    let settings = vec![("MESSAGING_BASE_URL".to_string(), service.url.clone())];
    let config = match holder {
        Holder::Host => PluginConfig::new(settings, Some(ApiKey::new(key.clone())?), outbound)?,
        #[cfg(test)]
        Holder::Component => {
            let own = ("MESSAGING_API_KEY".to_string(), key.clone());
            PluginConfig::open([settings, vec![own]].concat(), outbound)
        }
    };
    let mut masked: usize = 0;
    for number in 0..row.calls {
        let range = if row.name == "parts" { format!(" bytes={number}-") } else { String::new() };
        let request =
            wit::MessageRequest::new("+34600111222", &format!("all {}/{range}", service.url));
        let answer = hosts.call(target, caller == Caller::Hostile, config.clone(), &request).await;
        let seen = match answer {
            Ok(Ok(created)) => created.json,
            Ok(Err(error)) => format!("{error:?}"),
            Err(error) => format!("{error:?} {error}"),
        };
        ensure!(!tells(&seen, &key), "call {number} reveals a part of the key: {seen}");
        let answered = caller == Caller::Plugin || seen.starts_with("status 400");
        ensure!(answered, "call {number} was not answered: {seen}");
        masked = masked.saturating_add(usize::from(seen.contains(&"*".repeat(PART))));
    }
    let received = service.received.load(Ordering::Relaxed);
    ensure!(received >= row.calls, "the key arrived {received} times in {} calls", row.calls);
    let blind = row.shows && caller == Caller::Hostile && masked == 0;
    ensure!(!blind, "no output has a masked key, so the attack did not run");
    Ok(format!("{} replies without the key; masked in {masked}", row.calls))
}

/// Checks that an invalid key is rejected before any request. The keys have white space at an end,
/// or are too long.
async fn refused_keys(fixture: Arc<Fixture>) -> anyhow::Result<String> {
    let service = Echo::start(|_| whole("", b"{}"), KEY.into()).await?;
    let long = KEY.repeat(LONGEST.div_ceil(KEY.len()).saturating_add(1));
    for key in
        [format!(" {KEY}"), format!("{KEY} "), format!("{KEY}\t"), format!("{KEY}\r\n"), long]
    {
        let mut command = process::command(&fixture.options.program);
        command.args(["templates", "--json"]).stderr(std::process::Stdio::piped());
        command.env("MESSAGING_BASE_URL", &service.url).env("MESSAGING_API_KEY", &key);
        command.arg("--cache").arg(&fixture.options.compiled);
        let output = tokio::time::timeout(process::TIMEOUT, command.output()).await;
        let output = output.ok().context("the command does not end")??;
        let said = [output.stdout, output.stderr].concat();
        let said = String::from_utf8_lossy(&said);
        ensure!(output.status.code() == Some(2), "{}: {said}", output.status);
        ensure!(!tells(&said, KEY), "the output reveals the key: {said}");
    }
    let made = service.made.load(Ordering::Relaxed);
    ensure!(made == 0, "{made} requests were made");
    Ok("5 keys rejected without a request".into())
}

/// A service that returns the key of a request.
struct Echo {
    url: String,
    /// Number of requests.
    made: Arc<AtomicUsize>,
    /// Number of requests with the key.
    received: Arc<AtomicUsize>,
    accepting: JoinHandle<()>,
}

impl Echo {
    async fn start(reply: fn(&Asked<'_>) -> Vec<Vec<u8>>, key: String) -> io::Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let url = format!("http://{}", listener.local_addr()?);
        let made = Arc::new(AtomicUsize::new(0));
        let received = Arc::new(AtomicUsize::new(0));
        let (count, with_key) = (Arc::clone(&made), Arc::clone(&received));
        let accepting = tokio::spawn(async move {
            // Requests come one after the other, because a call makes only one request.
            while let Ok((mut stream, _)) = listener.accept().await {
                let number = count.fetch_add(1, Ordering::Relaxed);
                // A component may close the connection before the end of the reply.
                let _ = answer(&mut stream, reply, &key, number, &with_key).await;
            }
        });
        Ok(Self { url, made, received, accepting })
    }
}

impl Drop for Echo {
    fn drop(&mut self) {
        self.accepting.abort();
    }
}

/// Answers one request, and counts it if it carries the key.
async fn answer(
    stream: &mut TcpStream,
    reply: fn(&Asked<'_>) -> Vec<Vec<u8>>,
    key: &str,
    number: usize,
    with_key: &AtomicUsize,
) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let mut head = Vec::new();
    while !head.windows(4).any(|end| end == b"\r\n\r\n") {
        if stream.read_buf(&mut head).await? == 0 {
            return Ok(());
        }
    }
    let head = String::from_utf8_lossy(&head);
    let header = |name: &str| {
        let mut lines = head.lines().filter_map(|line| line.split_once(": "));
        lines.find(|(it, _)| it.eq_ignore_ascii_case(name)).map(|(_, value)| value)
    };
    with_key.fetch_add(usize::from(header("token") == Some(key)), Ordering::Relaxed);
    for piece in reply(&Asked { key, number, range: header("range") }) {
        stream.write_all(&piece).await?;
        stream.flush().await?;
        tokio::task::yield_now().await;
    }
    stream.shutdown().await
}

fn head(headers: &str) -> String {
    format!("HTTP/1.1 400 Bad Request\r\nConnection: close\r\n{headers}")
}

fn whole(headers: &str, body: &[u8]) -> Vec<Vec<u8>> {
    let head = format!("{}Content-Length: {}\r\n\r\n", head(headers), body.len());
    vec![head.into_bytes(), body.to_vec()]
}

fn chunked(headers: &str, pieces: &[&[u8]], trailers: &str) -> Vec<Vec<u8>> {
    chunked_as(&format!("{headers}Transfer-Encoding: chunked\r\n"), pieces, trailers)
}

fn chunked_as(headers: &str, pieces: &[&[u8]], trailers: &str) -> Vec<Vec<u8>> {
    let chunk =
        |piece: &&[u8]| [format!("{:x}\r\n", piece.len()).as_bytes(), piece, b"\r\n"].concat();
    let mut written = vec![format!("{}\r\n", head(headers)).into_bytes()];
    // An empty chunk would end the body.
    written.extend(pieces.iter().filter(|piece| !piece.is_empty()).map(chunk));
    written.push(format!("0\r\n{trailers}\r\n").into_bytes());
    written
}

/// Splits the key in two, at another position for each request.
fn halves<'a>(asked: &Asked<'a>) -> (&'a [u8], &'a [u8]) {
    let bytes = asked.key.as_bytes();
    bytes.split_at_checked(asked.number % bytes.len().max(1)).unwrap_or((bytes, b""))
}

impl Hosts {
    /// Makes one call with this configuration, with the hostile component or the real plugin.
    async fn call(
        &self,
        target: Target,
        hostile: bool,
        config: PluginConfig,
        request: &wit::MessageRequest,
    ) -> Result<Result<wit::CreatedMessage, wit::Error>, CallError> {
        let plugin = match (target, hostile) {
            (Target::PluginP3, true) => &self.plugin_p3,
            (Target::PluginP3, false) => &self.real_p3,
            (_, true) => &self.plugin,
            (_, false) => &self.real,
        };
        plugin.with_config(config).send_message(request).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn partial_key_is_found_in_every_form() {
        let part = "91d2c4b8a6";
        for text in [
            part.to_string(),
            part.to_uppercase(),
            encoded(part),
            part.chars().flat_map(|char| [char, '\0']).collect(),
            escaped(part, 1),
            escaped(part, 3),
            format!("{:?}", escaped(part, 3)),
        ] {
            assert!(tells(&format!("bad {text}!"), KEY), "{text}");
        }
        assert!(!tells("the canary's mask, 7f3e91d", KEY));
    }

    #[tokio::test]
    async fn each_row_finds_leaked_key() {
        let hosts = Hosts::new(Fixture::limits(), None).await.unwrap();
        for row in ROWS {
            for target in [Target::Plugin, Target::PluginP3] {
                let tried = try_row(&hosts, target, Caller::Hostile, *row, Holder::Component).await;
                let error = tried.expect_err(row.name).to_string();
                assert!(error.contains("reveals a part"), "{}: {error}", row.name);
            }
        }
    }
}
