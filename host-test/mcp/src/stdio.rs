//! The tools over standard input and output, for a client that starts this program. Each line is a
//! JSON message.

use std::io;
use std::sync::Arc;

use messaging_host::Messaging;
use rmcp::model::{ClientJsonRpcMessage, ServerJsonRpcMessage};
use tokio::io::AsyncRead;
use tokio::io::{
    AsyncBufRead, AsyncBufReadExt, AsyncReadExt, AsyncWrite, AsyncWriteExt, BufReader,
};
use tokio::sync::{Semaphore, mpsc};

use crate::{MAX_REQUEST_BYTES, Tools, protocol};

/// Maximum number of concurrent requests. At this limit, one further request is read, and waits
/// until another request ends.
const AT_ONCE: usize = 64;

/// Serves one client. Stops reading when the input ends or [`Tools::stop`] is called, and returns
/// after every request is answered. If the client stops reading, active sends continue; wait for
/// them with [`Tools::ended`].
///
/// # Errors
/// Returns an error if the input is unreadable or the output is not writable.
pub async fn stdio<M: Messaging + Send + 'static>(
    tools: &Tools<M>,
    input: impl AsyncRead + Unpin,
    output: impl AsyncWrite + Unpin,
) -> io::Result<()> {
    let (answers, answered) = mpsc::channel(AT_ONCE);
    tokio::try_join!(read(tools, BufReader::new(input), answers), write(output, answered))?;
    Ok(())
}

/// Reads messages and starts each request, until the input ends or the tools stop.
async fn read<M: Messaging + Send + 'static>(
    tools: &Tools<M>,
    mut input: impl AsyncBufRead + Unpin,
    answers: mpsc::Sender<ServerJsonRpcMessage>,
) -> io::Result<()> {
    let permits = Arc::new(Semaphore::new(AT_ONCE));
    loop {
        let line = tokio::select! {
            line = line(&mut input) => line?,
            // Discards an incomplete line, from which no request was started.
            _ = tools.stopped() => break,
        };
        let Some(line) = line else { break };
        let parsed = match line {
            Line::Whole(bytes) if bytes.trim_ascii().is_empty() => continue,
            Line::Whole(bytes) => protocol::parse(&bytes),
            Line::TooLong => Err(protocol::too_large()),
        };
        let request = match parsed {
            Ok(ClientJsonRpcMessage::Request(request)) => request,
            // Notifications and unexpected responses get no response.
            Ok(_) => continue,
            Err(answer) => {
                // `send` fails only if the writer has failed, and the writer reports its own error.
                let _ = answers.send(ServerJsonRpcMessage::Error(answer)).await;
                continue;
            }
        };
        // The semaphore is never closed.
        let Ok(permit) = Arc::clone(&permits).acquire_owned().await else { break };
        let (tools, answers) = (tools.clone(), answers.clone());
        tokio::spawn(async move {
            let answer = protocol::answer(request, tools).await;
            drop(permit);
            let _ = answers.send(answer).await;
        });
    }
    Ok(())
}

async fn write(
    mut output: impl AsyncWrite + Unpin,
    mut answered: mpsc::Receiver<ServerJsonRpcMessage>,
) -> io::Result<()> {
    while let Some(answer) = answered.recv().await {
        let mut line = serde_json::to_vec(&answer)?;
        line.push(b'\n');
        output.write_all(&line).await?;
        output.flush().await?;
    }
    Ok(())
}

enum Line {
    Whole(Vec<u8>),
    TooLong,
}

/// Reads a line. Returns `TooLong` for a line above the size limit, and `None` at the end of the
/// input.
async fn line(input: &mut (impl AsyncBufRead + Unpin)) -> io::Result<Option<Line>> {
    let most = u64::try_from(MAX_REQUEST_BYTES).unwrap_or(u64::MAX).saturating_add(1);
    let mut is_too_long = false;
    loop {
        let mut bytes = Vec::new();
        let read = (&mut *input).take(most).read_until(b'\n', &mut bytes).await?;
        let is_whole = bytes.last() == Some(&b'\n');
        match (is_whole, is_too_long) {
            (true, false) => return Ok(Some(Line::Whole(bytes))),
            (true, true) => return Ok(Some(Line::TooLong)),
            // An incomplete last line is not a message.
            (false, _) if u64::try_from(read).unwrap_or(u64::MAX) < most => return Ok(None),
            (false, _) => is_too_long = true,
        }
    }
}
