# Functions that install missing prerequisites.

version=0.41.5
# The engine needs Rust 1.96 or newer. This repository also builds with older versions.
compiler=1.99.1

build_components() {
  local target
  for target in wasm32-unknown-unknown wasm32-wasip2; do
    rustup target list --installed | grep -qx "$target" || rustup target add "$target"
  done
  # The workflow's target has no WASI, because the engine offers workflows no WASI. The engine converts the workflow's module to
  # a component.
  (
    cd "$here"
    cargo build --quiet --release --locked --target-dir "$out/components" \
      --target wasm32-unknown-unknown --package orders-workflow
    cargo build --quiet --release --locked --target-dir "$out/components" \
      --target wasm32-wasip2 --package engine-inbox
  )
}

find_host_test() {
  host_test=${MESSAGING_PROGRAM:-$root/target/debug/messaging}
  if [[ ! -x $host_test && -z ${MESSAGING_PROGRAM-} ]]; then
    echo "building messaging: about 11 minutes on two cores" >&2
    (cd "$root" && cargo build --locked)
  fi
  [[ -x $host_test ]] || { echo "$host_test is missing; set MESSAGING_PROGRAM to another file" >&2; exit 1; }
}

pack_components() {
  local file
  for file in plugin plugin_once_http webhook; do
    [[ -f $root/dist/messaging_$file.wasm ]] || { (cd "$root" && cargo pack --out dist >&2); return; }
  done
}

find_engine() {
  engine=${OBELISK:-$out/engine/bin/obelisk}
  if [[ -z ${OBELISK-} ]] && ! is_wanted_version 2>/dev/null; then install_engine; fi
  is_wanted_version || { echo "$engine is not obelisk $version; unset OBELISK to install this version" >&2; exit 1; }
}

is_wanted_version() { [[ $("$engine" --version) == *" $version" ]]; }

# Builds the engine with few optimizations, to save time. Components stay fast, because the engine compiles and optimizes them
# at run time.
install_engine() {
  echo "installing obelisk $version: half an hour of processor time" >&2
  local protoc
  protoc=$(command -v protoc || own_protoc)
  rustup toolchain list | grep -q "^$compiler" || rustup toolchain install "$compiler" --profile minimal >&2
  PROTOC=$protoc CARGO_TARGET_DIR=$out/engine-build CARGO_PROFILE_RELEASE_OPT_LEVEL=1 \
    CARGO_PROFILE_RELEASE_LTO=off CARGO_PROFILE_RELEASE_CODEGEN_UNITS=16 \
    cargo "+$compiler" install obelisk --version "$version" --locked --root "$out/engine"
  rm -rf "$out/engine-build"
}

# Installs the protocol compiler from a Python package, in its own directory.
own_protoc() {
  python3 -m venv "$out/protoc"
  "$out/protoc/bin/pip" install --quiet grpcio-tools >&2
  # Adds the current directory with -I, because the package searches only its own directory.
  cat >"$out/protoc/bin/protoc" <<SCRIPT
#!/bin/sh
exec "$out/protoc/bin/python" -m grpc_tools.protoc -I. "\$@"
SCRIPT
  chmod +x "$out/protoc/bin/protoc"
  echo "$out/protoc/bin/protoc"
}

find_postgres() {
  ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 && return
  echo "installing PostgreSQL" >&2
  { apt-get update -qq && apt-get install -y -qq --no-install-recommends postgresql; } >/dev/null
}
