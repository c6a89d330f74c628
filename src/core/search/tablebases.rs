//! Syzygy endgame tablebases (Ronald de Man), read by shakmaty-syzygy: win, draw or loss (WDL) is
//! probed in the search, the distance to the next capture or pawn move (DTZ) at the root.

use std::fmt;
use std::io::Read;
use std::path::Path;
use std::sync::OnceLock;

use shakmaty::Chess;
use shakmaty_syzygy::{Dtz, MaybeRounded, ProbeError, SyzygyError, Tablebase, Wdl};

use crate::board::{Move, Position};
use crate::score::Score;

/// When to probe tablebases.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Probing {
    /// The least depth, in plies, to probe positions with as many pieces as the largest tables
    /// have. Positions with fewer pieces are always probed.
    pub depth: i32,
    /// The most pieces of a probed position, kings included.
    pub limit: usize,
    /// Count as draws the wins that the fifty-move rule spoils.
    pub fifty_moves: bool,
}

impl Default for Probing {
    fn default() -> Probing {
        Probing { depth: 1, limit: 7, fifty_moves: true }
    }
}

/// The tables that were found.
pub struct Tablebases {
    tables: Tablebase<Chess>,
    /// The number of usable files.
    pub files: usize,
    /// The most pieces of any table.
    largest: usize,
    /// Decides which positions are probed.
    pub(crate) probing: Probing,
    /// The first error in reading a table during a probe.
    problem: OnceLock<String>,
    /// [`Tablebases::take_problem`] has returned the problem.
    problem_taken: bool,
}

impl fmt::Debug for Tablebases {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Tablebases of up to {} pieces", self.largest)
    }
}

/// The first bytes of WDL and of DTZ files.
const MAGIC: [(&str, [u8; 4]); 2] =
    [("rtbw", [0x71, 0xe8, 0x23, 0x5d]), ("rtbz", [0xd7, 0x66, 0x0c, 0xa5])];

/// Whether the file is a table: `Ok(false)` for other files, an error for damaged tables.
fn is_table(path: &Path) -> Result<bool, String> {
    let Some((_, magic)) =
        MAGIC.iter().find(|(ending, _)| path.extension().is_some_and(|e| e == *ending))
    else {
        return Ok(false);
    };
    let mut bytes = [0; 4];
    let read = std::fs::File::open(path).and_then(|mut file| {
        file.read_exact(&mut bytes)?;
        file.metadata()
    });
    match read {
        Ok(data) if bytes == *magic && data.len() % 64 == 16 => Ok(true),
        Ok(_) => Err("is damaged".to_string()),
        Err(error) => Err(error.to_string()),
    }
}

/// An empty collection.
#[cfg(any(unix, windows))]
fn no_tables() -> Tablebase<Chess> {
    Tablebase::new()
}

/// An empty collection, for systems without files such as a browser. It cannot be filled.
#[cfg(not(any(unix, windows)))]
fn no_tables() -> Tablebase<Chess> {
    use std::io::{Error, ErrorKind, Result};
    use std::path::PathBuf;

    use shakmaty_syzygy::filesystem::{Filesystem, RandomAccessFile};

    struct NoFiles;
    impl Filesystem for NoFiles {
        fn regular_file_size(&self, _: &Path) -> Result<u64> {
            Err(Error::from(ErrorKind::Unsupported))
        }
        fn read_dir(&self, _: &Path) -> Result<Vec<PathBuf>> {
            Err(Error::from(ErrorKind::Unsupported))
        }
        fn open(&self, _: &Path) -> Result<Box<dyn RandomAccessFile>> {
            Err(Error::from(ErrorKind::Unsupported))
        }
    }
    Tablebase::with_filesystem(std::sync::Arc::new(NoFiles))
}

/// The tablebase rank of a root move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Rank {
    /// Moves of the same rank are equally good; higher is better.
    pub(super) rank: i32,
    /// The score that the move leads to.
    pub(super) score: Score,
}

/// The rank of a certain win, above every rank that a distance gives.
const CERTAIN: i32 = 1 << 18;

