//! TLS to a database. Only valid certificates are accepted, and no connection falls back to
//! cleartext.

use std::net::TcpListener;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::fixture::{MINUTE, admit, password, server, until};
use messaging_journal::{Journal, JournalError};
use messaging_postgres::server::Server;
use messaging_postgres::{Options, Target};
use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair};
use tempfile::TempDir;

/// A test certificate authority and its PEM file.
struct Authority {
    issuer: Issuer<'static, KeyPair>,
    file: PathBuf,
}

impl Authority {
    fn new(folder: &TempDir, name: &str) -> Self {
        let mut params = CertificateParams::new(Vec::new()).unwrap();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let key = KeyPair::generate().unwrap();
        let file = folder.path().join(name);
        std::fs::write(&file, params.self_signed(&key).unwrap().pem()).unwrap();
        Self { issuer: Issuer::new(params, key), file }
    }
}

/// A server that also listens on a TCP port.
struct Listening {
    server: Server,
    port: u16,
}

impl Listening {
    fn start() -> Option<Self> {
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let port_setting = format!("port={port}");
        let server = server(&["listen_addresses=localhost", &port_setting])?;
        Some(Self { server, port })
    }

    /// Installs a certificate for `name`, and waits until new connections receive it.
    fn certify(&self, authority: &Authority, name: &str) {
        let key = KeyPair::generate().unwrap();
        let params = CertificateParams::new(vec![name.to_string()]).unwrap();
        let certificate = params.signed_by(&key, &authority.issuer).unwrap();
        let data = self.server.folder().join("data");
        self.write(&data.join("server.crt"), &certificate.pem());
        self.write(&data.join("server.key"), &key.serialize_pem());
        self.server.sql("postgres", "ALTER SYSTEM SET ssl = on").unwrap();
        self.reload();
    }

    fn write(&self, path: &Path, text: &str) {
        std::fs::write(path, text).unwrap();
        std::fs::set_permissions(path, PermissionsExt::from_mode(0o600)).unwrap();
        let owner = std::fs::metadata(self.server.folder().join("data")).unwrap();
        chown(path, Some(owner.uid()), Some(owner.gid())).unwrap();
    }

    fn reload(&self) {
        let loaded = || self.server.sql("postgres", "SELECT pg_conf_load_time()").unwrap();
        let before = loaded();
        self.server.sql("postgres", "SELECT pg_reload_conf()").unwrap();
        let begun = Instant::now();
        while loaded() == before {
            assert!(begun.elapsed() < MINUTE);
        }
    }

    async fn open(
        &self,
        host: &str,
        options: &str,
        authorities: &Path,
    ) -> Result<Journal, JournalError> {
        let url = format!("postgres://inbox@{host}:{}/postgres{options}", self.port);
        let authorities = Some(authorities.to_path_buf());
        let timeout = Duration::from_secs(30);
        let own = Options { timeout, authorities, ..Options::default() };
        messaging_postgres::journal::open(&url.parse().unwrap(), own).await
    }

    async fn refused(&self, host: &str, authorities: &Path) -> String {
        match self.open(host, "?sslmode=verify-full", authorities).await {
            Ok(_) => panic!("opened"),
            Err(JournalError::NotSetUp { detail, .. }) => detail,
            Err(error) => panic!("{error:?}"),
        }
    }
}

/// Returns true for encrypted connections of journals.
const ENCRYPTED: &str = "SELECT DISTINCT ssl FROM pg_stat_ssl JOIN pg_stat_activity USING (pid)
    WHERE application_name = 'messaging-journal'";

#[tokio::test(flavor = "multi_thread")]
async fn only_trusted_certificate_is_accepted() {
    let Some(listening) = Listening::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let (own, other) = (Authority::new(&folder, "own.pem"), Authority::new(&folder, "other.pem"));
    // The server has no certificate. The connection must not fall back to cleartext.
    let error = listening.open("localhost", "?sslmode=verify-full", &own.file).await;
    let Err(error) = error.map(drop) else { panic!("opened without TLS") };
    assert!(error.to_string().contains("TLS"), "{error}");

    listening.certify(&own, "localhost");
    let journal = listening.open("localhost", "?sslmode=verify-full", &own.file).await.unwrap();
    journal.swap("k", None, "1").await.unwrap();
    until(&listening.server, "postgres", ENCRYPTED, "t").await;
    drop(journal);
    // A connection within this machine is not encrypted by default.
    for options in ["", "?sslmode=disable"] {
        let journal = listening.open("localhost", options, &own.file).await.unwrap();
        assert_eq!(journal.get("k").await.unwrap().as_deref(), Some("1"));
        until(&listening.server, "postgres", ENCRYPTED, "f").await;
    }
    // The client trusts another authority, and then only public authorities.
    let said = listening.refused("localhost", &other.file).await;
    assert!(said.contains("invalid peer certificate"), "{said}");
    let url = format!("postgres://inbox@localhost:{}/postgres", listening.port);
    let public = format!("{url}?sslmode=verify-full").parse().unwrap();
    let refused = messaging_postgres::journal::open(&public, Options::default()).await;
    assert!(matches!(refused, Err(JournalError::NotSetUp { .. })));
    // The certificate is for another name. An IP address does not match a host name.
    let said = listening.refused("127.0.0.1", &own.file).await;
    assert!(said.contains("not valid for name"), "{said}");
    listening.certify(&own, "db.example");
    let said = listening.refused("localhost", &own.file).await;
    assert!(said.contains("not valid for name"), "{said}");
}

#[tokio::test(flavor = "multi_thread")]
async fn added_authority_is_trusted_next() {
    let Some(listening) = Listening::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let (old, new) = (Authority::new(&folder, "old.pem"), Authority::new(&folder, "new.pem"));
    listening.certify(&old, "localhost");
    let journal = listening.open("localhost", "?sslmode=verify-full", &old.file).await.unwrap();
    let both =
        std::fs::read_to_string(&old.file).unwrap() + &std::fs::read_to_string(&new.file).unwrap();
    std::fs::write(&old.file, both).unwrap();
    listening.certify(&new, "localhost");
    let cut = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE application_name = 'messaging-journal'";
    for number in 0..2 {
        listening.server.sql("postgres", cut).unwrap();
        let begun = Instant::now();
        while journal.swap(&number.to_string(), None, "1").await.is_err() {
            assert!(begun.elapsed() < MINUTE, "the new authority is not trusted");
        }
        // While the file is being rewritten, the previous authorities are trusted.
        std::fs::write(&old.file, "").unwrap();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn password_over_tls_is_proven_by_scram() {
    let Some(listening) = Listening::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let own = Authority::new(&folder, "own.pem");
    let make =
        "SET password_encryption = 'scram-sha-256'; CREATE ROLE guest LOGIN PASSWORD 'right';
        GRANT ALL ON DATABASE postgres TO guest";
    listening.server.sql("postgres", make).unwrap();
    admit(&listening.server, "hostssl all guest all scram-sha-256");
    listening.certify(&own, "localhost");
    let url = format!("postgres://guest@localhost:{}/postgres?sslmode=verify-full", listening.port);
    let target: Target = url.parse().unwrap();
    for (given, is_right) in [("right", true), ("wrong", false)] {
        let password = password(&target, given);
        let authorities = Some(own.file.clone());
        let options = Options { password, authorities, ..Options::default() };
        let opened = messaging_postgres::journal::open(&target, options).await;
        assert_eq!(opened.is_ok(), is_right, "{given}");
    }
}
