//! Walls: claims that a side cannot win, checked move by move with the ordinary rules.
//!
//! Two checks, both with the move generator and without the fills of the proofs:
//!
//! - **Solver.** Retrograde analysis, position by position, of a game with one rule: every pawn
//!   capture by the attacker wins, and none by the defender saves it. The bitbases must agree with
//!   it.
//! - **Closure.** If the engine claims that a side cannot win, then after each of that side's moves
//!   the opponent must have an answer after which the claim still holds. A set of positions closed
//!   in this way contains no mate of the opponent and nothing that leads to one.
//!
//! The environment variable `FRESHET_STRUCTURES` sets the number of random structures to try (12).
//! Half of them are walls, half are walls with a ram removed or shifted by a square.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use freshet::board::{Epd, Position};
use freshet::chess::{Bitboard, ByColor, Color, Role, Square, bit, square_at};
use freshet::engine::Engine;
use freshet::known::Knowledge;
use freshet::known::fortress::flood::{confinement, confinement_within};
use freshet::known::fortress::pawns::PawnFortresses;
use freshet::known::fortress::pieces::{Budget, PieceFortresses, SolvedEndings, Verdict};
use freshet::known::fortress::structure::PawnStructure;
use freshet::score::Score;
use freshet::search::Limits;
use freshet::tools::solve::{Explorer, Outcome, SolveLimits};
use rand::RngExt;
use rand::rngs::Xoshiro256PlusPlus;
use shakmaty_syzygy::Wdl;

use crate::support::{blocked_verdict, check_suite, position, random, suite, tables};

/// The number of random structures to try.
fn structures_to_try() -> usize {
    std::env::var("FRESHET_STRUCTURES").ok().and_then(|number| number.parse().ok()).unwrap_or(12)
}

type Pawns = ByColor<Bitboard>;

/// A piece or king with its square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct OnSquare {
    color: Color,
    role: Role,
    square: Square,
}

/// Whether no pawn can move or capture, and none stands on an edge or on another.
fn is_locked(pawns: Pawns) -> bool {
    let both = pawns.white | pawns.black;
    (pawns.white & pawns.black).is_empty()
        && !both.intersects(Bitboard::BACKRANKS)
        && PawnStructure { ours: pawns.white, theirs: pawns.black }.is_locked()
}

/// A chain of rams over most files.
fn wall(random: &mut Xoshiro256PlusPlus) -> Pawns {
    loop {
        let (mut white, mut black) = (Bitboard::EMPTY, Bitboard::EMPTY);
        let mut rank = random.random_range(1i32..6);
        for file in 0..8 {
            rank = (rank + random.random_range(-1..2)).clamp(1, 5);
            if random.random_range(0..6) > 0 {
                white |= bit(square_at((8 * rank + file) as u32));
                black |= bit(square_at((8 * rank + 8 + file) as u32));
            }
        }
        let pawns = Pawns { white, black };
        if is_locked(pawns) && white.count() >= 4 {
            return pawns;
        }
    }
}

/// A wall with one ram removed, or shifted by a square, that is still locked.
fn near_wall(random: &mut Xoshiro256PlusPlus) -> Pawns {
    loop {
        let Pawns { white, black } = wall(random);
        let all: Vec<Square> = white.into_iter().collect();
        let from = bit(all[random.random_range(0..all.len())]);
        let to: Vec<Square> = freshet::fill::waves::king_attacks(from).into_iter().collect();
        let to = match random.random_range(0..2) {
            0 => Bitboard::EMPTY,
            _ => bit(to[random.random_range(0..to.len())]),
        };
        let up = |set: Bitboard| Bitboard(set.0 << 8);
        let changed = Pawns { white: (white & !from) | to, black: (black & !up(from)) | up(to) };
        if changed.white.count() == changed.black.count() && is_locked(changed) {
            return changed;
        }
    }
}

