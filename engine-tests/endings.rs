//! Elementary endings without tablebases: queen, rook, two bishops, and bishop and knight against
//! the king alone, won against the best defence within the fifty-move rule; and the traps in won
//! and lost positions, stalemate and repetition.
//!
//! The best defence comes from [`Ending`], a retrograde analysis in this file with shakmaty's
//! attacks. `FRESHET_ENDINGS=100 cargo test --release endings -- --nocapture` plays as many games
//! of each ending, with 20,000 nodes a move.

use freshet::board::{Move, Position};
use freshet::chess::{Bitboard, Color, Role, Square, bit};
use freshet::engine::Engine;
use freshet::known::mates::BareKing;
use freshet::search::{Bound, Limits, Report, Reporter, StopFlag};
use rand::RngExt;
use rand::rngs::Xoshiro256PlusPlus;
use shakmaty::attacks;
use shakmaty_syzygy::MaybeRounded;

use crate::mates::{ends_in_mate, plies_to_mate};
use crate::support::{position, random, tables, with_pieces};

/// King and one or two pieces, no pawns, against the king alone: the distance to mate of every
/// position, by retrograde analysis.
///
/// White has the pieces. For fixed squares of White's pieces the squares of the bare king are sets.
struct Ending {
    roles: Vec<Role>,
    /// Moves to mate with White to move, by [`Ending::index`] and the square of the bare king; 0
    /// where there is no mate.
    moves: Vec<[u8; 64]>,
}

/// White's pieces on their squares, the king first.
type Placement = Vec<Square>;

impl Ending {
    fn new(roles: &[Role]) -> Ending {
        let count = 64usize.pow(1 + roles.len() as u32);
        let mut ending = Ending { roles: roles.to_vec(), moves: vec![[0; 64]; count] };
        let placements: Vec<(usize, Placement, Bitboard)> = (0..count)
            .filter_map(|index| ending.placement(index).map(|squares| (index, squares)))
            .map(|(index, squares)| (index, squares.clone(), ending.danger(&squares)))
            .collect();
        // The squares of the bare king with which White wins: with White to move, and with Black to
        // move.
        let mut won = vec![Bitboard::EMPTY; count];
        let mut lost = vec![Bitboard::EMPTY; count];
        for moves in 1.. {
            for (index, squares, danger) in &placements {
                lost[*index] = Ending::lost(squares, *danger, won[*index]);
            }
            let mut grown = false;
            for (index, squares, danger) in &placements {
                let index = *index;
                let open = !(*danger | Ending::occupied(squares) | won[index]);
                let new = open & ending.can_reach(index, squares, &lost);
                for king in new {
                    ending.moves[index][king as usize] = moves;
                }
                won[index] |= new;
                grown |= new.any();
            }
            if !grown {
                break;
            }
        }
        ending
    }

    fn index(squares: &[Square]) -> usize {
        squares.iter().fold(0, |index, &square| 64 * index + square as usize)
    }

    /// The inverse of [`Ending::index`]; `None` if two pieces stand on one square.
    fn placement(&self, index: usize) -> Option<Placement> {
        let count = 1 + self.roles.len() as u32;
        let squares: Placement =
            (0..count).rev().map(|i| Square::new((index / 64usize.pow(i) % 64) as u32)).collect();
        let all = squares.iter().fold(Bitboard::EMPTY, |all, &square| all | bit(square));
        (all.count() == squares.len()).then_some(squares)
    }

    /// The attacks of the piece with this number; 0 is the king.
    fn attacks(&self, number: usize, from: Square, occupied: Bitboard) -> Bitboard {
        match number.checked_sub(1).map_or(Role::King, |piece| self.roles[piece]) {
            Role::King => attacks::king_attacks(from),
            Role::Knight => attacks::knight_attacks(from),
            Role::Bishop => attacks::bishop_attacks(from, occupied),
            Role::Rook => attacks::rook_attacks(from, occupied),
            _ => attacks::queen_attacks(from, occupied),
        }
    }

    fn occupied(squares: &[Square]) -> Bitboard {
        squares.iter().fold(Bitboard::EMPTY, |all, &square| all | bit(square))
    }

