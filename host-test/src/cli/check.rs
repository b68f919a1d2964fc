//! `check`: checks the settings, the connection to the service, and the API key. Sends no message.

use messaging_host::{Messaging, outcome, wit};
use serde_json::json;

use super::exit::Exit;
use super::show::{self, DIM, GREEN, RED, RESET};
use super::{Common, Failure, Target, origin, print, setup, text};

pub async fn run(common: &Common, target: &Target) -> Result<(), Failure> {
    let session = setup::session(common, target).await?;
    let mut checks = Checks { common, done: Vec::new() };
    checks.add("component", Ok("loads, and is a messaging plugin".into()));
    let settings = session.plugin.config().settings();
    let shown = settings.map(|settings| format!("{}, key present", settings.origin));
    checks.add("settings", shown.map_err(|error| format!("{} {}", error.setting, error.detail)));
    if let Some(webhook) = origin::from_environment() {
        checks.add("webhook", webhook.map(|settings| origin::shown(&settings.proofs)));
    }
    if checks.failed() {
        return checks.finish(Failure::Reported(Exit::Usage));
    }
    let query = wit::TemplateQuery { status: None, parameters: Vec::new(), every_page: None };
    let answer = session.list_templates(&query).await;
    let answer = answer.map_err(|error| Failure::Failed(error.to_string()))?;
    let reached = match &answer {
        Err(wit::Error::Unavailable(unavailable)) if unavailable.status.is_none() => false,
        Err(wit::Error::PermanentDenied(_)) => false,
        _ => true,
    };
    let text = |error: &wit::Error| format!("{}; {}", show::error_text(error), show::advice(error));
    match &answer {
        Err(error) if !reached => checks.add("reachability", Err(text(error))),
        _ => checks.add("reachability", Ok("the service answers".into())),
    }
    if reached {
        match &answer {
            Ok(page) => checks.add("key", Ok(format!("accepted; {} templates", page.total))),
            Err(error) => checks.add("key", Err(text(error))),
        }
    }
    let exit = match &answer {
        Err(error) => Exit::of_case(outcome::case(error)),
        Ok(_) => Exit::Failed,
    };
    checks.finish(Failure::Reported(exit))
}

struct Checks<'a> {
    common: &'a Common,
    done: Vec<(&'static str, Result<String, String>)>,
}

impl Checks<'_> {
    fn add(&mut self, name: &'static str, result: Result<String, String>) {
        if !self.common.json {
            let (mark, text) = match &result {
                Ok(text) => (format!("{GREEN}ok{RESET}  "), text),
                Err(text) => (format!("{RED}fail{RESET}"), text),
            };
            say!("{mark}  {name:<13} {}", text::printable(text));
        }
        self.done.push((name, result));
    }

    fn failed(&self) -> bool {
        self.done.iter().any(|(_, result)| result.is_err())
    }

    fn finish(self, failure: Failure) -> Result<(), Failure> {
        let failed = self.failed();
        if self.common.json {
            let check = |(name, result): &(&str, Result<String, String>)| {
                let (Ok(detail) | Err(detail)) = result;
                json!({ "check": name, "ok": result.is_ok(), "detail": detail })
            };
            let checks: Vec<_> = self.done.iter().map(check).collect();
            print::json(&json!({ "ok": !failed, "checks": checks }));
        } else if !failed {
            say!("{DIM}ready to send; no message was sent{RESET}");
        }
        if failed { Err(failure) } else { Ok(()) }
    }
}