/// The structure with one more black pawn, which can move, while no white pawn can.
fn with_mobile_pawn(pawns: Pawns, random: &mut Xoshiro256PlusPlus) -> Pawns {
    loop {
        let pawn = bit(square_at(random.random_range(8..56)));
        let more = Pawns { black: pawns.black | pawn, ..pawns };
        let seen = PawnStructure { ours: more.white, theirs: more.black };
        let is_new = !(pawns.white | pawns.black).intersects(pawn);
        if is_new && !seen.is_locked() && seen.is_locked_for_attacker() {
            return more;
        }
    }
}

/// The structure with this number: walls and near-walls in turn.
fn structure(number: usize, random: &mut Xoshiro256PlusPlus) -> Pawns {
    if number.is_multiple_of(2) { wall(random) } else { near_wall(random) }
}

/// The position of these pieces; `None` if it is not legal or two stand on one square.
fn placed(pawns: Pawns, pieces: &[OnSquare], turn: Color) -> Option<Position> {
    let mut board = ['1'; 64];
    for (set, letter) in [(pawns.white, 'P'), (pawns.black, 'p')] {
        set.into_iter().for_each(|square| board[square as usize] = letter);
    }
    for piece in pieces {
        let letter = piece.role.char();
        let here = &mut board[piece.square as usize];
        if *here != '1' {
            return None;
        }
        *here = if piece.color.is_white() { letter.to_ascii_uppercase() } else { letter };
    }
    let rows: Vec<String> = board.chunks(8).rev().map(|row| row.iter().collect()).collect();
    Position::from_fen(&format!("{} {} - - 0 1", rows.join("/"), turn.char())).ok()
}

/// The result of the solver for one set of pieces: where the attacker wins.
struct Solved {
    won: Vec<bool>,
}

/// The result of a move in the solver's game.
enum Next {
    Known(bool),
    Quiet(u32),
}

/// The solver: the pieces on all squares, kings first, and a piece if there is one.
struct Solver<'a> {
    pawns: Pawns,
    piece: (Color, Role),
    attacker: Color,
    /// Says whether the attacker may win a pawn ending. `None` means that exchanges of the piece
    /// for a pawn are not followed.
    pawn_endings: Option<&'a dyn Fn(&Position) -> bool>,
}

