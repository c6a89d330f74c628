//! Piece bitbases: kings and up to three pieces, with or without pawns, on all squares.
//!
//! As in [king pairs](super::king_pairs), one side is the *attacker*, and the bitbase says from
//! which positions it can force a win, by retrograde analysis over sets. For each square of the
//! attacker's king and of each piece there is a *word*: the set of squares of the defender's king.
//! Without pawns the board is symmetrical, and of words that are mirror images only one is kept.
//! A king step of the defender is a king fill of a word; a move of any other piece leads from one
//! word to another. A slider of the attacker sees through the defender's king: it also attacks the
//! squares behind that king, and it never has to stop before it, since the attacker is not to move
//! while it gives check. A slider of the defender may have its own king in its way, which is a mask
//! over the word.
//!
//! Moves that keep all pawns and pieces are followed. A capture of a piece leads to the bitbase
//! with one piece fewer. [`PawnChanges`] decides the moves that change the pawns. If it favours the
//! attacker more than chess does, and the attacker cannot win even then, it is proven unable to win.

use std::sync::Arc;

use arrayvec::ArrayVec;

use super::king_pairs::KingPairBitbase;
use super::structure::{PawnStructure, attacks_south};
use crate::chess::{Bitboard, Role, Square, between, bit};
use crate::fill::attacks_of;
use crate::fill::spans::pawn_attacks;
use crate::fill::waves::king_attacks;

/// A kind of piece. Bishops on light and on dark squares are different kinds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PieceKind {
    /// A queen.
    Queen,
    /// A rook.
    Rook,
    /// A bishop on light squares.
    LightBishop,
    /// A bishop on dark squares.
    DarkBishop,
    /// A knight.
    Knight,
}

impl PieceKind {
    /// Every kind, in the order in which [`Pieces`] lists them.
    pub const ALL: [PieceKind; 5] = [
        PieceKind::Queen,
        PieceKind::Rook,
        PieceKind::LightBishop,
        PieceKind::DarkBishop,
        PieceKind::Knight,
    ];

    /// The role; both kinds of bishop are [`Role::Bishop`].
    pub fn role(self) -> Role {
        match self {
            PieceKind::Queen => Role::Queen,
            PieceKind::Rook => Role::Rook,
            PieceKind::LightBishop | PieceKind::DarkBishop => Role::Bishop,
            PieceKind::Knight => Role::Knight,
        }
    }

    /// The squares it can ever stand on.
    pub fn squares(self) -> Bitboard {
        match self {
            PieceKind::LightBishop => Bitboard::LIGHT_SQUARES,
            PieceKind::DarkBishop => Bitboard::DARK_SQUARES,
            _ => Bitboard::FULL,
        }
    }
}

/// The most pieces of both sides together, not counting kings.
pub const MAX_PIECES: usize = 3;

/// The pieces of both sides beside the kings, each side's in the order of [`PieceKind`].
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Pieces {
    /// The attacker's pieces.
    pub attacker: ArrayVec<PieceKind, MAX_PIECES>,
    /// The defender's pieces.
    pub defender: ArrayVec<PieceKind, MAX_PIECES>,
}

impl Pieces {
    /// The number of pieces of both sides.
    pub fn count(&self) -> usize {
        self.attacker.len() + self.defender.len()
    }

    /// The kind of a piece by its number; the attacker's pieces come first.
    fn kind(&self, piece: usize) -> PieceKind {
        let ours = self.attacker.len();
        if piece < ours { self.attacker[piece] } else { self.defender[piece - ours] }
    }

    /// The pieces without the one with this number.
    pub fn without(&self, piece: usize) -> Pieces {
        let mut rest = self.clone();
        let ours = self.attacker.len();
        if piece < ours {
            rest.attacker.remove(piece);
        } else {
            rest.defender.remove(piece - ours);
        }
        rest
    }
}

/// The squares of the attacker's king and of the pieces, in the order of [`Pieces`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PieceSquares {
    /// The attacker's king. The defender's is not here: a word is a set of its squares.
    pub king: Square,
    /// The pieces of both sides, the attacker's first.
    pub pieces: ArrayVec<Square, MAX_PIECES>,
}

impl PieceSquares {
    /// These squares without those of a piece.
    pub(super) fn without(&self, piece: usize) -> PieceSquares {
        let mut rest = self.clone();
        rest.pieces.remove(piece);
        rest
    }

    /// These squares after a piece has moved, the king if `piece` is `None`.
    pub(super) fn moved(&self, piece: Option<usize>, to: Square) -> PieceSquares {
        let mut moved = self.clone();
        match piece {
            None => moved.king = to,
            Some(piece) => moved.pieces[piece] = to,
        }
        moved
    }

    /// The squares of the king and all pieces.
    pub(super) fn set(&self) -> Bitboard {
        self.pieces.iter().fold(bit(self.king), |all, &square| all | bit(square))
    }
}

