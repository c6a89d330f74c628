//! The words of explanations: one function for each group of terms. Each says of a term which
//! squares it has gained or lost, or how its counts have changed, from the trace alone.

use super::breakdown::Part;
use super::deltas::{Delta, Theme};
use crate::chess::{Bitboard, Color, Role, side_adjective, side_name};
use crate::eval::terms::{name, row_and_column};
use crate::eval::threats::ROWS;
use crate::text::listed;

/// At most so many squares are named one by one.
const MOST_SQUARES: usize = 5;

/// Piece types, by the indices of `material` and the tables of `defence`.
const PIECES: [&str; 5] = ["pawn", "knight", "bishop", "rook", "queen"];

/// Terms that are named of a theme.
const MOST_REASONS: usize = 2;

/// The words of a change: what it is about, and its largest terms.
pub(super) fn theme(theme: Theme, deltas: &[Delta], scales: [i32; 2]) -> String {
    let total: i32 = deltas.iter().map(Delta::cp).sum();
    let (side, head) = match theme {
        Theme::Material => return material(deltas),
        Theme::Move => return to_move(deltas),
        Theme::Initiative => return initiative(deltas),
        Theme::Scale => return scale(scales),
        Theme::Result(_) => return result(deltas),
        Theme::BareKing => return join("the mate of the bare king", reasons(deltas, |_| true)),
        Theme::Danger(side) => return danger(side, deltas),
        Theme::Pieces(side, role) => (side, format!("{} stand", plural(role))),
        Theme::Pawns(side) => (side, "pawns stand".to_string()),
        Theme::King(side) => (side, "king stands".to_string()),
        Theme::Passers(side) => (side, "passed pawns count".to_string()),
        Theme::Control(side) => (side, "control of the board counts".to_string()),
        Theme::Threats(side) => (side, "threats count".to_string()),
        Theme::Safety(side) => (side, "pieces and pawns are".to_string()),
    };
    let (better, worse) = match theme {
        Theme::Pieces(..) | Theme::Pawns(_) | Theme::King(_) => ("better", "worse"),
        Theme::Safety(_) => ("safer", "less safe"),
        _ => ("more", "less"),
    };
    let how = if total > 0 { better } else { worse };
    let reasons = reasons(deltas, |delta| i64::from(delta.cp()) * i64::from(total) > 0);
    let changed = deltas.iter().filter(|delta| delta.cp() != 0).count();
    if let ([only], 1) = (&reasons[..], changed) {
        // The only term says it all.
        return in_number(theme, deltas, only);
    }
    let subject = match theme {
        Theme::Pieces(_, role) => format!("{}'s {} ", side_name(side), plural(role)),
        Theme::King(_) => format!("the {} king ", side_adjective(side)),
        Theme::Pawns(_) => format!("{}'s pawns ", side_name(side)),
        _ => String::new(),
    };
    let predicates = reasons.iter().map(|reason| {
        // The heading has named the subject.
        let said = in_number(theme, deltas, reason);
        let subject = in_number(theme, deltas, &subject);
        said.strip_prefix(&subject).map_or(said.clone(), str::to_string)
    });
    let head = in_number(theme, deltas, &format!("{}'s {head} {how}", side_name(side)));
    join(&head, predicates.collect())
}

/// A text about the pieces of a kind, in the singular where the side has one of them.
fn in_number(theme: Theme, deltas: &[Delta], text: &str) -> String {
    let Theme::Pieces(side, role) = theme else { return text.to_string() };
    let (many, places) =
        (plural(role), format!("{}_psqt", &plural(role)[..plural(role).len() - 1]));
    let is_one = deltas.iter().any(|delta| delta.term == places && delta.counts() == [1, 1]);
    if !is_one {
        return text.to_string();
    }
    let one = &many[..many.len() - 1];
    let subject = format!("{}'s {many} ", side_name(side));
    let Some(predicate) = text.strip_prefix(&subject) else { return text.to_string() };
    let mut predicate = format!(" {predicate}");
    for (plural, singular) in [
        (" stand ", " stands "),
        (" attack ", " attacks "),
        (" have ", " has "),
        (" share their ", " has its "),
    ] {
        predicate = predicate.replace(plural, singular);
    }
    format!("{}'s {one}{predicate}", side_name(side))
}

/// A heading and what belongs to it.
fn join(head: &str, reasons: Vec<String>) -> String {
    if reasons.is_empty() { head.to_string() } else { format!("{head}: {}", reasons.join("; ")) }
}