impl Solver<'_> {
    /// The index of the pieces of a position whose piece has not been captured.
    fn index(&self, position: &Position) -> usize {
        let (color, role) = self.piece;
        let squares = [position.king(Color::White), position.king(Color::Black)];
        let piece = position.set(color, role).first().expect("the piece is there");
        let pieces = squares.into_iter().chain([piece]);
        2 * pieces.fold(0, |index, square| 64 * index + square as usize)
            + usize::from(position.turn().is_black())
    }

    /// Calls `visit` with all legal positions and their indices.
    fn for_each(&self, mut visit: impl FnMut(usize, &mut Position)) {
        let free = !(self.pawns.white | self.pawns.black);
        let bishop = self.piece.1 == Role::Bishop;
        let allowed = if bishop { free & Bitboard::LIGHT_SQUARES } else { free };
        for white in free {
            for black in free {
                for square in allowed {
                    let pieces = [
                        OnSquare { color: Color::White, role: Role::King, square: white },
                        OnSquare { color: Color::Black, role: Role::King, square: black },
                        OnSquare { color: self.piece.0, role: self.piece.1, square },
                    ];
                    for turn in Color::ALL {
                        if let Some(mut position) = placed(self.pawns, &pieces, turn) {
                            visit(self.index(&position), &mut position);
                        }
                    }
                }
            }
        }
    }

    /// The result of a move. With kings alone it is the verdict on blocked endings.
    fn next(&self, position: &mut Position, m: freshet::board::Move) -> Next {
        let role = position.moved_by(m).role;
        let captured = position.captured_by(m);
        if role == Role::Pawn || captured == Some(Role::Pawn) {
            let wins = |may_win| !self.is_answered(position, m, may_win);
            return Next::Known(self.pawn_endings.is_none_or(wins));
        }
        position.play(m);
        let next = match captured {
            Some(_) => {
                let verdict = blocked_verdict(position).expect("locked");
                Next::Known(verdict.can_win[self.attacker])
            }
            None => Next::Quiet(self.index(position) as u32),
        };
        position.undo();
        next
    }

    /// Whether the attacker fails to win after a pawn change: its piece takes a pawn and is
    /// recaptured, or a pawn takes the piece.
    fn is_answered(
        &self,
        position: &mut Position,
        m: freshet::board::Move,
        may_win: &dyn Fn(&Position) -> bool,
    ) -> bool {
        let takes_the_piece = |position: &Position, m| {
            let captured = position.captured_by(m);
            captured.is_some_and(|role| role != Role::Pawn)
        };
        let answered = |position: &mut Position, m| {
            position.play(m);
            let answered = !may_win(position);
            position.undo();
            answered
        };
        if position.turn() != self.attacker {
            return takes_the_piece(position, m) && answered(position, m);
        }
        position.play(m);
        let moves = position.moves();
        let saved = moves.iter().any(|&m| takes_the_piece(position, m) && answered(position, m));
        position.undo();
        saved
    }

    /// Computes the least fixpoint over all positions.
    fn solve(&self) -> Solved {
        let mut moves: Vec<(usize, bool, bool, Vec<Next>)> = Vec::new();
        self.for_each(|index, position| {
            let next = position.moves().iter().map(|&m| self.next(position, m)).collect();
            let in_check = position.checkers().any();
            moves.push((index, position.turn() == self.attacker, in_check, next));
        });
        let mut won = vec![false; 2 * 64 * 64 * 64];
        loop {
            let mut changed = false;
            for (index, attacks, in_check, next) in &moves {
                if won[*index] {
                    continue;
                }
                let wins = |next: &Next| match next {
                    Next::Known(known) => *known,
                    Next::Quiet(index) => won[*index as usize],
                };
                won[*index] = match (attacks, next.is_empty()) {
                    (true, _) => next.iter().any(wins),
                    (false, true) => *in_check,
                    (false, false) => next.iter().all(wins),
                };
                changed |= won[*index];
            }
            if !changed {
                return Solved { won };
            }
        }
    }
}

/// Whether a side may win a position with few pieces, following some captures and pawn moves.
fn may_win(explorer: &Explorer, position: &Position, side: Color) -> bool {
    (0..=3).all(|changes| {
        let limits = SolveLimits { memory: 2048, changes, time: Duration::from_secs(60) };
        match explorer.solve(position, &limits, &()).expect("few pieces").outcome {
            Outcome::Win(winner) => winner == side,
            Outcome::Draw => false,
            Outcome::Unknown(may_win) => may_win[side],
        }
    })
}

const PIECES: [Role; 4] = [Role::Bishop, Role::Rook, Role::Knight, Role::Queen];

/// Every legal position of random locked structures with one piece: if the solver says that the
/// attacker does not win, the bitbase proves it. If the bitbase proves it, the attacker does not
/// win when exchanges are followed.
#[test]
fn bitbases_with_a_piece_agree_with_a_solver() {
    let mut random = random(60);
    let (mut won, mut held, mut by_exchange) = (0, 0, 0);
    for number in 0..structures_to_try().div_ceil(12) {
        let explorer = Explorer::new();
        let pawns = structure(number, &mut random);
        let mut claims: Option<Claims> = None;
        let color = if number % 4 < 2 { Color::White } else { Color::Black };
        let attacker = if number % 3 < 2 { color } else { color.other() };
        let may_win = |position: &Position| may_win(&explorer, position, attacker);
        let mut solver =
            Solver { pawns, piece: (color, PIECES[number % 4]), attacker, pawn_endings: None };
        let kind = solver.solve();
        solver.pawn_endings = Some(&may_win);
        let truth = solver.solve();
        solver.for_each(|index, position| {
            let claims = claims.get_or_insert_with(|| {
                let mut claims = Claims::default();
                claims.prepare(position, usize::MAX);
                claims
            });
            let claim = claims.fortresses.ask(position, attacker, &mut claims.endings)
                == Verdict::CannotWin;
            assert!(claim || kind.won[index], "{attacker} {position}");
            assert!(!claim || !truth.won[index], "{attacker} {position}");
            won += u32::from(!claim);
            held += u32::from(claim && !kind.won[index]);
            by_exchange += u32::from(claim && kind.won[index]);
        });
    }
    eprintln!("{won} won, {held} held, {by_exchange} by an exchange");
    assert!(won > 1000 && held > 1000, "{won} {held}");
}

