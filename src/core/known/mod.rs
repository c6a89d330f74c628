//! What is known about a position without a search: solved endgames and fortresses.
//!
//! A node calls [`Knowledge::ask`] once. The search cuts off on what the answer proves, the
//! evaluation uses the rest as an estimate, and explanations name the reason.
//!
//! | Endgame | File | Method |
//! |---|---|---|
//! | king and pawn against king | [`kpk`] | bitbase, exact |
//! | kings and two other pieces, except two minor pieces | [`four_pieces`] | bitbases and a rule, exact |
//! | bare king against Q, R, B and B, or B and N | [`mates`] | distances to mate, exact |
//! | blocked pawn endings, walls, a few pieces with or without pawns | [`fortress`] | bitbases, floods |
//!
//! All bitbases are solved by retrograde analysis, set-wise: for fixed squares of the other pieces
//! the squares of one king form a bitboard, and "the king can step to a won square" is one king
//! fill for all 64 of them. Starting from nothing, the sets of won positions grow until nothing
//! changes (a least fixpoint). They are solved at run time, on first use; a search on the clock does
//! not wait for them.
//!
//! ```
//! # extern crate freshet_core as freshet;
//! use freshet::board::Position;
//! use freshet::chess::Color;
//! use freshet::known::{Judged, Knowledge};
//!
//! let mut knowledge = Knowledge::new();
//! // The king on the sixth rank in front of its pawn wins, whoever is to move.
//! let won = Position::from_fen("4k3/8/4K3/4P3/8/8/8/8 w - - 0 1").unwrap();
//! assert_eq!(knowledge.ask(&won).unwrap().judged, Judged::Won(Color::White));
//! // Here Black has the opposition.
//! let drawn = Position::from_fen("8/8/4k3/8/4K3/4P3/8/8 w - - 0 1").unwrap();
//! assert!(knowledge.ask(&drawn).unwrap().is_draw());
//! ```

pub mod fortress;
pub mod four_pieces;
pub mod kpk;
pub mod mates;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use crate::board::Position;
use crate::chess::{Bitboard, ByColor, Color, Role};
use fortress::flood::{BUDGET, confinement_of_walled, pieces_get_through};
use fortress::pawn_endings::{PawnEndings, TIME_OF_A_STRUCTURE};
use fortress::pawns::{MAX_FOLLOWED_AT_ROOT, PawnFortresses};
use fortress::pieces::{Budget, PieceFortresses, SolvedEndings, Verdict, most_solved_pieces};
use fortress::structure::PawnStructure;
use four_pieces::Material;
use mates::Ending;

/// A win this many moves away, or more, counts as distant. In endings with pieces, where the number is
/// unknown, it stands for the number. See [`Judged::SeemsWon`].
pub(crate) const DISTANT_WIN: u32 = 25;

/// What is known about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Known {
    /// Whether each side may be able to win. `false` is proven: the other side can always hold.
    pub can_win: ByColor<bool>,
    /// The expected result within these bounds.
    pub judged: Judged,
    /// The kind of endgame or fortress that decides.
    pub reason: Reason,
}

impl Known {
    /// Whether neither side can win: a proven draw.
    pub fn is_draw(&self) -> bool {
        self.can_win == ByColor { white: false, black: false }
    }
}

/// The expected result of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Judged {
    /// Nothing beyond the bounds.
    Open,
    /// A side mates in exactly `plies` plies with best play, ignoring the fifty-move rule.
    Mate {
        /// The side that mates.
        side: Color,
        /// The plies from this position.
        plies: u32,
    },
    /// The side wins, in an unknown number of moves, if the fifty-move rule does not come first.
    Won(Color),
    /// The side seems to win.
    SeemsWon {
        /// The side that seems to win.
        side: Color,
        /// Roughly how many of its moves it takes to the first winning capture. Where that is unknown: 1
        /// in pawn endings, 25 with pieces.
        moves: u32,
    },
    /// Neither side seems to win.
    SeemsDrawn,
}