/// What the largest of the wanted terms say.
fn reasons(deltas: &[Delta], wanted: impl Fn(&Delta) -> bool) -> Vec<String> {
    let mut reasons: Vec<(f64, String)> = deltas
        .iter()
        .filter(|delta| wanted(delta))
        .filter_map(|delta| {
            let exact = delta.shares[1].exact - delta.shares[0].exact;
            of_term(delta).map(|reason| (exact.abs(), reason))
        })
        .collect();
    reasons.sort_by(|a, b| b.0.total_cmp(&a.0));
    // Two terms can say the same.
    let mut said: Vec<String> = Vec::new();
    for (_, reason) in reasons {
        if said.len() < MOST_REASONS && !said.contains(&reason) {
            said.push(reason);
        }
    }
    said
}

/// What a term of a side says; `None` where nothing but its worth has changed.
pub(super) fn of_term(delta: &Delta) -> Option<String> {
    squares(delta)
        .or_else(|| fills(delta))
        .or_else(|| mobility(delta))
        .or_else(|| pawns(delta))
        .or_else(|| passers(delta))
        .or_else(|| king(delta))
        .or_else(|| threats(delta))
        .or_else(|| territory(delta))
        .or_else(|| danger_reason(delta))
}

/// Several pieces of a type.
fn plural(role: Role) -> &'static str {
    match role {
        Role::Pawn => "pawns",
        Role::Knight => "knights",
        Role::Bishop => "bishops",
        Role::Rook => "rooks",
        Role::Queen => "queens",
        Role::King => "king",
    }
}

/// Squares in words: `d4`, `d4 and e5`, `a1, b1, c1, d1, e1 and 3 more`.
fn list(squares: Bitboard) -> String {
    let names: Vec<String> = squares.into_iter().map(|square| square.to_string()).collect();
    if names.len() <= MOST_SQUARES {
        return listed(&names);
    }
    let (first, others) = names.split_at(MOST_SQUARES - 1);
    format!("{} and {} more", first.join(", "), others.len())
}

/// A sentence of its subject, what it does on the squares gained, or what no more on those lost:
/// whichever goes the way of the term as a whole, or both. `%` stands for the squares.
fn sentence(delta: &Delta, subject: &str, now: &str, no_longer: &str) -> Option<String> {
    let (gained, lost) = (delta.gained(), delta.lost());
    let fill = |text: &str, squares: Bitboard| text.replace('%', &list(squares));
    let agrees = delta.worth_of_squares().map(|worth| worth * f64::from(delta.cp()) > 0.0);
    let (by_gain, by_loss) = match (gained.any(), lost.any()) {
        (true, true) if agrees[0] != agrees[1] => (agrees[0], agrees[1]),
        both => both,
    };
    let predicate = match (by_gain, by_loss) {
        (true, true) => format!("{} and {}", fill(now, gained), fill(no_longer, lost)),
        (true, false) => fill(now, gained),
        (false, true) => fill(no_longer, lost),
        (false, false) => return None,
    };
    Some(if subject.is_empty() { predicate } else { format!("{subject} {predicate}") })
}

/// `White's knights now attack d4 and no longer attack e5`.
fn does(delta: &Delta, who: &str, verb: &str) -> Option<String> {
    let subject = format!("{}'s {who}", side_name(delta.side));
    sentence(delta, &subject, &format!("now {verb} %"), &format!("no longer {verb} %"))
}

/// `White now has an isolated pawn on d4`.
fn has(delta: &Delta, one: &str, many: &str) -> Option<String> {
    let noun = |squares: Bitboard| if squares.count() == 1 { one } else { many };
    let now = format!("now has {} %", noun(delta.gained()));
    let no_longer = format!("no longer has {} %", noun(delta.lost()));
    sentence(delta, side_name(delta.side), &now, &no_longer)
}

