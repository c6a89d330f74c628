//! The words for a change of terms: which squares a term has gained or lost, or how its counts have
//! changed, from the trace alone. What a term says is declared with it, in `eval/terms.rs`.

use super::breakdown::Part;
use super::deltas::{Delta, Theme};
use crate::chess::{Bitboard, Color, Role, role_name, side_adjective, side_name};
use crate::eval::THREAT_ROWS;
use crate::eval::terms::{name, row_and_column};
use crate::eval::wording::{About, Special, Wording};
use crate::text::listed;

/// At most this many squares are named one by one.
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
    let many = plural(role);
    let places = match role {
        Role::Knight => name::knight_psqt,
        Role::Bishop => name::bishop_psqt,
        Role::Rook => name::rook_psqt,
        _ => name::queen_psqt,
    };
    let is_one = deltas.iter().any(|delta| delta.term == places && delta.counts() == [1, 1]);
    if !is_one {
        return text.to_string();
    }
    let one = role_name(role);
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
    let (side, enemy) = (delta.side, delta.side.other());
    let named = |text: &str| {
        text.replace("{side}", side_name(side))
            .replace("{enemy}", side_name(enemy))
            .replace("{own}", side_adjective(side))
            .replace("{their}", side_adjective(enemy))
    };
    match delta.wording {
        Wording::Total => None,
        Wording::Has(one, several) => has(delta, one, several),
        Wording::Does { subject, now, no_longer } => {
            sentence(delta, &named(subject), &named(now), &named(no_longer))
        }
        Wording::Fact(now, no_longer) => fact(delta, &named(now), &named(no_longer)),
        Wording::Special(special) => of_special(delta, special),
    }
}

