//! Locations of the journal: the default, missing files and directories, and permissions.

use std::path::Path;
use std::process::Output;

use super::{CUSTOMER, World};
use crate::common::KEY;
use crate::process::{Serving, assert_fails, json, program, stderr, stdout};

#[tokio::test(flavor = "multi_thread")]
async fn reading_journal_creates_no_file() {
    let world = World::new().await;
    for arguments in [&["sent", "list"][..], &["sent", "export"], &["sent", "forget", "k"]] {
        let output = world.run(arguments).await;
        assert_fails(&output, 2, "there is no such file");
        for remedy in ["messaging sent init", "--journal", "MESSAGING_ONCE_JOURNAL"] {
            assert!(stderr(&output).contains(remedy), "{output:?}");
        }
    }
    let file = world.folder.path().join("journal.sqlite");
    assert!(!Path::new(&file).exists());
    std::fs::create_dir(&file).unwrap();
    let output = world.run(&["sent", "list"]).await;
    assert!(stderr(&output).contains("it is not a file"), "{output:?}");
    std::fs::remove_dir(&file).unwrap();
    std::fs::write(&file, "something else, of some bytes, but not a database").unwrap();
    let output = world.send("k", CUSTOMER, "text").await;
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let output = world
        .run(&["send", "--once", "k", "--json", "--phone", CUSTOMER, "--message", "text"])
        .await;
    assert_eq!(json(&output)["error"]["case"], "permanent-journal", "{output:?}");
    assert_eq!(world.service.ledger().posts(), 0);
    let never = world.run(&["send", "--once", "k", "--simulated", "--phone", CUSTOMER]).await;
    assert_eq!(never.status.code(), Some(2), "{never:?}");
}