/// The position after a pawn change: a move that changes the pawns.
pub struct Change<'a> {
    /// The pawns after the change.
    pub pawns: PawnStructure,
    /// The squares after the change.
    pub squares: &'a PieceSquares,
    /// The captured piece, if any, by its number before the change.
    pub captured: Option<usize>,
}

/// Decides the outcome of pawn changes.
pub trait PawnChanges {
    /// The squares of the defender's king with which the attacker wins by this change. May include
    /// illegal positions.
    fn attacker_wins(&self, change: &Change<'_>) -> Bitboard;
    /// The squares of the defender's king with which this change saves the defender. Must not
    /// include illegal positions.
    fn defender_saved(&self, change: &Change<'_>) -> Bitboard;
}

/// What to keep of a solved bitbase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// Which positions are won.
    Results,
    /// Also the number of moves to each win.
    Distances,
}

/// The positions of given pieces among given pawns in which the attacker, who moves north, wins.
pub struct PieceBitbase {
    layout: Layout,
    /// Attacker to move: legal positions that are not won.
    holds: Vec<u64>,
    /// Defender to move: positions that are won for the attacker.
    won: Vec<u64>,
    /// For each position of `won`, by word and square, the attacker's moves to the win; empty if
    /// not requested.
    distances: Vec<u8>,
}

/// The numbering of words: the squares on which the king and each piece can stand, and the word
/// offset of each. Without pawns the board is symmetrical, and only some squares of the attacker's king
/// have words, its *home*: 20 of 64 if there are bishops, otherwise 10.
struct Layout {
    /// The king first, then the pieces.
    dimensions: Vec<Dimension>,
    words: usize,
    /// For each square of the attacker's king, the symmetries that take it home: one, or without pawns
    /// two from the long diagonals.
    home: [ArrayVec<Symmetry, 2>; 64],
}

/// A symmetry of the board: up to two mirrorings, and then one at the diagonal from a1 to h8.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Symmetry {
    /// The files are mirrored.
    horizontal: bool,
    /// The ranks are mirrored.
    vertical: bool,
    /// Then files and ranks are swapped.
    diagonal: bool,
}

impl Symmetry {
    /// All symmetries of the board, the identity first.
    fn all() -> impl Iterator<Item = Symmetry> {
        (0..8).map(|bits| Symmetry {
            horizontal: bits & 1 != 0,
            vertical: bits & 2 != 0,
            diagonal: bits & 4 != 0,
        })
    }

    /// Whether light squares stay light.
    fn keeps_colours(self) -> bool {
        self.horizontal == self.vertical
    }

    fn square(self, mut square: Square) -> Square {
        if self.horizontal {
            square = square.flip_horizontal();
        }
        if self.vertical {
            square = square.flip_vertical();
        }
        if self.diagonal { square.flip_diagonal() } else { square }
    }

    fn squares(self, squares: &PieceSquares) -> PieceSquares {
        PieceSquares {
            king: self.square(squares.king),
            pieces: squares.pieces.iter().map(|&square| self.square(square)).collect(),
        }
    }

    fn set(self, mut set: Bitboard) -> Bitboard {
        if self.horizontal {
            set = set.flip_horizontal();
        }
        if self.vertical {
            set = set.flip_vertical();
        }
        if self.diagonal { set.flip_diagonal() } else { set }
    }

    /// Undoes [`Symmetry::set`].
    fn set_back(self, mut set: Bitboard) -> Bitboard {
        if self.diagonal {
            set = set.flip_diagonal();
        }
        Symmetry { diagonal: false, ..self }.set(set)
    }
}

struct Dimension {
    squares: Vec<Square>,
    /// The offset of each square; [`NOWHERE`] if the piece cannot stand there.
    offset: [u32; 64],
    step: usize,
}

const NOWHERE: u32 = u32::MAX;

impl Layout {
    fn new(pawns: Bitboard, pieces: &Pieces) -> Layout {
        let kinds = (0..pieces.count()).map(|piece| pieces.kind(piece).squares());
        let has_colours = kinds.clone().any(|squares| squares != Bitboard::FULL);
        let symmetries: ArrayVec<Symmetry, 8> = Symmetry::all()
            .take(if pawns.is_empty() { 8 } else { 1 })
            .filter(|symmetry| !has_colours || symmetry.keeps_colours())
            .collect();
        // Of the squares that the symmetries take to each other the first is home.
        let first = Square::ALL.map(|king| {
            symmetries.iter().map(|symmetry| symmetry.square(king)).min().expect("the identity")
        });
        let home = Square::ALL.map(|king| {
            let goes_home = |symmetry: &Symmetry| symmetry.square(king) == first[king as usize];
            symmetries.iter().copied().filter(goes_home).collect()
        });
        let homes = Square::ALL.into_iter().filter(|&king| first[king as usize] == king).collect();
        let mut step = 1;
        let dimensions = std::iter::once(homes)
            .chain(kinds)
            .map(|allowed| {
                let squares: Vec<Square> = (allowed & !pawns).into_iter().collect();
                let mut offset = [NOWHERE; 64];
                for (index, &square) in squares.iter().enumerate() {
                    offset[square as usize] = (index * step) as u32;
                }
                let dimension = Dimension { squares, offset, step };
                step *= dimension.squares.len();
                dimension
            })
            .collect();
        Layout { dimensions, words: step, home }
    }