/// Piece-square tables.
fn squares(delta: &Delta) -> Option<String> {
    let pieces = match delta.term {
        name::pawn_psqt => "pawns",
        name::knight_psqt => "knights",
        name::bishop_psqt => "bishops",
        name::rook_psqt => "rooks",
        name::queen_psqt => "queens",
        name::king_psqt => {
            let subject = format!("the {} king", side_adjective(delta.side));
            return sentence(delta, &subject, "now stands on %", "no longer stands on %");
        }
        name::phalanx => return has(delta, "a pawn beside another on", "pawns beside others on"),
        name::supported => {
            return has(delta, "a pawn defended by a pawn on", "pawns defended by pawns on");
        }
        name::candidate_passer => {
            return has(delta, "a candidate passed pawn on", "candidate passed pawns on");
        }
        name::passed_psqt => return has(delta, "a passed pawn on", "passed pawns on"),
        name::passed_safe_path => {
            return has(
                delta,
                "a passed pawn with a free and safe path on",
                "passed pawns with a free and safe path on",
            );
        }
        _ => return None,
    };
    does(delta, pieces, "stand on")
}

/// Maps of attacked, controlled and reachable squares.
fn fills(delta: &Delta) -> Option<String> {
    let (side, enemy) = (side_name(delta.side), side_name(delta.side.other()));
    let pieces = match delta.term {
        name::pawn_attacks => "pawns",
        name::knight_attacks => "knights",
        name::bishop_attacks => "bishops",
        name::rook_attacks => "rooks",
        name::queen_attacks => "queens",
        name::attacked_twice => {
            return sentence(delta, side, "now attacks % twice", "no longer attacks % twice");
        }
        name::uncontested => {
            let (now, no_longer) = ("now is", "no longer is");
            let rest = "the only side that attacks %";
            return sentence(delta, side, &format!("{now} {rest}"), &format!("{no_longer} {rest}"));
        }
        name::controlled => return sentence(delta, side, "now controls %", "no longer controls %"),
        name::second_wave => {
            return sentence(
                delta,
                &format!("{side}'s pieces"),
                "now are one safe move away from attacking %",
                "no longer are one safe move away from attacking %",
            );
        }
        name::king_wave => {
            return sentence(
                delta,
                &format!("the {} king", side_adjective(delta.side)),
                "can now reach %",
                "can no longer reach %",
            )
            .map(|text| format!("{text} within three moves"));
        }
        name::holes => {
            return sentence(
                delta,
                &format!("{enemy}'s pawns"),
                "can no longer defend %",
                "can now defend %",
            );
        }
        name::behind_pawns => {
            return has(delta, "the square behind its pawns", "the squares behind its pawns");
        }
        name::rams => {
            return has(delta, "a pawn blocked by a pawn on", "pawns blocked by pawns on");
        }
        _ => return None,
    };
    does(delta, pieces, "attack")
}

/// A number with its noun: `1 move`, `3 moves`.
fn number(count: i32, one: &str) -> String {
    format!("{count} {one}{}", if count == 1 { "" } else { "s" })
}

/// Mobility: pieces and the squares they can go to. The index of a part is the number of squares.
fn mobility(delta: &Delta) -> Option<String> {
    let piece = match delta.term {
        name::knight_mobility => "knight",
        name::bishop_mobility => "bishop",
        name::rook_mobility => "rook",
        name::queen_mobility => "queen",
        name::rook_open_file => {
            return has(delta, "a rook on an open file, on", "rooks on open files, on");
        }
        name::rook_half_open_file => {
            return has(delta, "a rook on a half-open file, on", "rooks on half-open files, on");
        }
        name::bishop_pawns => {
            return has(
                delta,
                "a pawn on its bishop's colour, on",
                "pawns on its bishop's colour, on",
            );
        }
        name::bishop_blocked_pawns => {
            return has(
                delta,
                "a blocked pawn on its bishop's colour, on",
                "blocked pawns on its bishop's colour, on",
            );
        }
        name::knight_outpost | name::bishop_outpost => return outpost(delta),
        name::reachable_outpost => {
            return sentence(
                delta,
                &format!("{}'s knights", side_name(delta.side)),
                "can now go to the outpost %",
                "can no longer go to the outpost %",
            );
        }
        name::minor_behind_pawn => {
            return has(delta, "a minor piece behind a pawn on", "minor pieces behind pawns on");
        }
        _ => return None,
    };
    let moves = delta.parts.each_ref().map(|parts| {
        let sum = parts.iter().map(|part| part.index as i32 * part.count).sum();
        number(sum, "square")
    });
    let pieces = delta.counts().map(|count| number(count, piece));
    let side = side_name(delta.side);
    if !delta.is_counted_anew() {
        return None;
    }
    Some(if pieces[0] != pieces[1] {
        format!(
            "{side} has {} with {} to go to instead of {} with {}",
            pieces[1], moves[1], pieces[0], moves[0]
        )
    } else if moves[0] != moves[1] {
        format!("{side}'s {piece}s have {} to go to instead of {}", moves[1], moves[0])
    } else {
        format!("{side}'s {piece}s share their {} to go to in another way", moves[1])
    })
}