/// The kind of endgame or fortress by which a position is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// King and pawn against king.
    PawnAgainstKing,
    /// Kings and these two other pieces.
    FourPieces(Material),
    /// These pieces against a bare king.
    BareKing(Ending),
    /// Kings and pawns that are locked, or nearly so.
    LockedPawns,
    /// Kings and pawns that can move, followed to promotions.
    PawnEnding,
    /// A wall of locked pawns that holds against pieces.
    Wall,
    /// A few pieces, without pawns or among pawns of which none are locked.
    PieceEnding,
}

/// Results solved for the root of a search and shared by its threads.
#[derive(Clone, Default)]
pub(crate) struct SolvedRoot {
    /// Endings with pieces.
    pieces: Option<Arc<SolvedEndings>>,
    /// Pawn endings solved to their end.
    pawns: Option<Arc<PawnEndings>>,
}

impl SolvedRoot {
    /// Whether a background thread should try to solve more of this position: it has more than four
    /// pieces and pawns in all, and besides kings and pawns at most two pieces (three without pawns).
    pub(crate) fn is_worth_solving(position: &Position) -> bool {
        let pieces = position.occupied() & !position.role(Role::Pawn) & !position.role(Role::King);
        position.occupied().count() > 4 && pieces.count() <= most_solved_pieces(position)
    }

    /// These results and what else can be solved at a position in some seconds; see
    /// [`Knowledge::prepare`]. `None` if that is nothing more, or if `stop` returns true.
    pub(crate) fn completed(
        self,
        position: &Position,
        most: usize,
        stop: &dyn Fn() -> bool,
    ) -> Option<SolvedRoot> {
        let mut knowledge = Knowledge::new();
        let before = self.clone();
        knowledge.set_root(self);
        knowledge.prepare(position, most, Duration::MAX, stop);
        let SolvedRoot { pieces, pawns } = &knowledge.root;
        let is_known = same(pieces, &before.pieces) && same(pawns, &before.pawns);
        (!is_known && !stop()).then_some(knowledge.root)
    }
}

/// Whether both are the same value in memory, or nothing.
fn same<T>(a: &Option<Arc<T>>, b: &Option<Arc<T>>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => Arc::ptr_eq(a, b),
        (None, None) => true,
        _ => false,
    }
}

/// How long [`Knowledge::ask`] waits for a bitbase that is not solved yet. After the wait it does
/// without the bitbase, which is solved in the background.
#[derive(Clone, Debug, Default)]
pub(crate) enum Wait {
    /// Until it is solved, which takes up to two seconds.
    #[default]
    Always,
    /// Until it is solved, or this flag is set.
    UntilStopped(Arc<AtomicBool>),
    /// Not at all.
    Never,
}

/// A thread's endgame knowledge: bitbases solved so far.
#[derive(Default)]
pub struct Knowledge {
    root: SolvedRoot,
    pawns: PawnFortresses,
    pieces: PieceFortresses,
    walls: WallCache,
    /// The count of solved structures at the last call of [`Knowledge::has_solved`].
    solved_before: u64,
    wait: Wait,
}

impl Knowledge {
    /// Nothing is solved yet.
    pub fn new() -> Knowledge {
        Knowledge::default()
    }

    /// The best knowledge for one position: first solves it for its pieces, or as a pawn ending.
    /// Takes up to two seconds, or five with three pieces and no pawns.
    pub fn of(position: &Position) -> Knowledge {
        let mut knowledge = Knowledge::new();
        knowledge.prepare_fully(position);
        knowledge
    }

    /// Solves a position for its pieces, or as a pawn ending, without a time limit. Reuses earlier
    /// results for the same pawns.
    pub(crate) fn prepare_fully(&mut self, position: &Position) {
        self.prepare(position, usize::MAX, Duration::MAX, &|| false);
    }