    /// The word of these squares, and the symmetry that takes them to it. `None` if a piece cannot
    /// stand on its square.
    fn find(&self, squares: &PieceSquares) -> Option<(usize, Symmetry)> {
        let symmetry = self.home[squares.king as usize][0];
        Some((self.word(&symmetry.squares(squares))?, symmetry))
    }

    /// The word of these squares, with the king at home; `None` if a piece cannot stand on its square.
    fn word(&self, squares: &PieceSquares) -> Option<usize> {
        let squares = std::iter::once(squares.king).chain(squares.pieces.iter().copied());
        self.dimensions.iter().zip(squares).try_fold(0, |word, (dimension, square)| {
            let offset = dimension.offset[square as usize];
            (offset != NOWHERE).then_some(word + offset as usize)
        })
    }

    /// The squares of a word.
    fn squares(&self, word: usize) -> PieceSquares {
        let square = |of: &Dimension| of.squares[word / of.step % of.squares.len()];
        let pieces = self.dimensions[1..].iter().map(square).collect();
        PieceSquares { king: square(&self.dimensions[0]), pieces }
    }

    /// The word after a piece (the king is 0) has moved from one square to another.
    fn moved(&self, word: usize, dimension: usize, from: Square, to: Square) -> usize {
        let offset = &self.dimensions[dimension].offset;
        word + offset[to as usize] as usize - offset[from as usize] as usize
    }
}

impl PieceBitbase {
    /// The squares of the defender's king with which the attacker, to move, does not win. Legal
    /// positions only.
    pub fn holds(&self, squares: &PieceSquares) -> Bitboard {
        self.set_in(&self.holds, squares)
    }

    /// The squares of the defender's king with which the attacker wins if the defender is to move.
    pub fn won(&self, squares: &PieceSquares) -> Bitboard {
        self.set_in(&self.won, squares)
    }

    /// The set of the defender's king in the word of these squares.
    fn set_in(&self, words: &[u64], squares: &PieceSquares) -> Bitboard {
        let found = self.layout.find(squares);
        found.map_or(Bitboard::EMPTY, |(word, symmetry)| symmetry.set_back(Bitboard(words[word])))
    }

    /// The size of the bitbase in bytes.
    pub fn size(&self) -> usize {
        8 * (self.holds.len() + self.won.len()) + self.distances.len()
    }

    /// The bytes of memory needed to solve a bitbase.
    pub fn size_while_solving(pawns: PawnStructure, pieces: &Pieces) -> usize {
        PieceBitbase::words(pawns, pieces) * (3 * 8 + 1)
    }

    /// The number of words: squares of the attacker's king and of all pieces, without mirror images.
    pub(super) fn words(pawns: PawnStructure, pieces: &Pieces) -> usize {
        Layout::new(pawns.all(), pieces).words
    }

    /// The bitbase without pieces, converted from a king-pair bitbase.
    pub(super) fn of_kings(pawns: PawnStructure, kings: &KingPairBitbase) -> PieceBitbase {
        let occupied = pawns.ours | pawns.theirs;
        let layout = Layout::new(occupied, &Pieces::default());
        let squares = layout.dimensions[0].squares.iter();
        let (holds, won) = squares
            .map(|&king| {
                let attacked = pawns.our_attacks() | king_attacks(bit(king));
                let legal = !(attacked | occupied | bit(king));
                let holds = legal & !kings.won_against(king, true);
                (holds.0, kings.won_against(king, false).0)
            })
            .unzip();
        PieceBitbase { layout, holds, won, distances: Vec::new() }
    }

    /// Solves the bitbase; `None` if `stop` returned true. `smaller` holds the bitbases with one
    /// piece fewer, in the order of the pieces removed; it is empty if there are no pieces.
    pub fn solve(
        pawns: PawnStructure,
        pieces: &Pieces,
        smaller: &[Arc<PieceBitbase>],
        pawn_changes: &impl PawnChanges,
        keep: Keep,
        stop: &dyn Fn() -> bool,
    ) -> Option<PieceBitbase> {
        let rules = Rules::new(pawns, pieces, smaller, pawn_changes);
        let mut solver = Solver::new(&rules, stop)?;
        if keep == Keep::Distances {
            solver.distances = vec![0; 64 * rules.layout.words];
            solver.lose_mated(&rules);
        }
        while solver.round(&rules, stop)? {}
        let Solver { holds, won, distances, .. } = solver;
        Some(PieceBitbase { layout: rules.layout, holds, won, distances })
    }

