//! Endgames: opposition, key squares, races of king and pawn, the king's way, and rook endings.

use super::{Idea, Them, Us, View, Who, passed, set, turned};
use crate::board::Position;
use crate::chess::{Bitboard, Color, File, Rank, Role, Square, bit};
use crate::eval::passers::{moves_to_catch, open_to_king};
use crate::explain::facts::line::PlayedLine;
use crate::fill::spans::{beside, front_span};
use crate::fill::waves::king_attacks;

/// Pawns on the board up to which the distant opposition may decide.
const FEW: usize = 3;

/// Adds the ideas of endgames.
pub(super) fn find(view: &View, line: &PlayedLine, ideas: &mut Vec<Idea>) {
    if !view.is_endgame() {
        return;
    }
    into_pawn_ending(view, ideas);
    races(view, ideas);
    if view.role == Role::King && !view.castles {
        opposition(view, ideas);
        key_squares(view, ideas);
        two_aims(view, ideas);
        centre(view, ideas);
    }
    triangulation(view, line, ideas);
    breakthrough(view, line, ideas);
    outside_passer(view, ideas);
    if view.role == Role::Rook {
        rook(view, ideas);
    }
}

/// The last pieces are exchanged, or taken.
fn into_pawn_ending(view: &View, ideas: &mut Vec<Idea>) {
    let has_pawns = view.settled.role(Role::Pawn).any();
    if view.before.is_pawn_ending() || !view.settled.is_pawn_ending() || !has_pawns {
        return;
    }
    let pieces = |position: &Position| position.of(Color::White) & !position.role(Role::Pawn);
    let is_exchange = pieces(&view.settled).count() < pieces(&view.before).count();
    let words = if is_exchange { "exchanges into a pawn ending" } else { "reaches a pawn ending" };
    ideas.push(view.good("pawnEnding", 9, bit(view.to), words.to_string()));
}

/// The kings face each other with one, three or five squares between, and the other side is to
/// move. It matters where both are near a pawn and no pawn runs.
fn opposition(view: &View, ideas: &mut Vec<Idea>) {
    let [us, them] = [Color::White, Color::Black].map(|side| view.after.king(side));
    let is_near = |pawn: &Square| pawn.distance(us) <= 3 && pawn.distance(them) <= 3;
    if !view.after.is_pawn_ending()
        || !view.after.role(Role::Pawn).into_iter().any(|pawn| is_near(&pawn))
        || runners(&view.after, Us, false).any()
        || runners(&view.after, Them, true).any()
    {
        return;
    }
    let files = (us.file() as i32 - them.file() as i32).abs();
    let ranks = (us.rank() as i32 - them.rank() as i32).abs();
    let (label, rank, words) = match (files, ranks) {
        (0, 2) | (2, 0) => ("opposition", 4, "takes the opposition"),
        (2, 2) => ("opposition", 7, "takes the diagonal opposition"),
        (0, 4 | 6) | (4 | 6, 0) if view.after.role(Role::Pawn).count() <= FEW => {
            ("distantOpposition", 6, "takes the distant opposition")
        }
        _ => return,
    };
    ideas.push(view.good(label, rank, bit(us) | bit(them), words.to_string()));
}

/// The key squares of a pawn: the king that reaches one of them wins with its only pawn, whoever is
/// to move, rook pawns apart (Averbakh).
fn key_squares_of(pawn: Square) -> Bitboard {
    if [File::A, File::H].contains(&pawn.file()) {
        let files = if pawn.file() == File::A { File::B } else { File::G };
        let ranks = Bitboard::from_rank(Rank::Seventh) | Bitboard::from_rank(Rank::Eighth);
        return Bitboard::from_file(files) & ranks;
    }
    let row = |ahead: i32| {
        let square = pawn.offset(8 * ahead).map_or(Bitboard::EMPTY, bit);
        square | beside(square)
    };
    match pawn.rank() {
        Rank::Fifth | Rank::Sixth => row(1) | row(2),
        Rank::Seventh => Bitboard::EMPTY,
        _ => row(2),
    }
}

/// With one pawn on the board: its king reaches a key square, or the other king keeps it out.
fn key_squares(view: &View, ideas: &mut Vec<Idea>) {
    let pawns = view.after.role(Role::Pawn);
    let Some(pawn) = pawns.single_square().filter(|_| view.after.is_pawn_ending()) else { return };
    if !set(&view.after, Us, Role::Pawn).contains(pawn) {
        return;
    }
    let keys = key_squares_of(pawn);
    let enemy = view.after.king(Color::Black);
    if pawn.distance(enemy) == 1 && pawn.distance(view.to) > 1 {
        return;
    }
    if keys.contains(view.to) && !keys.contains(view.from) {
        let words = format!(
            "reaches {}, a key square of the pawn on {}",
            view.square(view.to),
            view.square(pawn)
        );
        ideas.push(view.good("keySquares", 3, keys, words));
        return;
    }
    // The other king moves next. Only where it needs two moves more can it not come in the way.
    let is_nearer = |key: &Square| {
        key.distance(view.to) + 1 < key.distance(enemy)
            && key.distance(view.to) < key.distance(view.from)
    };
    if let Some(key) = keys.into_iter().filter(is_nearer).min_by_key(|key| key.distance(view.to))
        && !keys.contains(view.from)
    {
        let words = format!(
            "brings the king nearer than the {} king to {}, a key square of the pawn",
            view.adjective(Them),
            view.square(key)
        );
        ideas.push(view.good("keySquares", 3, bit(key), words));
    }
}