    /// All squares that White attacks, with the bare king transparent.
    fn danger(&self, squares: &[Square]) -> Bitboard {
        let occupied = Ending::occupied(squares);
        let of = |(number, &from)| self.attacks(number, from, occupied);
        squares.iter().enumerate().map(of).fold(Bitboard::EMPTY, |all, set| all | set)
    }

    /// The bare king's squares, Black to move, from which every move runs into a won position, and
    /// mates. Captures are draws.
    fn lost(squares: &[Square], danger: Bitboard, won: Bitboard) -> Bitboard {
        let legal = !(Ending::occupied(squares) | attacks::king_attacks(squares[0]));
        legal & !king_steps(!danger & !won) & (danger | king_steps(!danger))
    }

    /// The bare king's squares, White to move, from which some move leads to one of these sets.
    fn can_reach(&self, index: usize, squares: &[Square], lost: &[Bitboard]) -> Bitboard {
        let occupied = Ending::occupied(squares);
        let mut reached = Bitboard::EMPTY;
        for (number, &from) in squares.iter().enumerate() {
            let stride = 64usize.pow((squares.len() - 1 - number) as u32);
            let others = index - stride * from as usize;
            for to in self.attacks(number, from, occupied) & !occupied {
                reached |= lost[others + stride * to as usize] & !attacks::between(from, to);
            }
        }
        reached
    }

    /// Moves to mate in a position with White to move, 0 for none, or if a piece was lost.
    fn moves_to_mate(&self, position: &Position) -> u8 {
        let mut squares = vec![position.king(Color::White)];
        for (number, &role) in self.roles.iter().enumerate() {
            let twin = usize::from(number > 0 && self.roles[number - 1] == role);
            match position.set(Color::White, role).into_iter().nth(twin) {
                Some(square) => squares.push(square),
                None => return 0,
            }
        }
        self.moves[Ending::index(&squares)][position.king(Color::Black) as usize]
    }

    /// The reply after which the mate takes longest.
    fn best_defence(&self, position: &Position) -> Move {
        let distance = |&m: &Move| {
            let mut after = position.clone();
            after.play(m);
            let moves = self.moves_to_mate(&after);
            // A draw is best of all.
            if moves == 0 { u8::MAX } else { moves }
        };
        position.moves().into_iter().max_by_key(distance).expect("a move")
    }

    /// A won position, White to move.
    fn random(&self, random: &mut Xoshiro256PlusPlus) -> Position {
        loop {
            let roles = [Role::King].into_iter().chain(self.roles.iter().copied());
            let white: Vec<_> =
                roles.map(|role| (any_square(random), Color::White, role)).collect();
            let king = (any_square(random), Color::Black, Role::King);
            let pieces: Vec<_> = white.into_iter().chain([king]).collect();
            if Ending::occupied(&pieces.iter().map(|piece| piece.0).collect::<Vec<_>>()).count()
                == pieces.len()
                && let Some(chess) = with_pieces(&pieces, Color::White)
                && let position = Position::from_shakmaty(&chess)
                && self.moves_to_mate(&position) > 0
            {
                return position;
            }
        }
    }
}

/// The squares one king's move from those of the set.
fn king_steps(set: Bitboard) -> Bitboard {
    let sides = (set.0 << 1 & 0xfefe_fefe_fefe_fefe) | (set.0 >> 1 & 0x7f7f_7f7f_7f7f_7f7f);
    let row = set.0 | sides;
    Bitboard(sides | row << 8 | row >> 8)
}

fn any_square(random: &mut Xoshiro256PlusPlus) -> Square {
    Square::new(random.random_range(0..64))
}

/// The number of games to play of each ending, if not just a few.
fn many_games() -> Option<usize> {
    std::env::var("FRESHET_ENDINGS").ok().and_then(|number| number.parse().ok())
}

/// Checks the mates reported in one position of an ending.
struct Referee<'a> {
    position: &'a Position,
    shortest: i32,
}

impl Reporter for Referee<'_> {
    fn report(&mut self, report: &Report) {
        if let Some(plies) = plies_to_mate(report.score) {
            let Referee { position, shortest } = self;
            assert!(plies >= *shortest, "{position}: {} is too short", report.score);
            let is_whole = ends_in_mate(position, &report.line, plies);
            assert!(report.bound != Bound::Exact || is_whole, "{position}: {report:?}");
        }
    }
}