    /// The attacker's moves to a forced capture, pawn change or mate, with the defender to move in
    /// a won position: 0 if it is mated, 255 for more than 254. `None` if the position is not won or
    /// distances were not kept.
    pub fn distance(&self, squares: &PieceSquares, defender: Square) -> Option<u32> {
        let (word, symmetry) = self.layout.find(squares)?;
        let defender = symmetry.square(defender);
        let won = Bitboard(self.won[word]).contains(defender);
        let distance = self.distances.get(64 * word + defender as usize).filter(|_| won)?;
        Some(u32::from(*distance))
    }
}

/// The rules of the game among these pawns with these pieces.
struct Rules<'a, B> {
    pawns: PawnStructure,
    occupied: Bitboard,
    our_attacks: Bitboard,
    their_attacks: Bitboard,
    pieces: &'a Pieces,
    layout: Layout,
    /// Attacks of each piece from each square with only pawns in the way.
    open_attacks: ArrayVec<[Bitboard; 64], MAX_PIECES>,
    smaller: &'a [Arc<PieceBitbase>],
    pawn_changes: &'a B,
}

/// Sets that stay constant during the fixpoint, for one word.
struct Fixed {
    /// Attacker to move: legal positions in which nothing wins at once.
    holds: Bitboard,
    /// Defender to move: positions that are illegal, or in which a capture, a pawn change or
    /// stalemate saves it.
    saved: Bitboard,
}

/// The pieces of a word and their attacks.
struct Board {
    squares: PieceSquares,
    occupied: Bitboard,
    /// The attacks of each piece, with the defender's king transparent.
    attacks: ArrayVec<Bitboard, MAX_PIECES>,
    /// All squares that the attacker attacks.
    attacked: Bitboard,
}

