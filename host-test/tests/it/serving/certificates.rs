//! `serve` with TLS.

use crate::process::tls::Tls;
use crate::process::{Serving, TestStore, body, deliver, refused, request};
use rcgen::KeyPair;

#[tokio::test]
async fn certificate_serves_only_https() {
    let tls = Tls::new();
    let serving = tls.serve(&[]);
    assert!(serving.url.starts_with("https://127.0.0.1:"), "{}", serving.url);
    assert_eq!(tls.send(serving.address, &request("/", "", "a", &body("m-1"))).await, 200);
    assert_eq!(deliver(serving.address, "plain").await.status, 0);
    assert_eq!(tls.send(serving.address, &request("/", "", "b", &body("m-2"))).await, 200);
    assert_eq!(tls.test_store.keys(), ["a", "b"]);
}

#[test]
fn unusable_certificate_is_named() {
    let tls = Tls::new();
    std::fs::write(tls.path("other.pem"), KeyPair::generate().unwrap().serialize_pem()).unwrap();
    std::fs::write(tls.path("empty.pem"), "").unwrap();
    std::fs::write(tls.path("version-1.pem"), include_str!("version-1.pem")).unwrap();
    for (certificate, key, named, why) in [
        ("cert.pem", "no.pem", "no.pem", "No such file"),
        ("no.pem", "key.pem", "no.pem", "No such file"),
        ("cert.pem", "other.pem", "other.pem", "is not the key of"),
        ("cert.pem", "empty.pem", "empty.pem", "no"),
        ("cert.pem", "cert.pem", "cert.pem", "no"),
        ("empty.pem", "key.pem", "empty.pem", "contains no certificate"),
        ("version-1.pem", "key.pem", "version-1.pem", "TLS needs version 3"),
    ] {
        let text = tls.refused(certificate, key);
        assert!(text.contains(named) && text.contains(why), "{certificate} {key}: {text}");
    }
    let text = refused(&["serve", "--tls-cert", tls.path("cert.pem").to_str().unwrap()], &[], 2);
    assert!(text.contains("--tls-key"), "{text}");
}

#[test]
fn expired_certificate_causes_warning() {
    for (year, expired) in [(2001, true), (4096, false)] {
        let serving = Tls::valid_until(year).serve(&[]);
        assert_eq!(serving.log().contains("certificate has expired"), expired, "{}", serving.log());
    }
}

#[tokio::test]
async fn expired_certificate_replaces_no_valid_one() {
    let (valid, served) = (Tls::new(), Tls::valid_until(2001));
    let names = ["cert.pem", "key.pem"];
    let expired = names.map(|name| std::fs::read(served.path(name)).unwrap());
    for name in names {
        std::fs::copy(valid.path(name), served.path(name)).unwrap();
    }
    let serving = served.serve(&[]);
    let request = request("/", "", "a", &body("m-1"));
    assert_eq!(valid.send(serving.address, &request).await, 200);
    names
        .iter()
        .zip(expired)
        .for_each(|(name, file)| std::fs::write(served.path(name), file).unwrap());
    while !serving.log().contains("not reloaded") {
        assert_eq!(valid.send(serving.address, &request).await, 200);
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    assert_eq!(valid.send(serving.address, &request).await, 200);
}

/// Waits until the server uses the certificate in the file.
async fn renewed(tls: &Tls, serving: &Serving) {
    let request = request("/", "", "a", &body("m-1"));
    let renewed = async {
        while tls.try_send(serving.address, &request).await.is_err() {
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
    };
    tokio::time::timeout(std::time::Duration::from_secs(60), renewed).await.unwrap();
}

#[tokio::test]
async fn renewed_certificate_is_served_without_signal() {
    let mut tls = Tls::new();
    let serving = tls.serve(&[("RUST_LOG", "info")]);
    renewed(&tls, &serving).await;
    // A certificate that does not match its key is not used. The mismatch is logged once, not at
    // each check.
    tls.renew_certificate();
    let whole = request("/", "", "a", &body("m-1"));
    while !serving.log().contains("not reloaded") {
        assert!(tls.try_send(serving.address, &whole).await.is_err());
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    tokio::time::sleep(std::time::Duration::from_millis(1_100)).await;
    assert!(tls.try_send(serving.address, &whole).await.is_err());
    assert_eq!(serving.log().matches("not reloaded").count(), 1, "{}", serving.log());
    tls.renew();
    renewed(&tls, &serving).await;
}

#[cfg(unix)]
#[tokio::test]
async fn sighup_reloads_certificate_and_never_stops_server() {
    use rustix::process::Signal;
    let mut tls = Tls::new();
    let before = std::fs::read(tls.path("cert.pem")).unwrap();
    let mut serving = tls.serve(&[("RUST_LOG", "info")]);
    tls.renew();
    serving.signal(Signal::HUP);
    serving.logged("reloaded").await;
    assert_eq!(tls.send(serving.address, &request("/", "", "a", &body("m-1"))).await, 200);
    // If a certificate does not match its key, the server uses the previous pair, and logs the
    // mismatch.
    let good = std::fs::read(tls.path("cert.pem")).unwrap();
    std::fs::write(tls.path("cert.pem"), before).unwrap();
    serving.signal(Signal::HUP);
    serving.logged("not reloaded").await;
    std::fs::write(tls.path("cert.pem"), "-----BEGIN CERTIFICATE-----\nMII").unwrap();
    serving.signal(Signal::HUP);
    std::fs::write(tls.path("cert.pem"), good).unwrap();
    assert_eq!(tls.send(serving.address, &request("/", "", "b", &body("m-2"))).await, 200);
    serving.terminate();
    assert_eq!(serving.wait().0.code(), Some(0));
}

#[cfg(unix)]
#[tokio::test]
async fn sighup_without_certificate_does_not_stop_server() {
    let store = TestStore::new();
    let settings = [("RUST_LOG", "info")];
    let serving = store.serve(&[], &settings);
    serving.signal(rustix::process::Signal::HUP);
    serving.logged("SIGHUP ignored").await;
    assert_eq!(deliver(serving.address, "a").await.status, 200);
}