/// Whether the opponent can answer each move of `attacker` so that the claim still holds.
fn is_closed(position: &mut Position, attacker: Color, claims: &dyn Fn(&Position) -> bool) -> bool {
    let answered = |position: &mut Position| {
        let moves = position.moves();
        moves.is_empty() && position.checkers().is_empty()
            || moves.iter().any(|&m| {
                position.play(m);
                let claimed = claims(position);
                position.undo();
                claimed
            })
    };
    if position.turn() != attacker {
        return answered(position);
    }
    position.moves().iter().all(|&m| {
        position.play(m);
        let holds = answered(position);
        position.undo();
        holds
    })
}

/// Random pieces: kings, and pieces of each side.
fn random_pieces(random: &mut Xoshiro256PlusPlus, kinds: &[(Color, Role)]) -> Vec<OnSquare> {
    let kings = [(Color::White, Role::King), (Color::Black, Role::King)];
    let mut piece = |&(color, role): &(Color, Role)| OnSquare {
        color,
        role,
        square: square_at(random.random_range(0..64)),
    };
    kings.iter().chain(kinds).map(&mut piece).collect()
}

/// Random kinds of pieces.
fn random_kinds(random: &mut Xoshiro256PlusPlus, count: usize) -> Vec<(Color, Role)> {
    let mut kind = || {
        let color = if random.random_range(0..3) > 0 { Color::White } else { Color::Black };
        (color, PIECES[random.random_range(0..4)])
    };
    (0..count).map(|_| kind()).collect()
}

/// Endings solved for the pawns and pieces of a position, and pawn endings.
#[derive(Default)]
struct Claims {
    root: Option<Arc<SolvedEndings>>,
    fortresses: PieceFortresses,
    endings: PawnFortresses,
}

impl Claims {
    /// Solves for a position, reusing what was solved for the same pawns and pieces.
    fn prepare(&mut self, position: &Position, node_limit: usize) {
        let budget = Budget::new(position, Duration::MAX, node_limit);
        let before = self.root.take();
        self.root = SolvedEndings::of(position, before, &mut self.endings, budget, &|| false);
        self.fortresses.set_root(self.root.clone());
    }

    /// Whether it is claimed that White cannot win.
    fn claims(&mut self, position: &Position) -> bool {
        self.fortresses.ask(position, Color::White, &mut self.endings) == Verdict::CannotWin
            || is_lost_cause(position, Color::White)
    }
}

/// Whether a side is known not to win a pawn ending.
fn is_lost_cause(position: &Position, side: Color) -> bool {
    let is_pawn_ending = (position.occupied() & !position.role(Role::Pawn)).count() == 2;
    let known = || Knowledge::of(position).ask(position);
    is_pawn_ending && known().is_some_and(|known| !known.can_win[side])
}

/// Positions in which a claim was closed, and positions without a claim.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    claimed: u32,
    others: u32,
}

