//! Link settings of every component, in a build script so that they hold for each way of building.

fn main() {
    if std::env::var("CARGO_CFG_TARGET_FAMILY").is_ok_and(|family| family == "wasm") {
        // A small stack: fewer pages to touch in a fresh instance and to reset after it.
        println!("cargo::rustc-link-arg-cdylib=-zstack-size=65536");
        // wasi-libc names the interfaces that it could use, at a level of its own. It
        // uses none here, and must not raise the level of the component's imports.
        println!("cargo::rustc-link-arg-cdylib=--merge-imports-based-on-semver=false");
    }
    // The macros report the WIT files that they read.
    println!("cargo::rerun-if-env-changed=CARGO_CFG_TARGET_FAMILY");
}