/// The results of the games of an ending.
struct Played {
    games: usize,
    /// Games that were drawn by the fifty-move rule.
    unfinished: usize,
    /// The longest won game, in plies.
    longest: u32,
}

/// The nodes per move when many games are played.
const MANY_NODES: u64 = 20_000;

/// Plays an ending from random won positions with this many nodes per move. The engine must never
/// throw the win away, by stalemate, loss of a piece or repetition, unless it can already see
/// nothing but a fifty-move draw. Many games are played with [`MANY_NODES`].
fn play_all(roles: &[Role], few: usize, nodes: u64, seed: u64) -> Played {
    let (games, nodes) = many_games().map_or((few, nodes), |games| (games, MANY_NODES));
    let ending = Ending::new(roles);
    let mut random = random(seed);
    let mut engine = Engine::new(4, 1).expect("four MiB");
    let mut played = Played { games, unfinished: 0, longest: 0 };
    for _ in 0..played.games {
        let start = ending.random(&mut random);
        engine.new_game();
        match play(&ending, &mut engine, nodes, start.clone()) {
            Some(plies) => played.longest = played.longest.max(plies),
            None => {
                println!("{roles:?} {start}: not won in time");
                played.unfinished += 1;
            }
        }
    }
    let Played { games, unfinished, longest } = played;
    println!("{roles:?}: {games} games, {unfinished} unfinished, at most {longest} plies");
    played
}

/// Plays one game. Returns its plies, or `None` if the fifty-move rule ended it.
fn play(ending: &Ending, engine: &mut Engine, nodes: u64, start: Position) -> Option<u32> {
    /// This close to the fifty-move rule, mistakes no longer count.
    const TOO_LATE: u32 = 20;
    let mut position = start.clone();
    loop {
        let left = 100 - position.fifty();
        let shortest = 2 * i32::from(ending.moves_to_mate(&position)) - 1;
        if left < TOO_LATE && shortest > left as i32 {
            return None;
        }
        assert!(shortest > 0, "{start}: not won any more in {position}");
        engine.set_position(position.clone());
        let mut referee = Referee { position: &position, shortest };
        let result = engine.go(&Limits::nodes(nodes), &StopFlag::new(), &mut referee);
        position.play(result.line[0]);
        if position.moves().is_empty() {
            assert!(position.checkers().any(), "{start}: stalemate in {position}");
            return Some(position.ply() - start.ply());
        }
        position.play(ending.best_defence(&position));
        let drawn = position.is_draw(0) && !position.is_fifty_move_draw();
        assert!(!drawn, "{start}: drawn in {position}");
    }
}

#[test]
fn queen_and_king_win() {
    let played = play_all(&[Role::Queen], 12, 1000, 51);
    assert!(played.unfinished == 0 && played.longest < 20);
}

#[test]
fn rook_and_king_win() {
    let played = play_all(&[Role::Rook], 8, 1000, 52);
    assert!(played.unfinished == 0 && played.longest < 32);
}

#[test]
fn two_bishops_win() {
    let played = play_all(&[Role::Bishop, Role::Bishop], 6, 1000, 53);
    assert!(played.unfinished == 0 && played.longest < 38);
}

/// The hardest: the mate takes up to 33 moves against the best defence.
#[test]
fn bishop_and_knight_win() {
    let played = play_all(&[Role::Bishop, Role::Knight], 6, 1000, 55);
    assert!(played.unfinished == 0 && played.longest < 66);
}

