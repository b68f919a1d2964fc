//! Linker settings of every component. They are in a build script, because every kind of build runs
//! the script.

fn main() {
    if std::env::var("CARGO_CFG_TARGET_FAMILY").is_ok_and(|family| family == "wasm") {
        // Size of the stack in bytes. With a small stack, the host initializes and resets fewer
        // memory pages per instance.
        println!("cargo::rustc-link-arg-cdylib=-zstack-size=65536");
        // wasi-libc declares unused WASI interfaces at its own version. Merging them would raise
        // the version of the component's imports.
        println!("cargo::rustc-link-arg-cdylib=--merge-imports-based-on-semver=false");
    }
    // Does not list the WIT files, because `wit_bindgen::generate!` reports the files that it
    // reads.
    println!("cargo::rerun-if-env-changed=CARGO_CFG_TARGET_FAMILY");
}