/// A piece that no pawn can drive away.
fn outpost(delta: &Delta) -> Option<String> {
    let piece = if delta.term == name::knight_outpost { "knight" } else { "bishop" };
    let (side, enemy) = (side_name(delta.side), side_name(delta.side.other()));
    let now = format!("on %, defended by a pawn, cannot be driven away by {enemy}'s pawns");
    sentence(delta, &format!("{side}'s {piece}"), &now, "no longer has the outpost %")
}

/// Pawn structure.
fn pawns(delta: &Delta) -> Option<String> {
    match delta.term {
        name::doubled => has(delta, "a doubled pawn on", "doubled pawns on"),
        name::isolated => has(delta, "an isolated pawn on", "isolated pawns on"),
        name::isolated_unopposed => has(
            delta,
            "an isolated pawn on a half-open file, on",
            "isolated pawns on half-open files, on",
        ),
        name::backward => has(delta, "a backward pawn on", "backward pawns on"),
        name::backward_unopposed => has(
            delta,
            "a backward pawn on a half-open file, on",
            "backward pawns on half-open files, on",
        ),
        name::lever => has(delta, "a pawn that a pawn attacks on", "pawns that pawns attack on"),
        _ => None,
    }
}

/// Passed pawns.
fn passers(delta: &Delta) -> Option<String> {
    match delta.term {
        name::passed_rank => has(delta, "a passed pawn on", "passed pawns on"),
        name::passed_supported => {
            has(delta, "a passed pawn defended by a pawn on", "passed pawns defended by pawns on")
        }
        name::passed_stop => {
            let [before, after] = delta.parts.each_ref().map(|parts| {
                let safe = parts.iter().filter(|part| row_and_column(part.index).1 == 3);
                safe.fold(Bitboard::EMPTY, |all, part| all | part.squares)
            });
            let (squares, how) = match delta.cp() > 0 {
                true => (after & !before, "now"),
                false => (before & !after, "no longer"),
            };
            let side = side_name(delta.side);
            squares.any().then(|| {
                format!("{side}'s passed pawns can {how} advance safely from {}", list(squares))
            })
        }
        name::passed_own_king => king_distance(delta, delta.side),
        name::passed_enemy_king => king_distance(delta, delta.side.other()),
        name::passed_rook_behind => has(
            delta,
            "a rook or queen behind its passed pawns, on",
            "rooks or queens behind its passed pawns, on",
        ),
        name::passed_enemy_rook_behind => sentence(
            delta,
            side_name(delta.side.other()),
            "now has a rook or queen behind the passed pawns, on %",
            "no longer has a rook or queen behind the passed pawns, on %",
        ),
        name::unstoppable => match delta.counts() {
            [0, 1] => Some(format!("{} now has an unstoppable passed pawn", side_name(delta.side))),
            [1, 0] => Some(format!("{} has no unstoppable passed pawn now", side_name(delta.side))),
            _ => None,
        },
        _ => None,
    }
}

/// The moves a king needs to the square before a passed pawn: the index of a part.
fn king_distance(delta: &Delta, king: Color) -> Option<String> {
    let (side, king) = (side_name(delta.side), side_adjective(king));
    let moves = |part: &Part| match part.index {
        7 => "7 moves or more".to_string(),
        moves => number(moves as i32, "move"),
    };
    match (&delta.parts[0][..], &delta.parts[1][..]) {
        ([before], [after]) if before.index != after.index => Some(format!(
            "the {king} king now needs {} to stand before {side}'s passed pawn on {}, instead of {}",
            moves(after),
            list(after.squares),
            moves(before)
        )),
        ([], [after]) => Some(format!(
            "the {king} king needs {} to stand before {side}'s passed pawn on {}",
            moves(after),
            list(after.squares)
        )),
        _ => sentence(
            delta,
            &format!("the {king} king"),
            &format!("now counts by its way to {side}'s passed pawns on %"),
            &format!("no longer counts by its way to {side}'s passed pawns on %"),
        ),
    }
}

