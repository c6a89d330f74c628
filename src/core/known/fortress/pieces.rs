//! Endings with up to two pieces among pawns, or three without pawns: which side is proven unable to
//! win, which side wins, and which side seems to win.
//!
//! The bitbases are those of `piece_endings.rs`. At the root of a search they are solved as far as
//! time and node limit allow, with what the pawns can still do, and handed to all threads. In an
//! evaluation only structures without pawn moves are solved, with one piece on the board and
//! exchanges alone: about a millisecond.

use std::sync::Arc;
use std::time::Duration;

use arrayvec::ArrayVec;
use rustc_hash::{FxHashMap, FxHashSet};

use super::cache::StructureCache;
use super::conversions::{Claim, conversions_of};
use super::king_pairs::KingPairBitbase;
use super::pawn_endings::PawnEndings;
use super::pawns::PawnFortresses;
use super::piece_bitbases::{MAX_PIECES, PieceBitbase, PieceKind, PieceSquares, Pieces};
use super::piece_endings::{Follower, Material, Scope, SolvedEnding};
use super::structure::PawnStructure;
use crate::board::Position;
use crate::chess::{
    Bitboard, ByColor, Color, Role, Square, facing_north, points, square_facing_north,
};

/// The most pieces of both sides in endings that are solved during a game: without pawns one more.
pub(in crate::known) fn most_solved_pieces(position: &Position) -> usize {
    if position.role(Role::Pawn).is_empty() { 3 } else { 2 }
}

/// The most words of all bitbases that are solved for a root and an attacker. They take 50 MB, or 75
/// while they are solved. Solving takes up to two seconds, or five with three pieces.
const MAX_WORDS: usize = 3_000_000;

/// Roughly how many nanoseconds it takes to solve one word of a bitbase, if there are pawns.
const TIME_OF_A_WORD: u128 = 500;

/// The same time for three pieces without pawns.
const TIME_OF_A_WORD_WITHOUT_PAWNS: u128 = 2000;

/// With at least this much time for a move a node limit does not matter for exchanges: they are
/// followed up to [`MAX_WORDS`].
const TIME_OF_EXCHANGES: Duration = Duration::from_secs(1);

/// Under a node limit, the most words for each node of the limit. The time to solve them comes on top
/// of that of the nodes.
const WORDS_OF_A_NODE: usize = 30;

/// The most structures of a pawn ending that is followed to its end.
const MAX_PAWN_ENDINGS: usize = 1000;

/// How much may be solved for a root and an attacker.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// The words of all bitbases.
    words: usize,
    /// The words of one bitbase in which exchanges alone are followed.
    for_exchanges: usize,
}

impl Budget {
    /// The budget at a position for `time`, the time planned for a move, and for a node limit.
    pub fn new(position: &Position, time: Duration, node_limit: usize) -> Budget {
        let time_of_a_word = match position.role(Role::Pawn).is_empty() {
            true => TIME_OF_A_WORD_WITHOUT_PAWNS,
            false => TIME_OF_A_WORD,
        };
        // Use at most a quarter of the time for the move.
        let in_time = time.as_nanos() / (4 * time_of_a_word);
        let words = usize::try_from(in_time)
            .unwrap_or(usize::MAX)
            .min(WORDS_OF_A_NODE.saturating_mul(node_limit))
            .min(MAX_WORDS);
        let for_exchanges = if time >= TIME_OF_EXCHANGES { MAX_WORDS } else { words };
        Budget { words, for_exchanges }
    }
}

/// A position as the bitbases of one attacker see it.
#[doc(hidden)]
pub struct View {
    /// Both sides' pieces, the attacker's first.
    pub pieces: Pieces,
    /// The attacker's king and the pieces.
    pub squares: PieceSquares,
    /// The square of the defender's king.
    pub defender: Square,
}

