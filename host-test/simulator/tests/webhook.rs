//! Deliveries to the customer's webhook over TCP and TLS, and the reasons for failures.
#![allow(clippy::unwrap_used, reason = "tests")]

use std::path::PathBuf;

use http::{HeaderName, HeaderValue};
use messaging_simulator::faults::script::{Exchange, Reply};
use messaging_simulator::faults::{Certificate, Chunking, ScriptedServer, authority};
use messaging_simulator::service::signing::{Encoding, Scheme, Signing};
use messaging_simulator::service::{Event, Options, Service};
use tempfile::TempDir;

/// Number of attempts of one delivery.
const ATTEMPTS: usize = 6;

/// Starts a webhook that answers each attempt with this status and text.
async fn webhook(status: u16, text: &str, certificate: Option<Certificate>) -> ScriptedServer {
    let reply = Reply { status, headers: Vec::new(), json: None, text: Some(text.into()) };
    let exchange = Exchange { reply: Some(reply), ..Exchange::default() };
    let script = Some(vec![exchange; ATTEMPTS]);
    ScriptedServer::start(script, certificate, Chunking::Whole).await.unwrap()
}

/// Writes the certificate of the test authority to a temporary file.
fn ca_file() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("ca.pem");
    std::fs::write(&file, authority().unwrap()).unwrap();
    (folder, file)
}

fn options(url: &str) -> Options {
    Options { webhook: Some(url.into()), ..Options::new("key") }
}

/// Returns the reason why an event is not acknowledged.
async fn failure(options: Options) -> String {
    let service = Service::start(options).await.unwrap();
    service.deliver(&Event::new_message(), 0).await.unwrap_err().to_string()
}

#[tokio::test]
async fn https_webhook_receives_events() {
    let webhook = webhook(200, "", Some(Certificate::Good)).await;
    let (_folder, file) = ca_file();
    let url = format!("https://localhost:{}/hook?a=b", webhook.address().port());
    let options = Options { ca_file: Some(file), ..options(&url) };
    let service = Service::start(options).await.unwrap();
    let delivery = service.deliver(&Event::new_message(), 0).await.unwrap();
    assert_eq!(delivery.attempts.len(), 1);
    let request = &webhook.record().requests[0];
    assert_eq!((request.method.as_str(), request.target.as_str()), ("POST", "/hook?a=b"));
}

#[tokio::test]
async fn untrusted_certificate_is_reason() {
    let (_folder, file) = ca_file();
    for (certificate, trust, reasons) in [
        (Certificate::Good, None, ["UnknownIssuer", "--ca-file"]),
        (Certificate::Expired, Some(&file), ["TLS failed", "xpired"]),
        (Certificate::OtherName, Some(&file), ["TLS failed", "not valid for name"]),
    ] {
        let webhook = webhook(200, "", Some(certificate)).await;
        let url = format!("https://localhost:{}/", webhook.address().port());
        let said = failure(Options { ca_file: trust.cloned(), ..options(&url) }).await;
        for reason in reasons {
            assert!(said.contains(reason), "{certificate:?}: {said}");
        }
        assert!(webhook.record().requests.is_empty());
    }
}

#[tokio::test]
async fn failure_names_connection_status_and_body() {
    let absent = ScriptedServer::start(None, None, Chunking::Whole).await.unwrap();
    let said = failure(options(&format!("http://{}/", absent.address()))).await;
    assert!(said.contains("cannot connect: ") && said.contains("refused"), "{said}");

    let refusing = webhook(401, "no \n proof", None).await;
    let said = failure(options(&format!("http://{}/", refusing.address()))).await;
    assert!(said.ends_with("status 401: no proof"), "{said}");

    let telling = webhook(401, "not canary-0123456789", None).await;
    let said = failure(options(&format!("http://{}/canary-0123456789", telling.address()))).await;
    assert!(said.contains(&format!("http://{} did", telling.address())), "{said}");
    assert!(said.ends_with("status 401: not [redacted]"), "{said}");

    let silent = Exchange { bytes: Some("HTTP/1.1".into()), ..Exchange::default() };
    let closing = Exchange { then: messaging_simulator::faults::script::Then::Close, ..silent };
    let script = Some(vec![closing; ATTEMPTS]);
    let closing = ScriptedServer::start(script, None, Chunking::Whole).await.unwrap();
    let said = failure(options(&format!("http://{}/", closing.address()))).await;
    assert!(said.contains("no response: "), "{said}");
}

#[tokio::test]
async fn proofs_are_sent_in_named_headers() {
    let webhook = webhook(200, "", None).await;
    let mut signing =
        Signing::new(Scheme::TimestampBody, Encoding::Base64, "0123456789abcdef", None).unwrap();
    signing.header = "x-hub-signature".into();
    signing.prefix = "sha256=".into();
    signing.timestamp_header = "x-at".into();
    let header = (HeaderName::from_static("x-secret"), HeaderValue::from_static("canary"));
    let options = Options {
        signing: Some(signing),
        webhook_header: Some(header),
        ..options(&format!("http://{}/", webhook.address()))
    };
    let service = Service::start(options).await.unwrap();
    service.deliver(&Event::new_message(), 0).await.unwrap();
    let headers = webhook.record().requests[0].headers.clone();
    let value = |name: &str| headers.iter().find(|(known, _)| known == name).unwrap().1.clone();
    assert!(value("x-hub-signature").starts_with("sha256="), "{headers:?}");
    assert!(value("x-at").parse::<u64>().is_ok(), "{headers:?}");
    assert_eq!(value("x-secret"), "canary");
}

#[tokio::test]
async fn invalid_webhook_url_or_authority_prevents_start() {
    for url in ["ftp://localhost/", "localhost", "https://", "http://user:canary@localhost/"] {
        let error = Service::start(options(url)).await.err().unwrap().to_string();
        assert!(error.contains("invalid webhook URL") && !error.contains("canary"), "{error}");
    }
    let (folder, _) = ca_file();
    let empty = folder.path().join("empty.pem");
    std::fs::write(&empty, "").unwrap();
    for file in [empty, folder.path().join("missing.pem")] {
        let options = Options { ca_file: Some(file.clone()), ..options("https://localhost/") };
        let error = Service::start(options).await.err().unwrap().to_string();
        assert!(error.contains(&file.display().to_string()), "{error}");
    }
}