/// The passed pawns of a side that the other king cannot catch; `to_move` says whether that side
/// moves first.
fn runners(position: &Position, who: Who, to_move: bool) -> Bitboard {
    let seen = if who == Us { position.clone() } else { position.mirrored() };
    let [own, enemy] = [Us, Them].map(|who| set(&seen, who, Role::Pawn));
    let by_king = king_attacks(bit(seen.king(Color::White)));
    let king = bit(seen.king(Color::Black));
    let runs = |&pawn: &Square| {
        let pawn = bit(pawn);
        let open = open_to_king(pawn, own, by_king, enemy);
        (front_span(pawn) & seen.occupied()).is_empty()
            && moves_to_catch(king, open, pawn, to_move).is_none()
    };
    turned(passed(&seen, Us).into_iter().filter(runs).collect(), who)
}

/// Whether the enemy king, to move, would catch a pawn of ours if our king did not stand in its way.
fn is_caught_without_king(position: &Position, pawn: Square) -> bool {
    let [own, enemy] = [Us, Them].map(|who| set(position, who, Role::Pawn));
    let pawn = bit(pawn);
    let open = open_to_king(pawn, own, Bitboard::EMPTY, enemy);
    moves_to_catch(bit(position.king(Color::Black)), open, pawn, false).is_some()
}

/// Pawns that run, and kings that catch them: only without pieces.
fn races(view: &View, ideas: &mut Vec<Idea>) {
    if !view.after.is_pawn_ending() {
        return;
    }
    let (ours, before) = (runners(&view.after, Us, false), runners(&view.before, Us, true));
    if let Some(pawn) = ours.first()
        && (before & !bit(view.from)).is_empty()
    {
        let words = match is_caught_without_king(&view.after, pawn) {
            false => Some(format!(
                "leaves the {} king too far away to catch the pawn on {}",
                view.adjective(Them),
                view.square(pawn)
            )),
            true if view.role == Role::King => {
                Some(format!("guards the path of the pawn on {}", view.square(pawn)))
            }
            true => None,
        };
        ideas.extend(words.map(|words| view.good("unstoppable", 5, bit(pawn), words)));
    }
    // Their pawn, which runs next: the king's distance to the square where it promotes.
    let king = view.after.king(Color::White);
    if view.role != Role::King {
        return;
    }
    for pawn in passed(&view.after, Them) {
        let way = front_span(bit(pawn).flip_vertical()).flip_vertical();
        if (way & view.after.occupied()).any() {
            continue;
        }
        let steps = pawn.rank() as u32 - u32::from(pawn.rank() == Rank::Seventh);
        let goal = Square::from_coords(pawn.file(), Rank::First);
        if king.distance(goal) == steps && view.from.distance(goal) > steps {
            let words = format!("steps into the square of the pawn on {}", view.square(pawn));
            ideas.push(view.good("ruleOfTheSquare", 5, bit(pawn), words));
        }
    }
}

/// The king comes nearer to its own passed pawn and to the enemy's with one move (Réti).
fn two_aims(view: &View, ideas: &mut Vec<Idea>) {
    let (ours, theirs) = (passed(&view.after, Us).first(), passed(&view.after, Them).first());
    let (Some(own), Some(enemy)) = (ours, theirs) else { return };
    let goal = Square::from_coords(enemy.file(), Rank::First);
    let nearer = |square: Square| view.to.distance(square) < view.from.distance(square);
    if view.after.is_pawn_ending() && nearer(own) && nearer(goal) {
        let words = format!(
            "comes nearer to the pawn on {} and to {}, where the pawn on {} promotes",
            view.square(own),
            view.square(goal),
            view.square(enemy)
        );
        ideas.push(view.good("twoAims", 3, bit(own) | bit(enemy), words));
    }
}

/// The king goes towards the middle, or to the pawns.
fn centre(view: &View, ideas: &mut Vec<Idea>) {
    let centre = [Square::D4, Square::D5, Square::E4, Square::E5];
    let far = |from: Square| centre.iter().map(|square| square.distance(from)).min().unwrap_or(0);
    if far(view.to) < far(view.from) && far(view.from) > 1 {
        let words = "brings the king towards the centre".to_string();
        ideas.push(view.good("activeKing", 39, bit(view.to), words));
        return;
    }
    let pawns = set(&view.after, Them, Role::Pawn);
    let nearest = |from: Square| pawns.into_iter().map(|pawn| (pawn.distance(from), pawn)).min();
    if let (Some((was, _)), Some((is, pawn))) = (nearest(view.from), nearest(view.to))
        && is < was
    {
        let words = format!("brings the king towards the pawn on {}", view.square(pawn));
        ideas.push(view.good("activeKing", 36, bit(pawn), words));
    }
}

