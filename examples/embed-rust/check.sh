#!/usr/bin/env bash
# Compiles the Rust programs of this directory's README.md, the main README.md and wit/README.md. Uses the packaged crates,
# outside the workspace.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
crate=$(mktemp -d)
trap 'rm -r "$crate"' EXIT
mkdir -p "$crate/src/bin"
cp "$root/Cargo.lock" "$crate/"
"$root/host-test/packages/crates" "$crate"
# `-m` sets new file times. The stored times never change, so Cargo would treat changed sources as unchanged.
for package in "$crate"/*.crate; do tar -xzmf "$package" -C "$crate"; done
block() { # prints the first code block of language $2 in file $3 after the line that starts with $1
    awk -v from="$1" -v mark="\`\`\`$2" '
        index($0, from) == 1 { found = 1 }
        found && $0 == mark { inside = 1; next }
        inside && /^```$/ { exit }
        inside { print }' "$3"
}
{
    cat <<'TOML'
[package]
name = "readme-example"
version = "0.0.0"
edition = "2024"

[workspace]

[dependencies]
anyhow = "1"
tokio = { version = "1", features = ["macros", "rt-multi-thread"] }
wit-bindgen = { version = "0.61", default-features = false, features = ["macros", "realloc", "async"] }
TOML
    cd "$crate"
    block '**Rust**' toml "$root/README.md" | sed "s|\".*/host-test/host\"|\"$(echo messaging-host-*/)\"|"
    echo '[patch.crates-io]'
    for folder in messaging-*/; do
        [[ $folder = messaging-host-* ]] || echo "${folder%-*} = { path = \"$folder\" }"
    done
} > "$crate/Cargo.toml"
block '<!-- from examples/embed-rust/src/main.rs -->' rust "$root/README.md" > "$crate/src/main.rs"
{
    sed '/^    let request/,$d' "$crate/src/main.rs"
    block '## Send at most once' rust "$root/examples/embed-rust/README.md"
    printf '    Ok(())\n}\n'
} > "$crate/src/bin/once.rs"
ln -s "$root/wit" "$crate"
{
    # The page has two `wit_bindgen` macros. Both define the same names, so each macro needs a module.
    block '# The interface' rust "$root/wit/README.md" |
        awk '/^wit_bindgen/ { printf "%smod bindings_%d {\n", n++ ? "}\n" : "", n } { print } END { print "}" }'
    echo 'pub use bindings_1::exports::messaging::integration::messaging::Guest as Plugin;'
    echo 'pub use bindings_2::exports::messaging::integration_async::messaging::Guest as AsyncPlugin;'
    echo 'fn main() {}'
} > "$crate/src/bin/wit.rs"
cargo check --quiet --manifest-path "$crate/Cargo.toml" --target-dir "$root/target/readme-example"
echo "the programs of the pages compile"