/// What a term says that is told in a way of its own.
fn of_special(delta: &Delta, special: Special) -> Option<String> {
    match special {
        Special::Mobility => mobility(delta),
        Special::SafeAdvance => safe_advance(delta),
        Special::KingDistance { own } => {
            king_distance(delta, if own { delta.side } else { delta.side.other() })
        }
        Special::Shelter | Special::Storm => shelter(delta, special),
        Special::Defence => defence(delta),
        Special::InDanger => in_danger(delta),
        Special::Space => space(delta),
        Special::Edge => edge(delta),
    }
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

/// A sentence about the squares gained, those lost, or both: what explains the change of the term.
/// `%` stands for the squares. `None` if the sentence would sound like the opposite of the change,
/// such as "control counts less: Black now attacks c4".
fn sentence(delta: &Delta, subject: &str, now: &str, no_longer: &str) -> Option<String> {
    let (gained, lost) = (delta.gained(), delta.lost());
    let fill = |text: &str, squares: Bitboard| text.replace('%', &list(squares));
    let agrees = delta.worth_of_squares().map(|worth| worth * f64::from(delta.cp()) > 0.0);
    let (by_gain, by_loss) = match (gained.any(), lost.any()) {
        (true, true) if agrees[0] != agrees[1] => (agrees[0], agrees[1]),
        both => both,
    };
    // Control and threats sound good, even on squares that count against them.
    let sounds_good = matches!(delta.about, Some(About::Control | About::Threats));
    let value: f64 = match sounds_good {
        true => 1.0,
        false => delta.shares.iter().map(|share| share.exact).sum(),
    };
    let grows = value * f64::from(delta.cp());
    let both_may_be_told = by_gain && by_loss && !sounds_good;
    let (by_gain, by_loss) = match both_may_be_told {
        true => (true, true),
        false => (by_gain && grows >= 0.0, by_loss && grows <= 0.0),
    };
    let predicate = match (by_gain, by_loss) {
        (true, true) => format!("{} and {}", fill(now, gained), fill(no_longer, lost)),
        (true, false) => fill(now, gained),
        (false, true) => fill(no_longer, lost),
        (false, false) => return None,
    };
    Some(if subject.is_empty() { predicate } else { format!("{subject} {predicate}") })
}

/// `White now has an isolated pawn on d4`.
fn has(delta: &Delta, one: &str, many: &str) -> Option<String> {
    let noun = |squares: Bitboard| if squares.count() == 1 { one } else { many };
    let now = format!("now has {} %", noun(delta.gained()));
    let no_longer = format!("no longer has {} %", noun(delta.lost()));
    sentence(delta, side_name(delta.side), &now, &no_longer)
}

/// A number with its noun: `1 move`, `3 moves`.
fn number(count: i32, one: &str) -> String {
    format!("{count} {one}{}", if count == 1 { "" } else { "s" })
}

/// Mobility: pieces and the squares they cover. The index of a part is the number of squares.
fn mobility(delta: &Delta) -> Option<String> {
    let Some(About::Pieces(role)) = delta.about else { return None };
    let piece = role_name(role);
    let moves = delta.parts.each_ref().map(|parts| {
        let sum = parts.iter().map(|part| part.index as i32 * part.count).sum();
        number(sum, "square")
    });
    let pieces = delta.counts().map(|count| number(count, piece));
    let side = side_name(delta.side);
    if !delta.is_counted_anew() {
        return None;
    }
    let [before, after] = delta.counts();
    Some(if after == 0 {
        format!("{side} no longer has {}, covering {}", pieces[0], moves[0])
    } else if before == 0 {
        format!("{side} now has {}, covering {}", pieces[1], moves[1])
    } else if pieces[0] != pieces[1] {
        format!(
            "{side} has {}, covering {}, instead of {}, covering {}",
            pieces[1], moves[1], pieces[0], moves[0]
        )
    } else if moves[0] != moves[1] {
        format!("{side}'s {piece}s cover {} instead of {}", moves[1], moves[0])
    } else {
        format!("{side}'s {piece}s still cover {}, divided differently", moves[1])
    })
}

/// Passed pawns that can advance without being attacked there.
fn safe_advance(delta: &Delta) -> Option<String> {
    let [before, after] = delta.parts.each_ref().map(|parts| {
        let safe = parts.iter().filter(|part| row_and_column(part.index).1 == 3);
        safe.fold(Bitboard::EMPTY, |all, part| all | part.squares)
    });
    let (squares, how) = match delta.cp() > 0 {
        true => (after & !before, "now"),
        false => (before & !after, "no longer"),
    };
    let side = side_name(delta.side);
    squares
        .any()
        .then(|| format!("{side}'s passed pawns can {how} advance safely from {}", list(squares)))
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

/// The pawns before a king, its own or the enemy's.
fn shelter(delta: &Delta, special: Special) -> Option<String> {
    if !delta.is_counted_anew() {
        return None;
    }
    let better = delta.cp() > 0;
    Some(match special {
        Special::Storm => format!(
            "{}'s pawns trouble the {} king {}",
            side_name(delta.side.other()),
            side_adjective(delta.side),
            if better { "less" } else { "more" }
        ),
        _ => format!(
            "{}'s pawns shelter their king {}",
            side_name(delta.side),
            if better { "better" } else { "worse" }
        ),
    })
}

/// What is there or not.
fn fact(delta: &Delta, now: &str, no_longer: &str) -> Option<String> {
    match delta.counts().map(|count| count != 0) {
        [false, true] => Some(now.to_string()),
        [true, false] => Some(no_longer.to_string()),
        _ => None,
    }
}

/// Pieces in danger. Two of them may count less than one.
fn in_danger(delta: &Delta) -> Option<String> {
    let squares = if delta.cp() < 0 { delta.gained() } else { delta.lost() };
    squares.any().then(|| has(delta, "a piece in danger on", "pieces in danger on"))?
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
        let class = (row % THREAT_ROWS).checked_sub(1)?;
        let more = if class % 2 == 1 { " and once more" } else { "" };
        let attacker = format!("{}{more}", ATTACKERS[class / 2]);
        Some((PIECES[row / THREAT_ROWS], attacker, column))
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

/// Squares of space.
fn space(delta: &Delta) -> Option<String> {
    let [before, after] = delta.counts();
    let side = side_name(delta.side);
    let squares = number(after, "square");
    (before != after)
        .then(|| format!("{side} has {squares} of space in the centre instead of {before}"))
}

/// The way of a bare king from the centre. It does not count as long as the king is not bare.
fn edge(delta: &Delta) -> Option<String> {
    let [before, after] = delta.counts();
    let king = side_adjective(delta.side.other());
    let instead = if before == 0 { String::new() } else { format!(" instead of {before}") };
    let steps = number(after, "step");
    (before != after && after != 0)
        .then(|| format!("the bare {king} king is {steps}{instead} away from the centre"))
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
    sides.extend(deltas.iter().filter_map(of_term));
    if sides.is_empty() {
        return "the same pieces have another value now".to_string();
    }
    sides.join("; ")
}

/// Whose move it is.
fn to_move(deltas: &[Delta]) -> String {
    let mover = deltas.iter().find(|delta| delta.counts() == [0, 1]);
    mover.map_or("the bonus for having the move changes".to_string(), |delta| {
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
    let percent = |factor: i32| (100 * factor + 32) / 64;
    if before == after {
        return format!("{} % of a changed advantage count in the endgame", percent(after));
    }
    format!(
        "{} % of an advantage count in the endgame, instead of {} %",
        percent(after),
        percent(before)
    )
}

/// What is known of the result.
fn result(deltas: &[Delta]) -> String {
    let title = deltas[0].title;
    let [before, after] = [0, 1].map(|at| deltas.iter().any(|delta| delta.shares[at].count > 0));
    match (before, after) {
        (true, false) => format!("what was known of the result no longer counts: {title}"),
        _ => format!("what is known of the result counts now: {title}"),
    }
}
