//! The program: the check of the processor, logging, and the command line.

mod cli;

use std::process::ExitCode;

use freshet::fill::processor;
use freshet::uci;

fn main() -> ExitCode {
    let missing = processor::missing();
    if missing != 0 {
        processor::write_missing(missing, &mut std::io::stderr());
        return ExitCode::FAILURE;
    }
    start()
}

/// Everything after the check of the processor. Not inlined, so that the compiler cannot move any
/// of it before the check.
#[inline(never)]
fn start() -> ExitCode {
    env_logger::init();
    log::info!("{}, fills by {}", uci::name(), freshet::fill::BACKEND);
    cli::run(std::env::args_os())
}
