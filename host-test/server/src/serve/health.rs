//! Health checks for load balancers and supervisors. They do not call the component.
//!
//! | request | response |
//! |---|---|
//! | `GET` or `HEAD` `/livez` | 200 |
//! | `GET` or `HEAD` `/readyz` | 200 if the inbox accepts a write, else 503 |
//!
//! All other requests, including a `POST` to these paths, are deliveries.

use std::sync::Arc;
use std::time::{Duration, Instant};

use bytes::Bytes;
use futures_core::future::BoxFuture;
use http::{HeaderValue, Method, Response, StatusCode, Uri, header};
use http_body_util::Full;
use tokio::sync::Mutex;

/// A readiness check that tries a write to the inbox. An error means that events cannot be stored;
/// the server logs the error.
pub type Probe = Arc<dyn Fn() -> BoxFuture<'static, Result<(), ProbeError>> + Send + Sync>;

/// An error of the embedder's inbox.
pub type ProbeError = Box<dyn std::error::Error + Send + Sync>;

/// Time for which a result is reused, because every peer can request a check, and a check can sync
/// a write to disk.
const HOLDS: Duration = Duration::from_secs(1);
/// Timeout of a write. Load balancers give up after one to a few seconds.
const TIMEOUT: Duration = Duration::from_secs(2);

pub struct Health {
    probe: Option<Probe>,
    /// Time and result of the last check, a write to the inbox. The lock is held during a check, so
    /// concurrent requests cause only one write.
    last: Mutex<Option<(Instant, bool)>>,
}

impl Health {
    pub fn new(probe: Option<Probe>) -> Self {
        Self { probe, last: Mutex::default() }
    }

    /// Returns the response to a health check; `None` for all other requests.
    pub async fn answer(&self, method: &Method, uri: &Uri) -> Option<Response<Full<Bytes>>> {
        if *method != Method::GET && *method != Method::HEAD {
            return None;
        }
        let (good, body) = match uri.path_and_query()?.as_str() {
            "/livez" => (true, "{\"live\":true}"),
            "/readyz" if self.is_ready().await => (true, "{\"ready\":true}"),
            "/readyz" => (false, "{\"ready\":false}"),
            _ => return None,
        };
        let mut response = Response::new(Full::new(Bytes::from_static(body.as_bytes())));
        if !good {
            *response.status_mut() = StatusCode::SERVICE_UNAVAILABLE;
        }
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        Some(response)
    }

    async fn is_ready(&self) -> bool {
        let Some(probe) = &self.probe else { return true };
        let mut last = self.last.lock().await;
        if let Some((at, ready)) = *last
            && at.elapsed() < HOLDS
        {
            return ready;
        }
        let tried = tokio::time::timeout(TIMEOUT, probe()).await;
        let late = || Err(format!("no answer within {TIMEOUT:?}").into());
        let why = tried.unwrap_or_else(|_| late()).err().map(|error| error.to_string());
        if let Some(why) = &why {
            tracing::warn!(why, "not ready: the inbox does not accept a write");
        }
        *last = Some((Instant::now(), why.is_none()));
        why.is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[tokio::test]
    async fn frequent_probes_cause_one_write_per_second() {
        let tried = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&tried);
        let probe: Probe = Arc::new(move || {
            let number = counted.fetch_add(1, Ordering::Relaxed);
            Box::pin(async move { if number == 0 { Err("full".into()) } else { Ok(()) } })
        });
        let health = Health::new(Some(probe));
        let ask = async || {
            let answer = health.answer(&Method::GET, &Uri::from_static("/readyz")).await;
            answer.unwrap().status().as_u16()
        };
        assert_eq!((ask().await, ask().await), (503, 503));
        assert_eq!(tried.load(Ordering::Relaxed), 1);
        if let Some((at, _)) = health.last.lock().await.as_mut() {
            *at -= HOLDS;
        }
        assert_eq!((ask().await, ask().await), (200, 200));
        assert_eq!(tried.load(Ordering::Relaxed), 2);
    }
}