impl<'a, B: PawnChanges> Rules<'a, B> {
    fn new(
        pawns: PawnStructure,
        pieces: &'a Pieces,
        smaller: &'a [Arc<PieceBitbase>],
        pawn_changes: &'a B,
    ) -> Rules<'a, B> {
        let occupied = pawns.ours | pawns.theirs;
        let open_attacks = |piece| {
            let role = pieces.kind(piece).role();
            Square::ALL.map(|square| attacks_of(role, bit(square), !occupied))
        };
        Rules {
            pawns,
            occupied,
            open_attacks: (0..pieces.count()).map(open_attacks).collect(),
            our_attacks: pawns.our_attacks(),
            their_attacks: pawns.their_attacks(),
            pieces,
            layout: Layout::new(occupied, pieces),
            smaller,
            pawn_changes,
        }
    }

    /// The number of pieces of the attacker, which come before the defender's.
    fn ours(&self) -> usize {
        self.pieces.attacker.len()
    }

    /// The numbers of the defender's pieces.
    fn theirs(&self) -> std::ops::Range<usize> {
        self.ours()..self.pieces.count()
    }

    /// The attacks of a piece. Usually only pawns are in its way.
    fn attacks(&self, piece: usize, square: Square, occupied: Bitboard) -> Bitboard {
        let open = self.open_attacks[piece][square as usize];
        // A vanished pawn opens the lines that ended on it.
        if (open & (occupied ^ self.occupied)).is_empty() {
            return open;
        }
        attacks_of(self.pieces.kind(piece).role(), bit(square), !occupied)
    }

    /// The squares of a word, and all occupied squares; `None` if two pieces share a square.
    fn placed(&self, word: usize) -> Option<(PieceSquares, Bitboard)> {
        let squares = self.layout.squares(word);
        let set = squares.set();
        (set.count() == 1 + squares.pieces.len()).then(|| (squares, self.occupied | set))
    }

    /// The board of a word; `None` if two pieces share a square.
    fn board(&self, word: usize) -> Option<Board> {
        let (squares, occupied) = self.placed(word)?;
        let attacks: ArrayVec<Bitboard, MAX_PIECES> = (squares.pieces.iter().enumerate())
            .map(|(piece, &square)| self.attacks(piece, square, occupied))
            .collect();
        let by_pieces =
            attacks[..self.ours()].iter().fold(Bitboard::EMPTY, |all, &attacks| all | attacks);
        let attacked = self.our_attacks | king_attacks(bit(squares.king)) | by_pieces;
        Some(Board { squares, occupied, attacks, attacked })
    }

    /// The squares of the defender's king with which the defender's piece on `square` does not
    /// attack `target`: all of them if it is blocked anyway, otherwise those in between.
    fn shielded(
        &self,
        piece: usize,
        square: Square,
        target: Square,
        attacks: Bitboard,
    ) -> Bitboard {
        match self.pieces.kind(piece) {
            _ if !attacks.contains(target) => Bitboard::FULL,
            PieceKind::Knight => Bitboard::EMPTY,
            _ => between(square, target),
        }
    }

    /// The squares of the defender's king with which no piece checks the attacker's king on `king`,
    /// given these occupied squares and piece `captured` gone.
    fn no_check(
        &self,
        squares: &PieceSquares,
        king: Square,
        occupied: Bitboard,
        captured: Option<usize>,
    ) -> Bitboard {
        let checkers = self.theirs().filter(|&piece| Some(piece) != captured);
        checkers.fold(Bitboard::FULL, |safe, piece| {
            let square = squares.pieces[piece];
            safe & self.shielded(piece, square, king, self.attacks(piece, square, occupied))
        })
    }

    /// What does not change for a word.
    fn fixed(&self, word: usize) -> Fixed {
        let Some(board) = self.board(word) else {
            return Fixed { holds: Bitboard::EMPTY, saved: Bitboard::FULL };
        };
        let legal_to_move = !(board.attacked | board.occupied);
        let king = bit(board.squares.king);
        let by_pawn = king & self.their_attacks;
        let mut legal_waiting = !(king_attacks(king) | board.occupied);
        if by_pawn.any() {
            legal_waiting = Bitboard::EMPTY;
        }
        legal_waiting &= self.no_check(&board.squares, board.squares.king, board.occupied, None);
        let wins = self.captures(&board) | self.attacker_changes(&board);
        let saved = self.saving_captures(&board)
            | self.defender_changes(&board)
            | self.stalemates(&board, legal_to_move);
        Fixed { holds: legal_to_move & !wins, saved: saved | !legal_waiting }
    }

    /// Attacker to move: captures of pieces that win.
    fn captures(&self, board: &Board) -> Bitboard {
        let mut wins = Bitboard::EMPTY;
        for victim in self.theirs() {
            let target = board.squares.pieces[victim];
            if king_attacks(bit(board.squares.king)).contains(target) {
                let after = board.squares.moved(None, target).without(victim);
                wins |= self.smaller[victim].won(&after);
            }
            for piece in 0..self.ours() {
                if board.attacks[piece].contains(target) {
                    let after = board.squares.moved(Some(piece), target).without(victim);
                    wins |= self.smaller[victim].won(&after);
                }
            }
        }
        wins
    }

    /// Attacker to move: pawn changes that win.
    fn attacker_changes(&self, board: &Board) -> Bitboard {
        let (squares, king) = (&board.squares, board.squares.king);
        let PawnStructure { ours, theirs } = self.pawns;
        let mut wins = Bitboard::EMPTY;
        let mut change = |pawns, squares: &PieceSquares, captured, legal: Bitboard| {
            if legal.any() {
                let change = Change { pawns, squares, captured };
                wins |= legal & self.pawn_changes.attacker_wins(&change);
            }
        };
        for pawn in king_attacks(bit(king)) & theirs & !self.their_attacks {
            let occupied = board.occupied & !bit(king);
            let legal = !king_attacks(bit(pawn)) & self.no_check(squares, pawn, occupied, None);
            let pawns = PawnStructure { ours, theirs: theirs & !bit(pawn) };
            change(pawns, &squares.moved(None, pawn), None, legal);
        }
        let checking_pawns = pawn_attacks(bit(king)) & theirs;
        for piece in 0..self.ours() {
            let targets = board.attacks[piece] & theirs;
            if targets.is_empty() {
                continue;
            }
            let left = board.occupied & !bit(squares.pieces[piece]);
            let legal = self.no_check(squares, king, left, None);
            for pawn in targets.into_iter().filter(|&pawn| (checking_pawns & !bit(pawn)).is_empty())
            {
                let pawns = PawnStructure { ours, theirs: theirs & !bit(pawn) };
                change(pawns, &squares.moved(Some(piece), pawn), None, legal);
            }
        }
        for target in self.our_attacks & theirs {
            if (checking_pawns & !bit(target)).any() {
                continue;
            }
            for pawn in attacks_south(bit(target)) & ours {
                let legal = self.no_check(squares, king, board.occupied & !bit(pawn), None);
                let pawns = PawnStructure {
                    ours: (ours & !bit(pawn)) | bit(target),
                    theirs: theirs & !bit(target),
                };
                change(pawns, squares, None, legal);
            }
        }
        if checking_pawns.any() {
            return wins;
        }
        for victim in self.theirs() {
            let target = squares.pieces[victim];
            for pawn in attacks_south(bit(target)) & ours {
                let occupied = board.occupied & !bit(pawn);
                let legal = self.no_check(squares, king, occupied, Some(victim));
                let pawns = PawnStructure { ours: (ours & !bit(pawn)) | bit(target), theirs };
                change(pawns, &squares.without(victim), Some(victim), legal);
            }
        }
        for push in self.pawns.pushes().filter(|push| !push.path().intersects(board.occupied)) {
            let occupied = (board.occupied & !bit(push.from)) | bit(push.to);
            let legal = self.no_check(squares, king, occupied, None) & !push.path();
            change(self.pawns.moved(push), squares, None, legal);
        }
        wins
    }

    /// Defender to move: captures of pieces that save it.
    fn saving_captures(&self, board: &Board) -> Bitboard {
        let mut saved = Bitboard::EMPTY;
        for victim in 0..self.ours() {
            let target = board.squares.pieces[victim];
            let after = board.squares.without(victim);
            if self.smaller[victim].holds(&after).contains(target) {
                saved |= king_attacks(bit(target));
            }
            for piece in self.theirs().filter(|&piece| board.attacks[piece].contains(target)) {
                let after = board.squares.moved(Some(piece), target).without(victim);
                let line = between(board.squares.pieces[piece], target);
                saved |= self.smaller[victim].holds(&after) & !line;
            }
        }
        saved
    }

    /// Defender to move: pawn changes that save it.
    fn defender_changes(&self, board: &Board) -> Bitboard {
        let squares = &board.squares;
        let PawnStructure { ours, theirs } = self.pawns;
        let mut saved = Bitboard::EMPTY;
        let pawn_changes = |pawns, squares: &PieceSquares, captured| {
            self.pawn_changes.defender_saved(&Change { pawns, squares, captured })
        };
        for pawn in ours & !board.attacked {
            let pawns = PawnStructure { ours: ours & !bit(pawn), theirs };
            if pawn_changes(pawns, squares, None).contains(pawn) {
                saved |= king_attacks(bit(pawn));
            }
        }
        for piece in self.theirs() {
            for pawn in board.attacks[piece] & ours {
                let pawns = PawnStructure { ours: ours & !bit(pawn), theirs };
                let line = between(squares.pieces[piece], pawn);
                saved |= pawn_changes(pawns, &squares.moved(Some(piece), pawn), None) & !line;
            }
        }
        for victim in 0..self.ours() {
            let target = squares.pieces[victim];
            for pawn in pawn_attacks(bit(target)) & theirs {
                let pawns = PawnStructure { ours, theirs: (theirs & !bit(pawn)) | bit(target) };
                saved |= pawn_changes(pawns, &squares.without(victim), Some(victim));
            }
        }
        for target in self.their_attacks & ours {
            for pawn in pawn_attacks(bit(target)) & theirs {
                let pawns = PawnStructure {
                    ours: ours & !bit(target),
                    theirs: (theirs & !bit(pawn)) | bit(target),
                };
                saved |= pawn_changes(pawns, squares, None);
            }
        }
        for push in self.pawns.flipped().pushes() {
            let path = push.path().flip_vertical();
            if !path.intersects(board.occupied) {
                let pawns = self.pawns.flipped().moved(push).flipped();
                saved |= pawn_changes(pawns, squares, None) & !path;
            }
        }
        saved
    }

    /// Defender to move: stalemates.
    fn stalemates(&self, board: &Board, steps: Bitboard) -> Bitboard {
        self.without_moves(board, steps, !board.attacked)
    }

    /// Defender to move: positions in which it is mated.
    fn mated(&self, word: usize) -> Bitboard {
        let Some(board) = self.board(word) else { return Bitboard::EMPTY };
        let steps = !(board.attacked | board.occupied);
        self.without_moves(&board, steps, board.attacked & !board.occupied)
    }

    /// The squares of the defender's king, out of `kings`, with which it has no legal move. Its king can
    /// step to `steps`.
    fn without_moves(&self, board: &Board, steps: Bitboard, kings: Bitboard) -> Bitboard {
        let our_pieces = self.squares(board, 0..self.ours());
        let captures = (self.pawns.ours | our_pieces) & !board.attacked;
        let immobile = kings & !king_attacks(steps | captures);
        if immobile.is_empty() {
            return immobile;
        }
        immobile & !self.other_moves(board, our_pieces, immobile)
    }

    /// The squares of the pieces with these numbers.
    fn squares(&self, board: &Board, pieces: std::ops::Range<usize>) -> Bitboard {
        pieces.fold(Bitboard::EMPTY, |all, piece| all | bit(board.squares.pieces[piece]))
    }

    /// The squares of the defender's king, out of `kings`, with which its pawns and pieces have a
    /// legal move.
    fn other_moves(&self, board: &Board, our_pieces: Bitboard, kings: Bitboard) -> Bitboard {
        let theirs = self.pawns.theirs;
        let mut legal = Bitboard::EMPTY;
        let mut add = |from: Square, to: Square, possible: Bitboard| {
            let possible = possible & kings & !legal;
            if possible.any() {
                legal |= possible & !self.attacked_after(board, from, to);
            }
        };
        for piece in self.theirs() {
            let from = board.squares.pieces[piece];
            let own = theirs | self.squares(board, self.theirs());
            for to in board.attacks[piece] & !own & !bit(board.squares.king) {
                add(from, to, !(between(from, to) | bit(to)));
            }
        }
        for target in self.their_attacks & (our_pieces | self.pawns.ours) {
            for pawn in pawn_attacks(bit(target)) & theirs {
                add(pawn, target, Bitboard::FULL);
            }
        }
        for push in self.pawns.flipped().pushes() {
            let path = push.path().flip_vertical();
            if !path.intersects(board.occupied) {
                add(push.from.flip_vertical(), push.to.flip_vertical(), !path);
            }
        }
        legal
    }

    /// The squares that the attacker's pieces and pawns attack after a move of the defender. With its
    /// king there the move is not legal.
    fn attacked_after(&self, board: &Board, from: Square, to: Square) -> Bitboard {
        let occupied = (board.occupied & !bit(from)) | bit(to);
        let left = (0..self.ours()).filter(|&piece| board.squares.pieces[piece] != to);
        let pawns = PawnStructure { ours: self.pawns.ours & !bit(to), ..self.pawns };
        left.fold(pawns.our_attacks(), |all, piece| {
            all | self.attacks(piece, board.squares.pieces[piece], occupied)
        })
    }
}

