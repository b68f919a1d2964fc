//! The database URL, parsed into a [`Target`] without secrets.

use std::fmt;
use std::net::IpAddr;
use std::str::FromStr;

use percent_encoding::percent_decode_str;

const PORT: u16 = 5432;
/// Parameter names of libpq connection strings.
const SETTINGS: [&str; 8] =
    ["host", "hostaddr", "port", "dbname", "user", "password", "passfile", "service"];

/// A database and the way to connect to it.
///
/// The format is `postgres://[USER@]HOST[:PORT][,HOST[:PORT]…]/DATABASE[?OPTION=VALUE&…]`. The
/// options are `sslmode`, `host` (the directory of a socket, begins with `/`), `port` and `user`.
/// With several hosts, the first host that accepts writes is used. After a failover, this is the
/// promoted standby.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    pub(crate) user: String,
    pub(crate) hosts: Vec<Host>,
    pub(crate) database: String,
    pub(crate) encryption: Encryption,
}

/// The address of a server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Host {
    /// A host name, an IP address, or the directory of a Unix socket.
    pub(crate) name: String,
    pub(crate) port: u16,
}

impl Host {
    pub(crate) fn is_socket(&self) -> bool {
        self.name.starts_with('/')
    }

    fn is_this_machine(&self) -> bool {
        self.is_socket()
            || self.name == "localhost"
            || self.name.parse().is_ok_and(|address: IpAddr| address.is_loopback())
    }
}

/// Encryption of connections.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Encryption {
    /// TLS with a verified certificate (`sslmode=verify-full`).
    Verified,
    /// No TLS (`sslmode=disable`). The default only if all hosts are on this machine.
    None,
}

/// An invalid database URL. The message never contains the URL, which may hold a password.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TargetError {
    /// The URL does not begin with `postgres://` or `postgresql://`.
    #[error(
        "is not a PostgreSQL URL; write postgres://USER@HOST/DATABASE, or a file name (./NAME if it looks like a URL)"
    )]
    Scheme,
    /// The URL contains a password.
    #[error(
        "contains a password, which process lists show; remove it, and set MESSAGING_STORE_PASSWORD or MESSAGING_STORE_PASSWORD_FILE"
    )]
    Password,
    /// The host is missing or invalid.
    #[error(
        "has no valid host; write postgres://USER@HOST/DATABASE, or ?host=/DIRECTORY for a socket"
    )]
    Host,
    /// The port is invalid.
    #[error("has an invalid port; use 1 to 65535")]
    Port,
    /// The database name is missing or invalid.
    #[error("has no valid database; write postgres://USER@HOST/DATABASE")]
    Database,
    /// The user is missing.
    #[error("has no user; write postgres://USER@HOST/DATABASE")]
    User,
    /// An unsupported `sslmode`.
    #[error(
        "has an unsupported sslmode; use verify-full, or disable for no TLS: the other modes do not check the name of the server"
    )]
    Mode,
    /// An unsupported option.
    #[error("has an unsupported option; use sslmode, host, port or user")]
    Option,
    /// An option or the user is given twice.
    #[error("has an option or the user twice; give it once")]
    Twice,
}

impl Target {
    /// Returns true if `text` looks like a database address and not like a file name. Database
    /// addresses are URLs of any scheme, misspelled or not, and connection strings of `psql`. A
    /// path that begins with `.` or one `/` is a file name. A URL of SQLite (`file:`) is treated as
    /// a file name too.
    pub fn is_meant(text: &str) -> bool {
        let text = text.trim_start();
        // A URL without its scheme (`//USER@HOST/…`) is not a file name, because it can contain a
        // password.
        let has_authority = text.starts_with("//") && text.contains('@');
        if !has_authority && text.starts_with(['/', '.']) || text.starts_with("file:") {
            return false;
        }
        let (first, rest) = text.split_once('/').unwrap_or((text, ""));
        // A single letter before the colon is a Windows drive.
        let has_scheme = first.find(':').is_some_and(|at| at > 1);
        let has_settings = text.split_whitespace().any(|word| {
            let name = word.split_once('=').map(|(name, _)| name);
            name.is_some_and(|name| SETTINGS.contains(&name))
        });
        has_scheme || has_settings || (text.contains('@') && !rest.is_empty())
    }

    /// Returns true if connections are unencrypted and can go to another machine.
    pub fn is_remote_cleartext(&self) -> bool {
        self.encryption == Encryption::None && !self.hosts.iter().all(Host::is_this_machine)
    }
}

fn decoded(text: &str) -> Option<String> {
    let text = percent_decode_str(text).decode_utf8().ok()?.into_owned();
    (!text.chars().any(char::is_control)).then_some(text)
}

