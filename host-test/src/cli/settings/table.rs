//! The table of all settings. The help texts, the files of secrets and the check of the environment
//! are derived from it.

/// A setting: an environment variable that this program or a component of it reads.
pub struct Setting {
    pub name: &'static str,
    /// The variable that names a file with the value. Only a secret has it.
    pub file: Option<&'static str>,
    pub section: Section,
    /// One line or more for the help text, and the default in brackets.
    help: &'static str,
}

/// The part of a help text that describes a setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Section {
    /// Settings of the plugin, in `messaging --help`.
    Plugin,
    /// Settings of this program, in `messaging --help`.
    Program,
    /// Settings of the webhook, in `messaging serve --help`.
    Webhook,
    /// Tokens of the listeners of `serve`, in `messaging serve --help`.
    Listeners,
    /// The password of a database, in `messaging serve --help`.
    Database,
    /// Settings of `serve --forward`, in `messaging serve --help`.
    Forward,
    /// Settings that another help text describes in a sentence, and settings of components that
    /// only other hosts run.
    Elsewhere,
}

/// Creates the table, and the constants of the names that `as` follows. `secret` before a name adds
/// the variable of its file.
macro_rules! settings {
    ($($section:ident {
        $($kind:ident $name:literal $(as $constant:ident)? $help:literal,)*
    })*) => {
        $($($(pub const $constant: &str = $name;)?)*)*

        /// All settings, in the order of the help texts.
        const TABLE: &[Setting] = &[$($(Setting {
            name: $name,
            file: settings!($kind $name),
            section: Section::$section,
            help: $help,
        }),*),*];
    };
    (plain $name:literal) => { None };
    (secret $name:literal) => { Some(concat!($name, "_FILE")) };
}

settings! {
    Plugin {
        plain "MESSAGING_BASE_URL" "the service's base address, for example https://api.example",
        secret "MESSAGING_API_KEY" "the API key; it never appears in any output",
        plain "MESSAGING_DEADLINE_MS" "one deadline for a whole call [30000]",
        plain "MESSAGING_MAX_ATTEMPTS"
            "maximum requests N of a send; a list has at most N-1 retries [3]",
        plain "MESSAGING_MAX_REPLY_BYTES" "the largest reply body that is read [1048576]",
        plain "MESSAGING_MAX_MESSAGE_BYTES" "the longest message text accepted [no limit]",
        plain "MESSAGING_ALLOW_HTTP" "true allows http: to other machines [false]",
        plain "MESSAGING_RETRY_RATE_LIMITED"
            "false: a call repeats no request after status 429 [true]",
    }
    Program {
        plain "MESSAGING_WEBHOOK_STORE" as STORE
            "the file or database of the inbox\n[inbox.sqlite in the state directory]",
        plain "MESSAGING_ONCE_JOURNAL" as JOURNAL
            "the file or database of the journal of `send --once`\n[journal.sqlite in the state directory]",
        plain "MESSAGING_ONCE_EXISTING_JOURNAL" as EXISTING_JOURNAL
            "true: a missing journal is an error [false]",
        plain "MESSAGING_CACHE" as CACHE
            "directory of compiled components, or none\n[user's cache directory]",
    }
    Webhook {
        secret "MESSAGING_WEBHOOK_PATH_SECRET" "the last segment of the URL's path",
        secret "MESSAGING_WEBHOOK_HEADER_SECRET" "the value of a header ...",
        plain "MESSAGING_WEBHOOK_HEADER" "... of this name [X-Webhook-Secret]",
        secret "MESSAGING_WEBHOOK_SIGNATURE_SECRET" "the key of an HMAC-SHA256 signature",
        plain "MESSAGING_WEBHOOK_SIGNED" "the signed text, as below [body]",
        plain "MESSAGING_WEBHOOK_SIGNATURE_HEADER" "the signature's header [X-Signature]",
        plain "MESSAGING_WEBHOOK_SIGNATURE_PREFIX" "text before the signature [none]",
        plain "MESSAGING_WEBHOOK_SIGNATURE_ENCODING" "hex or base64 [hex]",
        plain "MESSAGING_WEBHOOK_TIMESTAMP_HEADER"
            "the timestamp's header, in Unix seconds [X-Timestamp]",
        plain "MESSAGING_WEBHOOK_TIMESTAMP_TOLERANCE_SECONDS"
            "maximum difference from the clock; 0: not compared\n[300 with standard-webhooks, else 0]",
        plain "MESSAGING_WEBHOOK_MAX_BODY_BYTES"
            "largest body, in bytes, up to 16777216 [262144]",
        plain "MESSAGING_WEBHOOK_DEADLINE_MS"
            "time for a body to arrive, in milliseconds [10000]",
    }
    Listeners {
        secret "MESSAGING_WORKER_TOKENS" as WORKER_TOKENS "of workers, for --workers",
        secret "MESSAGING_OPERATOR_TOKENS" as OPERATOR_TOKENS "of operators, for --operator",
        secret "MESSAGING_METRICS_TOKENS" as METRICS_TOKENS
            "of Prometheus: reads only /metrics of --operator",
        secret "MESSAGING_JOURNAL_TOKENS" as JOURNAL_TOKENS
            "of senders that keep their journal at --workers",
    }
    Database {
        secret "MESSAGING_STORE_PASSWORD" "the password",
    }
    Forward {
        secret "MESSAGING_FORWARD_HEADERS" as FORWARD_HEADERS
            "headers to send, as lines of NAME: VALUE",
        secret "MESSAGING_FORWARD_SECRET" as FORWARD_SECRET
            "signs as Standard Webhooks: whsec_BASE64, or two during rotation",
    }
    Elsewhere {
        // The help text of `serve` explains the second values of secrets together.
        secret "MESSAGING_WEBHOOK_PATH_SECRET_NEXT" "",
        secret "MESSAGING_WEBHOOK_HEADER_SECRET_NEXT" "",
        secret "MESSAGING_WEBHOOK_SIGNATURE_SECRET_NEXT" "",
        secret "MESSAGING_MCP_TOKENS" as MCP_TOKENS "",
        secret "OTEL_EXPORTER_OTLP_HEADERS" "",
        // `serve` sets it on loopback addresses.
        plain "MESSAGING_WEBHOOK_ALLOW_UNVERIFIED" "",
        // A worker has its token here, and can call this program.
        secret "MESSAGING_WORKER_TOKEN" "",
        // Settings of components that only other hosts run.
        plain "MESSAGING_WEBHOOK_BUCKET" "",
        plain "MESSAGING_JOURNAL_URL" "",
        plain "MESSAGING_JOURNAL_TOKEN" "",
        plain "MESSAGING_JOURNAL_DEADLINE_MS" "",
    }
}