impl Tally {
    /// Tries random positions with these pawns and pieces. Each claim must be closed.
    fn add(
        &mut self,
        pawns: Pawns,
        kinds: &[(Color, Role)],
        count: u32,
        node_limit: usize,
        random: &mut Xoshiro256PlusPlus,
    ) {
        // Claims are kept by the square colours of the bishops: each needs a bitbase of its own.
        let mut all: HashMap<Vec<bool>, RefCell<Claims>> = HashMap::new();
        for _ in 0..count {
            let turn = if random.random_range(0..2) == 0 { Color::White } else { Color::Black };
            let pieces = random_pieces(random, kinds);
            let Some(mut position) = placed(pawns, &pieces, turn) else { continue };
            let bishops = pieces.iter().filter(|piece| piece.role == Role::Bishop);
            let colours = bishops.map(|piece| Bitboard::LIGHT_SQUARES.contains(piece.square));
            let claims = all.entry(colours.collect()).or_default();
            claims.borrow_mut().prepare(&position, node_limit);
            let is_claimed = |position: &Position| claims.borrow_mut().claims(position);
            if is_claimed(&position) {
                self.claimed += 1;
                assert!(is_closed(&mut position, Color::White, &is_claimed), "{position}");
            } else {
                self.others += 1;
            }
        }
    }

    /// There were enough of both.
    fn check(self, least: u32) {
        eprintln!("{self:?}");
        assert!(self.claimed > least && self.others > least, "{self:?}");
    }
}

/// Claims by bitbases with two pieces are closed.
#[test]
fn claims_with_two_pieces_are_closed() {
    let (mut random, mut tally) = (random(61), Tally::default());
    for number in 0..structures_to_try().div_ceil(6) {
        let pawns = structure(number, &mut random);
        let pawns = if number % 3 == 0 { with_mobile_pawn(pawns, &mut random) } else { pawns };
        tally.add(pawns, &random_kinds(&mut random, 2), 4000, 9000, &mut random);
    }
    tally.check(50);
}

/// The same with one to three pawns that can move, and one or two pieces.
#[test]
fn claims_with_pawns_that_move_are_closed() {
    let (mut random, mut tally) = (random(64), Tally::default());
    for number in 0..structures_to_try() {
        let mut pawns = Pawns { white: Bitboard::EMPTY, black: Bitboard::EMPTY };
        for _ in 0..random.random_range(1..4) {
            let pawn = bit(square_at(random.random_range(8..56)));
            match random.random_range(0..2) {
                0 => pawns.white |= pawn & !pawns.black,
                _ => pawns.black |= pawn & !pawns.white,
            }
        }
        tally.add(pawns, &random_kinds(&mut random, 1 + number % 2), 300, 9000, &mut random);
    }
    tally.check(100);
}

/// Claims about three pieces without pawns are closed: no move of the attacker leaves them. With a bishop
/// the bitbase uses fewer symmetries of the board.
#[test]
fn claims_with_three_pieces_are_closed() {
    let (mut random, mut tally) = (random(68), Tally::default());
    let none = Pawns { white: Bitboard::EMPTY, black: Bitboard::EMPTY };
    for minor in [Role::Knight, Role::Bishop] {
        let kinds = [(Color::White, Role::Rook), (Color::White, minor), (Color::Black, Role::Rook)];
        tally.add(none, &kinds, 4000, 100_000, &mut random);
    }
    tally.check(500);
}

/// The fortresses of two minor pieces against a queen: two bishops (Lolli 1763), bishop and knight
/// (Karstedt 1903). A rank lower they lose.
#[test]
fn two_minor_pieces_hold_against_a_queen() {
    for (holds, loses) in [
        ("8/6k1/3Q1bb1/8/5K2/8/8/8 w - - 0 1", "8/8/6k1/3Q1bb1/8/5K2/8/8 w - - 0 1"),
        ("6k1/4K1b1/8/4nQ2/8/8/8/8 w - - 0 1", "8/6k1/4K1b1/8/4nQ2/8/8/8 w - - 0 1"),
    ] {
        let [holds, loses] = [holds, loses].map(position);
        let mut knowledge = Knowledge::of(&holds);
        assert!(knowledge.cannot_win(&holds, Color::White), "{holds}");
        assert!(!knowledge.cannot_win(&loses, Color::White), "{loses}");
        // The same with the other side to move: the defender can wait.
        let waits = holds.to_string().replace(" w ", " b ");
        assert!(knowledge.cannot_win(&position(&waits), Color::White), "{waits}");
    }
}