/// Shelter and pawn storm.
fn king(delta: &Delta) -> Option<String> {
    let (own, enemy) = (side_adjective(delta.side), side_name(delta.side.other()));
    let better = delta.cp() > 0;
    match delta.term {
        // Said only where all rights come or go.
        name::castling => {
            let side = side_name(delta.side);
            fact(delta, &format!("{side} may castle"), &format!("{side} may no longer castle"))
        }
        name::shelter if delta.is_counted_anew() => Some(format!(
            "{}'s pawns shelter their king {}",
            side_name(delta.side),
            if better { "better" } else { "worse" }
        )),
        name::storm if delta.is_counted_anew() => Some(format!(
            "{enemy}'s pawns trouble the {own} king {}",
            if better { "less" } else { "more" }
        )),
        name::storm_blocked => sentence(
            delta,
            &format!("before the {own} king"),
            &format!("{enemy}'s pawn on % is now blocked"),
            &format!("{enemy}'s pawn on % is no longer blocked there"),
        ),
        name::king_half_open_file => fact(
            delta,
            &format!("the {own} king now stands on a file without own pawns"),
            &format!("the {own} king no longer stands on a file without own pawns"),
        ),
        name::pawnless_flank => fact(
            delta,
            &format!("the {own} king now stands on a wing without own pawns"),
            &format!("the {own} king no longer stands on a wing without own pawns"),
        ),
        _ => None,
    }
}

/// What is there or not.
fn fact(delta: &Delta, now: &str, no_longer: &str) -> Option<String> {
    match delta.counts().map(|count| count != 0) {
        [false, true] => Some(now.to_string()),
        [true, false] => Some(no_longer.to_string()),
        _ => None,
    }
}

fn threats(delta: &Delta) -> Option<String> {
    let side = side_name(delta.side);
    match delta.term {
        name::defence => defence(delta),
        name::pinned => has(delta, "a pinned piece on", "pinned pieces on"),
        // Two pieces in danger may count less than one.
        name::en_prise if (if delta.cp() < 0 { delta.gained() } else { delta.lost() }).any() => {
            has(delta, "a piece in danger on", "pieces in danger on")
        }
        name::knight_forks => attacks_from(delta, "a knight", "two targets at once"),
        name::knight_threats => {
            attacks_from(delta, "a knight", "a rook, a queen or an undefended piece")
        }
        name::slider_threats => {
            attacks_from(delta, "a bishop, rook or queen", "an undefended piece")
        }
        name::xrays_at_loose => has(
            delta,
            "a line through a piece to an undefended one on",
            "lines through pieces to undefended ones on",
        ),
        name::skewers => has(
            delta,
            "a line through a piece to a rook or queen on",
            "lines through pieces to rooks or queens on",
        ),
        name::discovered_checks => has(delta, "a discovered check from", "discovered checks from"),
        name::threat_by_pawn_push => {
            does(delta, "pawns", "threaten to advance and attack the pieces on")
        }
        name::threat_on_queen => sentence(
            delta,
            side,
            "can now attack the queen from %",
            "can no longer attack the queen from %",
        ),
        name::restricted => does(delta, "pieces", "make it hard for the enemy to use"),
        _ => None,
    }
}

/// `White can now attack two targets at once with a knight, from d5`.
fn attacks_from(delta: &Delta, who: &str, what: &str) -> Option<String> {
    sentence(
        delta,
        side_name(delta.side),
        &format!("can now attack {what} with {who}, from %"),
        &format!("can no longer attack {what} with {who}, from %"),
    )
}

/// `White's knight on e5 is attacked by a pawn, not defended`: the piece whose attack or defence has
/// changed most, the way that the term goes.
fn defence(delta: &Delta) -> Option<String> {
    const ATTACKERS: [&str; 5] =
        ["a pawn", "a knight or bishop", "a rook", "a queen", "the enemy king"];
    let side = side_name(delta.side);
    let sign = f64::from(delta.cp().signum());
    let worth = |part: Option<&Part>| part.map_or(0.0, |part| part.exact / f64::from(part.count));
    let squares = delta.shares[0].squares | delta.shares[1].squares;
    let changes = squares.into_iter().filter_map(|square| {
        let [before, after] = delta
            .parts
            .each_ref()
            .map(|parts| parts.iter().find(|part| part.squares.contains(square)).copied());
        // Whose move it is is told by another term.
        let state = |part: Option<Part>| part.map(|part| row_and_column(part.index));
        let gain = sign * (worth(after.as_ref()) - worth(before.as_ref()));
        (state(before) != state(after) && gain > 0.0).then_some((gain, square, before, after))
    });
    let (_, square, before, after) = changes.max_by(|a, b| a.0.total_cmp(&b.0))?;
    let attack = |part: Part| {
        let (row, column) = row_and_column(part.index);
        let class = (row % ROWS).checked_sub(1)?;
        let more = if class % 2 == 1 { " and once more" } else { "" };
        let attacker = format!("{}{more}", ATTACKERS[class / 2]);
        Some((PIECES[row / ROWS], attacker, column))
    };
    if let Some((piece, attacker, column)) = after.and_then(attack) {
        let defences =
            ["not defended", "defended once", "defended twice or more", "defended by a pawn"];
        return Some(format!(
            "{side}'s {piece} on {square} is attacked by {attacker}, {}",
            defences[column]
        ));
    }
    let (piece, attacker, _) = before.and_then(attack)?;
    Some(format!("{side} no longer has a {piece} on {square} attacked by {attacker}"))
}

