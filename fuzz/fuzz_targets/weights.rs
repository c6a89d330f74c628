#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| freshet_fuzz::laws::files::weights(bytes));
