//! The summary of a game in up to three sentences: the opening, the turning point, and how the game
//! was decided.

use crate::board::{Move, Position};
use crate::chess::{Color, side_name};
use crate::pgn::write::without_braces;
use crate::score::Score;
use crate::text::{line_text, score_text};
use crate::tools::accuracy::{Mark, win_percent};
use crate::tools::analyse::draw_on_board;

/// From this chance in percent on, a side is better.
const BETTER: f64 = 62.0;

/// With less than this chance in percent, a side has lost its advantage.
const HELD: f64 = 53.0;

/// From this chance in percent on, a side is winning.
const WINNING: f64 = 80.0;

/// A move of a game, judged.
#[derive(Clone, Debug)]
pub(super) struct JudgedMove {
    /// The position before the move.
    pub position: Position,
    /// The move.
    pub played: Move,
    /// Its score for the side that made it.
    pub score: Score,
    /// How good it is.
    pub mark: Mark,
}

impl JudgedMove {
    /// The chances of a side after the move, in percent.
    fn chances(&self, side: Color) -> f64 {
        let of_mover = win_percent(self.score);
        if self.position.turn() == side { of_mover } else { 100.0 - of_mover }
    }

    /// The move with its number: `23...Qxb2`.
    fn text(&self) -> String {
        line_text(&self.position, &[self.played]).replace(' ', "")
    }

    /// The score from White's view.
    fn score_text(&self) -> String {
        score_text(self.score, &self.position)
    }
}

/// What the tags of a game say.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct GameTags<'a> {
    /// The name of the opening, if any.
    pub opening: &'a str,
    /// `1-0`, `0-1`, `1/2-1/2` or `*`.
    pub result: &'a str,
    /// Why the game ended, if any.
    pub termination: &'a str,
    /// The game goes on with moves that could not be read.
    pub is_cut_short: bool,
}

/// The summary; `None` for a game without moves.
pub(super) fn summary(moves: &[JudgedMove], tags: GameTags<'_>) -> Option<String> {
    let last = moves.last()?;
    let mut sentences = Vec::new();
    if !["", "?"].contains(&tags.opening) {
        sentences.push(format!("The opening was the {}.", without_braces(tags.opening)));
    }
    if tags.is_cut_short {
        let (text, score) = (last.text(), last.score_text());
        sentences.push(format!("The moves that could be read end with {text} ({score})."));
        return Some(sentences.join(" "));
    }
    let winner = match tags.result {
        "1-0" => Some(Color::White),
        "0-1" => Some(Color::Black),
        _ => None,
    };
    // In an unfinished game a side may be winning.
    let is_open = !["1-0", "0-1", "1/2-1/2"].contains(&tags.result);
    let ahead = Color::ALL.into_iter().find(|&side| is_open && last.chances(side) >= WINNING);
    sentences.extend(match winner.or(ahead) {
        Some(winner) => decided(moves, winner),
        None => Some(missed(moves)),
    });
    sentences.push(end(last, winner, tags));
    Some(sentences.join(" "))
}

/// The last mistake of the loser before the winner was better to the end, or the first one after
/// that. In an unfinished game the side that is winning counts as the winner. `None` if there is no such
/// mistake, and the winner was not better in the end, as after a loss on time.
fn decided(moves: &[JudgedMove], winner: Color) -> Option<String> {
    let since = moves.iter().rposition(|m| m.chances(winner) < BETTER).map_or(0, |at| at + 1);
    let is_mistake = |m: &&JudgedMove| m.position.turn() != winner && m.mark != Mark::Good;
    let is_first = |m: &&JudgedMove| is_mistake(m) && m.chances(winner) >= BETTER;
    let reached = (since + 1).min(moves.len());
    let last_before = moves[..reached].iter().enumerate().rev().find(|(_, m)| is_mistake(m));
    // It counts if the winner has kept an advantage since.
    let held = last_before.filter(|(at, _)| moves[*at..].iter().all(|m| m.chances(winner) >= HELD));
    let turning = held.map(|(_, m)| m).or_else(|| moves[since..].iter().find(is_first));
    let name = side_name(winner);
    match turning {
        Some(m) => {
            let how = match m.chances(winner) {
                WINNING.. => "winning",
                BETTER.. => "better",
                _ => "ahead",
            };
            Some(format!(
                "The turning point was {}, {}, after which {name} was {how} ({}) to the end.",
                m.text(),
                m.mark.with_article(),
                m.score_text()
            ))
        }
        None => {
            let is_better = moves.last().is_some_and(|last| last.chances(winner) >= BETTER);
            let words = if since == 0 {
                "was better from the first move to the last"
            } else if moves.iter().any(|m| is_mistake(&m)) {
                "had the better of it in the end"
            } else {
                "got the better of it without a clear mistake of the other side"
            };
            is_better.then(|| format!("{name} {words}."))
        }
    }
}