/// The king returns after three moves where two would do: the other side is then to move.
fn triangulation(view: &View, line: &PlayedLine, ideas: &mut Vec<Idea>) {
    let start = line.before(0);
    let same_board = |other: &Position| {
        other.turn() != start.turn()
            && Color::ALL.into_iter().all(|side| other.of(side) == start.of(side))
            && Role::ALL.into_iter().all(|role| other.role(role) == start.role(role))
    };
    let kings = (0..line.moves.len()).take_while(|&ply| line.mover(ply) == Role::King).count();
    if line.positions[..=kings].iter().skip(3).any(same_board) {
        let words = format!(
            "loses a move on purpose: the position comes again with {} to move",
            view.name(Them)
        );
        ideas.push(view.good("triangulation", 2, bit(view.to), words));
    }
}

/// A pawn is given away so that another one runs through.
fn breakthrough(view: &View, line: &PlayedLine, ideas: &mut Vec<Idea>) {
    let queens = line.ours(1).any(|ply| line.moves[ply].promotion().is_some());
    let is_taken = line
        .moves
        .get(1)
        .is_some_and(|reply| reply.to() == line.moves[0].to() && line.mover(1) == Role::Pawn);
    if view.role == Role::Pawn && queens && is_taken && view.captured.is_none() {
        let words = "gives up a pawn so that another one breaks through".to_string();
        ideas.push(view.good("breakthrough", 1, bit(view.to), words));
    }
}

/// A passed pawn far from all others ties the enemy king down.
fn outside_passer(view: &View, ideas: &mut Vec<Idea>) {
    let others = view.settled.role(Role::Pawn);
    let is_outside = |&pawn: &Square| {
        let rest = others & !Bitboard::from_file(pawn.file());
        let far = |other: Square| (other.file() as i32 - pawn.file() as i32).abs() >= 3;
        rest.any() && rest.into_iter().all(far)
    };
    let (after, before) = (passed(&view.settled, Us), passed(&view.before, Us));
    if let Some(pawn) = (after & !before).into_iter().find(is_outside)
        && !before.contains(view.from)
    {
        let words = format!("makes an outside passed pawn on {}", view.square(pawn));
        ideas.push(view.good("outsidePassedPawn", 8, bit(pawn), words));
    }
}

/// Cutting off the king, the bridge, and the defence on the third rank.
fn rook(view: &View, ideas: &mut Vec<Idea>) {
    let rooks = |who| set(&view.after, who, Role::Rook).count();
    let pieces = view.after.role(Role::Knight) | view.after.role(Role::Bishop);
    if pieces.any() || rooks(Us) != 1 || rooks(Them) > 1 {
        return;
    }
    let (own, enemy) = (view.after.king(Color::White), view.after.king(Color::Black));
    let theirs = set(&view.after, Them, Role::Pawn);
    let ours = set(&view.after, Us, Role::Pawn);
    // Philidor: the rook keeps the king from the third rank until the pawn steps there.
    if let Some(pawn) = theirs.single_square().filter(|_| ours.is_empty() && rooks(Them) == 1)
        && view.to.rank() == Rank::Third
        && view.from.rank() != Rank::Third
        && pawn.rank() >= Rank::Fourth
        && enemy.rank() >= Rank::Fourth
        && own.distance(Square::from_coords(pawn.file(), Rank::First)) <= 1
    {
        let words = format!(
            "keeps the {} king from advancing (Philidor's third-rank defence)",
            view.adjective(Them)
        );
        ideas.push(view.good("philidor", 2, Bitboard::from_rank(Rank::Third), words));
        return;
    }
    // Lucena: the king before its pawn on the seventh needs a rook against checks.
    if let Some(pawn) = ours.single_square().filter(|_| theirs.is_empty() && rooks(Them) == 1)
        && pawn.rank() == Rank::Seventh
        && own == Square::from_coords(pawn.file(), Rank::Eighth)
        && view.to.rank() == Rank::Fourth
        && ![File::A, File::H].contains(&pawn.file())
    {
        let words =
            "builds a bridge (Lucena): the rook will shield the king from checks along the file"
                .to_string();
        ideas.push(view.good("lucena", 2, bit(view.to), words));
        return;
    }
    // The rook cuts the enemy king off from our passed pawn by a file.
    let passers = passed(&view.after, Us);
    let Some(pawn) = passers.first().filter(|_| view.from.file() != view.to.file()) else { return };
    let side_of = |square: Square| (square.file() as i32 - view.to.file() as i32).signum();
    let gap = (enemy.file() as i32 - view.to.file() as i32).abs();
    if side_of(enemy) * side_of(pawn) < 0 && gap == 1 {
        let words = format!(
            "cuts the {} king off from the pawn along the {}",
            view.adjective(Them),
            view.file(view.square(view.to))
        );
        ideas.push(view.good("cutOff", 6, bit(view.to), words));
    }
}
