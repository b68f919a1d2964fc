//! Requests through a proxy (`HTTPS_PROXY`): the proxy sees the destination, and never the API key.
#![allow(clippy::unwrap_used, reason = "tests")]

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use messaging_simulator::service::{Options, Service};
use rcgen::{CertificateParams, KeyPair};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use crate::common::KEY;
use crate::process::{assert_fails, run, stderr, stdout};

const NAME: &str = "api.messages.example";

/// A proxy that connects each tunnel to one fixed address, and records everything it receives.
struct Proxy {
    url: String,
    seen: Arc<Mutex<Vec<u8>>>,
}

impl Proxy {
    async fn start(status: &'static str, service: SocketAddr) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://ann:proxy-password@{}", listener.local_addr().unwrap());
        let seen = Arc::<Mutex<Vec<u8>>>::default();
        let record = Arc::clone(&seen);
        tokio::spawn(async move {
            loop {
                let (mut client, _) = listener.accept().await.unwrap();
                let record = Arc::clone(&record);
                tokio::spawn(async move {
                    let mut head = Vec::new();
                    while !head.ends_with(b"\r\n\r\n") {
                        head.push(client.read_u8().await.unwrap());
                    }
                    record.lock().unwrap().extend(head);
                    let answer = format!("HTTP/1.1 {status}\r\n\r\n");
                    client.write_all(answer.as_bytes()).await.unwrap();
                    if status.starts_with("200") {
                        pass_on(client, service, &record).await;
                    }
                });
            }
        });
        Self { url, seen }
    }

    fn seen(&self) -> String {
        String::from_utf8_lossy(&self.seen.lock().unwrap()).into_owned()
    }
}

/// Passes bytes on in both directions until a side ends.
async fn pass_on(client: TcpStream, service: SocketAddr, record: &Mutex<Vec<u8>>) {
    let (mut from_client, mut to_client) = client.into_split();
    let (mut from_service, mut to_service) =
        TcpStream::connect(service).await.unwrap().into_split();
    let upward = async {
        let mut bytes = [0; 4096];
        while let Ok(count @ 1..) = from_client.read(&mut bytes).await {
            record.lock().unwrap().extend(&bytes[..count]);
            to_service.write_all(&bytes[..count]).await.unwrap();
        }
    };
    tokio::select! {
        () = upward => {}
        _ = tokio::io::copy(&mut from_service, &mut to_client) => {}
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn proxy_sees_name_and_never_key() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let key = KeyPair::generate().unwrap();
    let certificate = CertificateParams::new(vec![NAME.to_string()]).unwrap();
    std::fs::write(path("cert.pem"), certificate.self_signed(&key).unwrap().pem()).unwrap();
    std::fs::write(path("key.pem"), key.serialize_pem()).unwrap();
    let tls = Some((path("cert.pem"), path("key.pem")));
    let service = Service::start(Options { tls, ..Options::new(KEY) }).await.unwrap();
    let url = format!("https://{NAME}");
    let ca_file = path("cert.pem").to_str().unwrap().to_string();
    let send = ["send", "--phone", "+34600111222", "--message", "text", "--ca-file", &ca_file];
    let settings = [("MESSAGING_BASE_URL", &*url), ("MESSAGING_API_KEY", KEY)];

    let proxy = Proxy::start("200 Connection established", service.address()).await;
    let through = [&settings[..], &[("HTTPS_PROXY", &*proxy.url)]].concat();
    let output = run(&send, &through);
    assert!(stdout(&output).contains("created"), "{output:?}");
    let seen = proxy.seen();
    assert!(seen.starts_with(&format!("CONNECT {NAME}:443 HTTP/1.1\r\n")), "{seen}");
    assert!(seen.contains("Basic ") && !seen.contains(KEY) && !seen.contains("34600111222"));

    let without = [&through[..], &[("NO_PROXY", NAME)]].concat();
    assert_fails(&run(&send, &without), 75, "name not found");
    for (status, said) in [
        ("407 Proxy Authentication Required", "requires a user and a password"),
        ("502 Bad Gateway", "refused the tunnel"),
    ] {
        let proxy = Proxy::start(status, service.address()).await;
        let output = run(&send, &[&settings[..], &[("HTTPS_PROXY", &*proxy.url)]].concat());
        assert_fails(&output, 75, said);
        let text = stderr(&output);
        assert!(text.contains("the proxy http://127.0.0.1:"), "{text}");
        assert!(!text.contains("proxy-password") && !text.contains(KEY), "{text}");
    }
    for unusable in
        ["socks5://127.0.0.1:1", "http://", "http://u:p w@127.0.0.1:1", "127.0.0.1:99999"]
    {
        let output = run(&send, &[&settings[..], &[("HTTPS_PROXY", unusable)]].concat());
        assert_fails(&output, 2, "HTTPS_PROXY is not a usable proxy");
        assert!(!stderr(&output).contains("p w"), "{output:?}");
    }
    let socks = ("ALL_PROXY", "socks5://127.0.0.1:1");
    let proxy = Proxy::start("502 Bad Gateway", service.address()).await;
    let both = [&settings[..], &[("HTTPS_PROXY", &*proxy.url), socks]].concat();
    assert_fails(&run(&send, &both), 75, "refused the tunnel");
    // Commands without requests ignore an unsupported proxy. A request to a host in `NO_PROXY`
    // bypasses the proxy.
    assert!(
        run(&["send", "--simulated", "--phone", "+34600111222", "--message", "text"], &[socks])
            .status
            .success()
    );
    assert!(run(&["demo"], &[socks]).status.success());
    let excepted = [&settings[..], &[socks, ("NO_PROXY", NAME)]].concat();
    assert_fails(&run(&send, &excepted), 75, "name not found");
    assert_eq!(service.ledger().messages.len(), 1);

    // A request to a service on this machine bypasses the proxy.
    let local = Service::start(Options::new(KEY)).await.unwrap();
    let url = local.base_url();
    let settings = [("MESSAGING_BASE_URL", &*url), ("MESSAGING_API_KEY", KEY)];
    let through = [&settings[..], &[("ALL_PROXY", "http://127.0.0.1:1")]].concat();
    let output = run(&["send", "--phone", "+34600111222", "--message", "text"], &through);
    assert!(output.status.success(), "{output:?}");
}