    /// Solves this root position as far as the `time` planned for the move makes it worthwhile. A
    /// pawn ending is solved if it leads to at most `most` structures, the node limit of the search.
    /// Reuses earlier results for the same pawns.
    pub(crate) fn prepare(
        &mut self,
        position: &Position,
        most: usize,
        time: Duration,
        stop: &dyn Fn() -> bool,
    ) {
        /// The least time for a move that allows counting the structures of a pawn ending, which
        /// takes some milliseconds.
        const TIME_OF_PAWNS: Duration = Duration::from_millis(50);
        let mut root = std::mem::take(&mut self.root);
        let before = root.pieces.take();
        // Endings of four pieces are known exactly.
        if position.occupied().count() > 4 {
            let budget = Budget::new(position, time, most);
            root.pieces = SolvedEndings::of(position, before, &mut self.pawns, budget, stop);
        } else {
            root.pieces = before;
        }
        let structure = PawnStructure::of(position);
        let known = root.pawns.take().filter(|known| known.get(structure).is_some());
        if position.is_pawn_ending() {
            root.pawns = known;
            if root.pawns.is_none() && time >= TIME_OF_PAWNS {
                // Use at most a quarter of the time for the move.
                let in_time = time.as_micros() / (4 * TIME_OF_A_STRUCTURE);
                let in_time = usize::try_from(in_time).unwrap_or(usize::MAX);
                let most = most.min(in_time).min(MAX_FOLLOWED_AT_ROOT);
                let mut endings = PawnEndings::default();
                let solved = endings.solve(structure, most, stop);
                root.pawns = solved.map(|_| Arc::new(endings));
            }
        }
        self.set_root(root);
    }

    /// Sets how long [`Knowledge::ask`] waits for bitbases that are not solved yet.
    pub(crate) fn set_wait(&mut self, wait: Wait) {
        self.wait = wait;
    }

    /// The results solved for the root of a search.
    pub(crate) fn root(&self) -> &SolvedRoot {
        &self.root
    }

    /// Uses these results for the root of a search from now on.
    pub(crate) fn set_root(&mut self, root: SolvedRoot) {
        self.pieces.set_root(root.pieces.clone());
        self.pawns.set_root(root.pawns.clone());
        self.walls = WallCache::default();
        self.root = root;
    }

    /// What is known about a position; `None` if nothing. Usually takes next to no time, but a
    /// millisecond or two for a new structure, and up to two seconds for a bitbase that is not solved
    /// yet, unless [`Wait`] says otherwise.
    #[inline(always)]
    pub fn ask(&mut self, position: &Position) -> Option<Known> {
        let is_small = position.occupied().count() <= 4 || position.is_pawn_ending();
        let may_be_wall = self.may_be_wall(position);
        if is_small || may_be_wall { self.look(position, may_be_wall) } else { None }
    }

    /// Whether to try to prove a wall: with rams, or with pawns that were solved at the root.
    #[inline(always)]
    fn may_be_wall(&self, position: &Position) -> bool {
        let solved = self.root.pieces.as_ref();
        has_rams(position)
            || solved.is_some_and(|solved| solved.has_pawns(position.role(Role::Pawn)))
    }

    /// Not inlined, because few positions of most games get this far.
    #[inline(never)]
    fn look(&mut self, position: &Position, may_be_wall: bool) -> Option<Known> {
        let wait = &self.wait;
        let four_pieces =
            || four_pieces::ask(position, wait).or_else(|| mates::ask(position, wait));
        let is_pawn_ending = position.is_pawn_ending();
        let known = match position.occupied().count() {
            ..=3 if is_pawn_ending => kpk::ask(position),
            ..=4 => four_pieces(),
            _ => None,
        };
        if known.is_some() {
            return known;
        }
        let locked = if is_pawn_ending { self.pawns.ask(position) } else { None };
        match locked {
            Some(verdict) => Some(verdict.known()),
            None if may_be_wall => self.wall(position),
            None => None,
        }
    }

    /// Whether anything was solved since the last call. If so, the search checks its clock.
    pub(crate) fn has_solved(&mut self) -> bool {
        let before = std::mem::replace(&mut self.solved_before, self.pawns.solved);
        self.solved_before != before
    }