/// Longest name that has its help on the same line, in bytes.
const MAX_NAME_BYTES: usize = 36;

/// Returns every setting.
pub fn rows() -> impl Iterator<Item = &'static Setting> {
    TABLE.iter()
}

/// Returns the part of a help text that describes the settings of some sections.
pub fn help(sections: &[Section]) -> String {
    let shown = || rows().filter(|row| sections.contains(&row.section));
    let names = shown().map(|row| row.name.len()).filter(|bytes| *bytes <= MAX_NAME_BYTES);
    let width = names.max().unwrap_or(MAX_NAME_BYTES);
    let mut text = String::new();
    for row in shown() {
        let mut name = row.name;
        if name.len() > width {
            text.push_str(&format!("  {name}\n"));
            name = "";
        }
        for line in row.help.lines() {
            text.push_str(&format!("  {name:width$}  {line}\n"));
            name = "";
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn names(section: Section) -> BTreeSet<&'static str> {
        rows().filter(|row| row.section == section).map(|row| row.name).collect()
    }

    #[test]
    fn plugin_section_has_settings_of_core() {
        assert_eq!(names(Section::Plugin), messaging_core::settings::NAMES.into());
    }

    #[test]
    fn table_has_settings_of_components() {
        let known: BTreeSet<_> = rows().map(|row| row.name).collect();
        let webhook = messaging_core::webhook::settings::names();
        let of_components = webhook.chain(messaging_core::journal::NAMES);
        for name in of_components.chain([messaging_postgres::PASSWORD]) {
            assert!(known.contains(name), "{name}");
        }
    }

    #[test]
    fn each_shown_setting_has_help() {
        for row in rows() {
            assert_eq!(row.help.is_empty(), row.section == Section::Elsewhere, "{}", row.name);
        }
    }

    #[test]
    fn names_are_unique() {
        let names: Vec<_> = rows().flat_map(|row| [Some(row.name), row.file]).flatten().collect();
        assert_eq!(names.len(), names.iter().collect::<BTreeSet<_>>().len());
    }

    #[test]
    fn long_name_has_own_line() {
        let text = help(&[Section::Plugin, Section::Program, Section::Webhook]);
        let long = "  MESSAGING_WEBHOOK_TIMESTAMP_TOLERANCE_SECONDS";
        let expected = format!("{long}\n{:40}maximum", "");
        assert!(text.contains(&expected), "{text}");
    }
}