impl View {
    /// A position seen by `attacker`; `None` if there are more than `most` pieces.
    pub fn of(position: &Position, attacker: Color, most: usize) -> Option<View> {
        let pieces_of =
            |side| position.of(side) & !position.role(Role::Pawn) & !position.role(Role::King);
        let (ours, theirs) = (pieces_of(attacker), pieces_of(attacker.other()));
        if ours.count() + theirs.count() > most.min(MAX_PIECES) {
            return None;
        }
        let mut squares: ArrayVec<Square, MAX_PIECES> = ArrayVec::new();
        let mut kinds = |side| {
            let mut kinds: ArrayVec<PieceKind, MAX_PIECES> = ArrayVec::new();
            for kind in PieceKind::ALL {
                let set = facing_north(position.set(side, kind.role()), attacker) & kind.squares();
                for square in set {
                    kinds.push(kind);
                    squares.push(square);
                }
            }
            kinds
        };
        let pieces = Pieces { attacker: kinds(attacker), defender: kinds(attacker.other()) };
        let squares = PieceSquares {
            king: square_facing_north(position.king(attacker), attacker),
            pieces: squares,
        };
        Some(View {
            pieces,
            squares,
            defender: square_facing_north(position.king(attacker.other()), attacker),
        })
    }

    /// Whether the attacker may win the position by the bitbase of its pawns and pieces.
    fn may_win(&self, bitbase: &PieceBitbase, position: &Position, attacker: Color) -> bool {
        match position.turn() == attacker {
            true => !bitbase.holds(&self.squares).contains(self.defender),
            false => bitbase.won(&self.squares).contains(self.defender),
        }
    }
}

/// Endings solved for the root of a search and shared by its threads.
#[derive(Default)]
pub struct SolvedEndings {
    /// The endings solved with each side as the attacker.
    solved: ByColor<Solved>,
    /// The pawns of both sides in all structures that are solved.
    pawns: FxHashSet<Bitboard>,
}

/// The endings solved for an attacker.
#[derive(Default)]
struct Solved {
    bitbases: FxHashMap<Material, SolvedEnding>,
    /// What was asked for last.
    tried: Option<Tried>,
}

/// An ending that was solved as far as a scope and a budget allowed.
struct Tried {
    material: Material,
    scope: Scope,
    /// The words that the bitbases were allowed; `usize::MAX` if they needed no more.
    words: usize,
}

/// What to solve for an attacker.
struct Wanted {
    attacker: Color,
    view: View,
    material: Material,
    /// The scopes to try, one after the other, until the position is proven.
    scopes: ArrayVec<Scope, 2>,
}

impl SolvedEndings {
    /// Solves a position for each side as the attacker, as far as the budget allows; `None` if
    /// nothing is worth it. Reuses what was solved before.
    pub fn of(
        position: &Position,
        before: Option<Arc<SolvedEndings>>,
        endings: &mut PawnFortresses,
        budget: Budget,
        stop: &dyn Fn() -> bool,
    ) -> Option<Arc<SolvedEndings>> {
        let mut wanted = Vec::new();
        for attacker in Color::ALL {
            if let Some(view) = View::of(position, attacker, most_solved_pieces(position)) {
                let pawns = PawnStructure::of(position).seen_by(attacker);
                let material = (pawns, view.pieces.clone());
                let scopes = scopes(position, attacker, &material, budget);
                wanted.push(Wanted { attacker, view, material, scopes });
            }
        }
        wanted.retain(|wanted| !wanted.scopes.is_empty());
        if wanted.is_empty() {
            return before.filter(|before| before.has_pawns(position.role(Role::Pawn)));
        }
        let is_solved = |before: &Arc<SolvedEndings>| {
            wanted.iter().all(|wanted| {
                before.has_tried(wanted, budget) || before.cannot_win(position, wanted)
            })
        };
        if let Some(before) = before.filter(is_solved) {
            return Some(before);
        }
        let mut all = SolvedEndings::default();
        for wanted in wanted {
            for &scope in &wanted.scopes {
                let most = if scope == Scope::EXCHANGES { usize::MAX } else { budget.words };
                all.solve(&wanted, scope, most, endings, stop);
                if all.cannot_win(position, &wanted) {
                    break;
                }
            }
        }
        Some(Arc::new(all))
    }