/// The state of the fixpoint.
struct Solver {
    holds: Vec<u64>,
    won: Vec<u64>,
    /// [`Fixed::saved`] of each word.
    saved: Vec<u64>,
    /// The words whose `holds` changed in the last round.
    changed: Vec<u64>,
    /// As in [`PieceBitbase`].
    distances: Vec<u8>,
    rounds: u32,
}

/// Calls `visit` for each number in a set.
fn for_each(set: &[u64], mut visit: impl FnMut(usize)) {
    for (row, &bits) in set.iter().enumerate() {
        let mut bits = bits;
        while bits != 0 {
            visit(64 * row + bits.trailing_zeros() as usize);
            bits &= bits - 1;
        }
    }
}

fn insert(set: &mut [u64], number: usize) {
    set[number / 64] |= 1 << (number % 64);
}

impl Solver {
    fn new<B: PawnChanges>(rules: &Rules<'_, B>, stop: &dyn Fn() -> bool) -> Option<Solver> {
        let words = rules.layout.words;
        let mut solver = Solver {
            holds: Vec::with_capacity(words),
            won: vec![0; words],
            saved: Vec::with_capacity(words),
            changed: vec![0; words.div_ceil(64)],
            distances: Vec::new(),
            rounds: 0,
        };
        for word in 0..words {
            if word % 4096 == 0 && stop() {
                return None;
            }
            let fixed = rules.fixed(word);
            solver.holds.push(fixed.holds.0);
            solver.saved.push(fixed.saved.0);
            if fixed.saved != Bitboard::FULL {
                insert(&mut solver.changed, word);
            }
        }
        Some(solver)
    }