/// The moves to mate agree with this file's analysis, for both colours and both sides to move.
#[test]
fn moves_to_mate_are_known() {
    use Role::{Bishop, Knight, Queen, Rook};
    for (roles, least) in
        [(&[Queen][..], 9), (&[Rook], 14), (&[Bishop, Bishop], 16), (&[Bishop, Knight], 30)]
    {
        let ending = Ending::new(roles);
        let mut random = random(59);
        let mut longest = 0;
        for _ in 0..20_000 {
            let (king, bare_king) = (any_square(&mut random), any_square(&mut random));
            let white = roles.iter().map(|&role| (any_square(&mut random), Color::White, role));
            let mut pieces: Vec<_> = white.collect();
            pieces
                .extend([(king, Color::White, Role::King), (bare_king, Color::Black, Role::King)]);
            let squares: Vec<_> = pieces.iter().map(|piece| piece.0).collect();
            if Ending::occupied(&squares).count() != squares.len() {
                continue;
            }
            for turn in [Color::White, Color::Black] {
                let Some(chess) = with_pieces(&pieces, turn) else { continue };
                let mut white = Position::from_shakmaty(&chess);
                let expected = match turn {
                    Color::White => Some(ending.moves_to_mate(&white)).filter(|&moves| moves > 0),
                    Color::Black if white.moves().is_empty() => white.checkers().any().then_some(0),
                    Color::Black => {
                        let replies = white.moves().into_iter().map(|reply| {
                            white.play(reply);
                            let moves = ending.moves_to_mate(&white);
                            white.undo();
                            moves
                        });
                        let all: Vec<u8> = replies.collect();
                        all.iter().all(|&moves| moves > 0).then(|| all.into_iter().max()).flatten()
                    }
                };
                for position in [white.mirrored(), white] {
                    let known = BareKing::from_position(&position);
                    let moves = known.and_then(BareKing::moves_to_mate);
                    assert_eq!(moves, expected.map(u32::from), "{position}");
                }
                longest = longest.max(expected.unwrap_or_default());
            }
        }
        assert!(longest >= least, "{roles:?}: {longest}");
    }
}

/// The retrograde analysis agrees with the tablebases: without pawns and captures, the distance to
/// zeroing is the distance to mate.
#[test]
fn distances_are_those_of_the_tablebases() {
    let tables = tables();
    let mut random = random(55);
    use Role::{Bishop, Knight, Queen, Rook};
    for roles in [&[Queen][..], &[Rook], &[Bishop, Bishop], &[Bishop, Knight]] {
        let ending = Ending::new(roles);
        for _ in 0..500 {
            let position = ending.random(&mut random);
            let dtz = match tables.probe_dtz(&position.to_shakmaty()).expect("a table") {
                MaybeRounded::Precise(dtz) | MaybeRounded::Rounded(dtz) => i32::from(dtz),
            };
            let plies = 2 * i32::from(ending.moves_to_mate(&position)) - 1;
            // Some tables store the distance in moves, so that it may be a ply off.
            assert!((plies - dtz).abs() <= 1, "{position}: {plies} {dtz}");
        }
    }
}

/// Whether the position after a move is stalemate.
fn stalemates(position: &Position, m: Move) -> bool {
    let mut after = position.clone();
    after.play(m);
    after.moves().is_empty() && after.checkers().is_empty()
}

/// Pieces on random squares; `None` if the position is illegal.
fn any_placement(pieces: &[(Color, Role)], random: &mut Xoshiro256PlusPlus) -> Option<Position> {
    let pieces: Vec<_> =
        pieces.iter().map(|&(color, role)| (any_square(random), color, role)).collect();
    let squares: Vec<Square> = pieces.iter().map(|piece| piece.0).collect();
    (Ending::occupied(&squares).count() == pieces.len()).then_some(())?;
    with_pieces(&pieces, Color::White).map(|chess| Position::from_shakmaty(&chess))
}

const KING: (Color, Role) = (Color::White, Role::King);
const QUEEN: (Color, Role) = (Color::White, Role::Queen);
const PAWN: (Color, Role) = (Color::White, Role::Pawn);
const BARE: (Color, Role) = (Color::Black, Role::King);

/// The winning side does not give stalemate when it could, with a queen or by promoting to one.
#[test]
fn the_winning_side_does_not_stalemate() {
    let mut random = random(56);
    let mut engine = Engine::new(1, 1).expect("one MiB");
    for pieces in [&[KING, QUEEN, BARE][..], &[KING, PAWN, BARE], &[KING, QUEEN, PAWN, BARE]] {
        let mut traps = 0;
        while traps < many_games().unwrap_or(40) {
            let Some(position) = any_placement(pieces, &mut random) else { continue };
            let moves = position.moves();
            let is_trap = |&m: &Move| stalemates(&position, m);
            // A pawn wins only if it promotes.
            let promotes = pieces.len() > 3
                || pieces[1] == QUEEN
                || moves.iter().any(|m| m.promotion().is_some());
            if !promotes || !moves.iter().any(is_trap) {
                continue;
            }
            traps += 1;
            engine.clear();
            let m = engine.search(&position, &Limits::nodes(500)).line[0];
            let is_forced = moves.iter().all(|&m| is_draw_after(&position, m));
            assert!(is_forced || !stalemates(&position, m), "{position}: {m}");
        }
    }
}

