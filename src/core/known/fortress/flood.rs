//! Confinement: a proof, by floods alone, that a side cannot win no matter what its pieces do.
//!
//! The *defender* has a simple plan: it moves only its king, inside a *zone* of squares, with one
//! exception below. The proof shows that the *attacker* cannot disturb that. All sets are computed
//! from the attacker's point of view, who moves north.
//!
//! **Reach.** For each piece of the attacker (kings and pawns included here), a set that contains
//! every square on which it can ever stand. The set starts with the piece's square and grows by the
//! piece's moves from all squares in it, until no set changes (a least fixpoint). A move is left
//! out only if it certainly can never be played:
//!
//! - a blocker never leaves. A defender's piece other than the king blocks as long as no piece of
//!   the attacker ever attacks it; an attacker's piece blocks if its own set is a single square,
//!   because it has no move either. As soon as this no longer holds, the square counts as empty,
//!   and everything is computed again. So captures open lines, and walled-in pieces stay walled in;
//! - the attacker's king would step on a square attacked by a pawn, knight or other piece of the
//!   defender that is never captured.
//!
//! By induction over the moves of a game no piece leaves its set. A pawn that reaches the last rank
//! ends the attempt: nothing is proven.
//!
//! **Zone.** Squares that no piece of the attacker ever reaches or attacks and that hold no piece
//! of the defender, each with a neighbour that is also in the zone. If the defender's king is in
//! the zone, it always has a move to a neighbour in the zone: it is never in check, never mated,
//! never in zugzwang and never stalemated, and its other pieces need never move. So the attacker
//! does not win.
//!
//! **Sacrifices.** The exception: if a piece of the attacker moves to a square guarded by a pawn of
//! the defender (with or without capturing there), the defender takes it with that pawn. The move
//! is then left out of the piece's reach, but only if the same proof succeeds afterwards: with the
//! piece gone, the pawn on its new square, every other piece of the attacker anywhere in its set,
//! and the defender's king anywhere in the zone. (So the capture is legal: nothing attacks the king
//! after it.) If that proof fails, the piece is assumed to stay on the square unharmed, and
//! everything is computed again. A pawn that would capture on its last rank does not guard.
//!
//! The argument does not cover castling and en passant: positions in which the attacker has such a
//! right are not examined. The fifty-move rule only helps the defender.

use arrayvec::ArrayVec;

use super::structure::attacks_south;
use crate::board::Position;
use crate::chess::{Bitboard, Color, Rank, Role, bit, facing_north};
use crate::fill::spans::{pawn_attacks, pushes};
use crate::fill::waves::{flood, king_attacks, knight_attacks};
use crate::fill::{Rays, attacks_of};

/// A piece of the attacker.
#[derive(Clone, Copy, Debug)]
pub struct Confined {
    /// The role, king and pawn included.
    pub role: Role,
    /// Every square on which it can ever stand, including the current one.
    pub reach: Bitboard,
}

/// A proof that a side cannot win. All sets are in board coordinates.
#[derive(Clone, Debug)]
pub struct Confinement {
    /// The side that cannot win.
    pub attacker: Color,
    /// The squares among which the defender's king can move forever.
    pub zone: Bitboard,
    /// The attacker's pieces, king and pawns included, each with its reach.
    pub pieces: Vec<Confined>,
    /// Every square that a piece of the attacker ever attacks.
    pub attacked: Bitboard,
}

impl Confinement {
    /// Every square on which a piece of the attacker can ever stand.
    pub fn reached(&self) -> Bitboard {
        self.pieces.iter().fold(Bitboard::EMPTY, |all, piece| all | piece.reach)
    }
}

