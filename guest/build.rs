//! Linker settings of every component. A build script applies them to every way of building.

fn main() {
    if std::env::var("CARGO_CFG_TARGET_FAMILY").is_ok_and(|family| family == "wasm") {
        // A small stack has fewer pages to touch in a new instance and to reset afterwards.
        println!("cargo::rustc-link-arg-cdylib=-zstack-size=65536");
        // wasi-libc declares WASI interfaces at its own version, although it uses none here.
        // Merging imports would raise the version of the component's imports.
        println!("cargo::rustc-link-arg-cdylib=--merge-imports-based-on-semver=false");
    }
    // No WIT files are listed, because the macros report the files that they read.
    println!("cargo::rerun-if-env-changed=CARGO_CFG_TARGET_FAMILY");
}