/// Whether a move stalemates or leaves a piece, the last that can win, to be captured.
fn is_draw_after(position: &Position, m: Move) -> bool {
    let mut after = position.clone();
    after.play(m);
    let replies = after.moves();
    let loses_all = replies.into_iter().any(|reply| {
        after.play(reply);
        let dead = after.is_dead_material();
        after.undo();
        dead
    });
    stalemates(position, m) || loses_all || after.is_dead_material()
}

/// A game in which the best move of a won ending has led to the same position twice: a third time
/// would be a draw.
#[test]
fn a_won_ending_is_not_repeated_away() {
    let mut random = random(58);
    let mut engine = Engine::new(1, 1).expect("one MiB");
    let ending = Ending::new(&[Role::Rook]);
    let mut tried = 0;
    while tried < many_games().unwrap_or(20) {
        let start = ending.random(&mut random);
        let limits = Limits::nodes(2000);
        let best = engine.search(&start, &limits).line[0];
        // The position after the best move, from which both sides go back and forth.
        let mut after = start.clone();
        after.play(best);
        let mut game = position(&after.fen());
        let Some(reply) = game.moves().first().copied() else { continue };
        let back = |m: Move| Move::new(m.to(), m.from(), m.kind());
        // Black's reply and its way back, White's way back and the best move again, twice.
        let cycle = [reply, back(best), back(reply)];
        let mut is_legal = true;
        for round in 0..2 {
            for m in cycle {
                is_legal = is_legal && game.try_play(m).is_ok();
            }
            if round == 0 {
                is_legal = is_legal && game.try_play(best).is_ok();
            }
        }
        let mut drawn = game.clone();
        if !is_legal || drawn.try_play(best).is_err() || !drawn.is_threefold() {
            continue;
        }
        tried += 1;
        engine.clear();
        let m = engine.search(&game, &limits).line[0];
        assert_ne!(m, best, "{game}");
    }
}

/// A player with limited Elo mates a bare king with the pieces that this level knows how to use,
/// against the best defence and within fifty moves.
#[test]
fn elementary_mates_are_known_by_level() {
    let mut defender = Engine::new(1, 1).expect("memory");
    let mut random = random(5);
    for (elo, fens) in [
        (800, &["8/8/8/4k3/8/8/8/3QK3 w - - 0 1", "8/3k4/8/8/8/Q7/8/K7 w - - 0 1"][..]),
        (1000, &["8/8/8/4k3/8/8/8/3RK3 w - - 0 1", "8/8/8/4k3/8/2P5/8/3RK3 w - - 0 1"]),
        (1300, &["8/8/8/4k3/8/8/8/3QK3 w - - 0 1", "8/8/8/4k3/8/8/8/2RRK3 w - - 0 1"]),
        (1600, &["8/8/8/4k3/8/8/8/2BBK3 w - - 0 1"]),
        (2000, &["8/8/8/4k3/8/8/8/2BNK3 w - - 0 1"]),
    ] {
        for fen in fens {
            for _ in 0..3 {
                let mut player = Engine::new(1, 1).expect("memory");
                player.set_elo(Some(elo));
                let mut position = position(fen);
                // Another game each time.
                let mut moves = position.moves().to_vec();
                moves.retain(|&m| {
                    position.play(m);
                    let is_safe = position.moves().iter().all(|&reply| !position.is_noisy(reply));
                    position.undo();
                    is_safe
                });
                position.play(moves[random.random_range(0..moves.len())]);
                while !position.moves().is_empty() && !position.is_draw(0) {
                    let result = match position.turn() {
                        Color::White => player.search(&position, &Limits::nodes(1_000_000)),
                        Color::Black => defender.search(&position, &Limits::nodes(2000)),
                    };
                    position.play(result.line[0]);
                }
                let is_mate = position.moves().is_empty() && position.checkers().any();
                assert!(is_mate, "{elo}: {fen} {position}");
            }
        }
    }
}
