//! `receiver URL`: stores each delivery in the PostgreSQL database at URL, with axum and sqlx.

use std::time::{SystemTime, UNIX_EPOCH};

use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::routing::post;
use axum::serve::ListenerExt;
use axum::{Json, Router};
use hmac::{Hmac, Mac};
use serde_json::{Value, json};
use sha2::Sha256;
use sqlx::PgPool;
use sqlx::postgres::PgPoolOptions;

#[derive(Clone)]
struct App {
    pool: PgPool,
    secret: String,
}

fn is_signed(app: &App, headers: &HeaderMap, body: &[u8]) -> Option<bool> {
    let header = |name| headers.get(name)?.to_str().ok();
    let signature = hex::decode(header("x-signature")?).ok()?;
    let mac = Hmac::<Sha256>::new_from_slice(app.secret.as_bytes()).ok()?;
    let start = format!("{}.{}.", header("x-idempotency-key")?, header("x-timestamp")?);
    Some(mac.chain_update(start).chain_update(body).verify_slice(&signature).is_ok())
}

async fn receive(
    State(app): State<App>,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Json<Value>, StatusCode> {
    if is_signed(&app, &headers, &body) != Some(true) {
        return Err(StatusCode::UNAUTHORIZED);
    }
    let key = headers.get("x-idempotency-key").and_then(|key| key.to_str().ok());
    let text = str::from_utf8(&body).map_err(|_| StatusCode::BAD_REQUEST)?;
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_millis() as i64;
    let insert =
        "INSERT INTO events (key, body, received_at_ms) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING";
    let insert = sqlx::query(insert).bind(key).bind(text).bind(now);
    insert.execute(&app.pool).await.map_err(|_| StatusCode::SERVICE_UNAVAILABLE)?;
    Ok(Json(json!({ "stored": true })))
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let url = std::env::args().nth(1).ok_or("no database URL: run `receiver URL`")?;
    let pool = PgPoolOptions::new().max_connections(16).connect(&url).await?;
    let app = App { pool, secret: std::env::var("SECRET")? };
    let router = Router::new().route("/", post(receive)).with_state(app);
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
    println!("{}", json!({ "url": format!("http://{}/", listener.local_addr()?) }));
    axum::serve(listener.tap_io(|io| drop(io.set_nodelay(true))), router).await?;
    Ok(())
}
