//! Bytes as a source of numbers, positions and moves.

use std::sync::LazyLock;

use freshet::board::{Epd, Move, Position};
use freshet::chess::{Color, Piece, Role, Square, square_at};
use shakmaty::Setup;

/// Bytes that are read from the front. At their end there are zeros.
pub struct Input<'a>(pub &'a [u8]);

/// Positions to start from: openings of Chess960, traps, locked pawn endings.
static STARTS: LazyLock<Vec<Position>> = LazyLock::new(|| {
    let suites = [
        include_str!("../suites/perft_chess960.epd"),
        include_str!("../suites/perft_tricky.epd"),
        include_str!("../suites/blocked.epd"),
        include_str!("../suites/blocked_known.epd"),
        include_str!("../suites/blocked_minor.epd"),
    ];
    let positions = |text| Epd::lines(text).map(|(_, epd)| epd.expect("a suite").position);
    suites.into_iter().flat_map(positions).collect()
});

impl<'a> Input<'a> {
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn byte(&mut self) -> u8 {
        match self.0.split_first() {
            Some((&first, rest)) => {
                self.0 = rest;
                first
            }
            None => 0,
        }
    }

    pub fn bytes<const N: usize>(&mut self) -> [u8; N] {
        std::array::from_fn(|_| self.byte())
    }

    pub fn word(&mut self) -> u16 {
        u16::from_le_bytes(self.bytes())
    }

    pub fn long(&mut self) -> u64 {
        u64::from_le_bytes(self.bytes())
    }

    /// All remaining bytes.
    pub fn rest(&mut self) -> &'a [u8] {
        std::mem::take(&mut self.0)
    }

    /// A position to start from: the start of chess, one of the suites, or any pieces.
    pub fn start(&mut self) -> Position {
        match self.byte() % 4 {
            0 => Position::start(),
            1 | 2 => STARTS[usize::from(self.word()) % STARTS.len()].clone(),
            _ => self.placed().unwrap_or_default(),
        }
    }

    /// A position of any pieces, two bytes each, up to a piece without a role; `None` if it is
    /// illegal.
    fn placed(&mut self) -> Option<Position> {
        let mut setup = Setup::empty();
        let state = self.byte();
        setup.turn = if state & 1 == 0 { Color::White } else { Color::Black };
        setup.halfmoves = u32::from(state >> 1);
        let king = |color| Piece { color, role: Role::King };
        setup.board.set_piece_at(square_at(self.byte().into()), king(Color::White));
        setup.board.set_piece_at(square_at(self.byte().into()), king(Color::Black));
        let places = self.byte();
        // An en passant square, and castling with the rooks of some files. Reading the position
        // ignores impossible ones.
        if places & 15 != 0 {
            let rank = if setup.turn.is_white() { 40 } else { 16 };
            setup.ep_square = Some(square_at(rank + u32::from(places & 7)));
        }
        if places & 16 != 0 {
            let corners = [Square::A1, Square::H1, Square::A8, Square::H8];
            corners.into_iter().for_each(|square| setup.castling_rights.add(square));
        }
        while !self.is_empty() {
            let (piece, square) = (self.byte(), square_at(self.byte().into()));
            let Some(&role) = Role::ALL[..5].get(usize::from(piece & 7)) else { break };
            let color = if piece & 8 == 0 { Color::White } else { Color::Black };
            if setup.board.piece_at(square).is_none_or(|piece| piece.role != Role::King) {
                setup.board.set_piece_at(square, Piece { color, role });
            }
        }
        Position::from_setup(setup).ok()
    }

    /// One of the legal moves; `None` if there are none.
    pub fn choose(&mut self, position: &Position) -> Option<Move> {
        let moves = position.moves();
        let choice: usize = if moves.len() > 256 { self.word().into() } else { self.byte().into() };
        (!moves.is_empty()).then(|| moves[choice % moves.len()])
    }
}