/// The largest advantage that a side had and gave back in a drawn or unfinished game.
fn missed(moves: &[JudgedMove]) -> String {
    let given_back = moves.iter().zip(moves.iter().skip(1)).filter(|(before, m)| {
        let side = m.position.turn();
        m.mark != Mark::Good && before.chances(side) >= BETTER
    });
    let largest = given_back.max_by(|a, b| {
        let loss = |(before, m): &(&JudgedMove, &JudgedMove)| {
            before.chances(m.position.turn()) - m.chances(m.position.turn())
        };
        loss(a).total_cmp(&loss(b))
    });
    match largest {
        Some((before, m)) => {
            let side = m.position.turn();
            let how = if before.chances(side) >= WINNING { "winning" } else { "better" };
            format!(
                "{} was {how} after {} ({}), and gave it back with {}.",
                side_name(side),
                before.text(),
                before.score_text(),
                m.text()
            )
        }
        None => "Neither side gave a clear advantage away.".to_string(),
    }
}

/// How the game ended.
fn end(last: &JudgedMove, winner: Option<Color>, tags: GameTags<'_>) -> String {
    let mut end = last.position.clone();
    end.play(last.played);
    if end.moves().is_empty() && end.checkers().any() {
        return format!("{} mated with {}.", side_name(last.position.turn()), last.text());
    }
    let (text, score) = (last.text(), last.score_text());
    if end.moves().is_empty() {
        return format!("{text} is stalemate.");
    }
    // A draw by repetition or by the fifty-move rule has to be claimed: a side may have won after all,
    // and a game without a result may go on.
    if let Some(reason) = draw_on_board(&end).filter(|_| winner.is_none()) {
        let is_drawn = tags.result == "1/2-1/2" || end.is_dead_material();
        return match is_drawn {
            true => format!("It was drawn after {text}: {reason}."),
            false => format!("The moves end with {text}, and {reason}."),
        };
    }
    match winner {
        Some(winner) if tags.termination.to_lowercase().contains("time") => {
            format!("{} lost on time after {text} ({score}).", side_name(winner.other()))
        }
        Some(winner) => format!("{} won after {text} ({score}).", side_name(winner)),
        None => format!("It ended after {text} ({score})."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A game with the score after each move from White's view, in centipawns.
    fn game(moves: &[(&str, i32)]) -> Vec<JudgedMove> {
        let mut position = Position::start();
        let mut best = Score::DRAW;
        let judged = moves.iter().map(|&(san, white)| {
            let played = position.parse_san(san).expect("legal");
            let score = Score::cp(white).for_white(position.turn());
            let m = JudgedMove {
                position: position.clone(),
                played,
                score,
                mark: Mark::of_scores(best, score),
            };
            position.play(played);
            best = -score;
            m
        });
        judged.collect()
    }

    #[test]
    fn a_decided_game_has_a_turning_point() {
        let moves = game(&[("f3", -60), ("e5", -60), ("g4", -900), ("Qh4#", -900)]);
        let tags = GameTags { opening: "Barnes Opening", result: "0-1", ..GameTags::default() };
        assert_eq!(
            summary(&moves, tags).expect("moves"),
            "The opening was the Barnes Opening. The turning point was 2.g4, a blunder, after which \
             Black was winning (-8.96) to the end. Black mated with 2...Qh4#."
        );
        let late = GameTags { result: "1-0", termination: "Time forfeit", ..tags };
        let text = summary(&moves[..2], late).expect("moves");
        assert!(text.ends_with("Black lost on time after 1...e5 (-0.60)."), "{text}");
    }

    /// Nothing is said of the end of a game that was not read to its end.
    #[test]
    fn a_game_that_is_cut_short_has_not_ended_there() {
        let moves = game(&[("e4", 20), ("e5", 20)]);
        let tags = GameTags { result: "1-0", is_cut_short: true, ..GameTags::default() };
        assert_eq!(
            summary(&moves, tags).expect("moves"),
            "The moves that could be read end with 1...e5 (+0.20)."
        );
    }

    /// The last mistake before the winner was better to the end counts, although the game was nearly
    /// even after it.
    #[test]
    fn the_turning_point_may_come_before_the_advantage() {
        let moves = [("e4", 20), ("a6", 100), ("d4", 110), ("b6", 150), ("Nf3", 200), ("h6", 210)];
        let tags = GameTags { result: "1-0", ..GameTags::default() };
        assert_eq!(
            summary(&game(&moves), tags).expect("moves"),
            "The turning point was 1...a6, an inaccuracy, after which White was ahead (+1.00) to \
             the end. White won after 3...h6 (+2.09)."
        );
    }

    /// The result counts, not a repetition that nobody claimed. A side that was better from the start
    /// did not become better.
    #[test]
    fn a_game_won_after_a_repetition_was_won() {
        let knights = ["Nf3", "Nf6", "Ng1", "Ng8", "Nf3", "Nf6", "Ng1", "Ng8"];
        let moves = game(&knights.map(|san| (san, 150)));
        let text =
            |result| summary(&moves, GameTags { result, ..GameTags::default() }).expect("moves");
        let won =
            "White was better from the first move to the last. White won after 4...Ng8 (+1.49).";
        assert_eq!(text("1-0"), won);
        let drawn = "It was drawn after 4...Ng8: the position occurs for the third time.";
        assert!(text("1/2-1/2").ends_with(drawn), "{}", text("1/2-1/2"));
        let open = "The moves end with 4...Ng8, and the position occurs for the third time.";
        assert!(text("*").ends_with(open), "{}", text("*"));
    }

    /// "Without a clear mistake" is not said if the loser made one.
    #[test]
    fn a_mistake_is_not_denied() {
        let moves =
            [("e4", 0), ("f6", 400), ("a3", -300), ("e5", -290), ("Nf3", -200), ("Nc6", 150)];
        let text = summary(&game(&moves), GameTags { result: "1-0", ..GameTags::default() });
        assert!(text.is_some_and(|text| !text.contains("without a clear mistake")));
    }

    /// A loss on time in an even game says nothing of an advantage.
    #[test]
    fn an_even_game_lost_on_time_was_even() {
        let moves = game(&[("e4", 20), ("e5", 20), ("Nf3", 20), ("Nc6", 0)]);
        let opening = "King {Pawn} Game";
        let termination = "Black won on time";
        let tags = GameTags { opening, result: "0-1", termination, ..GameTags::default() };
        assert_eq!(
            summary(&moves, tags).expect("moves"),
            "The opening was the King (Pawn) Game. White lost on time after 2...Nc6 (0.00)."
        );
    }

    #[test]
    fn a_drawn_game_tells_what_was_given_back() {
        let moves = game(&[("e4", 20), ("f6", 400), ("a3", 10), ("e5", 10)]);
        let tags = GameTags { result: "1/2-1/2", ..GameTags::default() };
        assert_eq!(
            summary(&moves, tags).expect("moves"),
            "White was winning after 1...f6 (+3.98), and gave it back with 2.a3. It ended after \
             2...e5 (+0.10)."
        );
        assert_eq!(summary(&[], tags), None);
    }
}