/// Space, and mating a bare king.
fn territory(delta: &Delta) -> Option<String> {
    let [before, after] = delta.counts();
    match delta.term {
        name::space if before != after => Some(format!(
            "{} has {} of space in the centre instead of {before}",
            side_name(delta.side),
            number(after, "square")
        )),
        name::bare_king => fact(
            delta,
            &format!("{} now has a bare king to mate", side_name(delta.side)),
            &format!("{} no longer has a bare king to mate", side_name(delta.side)),
        ),
        // Not counted as long as the king is not bare.
        name::bare_king_edge if before != after && after != 0 => {
            let king = side_adjective(delta.side.other());
            let before = if before == 0 { String::new() } else { format!(" instead of {before}") };
            let steps = number(after, "step");
            Some(format!("the bare {king} king is {steps}{before} away from the centre"))
        }
        _ => None,
    }
}

/// Material, of both sides: what has become more or less.
fn material(deltas: &[Delta]) -> String {
    let mut sides = Vec::new();
    for delta in deltas.iter().filter(|delta| delta.term == name::material) {
        let differences: Vec<(i32, &str)> = PIECES
            .into_iter()
            .enumerate()
            .map(|(index, piece)| {
                let [before, after] = delta.parts.each_ref().map(|parts| {
                    let same = parts.iter().filter(|part| part.index == index);
                    same.map(|part| part.count).sum::<i32>()
                });
                (after - before, piece)
            })
            .collect();
        let some = |sign: i32, word: &str| {
            let pieces = differences.iter().filter(|(count, _)| count * sign > 0);
            let pieces: Vec<String> =
                pieces.map(|&(count, piece)| number(count.abs(), piece)).collect();
            (!pieces.is_empty()).then(|| format!("{} {word}", pieces.join(", ")))
        };
        let parts: Vec<String> =
            [some(1, "more"), some(-1, "less")].into_iter().flatten().collect();
        if !parts.is_empty() {
            sides.push(format!("{} has {}", side_name(delta.side), parts.join(" and ")));
        }
    }
    let pair = deltas.iter().filter(|delta| delta.term == name::bishop_pair);
    sides.extend(pair.filter_map(|delta| {
        let side = side_name(delta.side);
        fact(
            delta,
            &format!("{side} now has the bishop pair"),
            &format!("{side} no longer has the bishop pair"),
        )
    }));
    if sides.is_empty() {
        return "the same pieces are worth more or less".to_string();
    }
    sides.join("; ")
}

/// Whose move it is.
fn to_move(deltas: &[Delta]) -> String {
    let mover = deltas.iter().find(|delta| delta.counts() == [0, 1]);
    mover.map_or("the move counts more or less".to_string(), |delta| {
        format!("it is {}'s move", side_name(delta.side))
    })
}

/// The attack of a side on the enemy king.
fn danger(side: Color, deltas: &[Delta]) -> String {
    let total: i32 = deltas.iter().map(Delta::cp).sum();
    let stronger = if total > 0 { "stronger" } else { "weaker" };
    let enemy = side_adjective(side.other());
    let head = format!("{}'s attack on the {enemy} king is {stronger}", side_name(side));
    join(&head, reasons(deltas, |delta| agrees(delta, total)))
}