    /// Goes back one move of each side. Returns whether anything changed, and nothing if `stop`
    /// returned true.
    fn round<B: PawnChanges>(
        &mut self,
        rules: &Rules<'_, B>,
        stop: &dyn Fn() -> bool,
    ) -> Option<bool> {
        let (mut asked, mut stopped) = (0_u32, false);
        let mut is_stopped = || {
            asked += 1;
            stopped |= asked.is_multiple_of(4096) && stop();
            stopped
        };
        let defender_moves = rules.theirs().next().is_some();
        let mut candidates = self.changed.clone();
        if defender_moves {
            for_each(&self.changed, |word| {
                if is_stopped() {
                    return;
                }
                let Some((squares, occupied)) = rules.placed(word) else { return };
                for piece in rules.theirs() {
                    let from = squares.pieces[piece];
                    for to in rules.attacks(piece, from, occupied) & !occupied {
                        insert(&mut candidates, rules.layout.moved(word, piece + 1, from, to));
                    }
                }
            });
        }
        self.changed.fill(0);
        let (mut any, mut lost) = (false, Vec::new());
        for_each(&candidates, |word| {
            if is_stopped() {
                return;
            }
            let open = !self.saved[word] & !self.won[word];
            let open = open & !king_attacks(Bitboard(self.holds[word])).0;
            if open == 0 {
                return;
            }
            let open =
                if defender_moves { self.without_piece_moves(rules, word, open) } else { open };
            if open == 0 {
                return;
            }
            any = true;
            // Without distances, later words of this round may already use the result.
            if self.distances.is_empty() {
                self.lose(rules, word, open);
            } else {
                lost.push((word, open));
            }
        });
        if stopped {
            return None;
        }
        self.rounds += 1;
        for (word, positions) in lost {
            for square in Bitboard(positions) {
                let distance = &mut self.distances[64 * word + square as usize];
                *distance = self.rounds.min(255) as u8;
            }
            self.lose(rules, word, positions);
        }
        Some(any)
    }