    /// What is known of walls and of endings with a few pieces: who is proven unable to win, who wins
    /// or seems to. `None` if nothing.
    fn wall(&mut self, position: &Position) -> Option<Known> {
        let verdicts = match self.walls.get(position.key()) {
            Some(verdicts) => verdicts,
            None => {
                let verdicts = self.verdicts(position);
                self.walls.keep(position.key(), verdicts);
                verdicts
            }
        };
        let judged = |side| match verdicts[side] {
            Verdict::Wins => Some(Judged::Won(side)),
            Verdict::SeemsToWin => Some(Judged::SeemsWon { side, moves: DISTANT_WIN }),
            Verdict::Open | Verdict::CannotWin => None,
        };
        let is_known = verdicts.white != Verdict::Open || verdicts.black != Verdict::Open;
        is_known.then(|| Known {
            can_win: verdicts.map(|verdict| verdict != Verdict::CannotWin),
            judged: Color::ALL.into_iter().find_map(judged).unwrap_or(Judged::Open),
            reason: match PawnStructure::of(position).rams().any() {
                true => Reason::Wall,
                false => Reason::PieceEnding,
            },
        })
    }

    /// What is known of each side's winning chances. Only the side ahead in material is examined, or
    /// both if material is level and nearly all pawns are locked. If one side is proven unable to win,
    /// the other is examined too.
    fn verdicts(&mut self, position: &Position) -> ByColor<Verdict> {
        /// With this many rams, nearly everything is locked.
        const MANY: usize = 5;
        let is_locked = PawnStructure::of(position).rams().count() >= MANY;
        let mut verdicts: ByColor<Verdict> = ByColor::default();
        let is_examined = |side| {
            let lead = position.material_lead(side);
            lead > 0 || (is_locked && lead == 0)
        };
        for side in Color::ALL.into_iter().filter(|&side| is_examined(side)) {
            verdicts[side] = self.verdict(position, side);
        }
        for side in Color::ALL.into_iter().filter(|&side| !is_examined(side)) {
            if verdicts[side.other()] == Verdict::CannotWin {
                verdicts[side] = self.verdict(position, side);
            }
        }
        verdicts
    }

    /// What is known of a side's winning chances. Floods are tried only where pawns are locked.
    fn verdict(&mut self, position: &Position, side: Color) -> Verdict {
        if has_rams(position) && self.is_confined(position, side) {
            return Verdict::CannotWin;
        }
        self.pieces.ask(position, side, &mut self.pawns)
    }

    /// Whether floods prove that a side cannot get through a wall.
    fn is_confined(&mut self, position: &Position, side: Color) -> bool {
        if pieces_get_through(position, side) {
            return false;
        }
        self.pawns.solved += 1;
        confinement_of_walled(position, side, BUDGET).is_some()
    }

    /// Whether `side` is proven unable to win against a wall. `false` proves nothing.
    ///
    /// ```
    /// # extern crate freshet_core as freshet;
    /// use freshet::board::Position;
    /// use freshet::chess::Color;
    /// use freshet::known::Knowledge;
    ///
    /// // Two rooks and a bishop against a wall, the end of a study by W. E. Rudolph (1912).
    /// let fen = "3k4/1r2p3/r2pPp2/b1pP1Pp1/1pP3Pp/pP2K2P/P7/8 b - - 0 1";
    /// assert!(Knowledge::new().cannot_win(&Position::from_fen(fen).unwrap(), Color::Black));
    /// ```
    pub fn cannot_win(&mut self, position: &Position, side: Color) -> bool {
        self.is_confined(position, side)
            || self.pieces.ask(position, side, &mut self.pawns) == Verdict::CannotWin
    }
}

