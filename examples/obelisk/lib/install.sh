# Installs the prerequisites that are missing.

obelisk_version=${obelisk_version-0.38.3}
# Of the workflow, for that version.
obelisk_feature=${obelisk_feature-v0_38}
# Of rustup, where the version needs another compiler than this repository.
obelisk_compiler=${obelisk_compiler-}
engine_folder=$out/engine${obelisk_compiler:+-$obelisk_version}

prepare() {
  local tool
  for tool in cargo rustup python3 curl; do
    command -v "$tool" >/dev/null || { echo "$tool is missing; install it first" >&2; exit 1; }
  done
  build_workflow
  find_host_test
  find_components
  find_engine
}

build_workflow() {
  local target
  for target in wasm32-unknown-unknown wasm32-wasip2; do
    rustup target list --installed | grep -qx "$target" || rustup target add "$target"
  done
  # The engine makes a component of the workflow's module by itself: a workflow has no
  # WASI, and this target brings none.
  (
    cd "$here"
    cargo build --quiet --release --locked --target-dir "$out/components" \
      --target wasm32-unknown-unknown --package orders-workflow ${obelisk_feature:+--features "$obelisk_feature"}
    cargo build --quiet --release --locked --target-dir "$out/components" \
      --target wasm32-wasip2 --package engine-inbox
  )
}

find_host_test() {
  host_test=${HOST_TEST:-$root/target/debug/messaging}
  if [[ ! -x $host_test && -z ${HOST_TEST-} ]]; then
    echo "building host-test: about 11 minutes on two cores" >&2
    (cd "$root" && cargo build --package host-test)
  fi
  [[ -x $host_test ]] || { echo "$host_test is not there; HOST_TEST names another" >&2; exit 1; }
}

find_components() {
  [[ -f $root/dist/messaging_plugin.wasm && -f $root/dist/messaging_webhook.wasm ]] ||
    (cd "$root" && "$host_test" pack --out dist)
}

find_engine() {
  engine=${OBELISK:-$engine_folder/bin/obelisk}
  [[ -x $engine || -n ${OBELISK-} ]] || install_engine
  local version
  version=$("$engine" --version) || { echo "$engine does not run" >&2; exit 1; }
  [[ $version == *"$obelisk_version" ]] || {
    echo "$engine is $version; this example was written for $obelisk_version" >&2
    exit 1
  }
}

# From its sources.
install_engine() {
  echo "installing obelisk $obelisk_version: 33 minutes of processor time" >&2
  local protoc
  protoc=$(command -v protoc || own_protoc)
  PROTOC=$protoc CARGO_TARGET_DIR=$out/engine-build \
    CARGO_PROFILE_RELEASE_LTO=off CARGO_PROFILE_RELEASE_CODEGEN_UNITS=16 \
    cargo ${obelisk_compiler:++$obelisk_compiler} install obelisk --version "$obelisk_version" --locked --root "$engine_folder"
  rm -rf "$out/engine-build"
}

# The protocol compiler out of a Python package, in a folder of its own.
own_protoc() {
  python3 -m venv "$out/protoc"
  "$out/protoc/bin/pip" install --quiet grpcio-tools >&2
  # The package puts its own folder on the path, and so the current one is no longer
  # there by itself.
  cat >"$out/protoc/bin/protoc" <<SCRIPT
#!/bin/sh
exec "$out/protoc/bin/python" -m grpc_tools.protoc -I. "\$@"
SCRIPT
  chmod +x "$out/protoc/bin/protoc"
  echo "$out/protoc/bin/protoc"
}
