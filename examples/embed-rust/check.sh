#!/usr/bin/env bash
# Compiles the README's Rust example as printed, in a crate outside the workspace.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
crate=$(mktemp -d)
trap 'rm -r "$crate"' EXIT
mkdir "$crate/src"
cp "$root/Cargo.lock" "$crate/"
cat > "$crate/Cargo.toml" <<TOML
[package]
name = "readme-example"
version = "0.0.0"
edition = "2024"

[workspace]

[dependencies]
anyhow = "1"
tokio = { version = "1", features = ["macros", "rt-multi-thread"] }
$(grep '^messaging-host = ' "$root/README.md" | sed "s|…|$root|")
TOML
block() { # prints the next block of code after a line
    awk -v from="$1" '
        index($0, from) == 1 { found = 1 }
        found && /^```rust$/ { inside = 1; next }
        inside && /^```$/ { exit }
        inside { print }' "$2"
}
{
    sed -n '/^use anyhow/,/^};/p' "$root/examples/embed-rust/src/main.rs"
    cat <<'RUST'
use messaging_host::journal::{Options, SqliteJournal};
use messaging_host::{Journal, Once};

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let text = |name| std::env::var(name).with_context(|| format!("{name} is not set"));
    send(text("BASE_URL")?, text("KEY")?, Vec::new(), "+34600111222", "hi").await
}

async fn send(
    base_url: String, key: String, component: Vec<u8>, phone: &str, message: &str,
) -> anyhow::Result<()> {
RUST
    block '<!-- from examples/embed-rust/src/main.rs -->' "$root/README.md"
    cat <<'RUST'
    let journal = SqliteJournal::open("sent.sqlite", Options::default())?;
    let journal: std::sync::Arc<dyn Journal> = std::sync::Arc::new(journal);
    let once = Once::new(plugin, journal, std::time::Duration::from_secs(30));
    let request = messaging_host::once::wit::MessageRequest::new(phone, message);
    println!("{:?}", once.send_once("order-17", &request).await);
    Ok(())
}
RUST
} > "$crate/src/main.rs"
cargo check --quiet --manifest-path "$crate/Cargo.toml" --target-dir "$root/target/readme-example"
echo "the README's example compiles"