impl Tablebases {
    /// Opens all tables in a list of folders, separated as in the variable PATH. The second value
    /// lists what cannot be used.
    pub fn open(folders: &str, probing: Probing) -> (Option<Tablebases>, Vec<String>) {
        if !cfg!(any(unix, windows)) {
            // Systems without files have no separator for lists of folders either.
            let problem = (!folders.is_empty()).then(|| "SyzygyPath: no files here".to_string());
            return (None, problem.into_iter().collect());
        }
        let mut tables = no_tables();
        let mut files = 0;
        let mut problems = Vec::new();
        for folder in std::env::split_paths(folders).filter(|folder| !folder.as_os_str().is_empty())
        {
            let entries = match std::fs::read_dir(&folder) {
                Ok(entries) => entries,
                Err(error) => {
                    problems.push(format!("SyzygyPath {}: {error}", folder.display()));
                    continue;
                }
            };
            for path in entries.flatten().map(|entry| entry.path()) {
                let added = match is_table(&path) {
                    Ok(false) => continue,
                    Ok(true) => tables.add_file(&path).map_err(|error| error.to_string()),
                    Err(error) => Err(error),
                };
                match added {
                    Ok(()) => files += 1,
                    Err(error) => problems.push(format!("table {}: {error}", path.display())),
                }
            }
        }
        let largest = tables.max_pieces();
        let found = || Tablebases {
            tables,
            files,
            largest,
            probing,
            problem: OnceLock::new(),
            problem_taken: false,
        };
        ((files > 0).then(found), problems)
    }

    /// The first error in reading a table during a probe, as one line. Returned only once.
    pub(crate) fn take_problem(&mut self) -> Option<String> {
        let problem = self.problem.get().filter(|_| !self.problem_taken).cloned();
        self.problem_taken |= problem.is_some();
        problem
    }

    /// Keeps an error in reading a table. A missing table is not an error.
    #[cold]
    fn note(&self, error: &SyzygyError) {
        if let SyzygyError::ProbeFailed { metric, material, error } = error {
            let reason = match &**error {
                ProbeError::Read { error } => error.to_string(),
                _ => "is damaged".to_string(),
            };
            let _ = self.problem.set(format!("{metric} table {material}: {reason}"));
        }
    }

    /// The result of a probe; `None` if the table is missing or cannot be read.
    fn probed<T>(&self, result: Result<T, SyzygyError>) -> Option<T> {
        result.inspect_err(|error| self.note(error)).ok()
    }

    /// The most pieces, kings included, of a position that is probed.
    #[inline]
    pub fn max_pieces(&self) -> usize {
        self.largest.min(self.probing.limit)
    }

    /// Whether a position may be probed at this depth: few pieces, no castling, and the count for
    /// the fifty-move rule at zero, since WDL tables do not know it.
    #[inline]
    pub(super) fn may_probe(&self, position: &Position, depth: i32) -> bool {
        let pieces = position.occupied().count();
        pieces <= self.max_pieces()
            && (pieces < self.largest || depth >= self.probing.depth)
            && position.fifty() == 0
            && position.castling_rights() == 0
    }

    /// The WDL score at `ply` for the side to move; `None` if the table is missing.
    pub(super) fn score(&self, position: &Position, ply: usize) -> Option<Score> {
        let wdl = self.probed(self.tables.probe_wdl_after_zeroing(&position.to_shakmaty()))?;
        Some(match wdl {
            Wdl::Win => Score::tablebase_win(ply),
            Wdl::CursedWin if !self.probing.fifty_moves => Score::tablebase_win(ply),
            Wdl::CursedWin => Score::cp(1),
            Wdl::Draw => Score::DRAW,
            Wdl::BlessedLoss if self.probing.fifty_moves => Score::cp(-1),
            Wdl::BlessedLoss | Wdl::Loss => -Score::tablebase_win(ply),
        })
    }

    /// The rank of each root move; `None` if a table is missing, the position has too many pieces,
    /// or castling is still possible.
    pub(super) fn rank(&self, position: &Position, moves: &[Move]) -> Option<Vec<Rank>> {
        if position.occupied().count() > self.max_pieces() || position.castling_rights() != 0 {
            return None;
        }
        let fifty = position.fifty() as i32;
        // After a repetition, only ranking by distance guarantees progress.
        let repeated = position.has_repeated();
        let mut position = position.clone();
        moves
            .iter()
            .map(|&m| {
                position.play(m);
                let drawn = position.is_threefold() || position.is_fifty_move_draw();
                let distance = if drawn { Some(0) } else { self.distance_after(&position) };
                position.undo();
                Some(self.rank_of(distance?, fifty, repeated))
            })
            .collect()
    }

