#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| fuzz_targets::run("schemes", data));