/// Proves that `attacker` cannot win; `None` if there is no proof of this kind.
///
/// ```
/// # extern crate freshet_core as freshet;
/// use freshet::board::Position;
/// use freshet::chess::{Bitboard, Color};
/// use freshet::known::fortress::flood::confinement;
///
/// // Penrose's position: Black's queen and rooks are walled in, and its bishops move on dark
/// // squares.
/// let fen = "8/p7/kpP5/qrp1b3/rpP2b2/pP4b1/P3K3/8 w - - 0 1";
/// let proof = confinement(&Position::from_fen(fen).unwrap(), Color::Black).unwrap();
/// assert!((proof.zone & Bitboard::DARK_SQUARES).is_empty());
/// ```
pub fn confinement(position: &Position, attacker: Color) -> Option<Confinement> {
    confinement_within(position, attacker, BUDGET)
}

/// [`confinement`] with a budget: the maximum number of fixpoints, including those for sacrifices.
pub fn confinement_within(
    position: &Position,
    attacker: Color,
    budget: u32,
) -> Option<Confinement> {
    if pieces_get_through(position, attacker) {
        return None;
    }
    confinement_of_walled(position, attacker, budget)
}

/// [`confinement_within`] for a position in which [`pieces_get_through`] says no.
pub(crate) fn confinement_of_walled(
    position: &Position,
    attacker: Color,
    mut budget: u32,
) -> Option<Confinement> {
    if position.castling_rights() != 0 || position.pseudo_legal_en_passant().is_some() {
        return None;
    }
    let (camp, king) = Camp::of(position, attacker)?;
    let proof = camp.prove(king, &mut budget)?;
    let turned = |set| facing_north(set, attacker);
    Some(Confinement {
        attacker,
        zone: turned(proof.zone),
        pieces: (proof.pieces.iter())
            .map(|piece| Confined { role: piece.role, reach: turned(piece.reach) })
            .collect(),
        attacked: turned(proof.attacked),
    })
}

/// Whether a piece of the attacker can reach a square that attacks the defender's king, even if
/// nothing else ever moves and pawns capture everything they can. If so, there is no proof, because
/// the fixpoint's sets contain the sets here. Rejects most hopeless attempts at the cost of one
/// flood for all pieces.
pub(crate) fn pieces_get_through(position: &Position, attacker: Color) -> bool {
    let set = |side, role| facing_north(position.set(side, role), attacker);
    let (ours, theirs) = (|role| set(attacker, role), |role| set(attacker.other(), role));
    let king = theirs(Role::King);
    let empty = !facing_north(position.occupied(), attacker);
    let own = facing_north(position.of(attacker), attacker);
    let closed = own | attacks_south(theirs(Role::Pawn));
    let mut orthogonal = ours(Role::Rook) | ours(Role::Queen);
    let mut diagonal = ours(Role::Bishop) | ours(Role::Queen);
    let mut knights = ours(Role::Knight);
    loop {
        let rays = Rays::sliders(orthogonal, diagonal).attacks(empty);
        let reached = [rays.orthogonal(), rays.diagonal(), knight_attacks(knights)];
        if reached.iter().any(|set| set.intersects(king)) {
            return true;
        }
        let before = [orthogonal, diagonal, knights];
        orthogonal |= reached[0] & !closed;
        diagonal |= reached[1] & !closed;
        knights |= reached[2] & !closed;
        if before == [orthogonal, diagonal, knights] {
            return false;
        }
    }
}

/// The number of fixpoints that one proof in the evaluation may take.
pub(crate) const BUDGET: u32 = 100;

/// The most pieces of one side. With more, which no game can reach, nothing is proven.
const MAX_PIECES: usize = 16;

type Pieces = ArrayVec<Confined, MAX_PIECES>;

/// The start of a proof: the attacker's pieces anywhere in their sets, the defender's on their
/// squares. The attacker moves north.
#[derive(Clone)]
struct Camp {
    pieces: Pieces,
    pawns: Bitboard,
    knights: Bitboard,
    /// The defender's bishops and queens.
    diagonal: Bitboard,
    /// The defender's rooks and queens.
    orthogonal: Bitboard,
    /// Squares where a defender's piece may or may not still stand, because it has been attacked.
    doubtful: Bitboard,
}