/// Whether there are enough rams for a wall: one, or three if there are many pieces.
#[inline(always)]
fn has_rams(position: &Position) -> bool {
    /// With at most this many pieces, a rook counting two and a queen four, one ram is enough.
    const FEW: usize = 6;
    let rams = PawnStructure::of(position).rams();
    if rams.is_empty() {
        return false;
    }
    rams.count() >= 3 || pieces(position) <= FEW
}

/// The number of pieces, a rook counting as two minor pieces and a queen as four.
fn pieces(position: &Position) -> usize {
    let count = |role| position.role(role).count();
    count(Role::Knight) + count(Role::Bishop) + 2 * count(Role::Rook) + 4 * count(Role::Queen)
}

/// Results about walls by position key, direct-mapped.
#[derive(Default)]
struct WallCache {
    /// Allocated when the first result is kept.
    kept: Vec<(u64, ByColor<Verdict>)>,
}

impl WallCache {
    const SLOTS: usize = 1 << 12;

    fn get(&self, key: u64) -> Option<ByColor<Verdict>> {
        let &(kept, verdicts) = self.kept.get(key as usize % WallCache::SLOTS)?;
        (kept == key).then_some(verdicts)
    }

    fn keep(&mut self, key: u64, verdicts: ByColor<Verdict>) {
        self.kept.resize(WallCache::SLOTS, Default::default());
        self.kept[key as usize % WallCache::SLOTS] = (key, verdicts);
    }
}

/// Solves all bitbases of four pieces, unless they are solved already, so that nothing waits for them
/// while time is measured. Takes about two seconds.
#[doc(hidden)]
pub fn prepare() {
    mates::prepare();
    four_pieces::prepare();
}

/// What is solved once, on first use.
pub(crate) struct Bitbase<T> {
    solved: OnceLock<T>,
    is_begun: AtomicBool,
    /// Solving it in the background has panicked.
    has_failed: AtomicBool,
}

impl<T: Send + Sync> Bitbase<T> {
    const fn new() -> Bitbase<T> {
        let [is_begun, has_failed] = [const { AtomicBool::new(false) }; 2];
        Bitbase { solved: OnceLock::new(), is_begun, has_failed }
    }

    /// The result, solved now unless it is solved already.
    fn solved(&self, solve: impl FnOnce() -> T) -> &T {
        self.solved.get_or_init(solve)
    }

    /// The result, or `None` if it is not solved when the wait ends.
    fn get(
        &'static self,
        wait: &Wait,
        solve: impl Fn() -> T + Send + Copy + 'static,
    ) -> Option<&'static T> {
        /// The time between two looks at the flag.
        const PAUSE: Duration = Duration::from_millis(1);
        match wait {
            Wait::Always => Some(self.solved(solve)),
            Wait::Never => self.ready(solve),
            Wait::UntilStopped(stop) => loop {
                let ready = self.ready(solve);
                if ready.is_some() || stop.load(Ordering::Relaxed) {
                    return ready;
                }
                if self.has_failed.load(Ordering::Relaxed) {
                    // The search reports a panic only if it happens in one of its own threads.
                    return Some(self.solved(solve));
                }
                std::thread::sleep(PAUSE);
            },
        }
    }

    /// The result if it is solved already. If not, it is solved in the background, or at once if
    /// there are no threads.
    fn ready(&'static self, solve: impl Fn() -> T + Send + Copy + 'static) -> Option<&'static T> {
        let is_begun =
            || self.is_begun.load(Ordering::Relaxed) || self.is_begun.swap(true, Ordering::Relaxed);
        if self.solved.get().is_none() && !is_begun() {
            let begun = std::thread::Builder::new().spawn(move || {
                // One after the other, so that they take one core at most.
                static TURN: Mutex<()> = Mutex::new(());
                let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
                // After a panic the cell is empty, as before.
                if catch_unwind(AssertUnwindSafe(|| self.solved(solve))).is_err() {
                    self.has_failed.store(true, Ordering::Relaxed);
                }
            });
            if begun.is_err() {
                self.solved(solve);
            }
        }
        self.solved.get()
    }
}

