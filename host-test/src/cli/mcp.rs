//! `mcp`: tools for programs with a language model. Runs until the client disconnects or a signal
//! arrives.

use std::io::ErrorKind;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use messaging_host::Once;
use messaging_mcp::{Http, MAX_REQUEST_BYTES, PATH, Tools, stdio};
use messaging_server::serve::{Options, Tokens};
use serde_json::json;

use super::exit::Exit;
use super::operate::{no_token, not_in_clear, tokens};
use super::parse::address;
use super::settings::MCP_TOKENS;
use super::setup::{self, Session};
use super::show::{BOLD, DIM, RESET};
use super::signal::Stop;
use super::tls::Tls;
use super::{Common, Failure, Target, listen, sent};

/// Time after a signal until pending calls are answered with an unknown outcome.
const ANSWER_WITHIN: Duration = Duration::from_secs(3);
/// Time after a signal until the server closes its connections. Active sends continue.
const STOP_WITHIN: Duration = Duration::from_secs(4);

/// Offer tools for messages to a language model, over MCP
///
/// A client starts this command, and uses its standard input and output. With --listen it serves
/// streamable HTTP at /mcp to any number of clients. The tools:
///
///   send_message     sends at most one message under a key that the model chooses
///   list_templates   lists message templates (read-only)
///   look_up_message  returns the outcome of a key (read-only)
///
/// The outcome of a message can be unknown. No tool resolves it: the model must stop and tell a
/// person, who looks at the service and runs `messaging sent resolve`.
///
/// --listen accepts a request only if its Host header is localhost, a loopback address or a name
/// given with --host. It rejects requests from web pages. MESSAGING_MCP_TOKENS holds one token, or
/// two during a rotation. Each client sends one of them in the header Authorization: Bearer. On a
/// loopback address the setting is optional.
///
/// The log has the key and the outcome of each call, but no phone numbers and no message texts.
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub struct Mcp {
    /// Serve HTTP at this address instead of standard input and output
    #[arg(long, value_name = "ADDRESS:PORT", value_parser = address)]
    listen: Option<SocketAddr>,
    /// Another host name of the --listen address; repeatable
    #[arg(long, value_name = "NAME", requires = "listen")]
    host: Vec<String>,
    /// Allow --listen without TLS on addresses that other machines reach
    ///
    /// The network can then read tokens and messages.
    #[arg(long, requires = "listen")]
    plain_http: bool,
    #[command(flatten)]
    tls: Tls,
    #[command(flatten)]
    journal: sent::Sending,
}

impl Mcp {
    pub async fn run(self, common: &Common) -> Result<(), Failure> {
        // Checks all settings before a client waits for a response.
        let session = setup::session(common, &Target { simulated: false }).await?;
        session.plugin.config().settings().map_err(Failure::refused)?;
        let tls = self.tls.config()?;
        let tokens = self.tokens(tls.is_some())?;
        let deadline = session.deadline;
        let journal = self.journal.open(sent::not_opened).await?;
        let tools = Tools::new(Once::new(session, Arc::new(journal.clone()), deadline));
        let mut stop = match self.listen {
            Some(_) => Stop::except_hangup(tls.clone()),
            None => Stop::new(),
        };
        let stuck = match self.listen {
            None => over_stdio(&tools, &mut stop).await?,
            Some(address) => {
                let options = Options {
                    tls,
                    max_body_bytes: MAX_REQUEST_BYTES,
                    stop_timeout: STOP_WITHIN,
                    ..Options::new(address)
                };
                self.over_http(common, &tools, tokens, options, &mut stop).await?;
                None
            }
        };
        let ended = async {
            // A canceled send would have an unknown outcome.
            tools.ended().await;
            journal.close().await;
        };
        let stopped = tokio::select! {
            () = ended => Ok(()),
            _ = stop.wait() => {
                complain!("stopped at once: open sends have an unknown outcome; see `messaging sent list`");
                Err(Failure::Reported(Exit::Interrupted))
            }
        };
        if let Some(code) = stuck {
            std::process::exit(if stopped.is_ok() { code } else { 130 });
        }
        stopped
    }

    fn tokens(&self, has_tls: bool) -> Result<Option<Tokens>, Failure> {
        let found = tokens(MCP_TOKENS, "--listen", self.listen.is_some())?;
        let Some(address) = self.listen else { return Ok(None) };
        not_in_clear("--listen", address, !has_tls && !self.plain_http, "--plain-http")?;
        if found.is_none() && !address.ip().is_loopback() {
            return Err(no_token("--listen", MCP_TOKENS));
        }
        Ok(found)
    }

    async fn over_http(
        &self,
        common: &Common,
        tools: &Tools<Session>,
        tokens: Option<Tokens>,
        options: Options,
        stop: &mut Stop,
    ) -> Result<(), Failure> {
        let has_tokens = tokens.is_some();
        let scheme = if options.tls.is_some() { "https" } else { "http" };
        let http = Http::new(tools.clone(), tokens, self.host.clone());
        let server = listen::listen(http, options).await?;
        let url = format!("{scheme}://{}{PATH}", server.address());
        if common.json {
            // One line, for programs that wait for it.
            say!("{}", json!({ "url": url, "token": has_tokens }));
        } else {
            say!("{BOLD}MCP{RESET} on {url}");
            if !has_tokens {
                say!(
                    "every program on this machine can send messages; set {MCP_TOKENS} to require a token"
                );
            }
            say!(
                "\n{DIM}Ctrl-C stops the server after the open sends; a second Ctrl-C stops it at once.{RESET}"
            );
        }
        stopping(tools, stop.wait().await);
        tokio::select! {
            _ = server.stop() => {}
            _ = stop.wait() => return Err(Failure::Reported(Exit::Interrupted)),
        }
        Ok(())
    }
}

/// Answers all calls within `ANSWER_WITHIN`. Active sends continue.
fn stopping(tools: &Tools<Session>, signal: &str) {
    tracing::info!(signal, "stopping after the open sends; a second signal stops at once");
    tools.stop(ANSWER_WITHIN);
}

/// Serves standard input and output. Returns an exit code if the client has stopped reading. The
/// process must then exit, because pending output would block standard output forever.
async fn over_stdio(tools: &Tools<Session>, stop: &mut Stop) -> Result<Option<i32>, Failure> {
    let mut serving = std::pin::pin!(stdio(tools, tokio::io::stdin(), tokio::io::stdout()));
    let served = tokio::select! {
        served = &mut serving => served,
        signal = stop.wait() => {
            stopping(tools, signal);
            tokio::select! {
                served = &mut serving => served,
                // The client did not read its responses.
                () = tokio::time::sleep(STOP_WITHIN) => return Ok(Some(0)),
                _ = stop.wait() => return Ok(Some(130)),
            }
        }
    };
    match served {
        // The client has disconnected.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(None),
        Err(error) => Err(Failure::Failed(format!("standard input or output: {error}"))),
        Ok(()) => Ok(None),
    }
}