/// In random games from fortresses the defender always has a move that keeps the claim. One move in
/// three of the attacker is a capture, a pawn move or a check, if there is one.
#[test]
fn fortresses_hold_in_games() {
    let mut random = random(66);
    for (fen, attacker) in [
        ("8/8/8/3q4/6kp/7R/6P1/6K1 b - - 3 46", Color::Black),
        ("6k1/6p1/5r1p/8/Q7/8/7P/6K1 w - - 0 1", Color::White),
        ("8/5k2/8/8/6K1/6P1/6R1/5r2 w - - 0 1", Color::White),
        ("1k6/6r1/7p/p6p/p1p3pP/PpP3P1/1P6/1R5K w - - 0 1", Color::Black),
        ("8/8/3k4/3r4/8/8/1NR5/1K6 w - - 0 1", Color::White),
    ] {
        let start = position(fen);
        let mut knowledge = Knowledge::of(&start);
        let mut claims = |position: &Position| {
            knowledge.cannot_win(position, attacker) || is_lost_cause(position, attacker)
        };
        assert!(claims(&start), "{fen}");
        let mut moves_made = 0;
        for _ in 0..200 {
            let mut game = start.clone();
            for _ in 0..60 {
                // Four pieces are known exactly.
                if game.occupied().count() <= 4 {
                    break;
                }
                let moves: Vec<_> = game.moves().iter().copied().collect();
                if moves.is_empty() {
                    assert!(game.turn() == attacker || game.checkers().is_empty(), "{game}");
                    break;
                }
                let attacks = game.turn() == attacker;
                let fitting: Vec<_> = moves
                    .iter()
                    .copied()
                    .filter(|&m| {
                        let forcing =
                            game.captured_by(m).is_some() || game.moved_by(m).role == Role::Pawn;
                        game.play(m);
                        let fits =
                            if attacks { forcing || game.checkers().any() } else { claims(&game) };
                        game.undo();
                        fits
                    })
                    .collect();
                assert!(attacks || !fitting.is_empty(), "{game}");
                let choice = if fitting.is_empty() || attacks && random.random_range(0..3) > 0 {
                    &moves
                } else {
                    &fitting
                };
                game.play(choice[random.random_range(0..choice.len())]);
                moves_made += 1;
            }
        }
        eprintln!("{fen}: {moves_made} moves");
    }
}

/// Claims with four pieces agree with the endgame tables.
#[test]
fn claims_agree_with_the_tables() {
    let (tables, mut random) = (tables(), random(65));
    let (mut claimed, mut drawn) = (0, 0);
    for number in 0..2 * structures_to_try() {
        let (white, black) =
            ((Color::White, PIECES[number % 4]), (Color::Black, PIECES[number / 4 % 4]));
        let pawn = || bit(square_at(8 + (number * 37 % 48) as u32));
        let empty = Bitboard::EMPTY;
        let (pawns, kinds) = match number % 3 {
            0 => (Pawns { white: empty, black: empty }, vec![white, black]),
            1 => (Pawns { white: empty, black: pawn() }, vec![white]),
            _ => (Pawns { white: pawn(), black: empty }, vec![black]),
        };
        let mut claims = Claims::default();
        for _ in 0..200 {
            let turn = if random.random_range(0..2) == 0 { Color::White } else { Color::Black };
            let pieces = random_pieces(&mut random, &kinds);
            let Some(position) = placed(pawns, &pieces, turn) else { continue };
            let Ok(wdl) = tables.probe_wdl_after_zeroing(&position.to_shakmaty()) else { continue };
            claims.prepare(&position, 9000);
            let white_wins = match turn {
                Color::White => matches!(wdl, Wdl::Win | Wdl::CursedWin),
                Color::Black => matches!(wdl, Wdl::Loss | Wdl::BlessedLoss),
            };
            drawn += u32::from(!white_wins);
            if claims.claims(&position) {
                claimed += 1;
                assert!(!white_wins, "{position}");
            }
        }
    }
    eprintln!("{claimed} claimed of {drawn} that White does not win");
    assert!(claimed > 300, "{claimed} of {drawn}");
}