    /// Solves an ending and all others it leads to in scope. Bitbases that are not solved because
    /// `stop` returns true are missing.
    fn solve(
        &mut self,
        &Wanted { attacker, ref material, ref scopes, .. }: &Wanted,
        scope: Scope,
        words: usize,
        endings: &mut PawnFortresses,
        stop: &dyn Fn() -> bool,
    ) {
        let mut followed = PawnEndings::default();
        let kings = |pawns: PawnStructure| {
            endings.solved += 1;
            let structure = pawns.seen_by(attacker);
            match followed.solve(structure, MAX_PAWN_ENDINGS, stop) {
                Some(bitbases) => PieceBitbase::of_kings(pawns, &bitbases.proven[attacker]),
                None => PieceBitbase::of_kings(pawns, &endings.proven_pairs(structure, attacker)),
            }
        };
        let follower = Follower::new(material.0, scope, words, kings, stop);
        let is_solved = follower.bitbase(material.0, &material.1).is_some();
        for (material, ending) in follower.into_solved() {
            self.pawns.insert(material.0.seen_by(attacker).all());
            self.solved[attacker].bitbases.insert(material, ending);
        }
        if scopes.last() == Some(&scope) && !stop() {
            let words = if is_solved { usize::MAX } else { words };
            self.solved[attacker].tried = Some(Tried { material: material.clone(), scope, words });
        }
    }

    /// Whether this was solved as far as all scopes that are wanted and the budget allow.
    fn has_tried(&self, wanted: &Wanted, budget: Budget) -> bool {
        self.solved[wanted.attacker].tried.as_ref().is_some_and(|tried| {
            tried.material == wanted.material
                && tried.words >= budget.words
                && wanted.scopes.iter().all(|&scope| tried.scope.includes(scope))
        })
    }

    /// Whether it is proven that the attacker cannot win the position.
    fn cannot_win(&self, position: &Position, wanted: &Wanted) -> bool {
        self.ending(wanted.attacker, &wanted.material)
            .is_some_and(|ending| !wanted.view.may_win(&ending.bitbase, position, wanted.attacker))
    }

    /// The ending with these pawns and pieces, if it is solved.
    fn ending(&self, attacker: Color, material: &Material) -> Option<&SolvedEnding> {
        self.solved[attacker].bitbases.get(material)
    }

    /// Whether anything is solved for these pawns of both sides.
    #[inline(always)]
    pub(crate) fn has_pawns(&self, pawns: Bitboard) -> bool {
        self.pawns.contains(&pawns)
    }
}

/// What to follow to find out whether `attacker` can win; nothing if that is not worth it.
fn scopes(
    position: &Position,
    attacker: Color,
    material: &Material,
    budget: Budget,
) -> ArrayVec<Scope, 2> {
    let (pawns, pieces) = material;
    let mut scopes = ArrayVec::new();
    let rights = position.castling_rights() != 0 || position.en_passant().is_some();
    // Against a bare king there is nothing to prove.
    let is_bare = pieces.defender.is_empty() && pawns.all().is_empty();
    if rights || pieces.count() == 0 || is_bare {
        return scopes;
    }
    let worth_it = pawns.is_locked() || has_better_pieces(position, attacker);
    let fits = PieceBitbase::words(*pawns, pieces) <= budget.for_exchanges;
    if worth_it && fits && is_locked_for(*pawns) {
        scopes.push(Scope::EXCHANGES);
    }
    if position.material_lead(attacker) > 0 && !is_queen_against_slow_pawns(material) {
        scopes.extend(Scope::widest(*pawns, pieces, budget.words));
    }
    scopes
}

/// Whether the attacker has a queen and the defender only pawns, none of which has crossed the middle
/// of the board. The queen nearly always wins, so solving the ending is not worth seconds.
fn is_queen_against_slow_pawns((pawns, pieces): &Material) -> bool {
    // The defender's pawns start in the north.
    pieces.attacker.contains(&PieceKind::Queen)
        && pieces.defender.is_empty()
        && !pawns.theirs.intersects(Bitboard::SOUTH)
}

/// Whether a side wins, by its bitbase.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Verdict {
    /// Unknown.
    #[default]
    Open,
    /// The side is proven unable to win.
    CannotWin,
    /// The side can force a win or a promotion. What happens after a promotion was not examined,
    /// except whether the new piece is captured at once.
    SeemsToWin,
    /// The side wins if the fifty-move rule does not come first.
    Wins,
}