/// Whether a term has become more or less often counted in the direction of the total, so that it
/// may be given as a reason.
fn agrees(delta: &Delta, total: i32) -> bool {
    let [before, after] = delta.counts();
    let value: f64 = delta.shares.iter().map(|share| share.exact).sum();
    let change = f64::from(after - before) * value;
    let by_value = delta.shares[1].exact - delta.shares[0].exact;
    change * f64::from(total) > 0.0 && by_value * f64::from(total) > 0.0
}

/// What has changed in one term of an attack on the king.
fn danger_reason(delta: &Delta) -> Option<String> {
    let (side, enemy) = (side_name(delta.side), side_name(delta.side.other()));
    let their = side_adjective(delta.side.other());
    match delta.term {
        name::danger_ring_attacks => does(delta, "pieces", "attack near the king"),
        name::danger_adjacent_attacks => sentence(
            delta,
            side,
            "now attacks % beside the king",
            "no longer attacks % beside the king",
        ),
        name::danger_weak_squares => has(
            delta,
            "an attacked square that only the king defends,",
            "attacked squares that only the king defends,",
        ),
        name::danger_ring_twice => sentence(
            delta,
            side,
            "now attacks % near the king twice",
            "no longer attacks % near the king twice",
        ),
        name::danger_ring_pawns => does(delta, "pawns", "attack near the king"),
        name::danger_safe_checks => has(delta, "a safe check on", "safe checks on"),
        name::danger_unsafe_checks => {
            has(delta, "a check that can be captured on", "checks that can be captured on")
        }
        name::danger_no_queen => fact(
            delta,
            &format!("{side} has no queen any more"),
            &format!("{side} has a queen again"),
        ),
        name::danger_flank_attacks => sentence(
            delta,
            side,
            "now attacks % on the king's wing",
            "no longer attacks % on the king's wing",
        ),
        name::danger_flank_twice => sentence(
            delta,
            side,
            "now attacks % on the king's wing twice",
            "no longer attacks % on the king's wing twice",
        ),
        name::danger_flank_defence => sentence(
            delta,
            enemy,
            "now defends % on its king's wing",
            "no longer defends % on its king's wing",
        ),
        name::danger_minor_defenders => sentence(
            delta,
            &format!("{enemy}'s knights and bishops"),
            "now defend % near the king",
            "no longer defend % near the king",
        ),
        name::danger_pawn_shield => sentence(
            delta,
            &format!("{enemy}'s pawns"),
            "now stand on % near the king",
            "no longer stand on % near the king",
        ),
        name::danger_escapes => sentence(
            delta,
            &format!("the {their} king"),
            "can now go to %",
            "can no longer go to %",
        ),
        name::danger_second_escapes => sentence(
            delta,
            &format!("the {their} king"),
            "can now escape to % in two moves",
            "can no longer escape to % in two moves",
        ),
        name::danger_no_pawn_on_file => fact(
            delta,
            &format!("the {their} king now stands on a file without its pawns"),
            &format!("the {their} king no longer stands on a file without its pawns"),
        ),
        name::danger_xray => has(
            delta,
            "a piece aimed at the king through another, on",
            "pieces aimed at the king through others, on",
        ),
        name::danger_pawn_storm => {
            has(delta, "a pawn before the king on", "pawns before the king on")
        }
        _ => None,
    }
}

/// The initiative, of both sides.
fn initiative(deltas: &[Delta]) -> String {
    let pawns = deltas.iter().filter(|delta| delta.term == name::initiative_pawns);
    let [before, after] = pawns.fold([0; 2], |[a, b], delta| {
        let [before, after] = delta.counts();
        [a + before, b + after]
    });
    let cp: i32 = deltas.iter().map(Delta::white_cp).sum();
    let side = side_name(Color::from_white(cp > 0));
    let head = format!("the initiative changes in favour of {side}");
    if before == after {
        return head;
    }
    format!("{head}, with {} on the board instead of {before}", number(after, "pawn"))
}

/// The scale factor of the endgame, in 64ths.
fn scale([before, after]: [i32; 2]) -> String {
    if before == after {
        return format!("{after}/64 of another advantage count in the endgame");
    }
    format!("{after}/64 of an advantage count in the endgame, instead of {before}/64")
}

/// What is known of the result.
fn result(deltas: &[Delta]) -> String {
    let [legend, title] = [deltas[0].legend, deltas[0].title];
    let [before, after] = [0, 1].map(|at| deltas.iter().any(|delta| delta.shares[at].count > 0));
    match (before, after) {
        (true, false) => format!("no longer known: {title}"),
        _ => legend.trim_end_matches('.').to_string(),
    }
}