/// Confinement with any number of pieces is closed: in the position and after each move of the
/// attacker.
#[test]
fn confinement_is_closed() {
    let mut random = random(62);
    let mut claims: HashMap<usize, u32> = HashMap::new();
    for number in 0..structures_to_try() * 10 {
        let pawns = structure(number, &mut random);
        let count = random.random_range(1..7);
        let kinds = random_kinds(&mut random, count);
        for _ in 0..3000 {
            let turn = if random.random_range(0..2) == 0 { Color::White } else { Color::Black };
            let pieces = random_pieces(&mut random, &kinds);
            let Some(mut position) = placed(pawns, &pieces, turn) else { continue };
            // The proofs below may take more work than the evaluation spends on them.
            let claimed =
                |position: &Position| confinement_within(position, Color::White, 100_000).is_some();
            if confinement(&position, Color::White).is_some() {
                assert!(is_closed(&mut position, Color::White, &claimed), "{position}");
                *claims.entry(count).or_default() += 1;
            }
        }
    }
    eprintln!("claims by pieces: {claims:?}");
    assert!(claims.len() >= 2 && claims.values().sum::<u32>() > 100, "{claims:?}");
}

/// Solved positions agree with the endgame tables of king and pawn against king.
#[test]
fn solutions_agree_with_the_tables() {
    let limits = SolveLimits { memory: 4096, changes: 12, time: Duration::from_secs(600) };
    let (tables, mut random) = (tables(), random(63));
    let explorer = Explorer::new();
    let mut outcomes = [0; 2];
    for _ in 0..2000 {
        let pawns =
            Pawns { white: bit(square_at(random.random_range(8..56))), black: Bitboard::EMPTY };
        let turn = if random.random_range(0..2) == 0 { Color::White } else { Color::Black };
        let pieces = random_pieces(&mut random, &[]);
        let Some(position) = placed(pawns, &pieces, turn) else { continue };
        let solution = explorer.solve(&position, &limits, &()).expect("few pieces");
        let wdl = tables.probe_wdl_after_zeroing(&position.to_shakmaty()).expect("a table");
        let outcome = match wdl {
            Wdl::Win | Wdl::CursedWin => Outcome::Win(turn),
            Wdl::Loss | Wdl::BlessedLoss => Outcome::Win(turn.other()),
            Wdl::Draw => Outcome::Draw,
        };
        assert_eq!(solution.outcome, outcome, "{position}");
        outcomes[usize::from(outcome == Outcome::Draw)] += 1;
    }
    assert!(outcomes.iter().all(|&count| count > 100), "{outcomes:?}");
}

/// Bitbases leave out en passant. Where it is the only legal move, there is neither stalemate nor mate.
#[test]
fn forced_en_passant_is_followed() {
    let limits = SolveLimits { memory: 256, changes: 4, time: Duration::from_secs(60) };
    for (fen, outcome) in [
        ("k7/2Q5/1K6/8/6pP/6P1/8/8 b - h3 0 1", Outcome::Win(Color::White)),
        ("8/8/6p1/6Pp/8/1k6/2q5/K7 w - h6 0 1", Outcome::Win(Color::Black)),
    ] {
        let position = Position::from_fen(fen).expect("a legal FEN");
        assert_eq!(position.moves().len(), 1, "{fen}");
        let solution = Explorer::new().solve(&position, &limits, &()).expect("few pieces");
        assert_eq!(solution.outcome, outcome, "{fen}");
    }
}