/// The side that owns the pieces in this set, which must not be empty.
fn owner(position: &Position, pieces: Bitboard) -> Color {
    if position.of(Color::White).intersects(pieces) { Color::White } else { Color::Black }
}

#[cfg(test)]
mod tests {
    use rand::rngs::Xoshiro256PlusPlus;
    use rand::{RngExt, SeedableRng};

    use super::*;
    use crate::chess::square_at;

    /// A wait ends when the bitbase is solved, when the flag is set, or by the panic of the solver.
    #[test]
    fn a_wait_for_a_bitbase_ends() {
        static SLOW: Bitbase<u32> = Bitbase::new();
        static BROKEN: Bitbase<u32> = Bitbase::new();
        static MAY_END: AtomicBool = AtomicBool::new(false);
        let slow = || {
            while !MAY_END.load(Ordering::Relaxed) {
                std::thread::sleep(Duration::from_millis(1));
            }
            7
        };
        let stop = Arc::new(AtomicBool::new(true));
        let wait = Wait::UntilStopped(Arc::clone(&stop));
        assert_eq!(SLOW.get(&wait, slow), None);
        stop.store(false, Ordering::Relaxed);
        let stopped = std::thread::scope(|scope| {
            let waiting = scope.spawn(|| SLOW.get(&wait, slow));
            std::thread::sleep(Duration::from_millis(30));
            stop.store(true, Ordering::Relaxed);
            waiting.join().expect("no panic")
        });
        assert_eq!(stopped, None);
        assert_eq!(SLOW.get(&Wait::Never, slow), None);
        MAY_END.store(true, Ordering::Relaxed);
        stop.store(false, Ordering::Relaxed);
        assert_eq!(SLOW.get(&wait, slow), Some(&7));
        let broken = || panic!("as this test wants");
        let waiting = std::thread::spawn(move || BROKEN.get(&wait, broken).copied());
        assert!(waiting.join().is_err());
    }

    /// Where all was followed to its end, what is not proven to be held is won; where a promotion
    /// counts as a win, it seems so.
    #[test]
    fn endings_with_pieces_are_judged_won() {
        let judged = |fen: &str| {
            let position = fen.parse().expect("a legal position");
            Knowledge::of(&position).ask(&position).expect("it is solved").judged
        };
        let seems_won = Judged::SeemsWon { side: Color::White, moves: DISTANT_WIN };
        // The positions of Lucena and Philidor.
        assert_eq!(judged("1K6/1P1k4/8/8/8/8/r7/2R5 w - - 0 1"), seems_won);
        assert_eq!(judged("4k3/7R/r7/3KP3/8/8/8/8 b - - 0 1"), Judged::Open);
        let won = Judged::Won(Color::White);
        assert_eq!(judged("5k2/8/5K2/4N3/8/8/r7/7R w - - 0 1"), won);
        assert_eq!(judged("4k3/8/4K3/5N2/8/8/r7/5R2 w - - 0 1"), Judged::Open);
        // Black takes the knight and holds: waiting moves of the rook would then be stalemate.
        assert_eq!(judged("kN5R/8/1K1b4/8/8/8/8/8 b - - 0 1"), Judged::Open);
        // The defender's pawns may promote: nothing is said.
        let fen = "8/8/8/8/1p6/1k6/6P1/R3K3 b - - 0 1";
        let position = fen.parse().expect("a legal position");
        let known = Knowledge::of(&position).ask(&position);
        assert!(known.is_none_or(|known| known.judged == Judged::Open));
    }