/// A structure without pawn moves, solved for an attacker's pieces.
struct Wall {
    attacker: Color,
    material: Material,
    /// `None` if it was not solved.
    bitbase: Option<Arc<PieceBitbase>>,
}

/// Solved endings with pieces.
pub struct PieceFortresses {
    /// Those of the root of a search.
    root: Option<Arc<SolvedEndings>>,
    /// Others, solved on demand.
    walls: StructureCache<Wall>,
}

impl Default for PieceFortresses {
    fn default() -> PieceFortresses {
        /// The size of the cache of walls.
        const WALLS: usize = 256;
        PieceFortresses { root: None, walls: StructureCache::new(WALLS) }
    }
}

impl PieceFortresses {
    /// Uses the endings solved for the root from now on.
    pub fn set_root(&mut self, root: Option<Arc<SolvedEndings>>) {
        self.root = root;
    }

    /// Whether `attacker` wins, by a bitbase of the root. Other endings are solved only if they have
    /// locked pawns and one piece, which takes a millisecond or two.
    pub fn ask(
        &mut self,
        position: &Position,
        attacker: Color,
        endings: &mut PawnFortresses,
    ) -> Verdict {
        if position.castling_rights() != 0 || position.en_passant().is_some() {
            return Verdict::Open;
        }
        let Some(view) = View::of(position, attacker, most_solved_pieces(position)) else {
            return Verdict::Open;
        };
        let structure = PawnStructure::of(position);
        let material = (structure.seen_by(attacker), view.pieces.clone());
        if let Some(ending) = self.root.as_ref().and_then(|root| root.ending(attacker, &material)) {
            return match view.may_win(&ending.bitbase, position, attacker) {
                false => Verdict::CannotWin,
                true if !ending.is_complete || material.1.count() == 0 => Verdict::Open,
                true if structure.all().is_empty() => Verdict::Wins,
                true => Verdict::SeemsToWin,
            };
        }
        if material.1.count() != 1 || !structure.is_locked() || material.0.theirs.is_empty() {
            return Verdict::Open;
        }
        let wall = self.wall(structure, attacker, material, endings);
        match &wall.bitbase {
            Some(bitbase) if !view.may_win(bitbase, position, attacker) => Verdict::CannotWin,
            _ => Verdict::Open,
        }
    }

    /// The wall of locked pawns with one piece, solved on first use.
    fn wall(
        &mut self,
        structure: PawnStructure,
        attacker: Color,
        material: Material,
        endings: &mut PawnFortresses,
    ) -> Arc<Wall> {
        let (pawns, pieces) = &material;
        let (ours, theirs) = (pieces.attacker.first(), pieces.defender.first());
        let kind = ours.or(theirs).map_or(0, |&kind| kind as u64);
        let variant = kind + 5 * u64::from(ours.is_some()) + 10 * u64::from(attacker.is_white());
        let matches = |kept: &Wall| kept.attacker == attacker && kept.material == material;
        if let Some(known) = self.walls.get(structure, variant, matches) {
            return Arc::clone(known);
        }
        endings.solved += 1;
        let kings = |pawns| {
            let none = |_| None::<&KingPairBitbase>;
            let conversions = conversions_of(pawns, Claim::Proven, none);
            PieceBitbase::of_kings(pawns, &KingPairBitbase::solve(pawns, &conversions, None))
        };
        let follower = Follower::new(*pawns, Scope::EXCHANGES, usize::MAX, kings, &|| false);
        let bitbase = follower.bitbase(*pawns, pieces);
        self.walls.keep(structure, variant, Wall { attacker, material, bitbase })
    }
}

/// Whether the defender has pawns, and the attacker has no pawn move while the defender leaves its own
/// where they are, as it may.
fn is_locked_for(pawns: PawnStructure) -> bool {
    pawns.is_locked_for_attacker() && pawns.theirs.any()
}

/// Whether the pieces of a side are worth more than the other's, a rook counting five pawns.
fn has_better_pieces(position: &Position, side: Color) -> bool {
    let worth = |side| {
        let roles = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen].into_iter();
        roles.map(|role| points(role) * position.set(side, role).count() as i32).sum::<i32>()
    };
    worth(side) > worth(side.other())
}