/// The proof for a camp.
struct Proof {
    pieces: Pieces,
    zone: Bitboard,
    attacked: Bitboard,
}

/// The result of the fixpoint of all reaches.
struct Reaches {
    pieces: Pieces,
    /// The defender's pieces that are never attacked.
    safe: Bitboard,
    /// For each piece of the attacker, squares it can move to where a pawn captures it.
    sacrifices: ArrayVec<Bitboard, MAX_PIECES>,
    attacked: Bitboard,
}

impl Camp {
    /// The camp of a position, and the square of the defender's king.
    fn of(position: &Position, attacker: Color) -> Option<(Camp, Bitboard)> {
        let defender = attacker.other();
        let set = |side, role| facing_north(position.set(side, role), attacker);
        if position.of(attacker).count() > MAX_PIECES {
            return None;
        }
        let piece = |role| move |square| Confined { role, reach: bit(square) };
        // The most mobile pieces come first, so that a hopeless attempt ends soon.
        let roles = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight, Role::King, Role::Pawn];
        let pieces =
            roles.into_iter().flat_map(|role| set(attacker, role).into_iter().map(piece(role)));
        let of_defender = |role| set(defender, role);
        let camp = Camp {
            pieces: pieces.collect(),
            pawns: of_defender(Role::Pawn),
            knights: of_defender(Role::Knight),
            diagonal: of_defender(Role::Bishop) | of_defender(Role::Queen),
            orthogonal: of_defender(Role::Rook) | of_defender(Role::Queen),
            doubtful: Bitboard::EMPTY,
        };
        Some((camp, of_defender(Role::King)))
    }

    /// The defender's pieces, except the king, that certainly stand on their squares.
    fn certain(&self) -> Bitboard {
        self.pawns | self.knights | self.diagonal | self.orthogonal
    }

    /// The squares that the defender's pieces certainly attack from where they stand, whatever is
    /// on the other squares. Sliders count only their adjacent squares.
    fn attacked_by_pieces(&self, safe: Bitboard) -> Bitboard {
        let beside = Rays::sliders(self.orthogonal & safe, self.diagonal & safe);
        knight_attacks(self.knights & safe) | beside.attacks(Bitboard::EMPTY).union()
    }

    /// Proves confinement with the defender's king on any square of `king`.
    fn prove(&self, king: Bitboard, budget: &mut u32) -> Option<Proof> {
        *budget = budget.checked_sub(1)?;
        // Usually the defender need not capture anything.
        let nowhere = self.pieces.iter().map(|_| Bitboard::EMPTY).collect();
        if let Some(reaches) = self.reaches(&nowhere, king)
            && let Some(zone) = self.zone(&reaches, Bitboard::FULL, king)
        {
            return Some(Proof { pieces: reaches.pieces, zone, attacked: reaches.attacked });
        }
        // By piece of the attacker: the squares where a pawn is relied on to capture it.
        let mut guarded: ArrayVec<Bitboard, MAX_PIECES> =
            self.pieces.iter().map(|_| !Bitboard::from_rank(Rank::First)).collect();
        loop {
            *budget = budget.checked_sub(1)?;
            let reaches = self.reaches(&guarded, king)?;
            let mut zone = self.zone(&reaches, Bitboard::FULL, king)?;
            let mut must_retry = false;
            for (index, sacrifices) in reaches.sacrifices.iter().enumerate() {
                for square in *sacrifices {
                    let square = bit(square);
                    let capturers = pawn_attacks(square) & self.pawns & reaches.safe & !square;
                    let smaller = capturers.into_iter().find_map(|capturer| {
                        let after = self.after_sacrifice(&reaches, index, square, bit(capturer));
                        let zone = zone & after.prove(king, budget)?.zone;
                        self.zone(&reaches, zone, king)
                    });
                    match smaller {
                        Some(smaller) => zone = smaller,
                        None if *budget == 0 => return None,
                        None => {
                            guarded[index] &= !square;
                            must_retry = true;
                        }
                    }
                }
            }
            if !must_retry {
                return Some(Proof { pieces: reaches.pieces, zone, attacked: reaches.attacked });
            }
        }
    }

    /// The camp after a pawn has captured a piece on the square to which it moved.
    fn after_sacrifice(
        &self,
        reaches: &Reaches,
        index: usize,
        square: Bitboard,
        capturer: Bitboard,
    ) -> Camp {
        let mut pieces = reaches.pieces.clone();
        pieces.remove(index);
        let certain = reaches.safe & !square & !capturer;
        Camp {
            pieces,
            pawns: (self.pawns & certain) | square,
            knights: self.knights & certain,
            diagonal: self.diagonal & certain,
            orthogonal: self.orthogonal & certain,
            doubtful: (self.certain() | self.doubtful) & !certain & !square & !capturer,
        }
    }

    /// The largest set of squares within `limit`, connected with `king`, where the defender's king
    /// always has a move; `None` if `king` is not part of it.
    fn zone(&self, reaches: &Reaches, limit: Bitboard, king: Bitboard) -> Option<Bitboard> {
        let reached = reaches.pieces.iter().fold(Bitboard::EMPTY, |all, piece| all | piece.reach);
        let quiet = limit & !(reached | reaches.attacked | self.certain() | self.doubtful);
        let zone = quiet & king_attacks(quiet);
        (king & !zone).is_empty().then(|| flood(king, zone, king_attacks))
    }

    /// The fixpoint of all reaches; `None` as soon as a square of `king` is attacked or a pawn
    /// promotes.
    fn reaches(&self, guarded: &ArrayVec<Bitboard, MAX_PIECES>, king: Bitboard) -> Option<Reaches> {
        let defenders = self.certain() | self.doubtful;
        let mut safe = self.certain();
        let mut pieces = self.pieces.clone();
        loop {
            let fixed = fixed_pieces(&pieces);
            let blockers = safe | fixed;
            let by_pawns = attacks_south(self.pawns & safe);
            let by_all = by_pawns | self.attacked_by_pieces(safe);
            let (safe_before, mut grown) = (safe, false);
            let mut sacrifices: ArrayVec<Bitboard, MAX_PIECES> = ArrayVec::new();
            let mut attacked = Bitboard::EMPTY;
            for (piece, guarded) in pieces.iter_mut().zip(guarded) {
                let own = if piece.reach.more_than_one() { Bitboard::EMPTY } else { piece.reach };
                let empty = !(blockers & !own);
                let reached = attacks_of(piece.role, piece.reach, empty);
                attacked |= reached;
                if reached.intersects(king) {
                    return None;
                }
                let targets = match piece.role {
                    Role::Pawn => (reached & defenders) | pushes(piece.reach, empty),
                    _ => reached & !(fixed & !own),
                };
                // Squares that the piece reaches unharmed are not sacrifices.
                let taken = match piece.role {
                    Role::King => targets & by_all,
                    _ => targets & by_pawns & *guarded & !piece.reach,
                };
                let targets = targets & !taken;
                if piece.role == Role::Pawn && targets.intersects(Bitboard::from_rank(Rank::Eighth))
                {
                    return None;
                }
                sacrifices.push(if piece.role == Role::King { Bitboard::EMPTY } else { taken });
                safe &= !targets;
                grown |= (targets & !piece.reach).any();
                piece.reach |= targets;
            }
            if !grown && safe == safe_before {
                return Some(Reaches { pieces, safe, sacrifices, attacked });
            }
        }
    }
}

/// The squares of pieces whose set is a single square: they never move.
fn fixed_pieces(pieces: &Pieces) -> Bitboard {
    pieces
        .iter()
        .filter(|piece| !piece.reach.more_than_one())
        .fold(Bitboard::EMPTY, |all, piece| all | piece.reach)
}