    /// Without pawns the bitbases are exact: they agree with those of `four_pieces`. One position is a
    /// stalemate because of a pin.
    #[test]
    fn bitbases_without_pawns_are_exact() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(63);
        let mut tally = [0; 2];
        for (ours, theirs) in [
            (Role::Queen, Role::Rook),
            (Role::Queen, Role::Bishop),
            (Role::Queen, Role::Knight),
            (Role::Rook, Role::Bishop),
            (Role::Rook, Role::Knight),
        ] {
            let mut positions: Vec<Position> =
                (0..4000).filter_map(|_| random_duel(ours, theirs, &mut random)).collect();
            if (ours, theirs) == (Role::Rook, Role::Bishop) {
                positions.push("kbR5/8/1K6/8/8/8/8/8 b - - 0 1".parse().expect("a position"));
            }
            // Bishops on light and on dark squares need bitbases of their own.
            positions.sort_by_key(|position| {
                position.role(Role::Bishop).intersects(Bitboard::LIGHT_SQUARES)
            });
            let (mut root, mut endings) = (None, PawnFortresses::default());
            let mut fortresses = PieceFortresses::default();
            for position in positions {
                let budget = Budget::new(&position, Duration::MAX, usize::MAX);
                root = SolvedEndings::of(&position, root, &mut endings, budget, &|| false);
                fortresses.set_root(root.clone());
                let verdict = fortresses.ask(&position, Color::White, &mut endings);
                let known = four_pieces::ask(&position, &Wait::Always).expect("four pieces");
                let wins = known.can_win[Color::White];
                let expected = if wins { Verdict::Wins } else { Verdict::CannotWin };
                assert_eq!(verdict, expected, "{position}");
                tally[usize::from(wins)] += 1;
            }
        }
        assert!(tally.iter().all(|&count| count > 3000), "{tally:?}");
    }

    /// A position with a piece of White's and one of Black's, on random squares; `None` if it is
    /// illegal.
    fn random_duel(ours: Role, theirs: Role, random: &mut Xoshiro256PlusPlus) -> Option<Position> {
        let mut setup = shakmaty::Setup::empty();
        for (color, role) in [
            (Color::White, Role::King),
            (Color::Black, Role::King),
            (Color::White, ours),
            (Color::Black, theirs),
        ] {
            setup.board.set_piece_at(square_at(random.random_range(0..64)), role.of(color));
        }
        setup.turn = Color::from_white(random.random());
        let position = Position::from_setup(setup).ok()?;
        (position.occupied().count() == 4).then_some(position)
    }

    /// A queen against pawns is solved only if a pawn has passed the middle of the board.
    #[test]
    fn a_queen_against_slow_pawns_is_not_solved() {
        let is_solved = |fen: &str| {
            let position: Position = fen.parse().expect("a legal position");
            Knowledge::of(&position).root().pieces.is_some()
        };
        for (fen, expected) in [
            ("6k1/5pp1/7p/8/8/8/Q4PPP/6K1 b - - 0 1", false),
            ("6k1/q4ppp/8/8/8/7P/5PP1/6K1 w - - 0 1", false),
            ("8/8/8/8/8/Q4k2/5p1p/7K b - - 0 1", true),
            ("6k1/5pp1/5r1p/8/8/8/Q6P/6K1 b - - 0 1", true),
        ] {
            assert_eq!(is_solved(fen), expected, "{fen}");
        }
    }

    /// What was solved in the background is kept by searches with too little time to solve it.
    #[test]
    fn solved_endings_are_kept() {
        let position = "8/8/3kP3/8/B4K2/7P/1b6/8 w - - 0 1".parse().expect("a legal position");
        let mut knowledge = Knowledge::new();
        let prepare = |knowledge: &mut Knowledge| {
            knowledge.prepare(&position, usize::MAX, Duration::from_millis(120), &|| false);
        };
        prepare(&mut knowledge);
        assert!(knowledge.ask(&position).is_none());
        let complete = |root: &SolvedRoot, is_stopped: bool| {
            root.clone().completed(&position, usize::MAX, &|| is_stopped)
        };
        assert!(complete(knowledge.root(), true).is_none());
        let solved = complete(knowledge.root(), false).expect("more is solved");
        knowledge.set_root(solved);
        for _ in 0..2 {
            prepare(&mut knowledge);
            assert!(knowledge.ask(&position).is_some_and(|known| !known.can_win.white));
            assert!(complete(knowledge.root(), false).is_none(), "nothing is solved twice");
        }
    }
}