    /// Plies to the winning side's next capture or pawn move, counted from before the last move.
    /// Positive if the side that made that move wins, negative if the side to move does.
    fn distance_after(&self, position: &Position) -> Option<i32> {
        if position.moves().is_empty() {
            return Some(i32::from(position.checkers().any()));
        }
        let chess = position.to_shakmaty();
        if position.fifty() == 0 {
            let wdl = -self.probed(self.tables.probe_wdl_after_zeroing(&chess))?;
            return Some(i32::from(Dtz::before_zeroing(wdl)));
        }
        let distance = match self.probed(self.tables.probe_dtz(&chess))? {
            MaybeRounded::Precise(distance) | MaybeRounded::Rounded(distance) => {
                -i32::from(distance)
            }
        };
        Some(distance + distance.signum())
    }

    /// The rank of a move with `distance` plies to the next capture or pawn move, when the
    /// fifty-move counter stood at `fifty` plies before it.
    fn rank_of(&self, distance: i32, fifty: i32, repeated: bool) -> Rank {
        let cursed = |score: i32| {
            if self.probing.fifty_moves { Score::cp(score) } else { Score::tablebase_win(0) }
        };
        if distance > 0 {
            let certain = distance + fifty <= 99;
            let rank = if certain && !repeated { CERTAIN } else { CERTAIN - (distance + fifty) };
            Rank { rank, score: if certain { Score::tablebase_win(0) } else { cursed(1) } }
        } else if distance < 0 {
            let certain = -distance + fifty <= 99;
            let rank =
                if 2 * -distance + fifty < 100 { -CERTAIN } else { -CERTAIN - distance + fifty };
            Rank { rank, score: if certain { -Score::tablebase_win(0) } else { -cursed(1) } }
        } else {
            Rank { rank: 0, score: Score::DRAW }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tablebases(probing: Probing) -> Tablebases {
        let (tables, problem) = (Tablebase::new(), OnceLock::new());
        Tablebases { tables, files: 0, largest: 5, probing, problem, problem_taken: false }
    }

    #[test]
    fn wins_that_the_fifty_move_rule_spoils_are_draws() {
        let tables = tablebases(Probing::default());
        assert!(tables.rank_of(40, 50, false).score.is_win());
        assert_eq!(tables.rank_of(120, 0, false).score, Score::cp(1));
        assert_eq!(tables.rank_of(40, 70, false).score, Score::cp(1));
        assert_eq!(tables.rank_of(-120, 0, false).score, Score::cp(-1));
        assert!(tables.rank_of(-40, 0, false).score.is_loss());
        let all = tablebases(Probing { fifty_moves: false, ..Probing::default() });
        assert!(all.rank_of(120, 0, false).score.is_win());
        assert!(all.rank_of(-120, 0, false).score.is_loss());
    }

    #[test]
    fn moves_are_ranked_by_what_they_lead_to() {
        let tables = tablebases(Probing::default());
        let rank = |distance, repeated| tables.rank_of(distance, 20, repeated).rank;
        assert_eq!(rank(10, false), rank(30, false), "all that win for certain");
        assert!(rank(10, true) > rank(30, true), "once repeated, the distance decides");
        assert!(rank(30, false) > rank(120, false), "a cursed win is less");
        assert!(rank(120, false) > rank(0, false) && rank(0, false) > rank(-120, false));
        assert!(rank(-120, false) > rank(-60, false), "who loses holds out");
        assert!(rank(-60, false) > rank(-10, false));
    }

    #[test]
    fn the_largest_tables_are_probed_from_a_depth_on() {
        let tables = tablebases(Probing { depth: 4, ..Probing::default() });
        let position = |fen: &str| Position::from_fen(fen).expect("a legal FEN");
        let five = position("4k3/pp6/8/8/8/8/8/R3K3 w - - 0 1");
        assert!(!tables.may_probe(&five, 3) && tables.may_probe(&five, 4));
        assert!(tables.may_probe(&position("4k3/p7/8/8/8/8/8/R3K3 w - - 0 1"), 0), "smaller ones");
        assert!(!tables.may_probe(&position("4k3/p7/8/8/8/8/8/R3K3 w Q - 0 1"), 9), "castling");
        assert!(!tables.may_probe(&position("4k3/p7/8/8/8/8/8/R3K3 w - - 1 1"), 9), "fifty moves");
        let few = tablebases(Probing { limit: 4, ..Probing::default() });
        assert!(!few.may_probe(&five, 9));
    }
}