    /// Notes the positions in which the defender is mated, before the first round: the attacker needs no
    /// move more there.
    fn lose_mated<B: PawnChanges>(&mut self, rules: &Rules<'_, B>) {
        for word in 0..rules.layout.words {
            let mated = rules.mated(word).0 & !self.saved[word];
            if mated != 0 {
                self.lose(rules, word, mated);
            }
        }
    }

    /// Notes that the defender, to move, loses these positions, and goes back from there.
    fn lose<B: PawnChanges>(&mut self, rules: &Rules<'_, B>, word: usize, positions: u64) {
        self.won[word] |= positions;
        self.go_back(rules, word, positions);
    }

    /// The squares of the defender's king in `open` with which no move of its pieces saves it.
    fn without_piece_moves<B: PawnChanges>(
        &self,
        rules: &Rules<'_, B>,
        word: usize,
        mut open: u64,
    ) -> u64 {
        let Some((squares, occupied)) = rules.placed(word) else { return 0 };
        for piece in rules.theirs() {
            let from = squares.pieces[piece];
            for to in rules.attacks(piece, from, occupied) & !occupied {
                let next = rules.layout.moved(word, piece + 1, from, to);
                open &= !(self.holds[next] & !between(from, to).0);
                if open == 0 {
                    return 0;
                }
            }
        }
        open
    }

    /// Removes from `holds` the positions from which the attacker can move to `positions`.
    fn go_back<B: PawnChanges>(&mut self, rules: &Rules<'_, B>, word: usize, positions: u64) {
        let Some((squares, occupied)) = rules.placed(word) else { return };
        let mut reach = |before: usize, positions: u64| {
            if self.holds[before] & positions != 0 {
                self.holds[before] &= !positions;
                insert(&mut self.changed, before);
            }
        };
        let (layout, king) = (&rules.layout, squares.king);
        for from in king_attacks(bit(king)) & !occupied {
            // From a long diagonal the king comes home by two symmetries: both words change.
            for &symmetry in &layout.home[from as usize] {
                // The usual case, for speed.
                if symmetry == Symmetry::default() {
                    reach(layout.moved(word, 0, king, from), positions);
                    continue;
                }
                let before = layout.word(&symmetry.squares(&squares.moved(None, from)));
                let before = before.expect("symmetries keep the colours of bishops' squares");
                reach(before, symmetry.set(Bitboard(positions)).0);
            }
        }
        for piece in 0..rules.ours() {
            let to = squares.pieces[piece];
            for from in rules.attacks(piece, to, occupied) & !occupied {
                reach(layout.moved(word, piece + 1, to, from), positions);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::conversions::{Claim, conversions_of};
    use super::*;

    /// Without pawns there are no changes.
    struct NoPawns;

    impl PawnChanges for NoPawns {
        fn attacker_wins(&self, _: &Change<'_>) -> Bitboard {
            unreachable!("there are no pawns")
        }

        fn defender_saved(&self, _: &Change<'_>) -> Bitboard {
            unreachable!("there are no pawns")
        }
    }

    /// The bitbase of pieces without pawns.
    fn solved(pieces: &Pieces, keep: Keep) -> PieceBitbase {
        let pawns = PawnStructure { ours: Bitboard::EMPTY, theirs: Bitboard::EMPTY };
        if pieces.count() == 0 {
            let none = |_| None::<&KingPairBitbase>;
            let conversions = conversions_of(pawns, Claim::Proven, none);
            let kings = KingPairBitbase::solve(pawns, &conversions, None);
            return PieceBitbase::of_kings(pawns, &kings);
        }
        let smaller: Vec<_> = (0..pieces.count())
            .map(|piece| Arc::new(solved(&pieces.without(piece), Keep::Results)))
            .collect();
        let bitbase = PieceBitbase::solve(pawns, pieces, &smaller, &NoPawns, keep, &|| false);
        bitbase.expect("nothing stops it")
    }

    /// The longest wins take the known number of moves until a capture or mate (K. Thompson,
    /// "Retrograde Analysis of Certain Endgames", ICCA Journal 9, 1986). Thompson counts from a move of
    /// the attacker. This test counts from a move of the defender, which may give one move less. Two
    /// bishops against a knight (66 moves) and a queen against two bishops (71) take too long for a test.
    #[test]
    fn longest_wins_without_pawns() {
        use PieceKind::{Knight, LightBishop, Rook};
        for (beside, moves) in [(Knight, 33), (LightBishop, 59)] {
            let pieces = Pieces {
                attacker: [Rook, beside].into_iter().collect(),
                defender: [Rook].into_iter().collect(),
            };
            let longest = solved(&pieces, Keep::Distances).distances.into_iter().max();
            assert!(
                longest.is_some_and(|longest| longest == moves || longest == moves - 1),
                "{pieces:?}: {longest:?} moves"
            );
        }
    }
}
