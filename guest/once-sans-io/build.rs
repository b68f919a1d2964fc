//! Link settings of the component, here so that they hold however it is built.

fn main() {
    // A small stack: fewer pages to touch in a fresh instance and to reset after it.
    if std::env::var("CARGO_CFG_TARGET_FAMILY").is_ok_and(|family| family == "wasm") {
        println!("cargo::rustc-link-arg-cdylib=-zstack-size=65536");
    }
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=../../wit");
}
