//! Exit codes of every command: their meanings, their help text, and their error cases.

use std::fmt::Write;

use clap::Command;

/// An exit code of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// Success.
    Success = 0,
    /// A failure without its own exit code.
    Failed = 1,
    /// Invalid usage, input or settings. Nothing was sent.
    Usage = 2,
    /// An unknown outcome: the message may exist.
    Unknown = 3,
    /// A failure after which a retry of the command is safe. This command created no message; a
    /// store may have changed.
    Retry = 75,
    /// An interrupted command.
    Interrupted = 130,
}

/// Every exit code with its meaning.
const TABLE: [(Exit, &str); 6] = [
    (Exit::Success, "success"),
    (Exit::Failed, "any other failure, or unwritten output"),
    (Exit::Usage, "invalid usage, input or settings; nothing was sent"),
    (Exit::Unknown, "unknown outcome: the message may exist; retry only `send --once`"),
    (Exit::Retry, "safe to retry: not-sent, rate-limited, busy, unavailable"),
    (Exit::Interrupted, "interrupted; standard error has the details"),
];

impl Exit {
    /// Returns the exit code of an error case.
    pub fn of_case(case: &str) -> Self {
        match case {
            "permanent-invalid-input" | "permanent-invalid-settings" => Self::Usage,
            "permanent-outcome-unknown" => Self::Unknown,
            "not-sent" | "rate-limited" | "busy" | "unavailable" => Self::Retry,
            _ => Self::Failed,
        }
    }

    /// Returns the exit code of an error case of `send-message`: [`Self::Unknown`] if the message
    /// may exist.
    pub fn of_send(case: &str) -> Self {
        match case {
            "execution-failed" | "permanent-other" | "permanent-unexpected-reply" => Self::Unknown,
            _ => Self::of_case(case),
        }
    }

    /// Returns the exit code as a number.
    pub fn code(self) -> u8 {
        self as u8
    }
}

/// Adds the exit codes to the help of a command and of its subcommands.
pub fn documented(command: Command) -> Command {
    let own = command.get_after_help().map(|help| format!("{help}\n\n")).unwrap_or_default();
    let mut help = own + "Exit codes:";
    for (exit, meaning) in TABLE {
        let _ = write!(help, "\n  {:>3}  {meaning}", exit.code());
    }
    let names: Vec<_> = command.get_subcommands().map(|one| one.get_name().to_string()).collect();
    let command = command.after_help(help);
    names.into_iter().fold(command, |command, name| command.mut_subcommand(name, documented))
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn each_command_documents_exit_codes() {
        fn check(command: &Command) {
            let help = command.clone().render_long_help().to_string();
            for (exit, meaning) in TABLE {
                let line = format!("{:>3}  {meaning}", exit.code());
                assert!(help.contains(&line), "{}: {help}", command.get_name());
            }
            command.get_subcommands().for_each(check);
        }
        check(&documented(crate::cli::Arguments::command()));
    }

    #[test]
    fn help_of_each_option_is_short() {
        fn check(command: &Command) {
            for option in command.get_arguments() {
                let help = option.get_help().map(ToString::to_string).unwrap_or_default();
                let words = help.split_whitespace().take_while(|word| !word.starts_with('['));
                assert!(words.count() <= 12, "{}: {help}", command.get_name());
            }
            command.get_subcommands().for_each(check);
        }
        check(&crate::cli::Arguments::command());
    }

    #[test]
    fn exit_codes_follow_error_cases() {
        for (case, exit, of_send) in [
            ("permanent-invalid-input", Exit::Usage, Exit::Usage),
            ("permanent-invalid-settings", Exit::Usage, Exit::Usage),
            ("permanent-outcome-unknown", Exit::Unknown, Exit::Unknown),
            ("execution-failed", Exit::Failed, Exit::Unknown),
            ("permanent-other", Exit::Failed, Exit::Unknown),
            ("permanent-unauthorized", Exit::Failed, Exit::Failed),
            ("permanent-journal", Exit::Failed, Exit::Failed),
            ("permanent-key-reused", Exit::Failed, Exit::Failed),
            ("not-sent", Exit::Retry, Exit::Retry),
            ("rate-limited", Exit::Retry, Exit::Retry),
            ("busy", Exit::Retry, Exit::Retry),
            ("unavailable", Exit::Retry, Exit::Retry),
        ] {
            assert_eq!((Exit::of_case(case), Exit::of_send(case)), (exit, of_send), "{case}");
        }
    }

    /// The README lists every exit code with its meaning.
    #[test]
    fn readme_lists_exit_codes() {
        let page = include_str!("../../README.md");
        for (exit, meaning) in TABLE {
            let row = format!("| {} | {meaning} |", exit.code());
            assert!(page.contains(&row), "{row}");
        }
    }
}