/// Without captures or pawn moves the moves to a win are those to mate, which the tables know.
#[test]
fn moves_to_mate_agree_with_the_tables() {
    let limits = SolveLimits { memory: 4096, changes: 0, time: Duration::from_secs(600) };
    let (tables, mut random) = (tables(), random(64));
    let none = Pawns { white: Bitboard::EMPTY, black: Bitboard::EMPTY };
    let (mut mated, mut won) = (0, 0);
    for roles in [[Role::Queen].as_slice(), &[Role::Rook], &[Role::Bishop, Role::Knight]] {
        let explorer = Explorer::new();
        let kinds: Vec<_> = roles.iter().map(|&role| (Color::White, role)).collect();
        for number in 0..100 {
            let turn = if number % 2 == 0 { Color::White } else { Color::Black };
            let mut pieces = random_pieces(&mut random, &kinds);
            if number % 4 == 1 {
                // Opposite kings, one of them on the edge and perhaps mated.
                let file = random.random_range(0..8);
                (pieces[0].square, pieces[1].square) = (square_at(file + 16), square_at(file));
            }
            let Some(position) = placed(none, &pieces, turn) else { continue };
            let dtz = tables.probe_dtz(&position.to_shakmaty()).expect("a table");
            let plies = dtz.ignore_rounding().0.unsigned_abs();
            if plies == 0 {
                continue;
            }
            // The distance in the tables may be a ply too small. For a mated position it is 1.
            let moves = match turn {
                Color::White => plies / 2 + 1,
                Color::Black if plies == 1 => 0,
                Color::Black => plies.div_ceil(2),
            };
            let solution = explorer.solve(&position, &limits, &()).expect("few pieces");
            assert_eq!(solution.forces, Some((Color::White, moves)), "{position}");
            mated += u32::from(moves == 0);
            won += 1;
        }
    }
    assert!(mated > 2 && won > 150, "{mated} {won}");
}

/// No position of the suites that is won is claimed to be a draw. (`freshet blocked` judges all.)
#[test]
fn walls_are_judged_right() {
    check_suite("walls", 4, 97.0);
    check_suite("walls_known", 1, 75.0);
}

/// A search scores a wall as a draw, whichever colour stands where.
#[test]
fn walls_hold_in_a_search() {
    let mut engine = Engine::new(1, 1).expect("memory");
    let limits = Limits { nodes: Some(10_000), ..Limits::default() };
    // Three of these fail if a node uses the proof for only one side.
    let walls = suite("walls").into_iter().filter(|line| line.contains("\"draw\""));
    for line in walls.skip(8).step_by(12) {
        let epd: Epd = line.parse().expect("a position");
        for position in [epd.position.mirrored(), epd.position] {
            engine.clear();
            assert_eq!(engine.search(&position, &limits).score, Score::DRAW, "{}", position.fen());
        }
    }
}

/// A rook that its pawn guards on the third or sixth rank, with the king behind, holds against a
/// queen: the defender's pawn need not move. A rook that is lost at once does not.
#[test]
fn a_guarded_rook_holds_against_a_queen() {
    let can_win = |fen: &str, side: Color| {
        let position = position(fen);
        Knowledge::of(&position).ask(&position).is_none_or(|known| known.can_win[side])
    };
    for fen in [
        "8/8/8/4k3/7q/5R2/6P1/6K1 w - - 0 1",
        "8/8/8/4k3/7q/5R2/6P1/6K1 b - - 0 1",
        "8/8/8/4k3/7q/7R/6P1/6K1 w - - 0 1",
    ] {
        assert!(!can_win(fen, Color::Black), "{fen}");
    }
    for fen in ["6k1/6p1/5r1p/8/Q7/8/8/6K1 w - - 0 1", "1k6/1p6/2r5/8/8/3Q4/8/3K4 w - - 0 1"] {
        assert!(!can_win(fen, Color::White), "{fen}");
    }
    assert!(can_win("8/8/8/R3k3/8/8/3q2P1/6K1 b - - 0 1", Color::Black), "Qe1+ and Qxa5");
}
