//! The program: its help, its output, and the suite for components that send once.

use std::process::{Command, Output};

use messaging_components::{PLUGIN_ONCE_FILES, PLUGIN_ONCE_HTTP};

fn verify(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_messaging-verify"));
    command.args(arguments);
    command
}

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn help_has_documentation_of_arguments() {
    for (command, said) in [
        ("conform", "--table puts their reports side by side"),
        ("attack", "unauthenticated  peers"),
        ("ordinary", "default: messaging next to this program"),
    ] {
        let output = verify(&[command, "--help"]).output().unwrap();
        assert!(stdout(&output).contains(said), "{command}: {output:?}");
        assert!(stdout(&output).contains("130  interrupted"), "{command}: {output:?}");
    }
    let output = verify(&["--version"]).output().unwrap();
    assert_eq!(stdout(&output), concat!("messaging-verify ", env!("CARGO_PKG_VERSION"), "\n"));
}

#[cfg(target_os = "linux")]
#[test]
fn list_on_full_disk_is_failure() {
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = verify(&["conform", "--list"]).stdout(full).output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{output:?}");
}

#[test]
fn command_judges_component_that_sends_once() {
    let folder = tempfile::tempdir().unwrap();
    for component in [PLUGIN_ONCE_FILES, PLUGIN_ONCE_HTTP] {
        let file = folder.path().join("once.wasm");
        std::fs::write(&file, component).unwrap();
        let case = ["--json", "--case", "forgotten"];
        let output = verify(&["conform"]).arg(&file).args(case).output().unwrap();
        assert!(output.status.success(), "{output:?}");
        let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(report["failed"], 0);
        assert_eq!(report["cases"][0]["name"], "forgotten_key_never_sends");
    }
}