/// Sends without an explicit journal, in this directory and with these variables for the user's
/// state directory.
async fn send_from(world: &World, directory: &Path, state: &[(&str, Option<&Path>)]) -> Output {
    let base = world.service.base_url();
    let settings = [("MESSAGING_BASE_URL", &*base), ("MESSAGING_API_KEY", KEY)];
    let send = ["send", "--once", "order-17", "--phone", CUSTOMER, "--message", "ready"];
    let mut command = program(&send, &settings);
    command.current_dir(directory).env_remove("XDG_STATE_HOME");
    for (name, value) in state {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    tokio::task::spawn_blocking(move || command.output().unwrap()).await.unwrap()
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn default_journal_is_same_in_each_directory() {
    use std::os::unix::fs::PermissionsExt;
    for (name, below) in [("XDG_STATE_HOME", ""), ("HOME", ".local/state")] {
        let world = World::new().await;
        let home = world.folder.path().join("home");
        let state = home.join(below).join("messaging");
        let (one, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let first = send_from(&world, one.path(), &[(name, Some(&home))]).await;
        assert!(first.status.success(), "{first:?}");
        let journal = state.join("journal.sqlite");
        assert!(stderr(&first).contains(journal.to_str().unwrap()), "{first:?}");
        let second = send_from(&world, other.path(), &[(name, Some(&home))]).await;
        assert!(stdout(&second).contains("nothing was sent now"), "{second:?}");
        assert_eq!(world.service.ledger().posts(), 1);
        let mode = std::fs::metadata(&state).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode, 0o700);
        for directory in [one, other] {
            assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 0);
        }
    }
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn missing_home_names_journal_option() {
    let world = World::new().await;
    let file = world.folder.path().join("file");
    std::fs::write(&file, "").unwrap();
    let relative = Path::new("state");
    for state in [
        [("HOME", None), ("XDG_STATE_HOME", None)],
        [("HOME", Some(Path::new(""))), ("XDG_STATE_HOME", Some(relative))],
        [("HOME", Some(file.as_path())), ("XDG_STATE_HOME", None)],
    ] {
        let output = send_from(&world, world.folder.path(), &state).await;
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        let said = stderr(&output);
        assert!(said.contains("--journal") && said.contains("state directory"), "{said}");
    }
    assert_eq!(world.service.ledger().posts(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn missing_directory_of_named_journal_is_error() {
    let world = World::new().await;
    let missing = world.folder.path().join("mistyped");
    let journal = missing.join("journal.sqlite");
    let journal = journal.to_str().unwrap();
    let send = ["send", "--once", "k", "--phone", CUSTOMER, "--message", "x", "--journal", journal];
    let serve = ["serve", "--journal", journal, "--operator", "127.0.0.1:0", "--listen"];
    for arguments in [
        &send[..],
        &["sent", "init", "--journal", journal],
        &["sent", "list", "--journal", journal],
    ] {
        let output = world.run(arguments).await;
        assert_fails(&output, 2, "does not exist");
    }
    let settings = [("MESSAGING_OPERATOR_TOKENS", "operator-token-0123456789")];
    let said = crate::process::refused(&[&serve[..], &["127.0.0.1:0"]].concat(), &settings, 2);
    assert!(said.contains("does not exist"), "{said}");
    assert!(!missing.exists());
    assert_eq!(world.service.ledger().posts(), 0);
}

/// The default journal does not contain the keys of a journal server. With the default journal, the
/// messages of these keys would be sent again.
#[tokio::test(flavor = "multi_thread")]
async fn journal_over_http_is_not_ignored() {
    let world = World::new().await;
    let service = world.service.base_url();
    let state = world.folder.path().to_str().unwrap();
    let settings = [
        ("MESSAGING_BASE_URL", &*service),
        ("MESSAGING_API_KEY", KEY),
        ("MESSAGING_JOURNAL_URL", "https://journal.example"),
        ("XDG_STATE_HOME", state),
    ];
    let send = ["send", "--once", "k", "--phone", CUSTOMER, "--message", "x"];
    for arguments in [&send[..], &["sent", "list"]] {
        let mut command = program(arguments, &settings);
        let output = tokio::task::spawn_blocking(move || command.output().unwrap()).await.unwrap();
        assert_fails(&output, 2, "MESSAGING_JOURNAL_URL");
    }
    assert_eq!(world.service.ledger().posts(), 0);
}

/// Without the journal's name, the printed command would resolve the key in another journal.
#[tokio::test(flavor = "multi_thread")]
async fn printed_command_names_journal() {
    let world = World::new().await;
    let other = world.folder.path().join("other.sqlite");
    let other = other.to_str().unwrap();
    let named = ["--journal", other];
    let send = ["send", "--once", "k", "--phone", super::CLOSES, "--message", "x"];
    assert_eq!(world.run(&[&send[..], &named].concat()).await.status.code(), Some(3));
    let shown = world.run(&[&["sent", "show", "k"][..], &named].concat()).await;
    let command = format!("messaging sent resolve k --journal {other} --attempt 1 ");
    assert!(stdout(&shown).contains(&command), "{shown:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn serve_needs_journal_that_must_exist() {
    let world = World::new().await;
    let journal = world.folder.path().join("journal.sqlite");
    let journal_name = journal.to_str().unwrap();
    let serve = ["serve", "--journal", journal_name, "--operator", "127.0.0.1:0", "--listen"];
    let settings = [
        ("MESSAGING_OPERATOR_TOKENS", "operator-token-0123456789"),
        ("MESSAGING_ONCE_EXISTING_JOURNAL", "true"),
    ];
    for more in [&[][..], &["--check"]] {
        let arguments = [&serve[..], &["127.0.0.1:0"], more].concat();
        let said = crate::process::refused(&arguments, &settings, 2);
        assert!(said.contains("messaging sent init"), "{said}");
    }
    assert!(!journal.exists());
}

#[tokio::test(flavor = "multi_thread")]
async fn init_creates_journal_that_must_exist() {
    let world = World::new().await;
    let journal = world.folder.path().join("journal.sqlite");
    let send = ["send", "--once", "k", "--phone", CUSTOMER, "--message", "x", "--existing-journal"];
    let missing = world.run(&send).await;
    assert_fails(&missing, 2, "messaging sent init");
    assert!(!journal.exists());

    let created = world.run(&["sent", "init"]).await;
    assert!(created.status.success(), "{created:?}");
    assert!(stdout(&created).contains(journal.to_str().unwrap()), "{created:?}");
    assert!(stdout(&created).starts_with("created"), "{created:?}");
    let again = json(&world.run(&["sent", "init", "--json"]).await);
    assert_eq!(again["ok"]["created"], false);
    assert_eq!(again["ok"]["journal"], journal.to_str().unwrap());

    let sent = world.run(&send).await;
    assert!(sent.status.success(), "{sent:?}");
    assert_eq!(stderr(&sent), "");
    let help = stdout(&world.run(&["send", "--help"]).await);
    assert!(help.contains("MESSAGING_ONCE_EXISTING_JOURNAL"), "{help}");
}

#[cfg(unix)]
#[test]
fn file_of_other_user_or_mode_is_refused() {
    use std::os::unix::fs::{PermissionsExt, chown};
    use std::os::unix::process::CommandExt;
    const SELF: u32 = 65_534;
    let folder = tempfile::tempdir().unwrap();
    std::fs::set_permissions(folder.path(), PermissionsExt::from_mode(0o777)).unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    let (journal, store) = (path("journal.sqlite"), path("inbox.sqlite"));
    crate::process::run(&["sent", "init", "--journal", &journal], &[]);
    let mut serving = Serving::start(&["--store", &store], &[]);
    serving.terminate();
    serving.wait();
    for (owner, mode, why) in
        [(12_345, 0o644, "another user (uid 12345)"), (SELF, 0o666, "every user can write")]
    {
        for (file, command) in [
            (&journal, ["sent", "init", "--journal", &journal]),
            (&store, ["inbox", "prune", "--store", &store]),
        ] {
            std::fs::set_permissions(file, PermissionsExt::from_mode(mode)).unwrap();
            if let Err(error) = chown(file, Some(owner), None) {
                return crate::common::not_run(format_args!(
                    "only root can change owners: {error}"
                ));
            }
            match program(&command, &[]).uid(SELF).output() {
                Ok(output) => {
                    assert_fails(&output, 2, why);
                }
                Err(error) => {
                    return crate::common::not_run(format_args!(
                        "uid {SELF} cannot run the program: {error}"
                    ));
                }
            }
        }
    }
    // The file `-wal` keeps the mode with which it was created.
    chown(&store, Some(0), None).unwrap();
    std::fs::set_permissions(&store, PermissionsExt::from_mode(0o600)).unwrap();
    let _serving = Serving::start(&["--store", &store], &[]);
    std::fs::set_permissions(&store, PermissionsExt::from_mode(0o644)).unwrap();
    let output = program(&["inbox", "list", "--store", &store], &[]).uid(SELF).output().unwrap();
    assert_fails(&output, 2, "inbox.sqlite-wal");
}