fn port(text: &str) -> Result<u16, TargetError> {
    text.parse().ok().filter(|port| *port > 0).ok_or(TargetError::Port)
}

/// Splits `HOST[:PORT]`. An IPv6 address stands in brackets.
fn host(text: &str) -> Result<Host, TargetError> {
    let (name, rest) = match text.strip_prefix('[') {
        Some(rest) => rest.split_once(']').ok_or(TargetError::Host)?,
        None => text.split_at(text.find(':').unwrap_or(text.len())),
    };
    let port = match rest.strip_prefix(':') {
        Some(text) => port(text)?,
        None if rest.is_empty() => PORT,
        None => return Err(TargetError::Host),
    };
    let name = decoded(name).filter(|name| !name.is_empty()).ok_or(TargetError::Host)?;
    Ok(Host { name, port })
}

impl FromStr for Target {
    type Err = TargetError;

    fn from_str(text: &str) -> Result<Self, TargetError> {
        let (scheme, rest) = text.split_once("://").ok_or(TargetError::Scheme)?;
        if !["postgres", "postgresql"].iter().any(|known| scheme.eq_ignore_ascii_case(known)) {
            return Err(TargetError::Scheme);
        }
        let (location, options) = rest.split_once('?').unwrap_or((rest, ""));
        let (authority, database) = location.split_once('/').unwrap_or((location, ""));
        // Splits at the last `@`, because a password can contain an unencoded `@`.
        let (user, hosts) = match authority.rsplit_once('@') {
            Some((user, hosts)) => (Some(user), hosts),
            None => (None, authority),
        };
        if user.is_some_and(|user| user.contains(':')) {
            return Err(TargetError::Password);
        }
        let role = |user: Option<String>| match user {
            Some(user) if user.contains(':') => Err(TargetError::Password),
            user => user.ok_or(TargetError::User),
        };
        let mut user = user.map(|user| role(decoded(user))).transpose()?;
        let mut hosts = match hosts {
            "" => Vec::new(),
            hosts => hosts.split(',').map(host).collect::<Result<_, _>>()?,
        };
        let (mut encryption, mut socket, mut socket_port) = (None, None, None);
        fn once<T>(slot: &mut Option<T>, value: T) -> Result<(), TargetError> {
            match slot.replace(value) {
                None => Ok(()),
                Some(_) => Err(TargetError::Twice),
            }
        }
        for option in options.split('&').filter(|option| !option.is_empty()) {
            let (name, value) = option.split_once('=').ok_or(TargetError::Option)?;
            let value = decoded(value);
            match name {
                "password" | "sslpassword" | "passfile" => return Err(TargetError::Password),
                "sslmode" => {
                    let mode = match value.as_deref() {
                        Some("verify-full") => Encryption::Verified,
                        Some("disable") => Encryption::None,
                        _ => return Err(TargetError::Mode),
                    };
                    once(&mut encryption, mode)?;
                }
                "host" => once(&mut socket, value.ok_or(TargetError::Host)?)?,
                "port" => once(&mut socket_port, port(&value.ok_or(TargetError::Port)?)?)?,
                "user" => once(&mut user, role(value)?)?,
                _ => return Err(TargetError::Option),
            }
        }
        match (socket, hosts.is_empty()) {
            // Without a leading `/`, the name would be resolved as a network host.
            (Some(name), true) if name.starts_with('/') => {
                hosts.push(Host { name, port: socket_port.unwrap_or(PORT) });
            }
            (None, false) if socket_port.is_none() => {}
            _ => return Err(TargetError::Host),
        }
        // `decoded` rejects a zero byte, which would end the name in SQL and in protocol messages.
        let database = decoded(database).filter(|name| !name.is_empty());
        let encryption =
            encryption.unwrap_or_else(|| match hosts.iter().all(Host::is_this_machine) {
                true => Encryption::None,
                false => Encryption::Verified,
            });
        Ok(Self {
            user: user.filter(|user| !user.is_empty()).ok_or(TargetError::User)?,
            hosts,
            database: database.ok_or(TargetError::Database)?,
            encryption,
        })
    }
}

