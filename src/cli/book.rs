use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use freshet::book::build::{Builder, game_files, is_of_games};
use freshet::book::{Book, BookMove};
use freshet::files::{FileError, NewFile};
use freshet::progress::Progress;

use super::fen::FenArgs;
use super::output::{Bar, print};
use super::prompt::Here;
use super::{CommandError, Outcome};

/// Make and show opening books in the Polyglot format
#[derive(Args)]
#[command(arg_required_else_help = false)]
pub struct BookArgs {
    #[command(subcommand)]
    command: BookCommand,
}

#[derive(Subcommand)]
enum BookCommand {
    Build(BuildArgs),
    Show(ShowArgs),
}

/// Make a book of games or tables of opening lines
///
/// A move weighs two for each win and one for each draw of the side that has played it, and one for
/// each game without a result and each opening line that goes through it. A game or line with an
/// illegal move is left out, with a message; the exit status is then 1.
#[derive(Args)]
struct BuildArgs {
    /// PGN files, .tsv tables of opening lines (eco, name, pgn), or folders of such files
    #[arg(required = true, num_args = 1..)]
    games: Vec<PathBuf>,
    /// Book to write
    book: PathBuf,
}

/// Show the moves of a book in a position, with their weights
#[derive(Args)]
struct ShowArgs {
    /// Book in the Polyglot format
    book: PathBuf,
    #[command(flatten)]
    fen: FenArgs,
}

impl BookArgs {
    pub fn run(self, here: &Here<'_>) -> Result<Outcome, CommandError> {
        match self.command {
            BookCommand::Build(args) => args.run(),
            BookCommand::Show(args) => args.run(here),
        }
    }
}

impl BuildArgs {
    fn run(self) -> Result<Outcome, CommandError> {
        if is_of_games(&self.book) {
            let problem = "the last argument is the book to write, but this is a file of games";
            return Err(FileError::content(&self.book, problem).into());
        }
        let files: Vec<PathBuf> =
            self.games.iter().map(|path| game_files(path)).collect::<Result<Vec<_>, _>>()?.concat();
        let read: Vec<&Path> = files.iter().map(PathBuf::as_path).collect();
        let mut target = NewFile::create(&self.book, &read)?;
        let bar = Bar::new();
        let mut builder = Builder::default();
        bar.start("files", files.len() as u64);
        for file in &files {
            builder.add_file(file, &mut |error| bar.warn(&error.to_string()))?;
            bar.advance();
        }
        bar.finish();
        let book = builder.book();
        if book.is_empty() {
            let refused = builder.refused;
            return Err(format!("no games to make a book of, {refused} left out").into());
        }
        target.add(&book)?;
        target.finish()?;
        let Builder { games, refused, .. } = builder;
        print(&format!("games: {games}, left out: {refused}, entries: {}", book.len() / 16));
        Ok(if refused == 0 { Outcome::Success } else { Outcome::Failure })
    }
}

impl ShowArgs {
    fn run(self, here: &Here<'_>) -> Result<Outcome, CommandError> {
        let position = self.fen.position(here)?;
        let moves = Book::open(&self.book)?.moves(&position);
        if moves.is_empty() {
            print("no moves");
        }
        for BookMove { m, weight } in moves {
            print(&format!("{weight:6} {}", position.san(m)));
        }
        Ok(Outcome::Success)
    }
}
