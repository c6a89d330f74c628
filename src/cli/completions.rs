use clap::Args;
use clap_complete::Shell;

use super::output::print;
use super::{CommandError, Outcome, command};

/// Print a script by which a shell completes the command line
#[derive(Args)]
pub struct CompletionsArgs {
    /// Shell
    #[arg(value_enum)]
    shell: Shell,
}

impl CompletionsArgs {
    pub fn run(self) -> Result<Outcome, CommandError> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut command(), "freshet", &mut script);
        print(&String::from_utf8_lossy(&script));
        Ok(Outcome::Success)
    }
}