/// Shows the URL without the user and the options.
impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("postgres://")?;
        for (number, host) in self.hosts.iter().enumerate() {
            let comma = if number > 0 { "," } else { "" };
            let v6 = host.name.contains(':');
            let (open, close) = if v6 { ("[", "]") } else { ("", "") };
            write!(f, "{comma}{open}{}{close}", host.name)?;
            if host.port != PORT {
                write!(f, ":{}", host.port)?;
            }
        }
        write!(f, "/{}", self.database)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn url_is_shown_without_user() {
        for (text, shown, encryption) in [
            ("postgres://ann@db.example/inbox", "postgres://db.example/inbox", true),
            ("postgresql://ann@localhost:5433/inbox", "postgres://localhost:5433/inbox", false),
            (
                "postgres://ann@127.0.0.1/inbox?sslmode=verify-full",
                "postgres://127.0.0.1/inbox",
                true,
            ),
            ("postgres://ann@[::1]:99/in%20box", "postgres://[::1]:99/in box", false),
            ("postgres://ann@a,b:6432/inbox", "postgres://a,b:6432/inbox", true),
            ("postgres://ann@a/inbox?sslmode=disable", "postgres://a/inbox", false),
            ("postgres:///inbox?host=/run/pg&user=ann&port=7", "postgres:///run/pg:7/inbox", false),
        ] {
            let target: Target = text.parse().unwrap();
            assert_eq!(target.to_string(), shown);
            assert_eq!(target.user, "ann");
            assert_eq!(target.encryption == Encryption::Verified, encryption, "{text}");
        }
        assert!(
            "postgres://a@b/c?sslmode=disable".parse::<Target>().unwrap().is_remote_cleartext()
        );
        assert!(!"postgres://a@localhost/c".parse::<Target>().unwrap().is_remote_cleartext());
    }

    #[test]
    fn invalid_url_is_rejected_and_not_shown() {
        for (text, error) in [
            ("postgres://ann:canary@db/inbox", TargetError::Password),
            ("postgres://ann:can@ary@db/inbox", TargetError::Password),
            ("postgres://ann:@db/inbox", TargetError::Password),
            ("postgres://ann%3Acanary@db/inbox", TargetError::Password),
            ("postgres://db/inbox?user=ann:canary", TargetError::Password),
            ("postgres://ann@db/inbox?password=canary", TargetError::Password),
            ("mysql://ann@db/inbox", TargetError::Scheme),
            ("postgres:ann@db/inbox", TargetError::Scheme),
            ("postgres://db/inbox", TargetError::User),
            ("postgres://ann@db", TargetError::Database),
            ("postgres://ann@db/", TargetError::Database),
            ("postgres://ann@db/a%00b", TargetError::Database),
            ("postgres://ann@/inbox", TargetError::Host),
            ("postgres://ann@db/inbox?host=/run", TargetError::Host),
            ("postgres:///inbox?host=tmp&user=ann", TargetError::Host),
            ("postgres:///inbox?host=&user=ann", TargetError::Host),
            ("postgres://ann@a,,b/inbox", TargetError::Host),
            ("postgres://ann@db:0/inbox", TargetError::Port),
            ("postgres://ann@db:x/inbox", TargetError::Port),
            ("postgres://ann@db/inbox?sslmode=require", TargetError::Mode),
            ("postgres://ann@db/inbox?sslmode=prefer", TargetError::Mode),
            ("postgres://ann@db/inbox?options=-c%20x", TargetError::Option),
            ("postgres://ann@db/inbox?sslmode=verify-full&sslmode=disable", TargetError::Twice),
            ("postgres://ann@db/inbox?user=eve", TargetError::Twice),
            ("postgres:///inbox?host=/run&host=/tmp&user=ann", TargetError::Twice),
            ("postgres:///inbox?host=/run&port=1&port=2&user=ann", TargetError::Twice),
            (" postgres://ann@db/inbox", TargetError::Scheme),
            ("postgre://ann:canary@db/inbox", TargetError::Scheme),
            ("host=db password=canary", TargetError::Scheme),
        ] {
            assert_eq!(text.parse::<Target>(), Err(error), "{text}");
            assert!(!error.to_string().contains("canary"));
        }
    }
    #[test]
    fn database_address_is_no_file_name() {
        for text in [
            "postgres://ann@db/inbox",
            "POSTGRESQL:inbox",
            " postgres://ann@db/inbox",
            "postgre://ann:canary@db/inbox",
            "pgsql:inbox",
            "mysql://db/inbox",
            "sqlite:inbox.sqlite",
            "FILE:inbox.sqlite",
            "jdbc:postgresql://db/inbox",
            "ann:canary@db/inbox",
            "ann@db/inbox",
            "//ann:canary@db/inbox",
            "postgres//ann@db/inbox",
            "host=db password=canary",
            "dbname=inbox",
        ] {
            assert!(Target::is_meant(text), "{text}");
        }
        for text in [
            "",
            ":memory:",
            "inbox.sqlite",
            "folder/inbox.sqlite",
            "/folder/postgres:inbox",
            "./pgsql:inbox",
            "../ann@db/inbox",
            "C:/inbox.sqlite",
            "C:\\inbox.sqlite",
            "file:inbox.sqlite",
            "inbox of ann@db.sqlite",
            "a=b.sqlite",
        ] {
            assert!(!Target::is_meant(text), "{text}");
        }
    }
}
