//! A reason: a line with its facts and what it wins, and how it is told.

use super::facts::line::{PlayedLine, worth};
use super::facts::{Fact, Motif};
use super::story::{Gain, is_roundabout, move_text, telling, words};
use crate::board::{Move, Position};
use crate::chess::{Role, role_name, side_name};
use crate::score::Score;

/// From this score on, in centipawns, a side is lost, or won.
pub(super) const LOST: i32 = 300;

/// Up to this score, in centipawns, a position is even.
pub(super) const EVEN: i32 = 60;

/// Causes are told up to this ply of a line.
const NEAR: usize = 4;

/// A line is told as a win of material only if its score is at least this, in centipawns for each
/// pawn it wins. Otherwise the line merely happens to end there.
const CREDIBLE: i32 = 35;

/// The least score, in centipawns, of a line that is told because it wins a single pawn. With less
/// the other side has something for it.
const CREDIBLE_PAWN: i32 = 60;

/// A mate in this many moves or more is told by what leads to it.
const LONG_MATE: usize = 5;

/// The most facts told of a line.
pub(super) const TOLD: usize = 2;

/// A line with what it shows.
#[derive(Clone, Debug)]
pub struct Reason {
    /// The line. The side that profits from it begins.
    pub line: PlayedLine,
    /// What it shows.
    pub facts: Vec<Fact>,
    /// What it brings.
    pub gain: Gain,
    /// Its score for the side that begins.
    pub score: Score,
    /// By how many centipawns the move that allows the line, or misses it, has changed the score.
    pub swing: i32,
    /// Whether that is a mate.
    pub mates: bool,
    /// What it wins comes about by no motif and is no reason: it is not told.
    pub is_incidental: bool,
}

/// What a move does, or what is the case after it: `26...Qd2+` `forks king and rook`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Told {
    /// The move.
    first: String,
    /// Whether the rest has a subject of its own.
    is_after: bool,
    /// The rest of the sentence.
    rest: String,
}

impl Told {
    /// A move and what it does, as a predicate.
    pub fn does(first: String, rest: String) -> Told {
        Told { first, is_after: false, rest }
    }

    /// A sentence that begins with the move, or with `after` and the move, or names another move.
    fn new(first: String, sentence: &str) -> Told {
        let after = format!("after {first} ");
        if let Some(rest) = sentence.strip_prefix(&after) {
            Told { rest: rest.to_string(), is_after: true, first }
        } else {
            let rest = sentence.strip_prefix(&format!("{first} "));
            let is_after = rest.is_none();
            Told { rest: rest.unwrap_or(sentence).to_string(), is_after, first }
        }
    }

    /// As a sentence without its full stop: `26...Qd2+ forks king and rook`.
    pub fn sentence(&self) -> String {
        let start = if self.is_after { "after " } else { "" };
        format!("{start}{} {}", self.first, self.rest)
    }

    /// Where the move has been named: `it forks king and rook`.
    pub fn briefly(&self) -> String {
        if self.is_after { self.rest.clone() } else { format!("it {}", self.rest) }
    }

    /// As an object: `26...Qd2+, which forks king and rook`.
    pub fn object(&self) -> String {
        match self.rest.as_str() {
            "is mate" => self.first.clone(),
            _ => format!("{}, {}", self.first, self.relative()),
        }
    }

    /// As a relative clause: `which forks king and rook`.
    pub fn relative(&self) -> String {
        let start = if self.is_after { "after which" } else { "which" };
        format!("{start} {}", self.rest)
    }
}

impl Reason {
    /// What a line with these facts and this score for its side shows.
    pub(super) fn new(line: PlayedLine, facts: Vec<Fact>, score: Score) -> Reason {
        let mates = score.is_mate() && score > Score::DRAW;
        Reason { gain: Gain::of(&line), facts, score, swing: 0, mates, line, is_incidental: false }
    }

    /// The motifs, each once, in the order in which they are told.
    pub fn motifs(&self) -> Vec<Motif> {
        let mut motifs: Vec<Motif> = Vec::new();
        for fact in telling(&self.facts) {
            if !motifs.contains(&fact.motif) {
                motifs.push(fact.motif);
            }
        }
        motifs
    }

    /// The cause and what follows; `None` where the line shows nothing.
    pub fn told(&self) -> Option<Told> {
        let first = self.line.moves.first().map(|_| move_text(&self.line, 0))?;
        // A motif is a reason only if the line gains something, and only near its start.
        let wins = self.gain.words().is_some();
        let is_reason = wins && self.is_credible() && !self.is_incidental;
        // If the first capture alone wins most of it, nothing else is a cause.
        let is_simple = !self.mates && self.wins_most_at_once();
        let won = if is_simple { self.gain_at_once() } else { self.gain.clone() };
        let gain = won.words().filter(|_| is_reason);
        if gain.is_none() && !self.mates {
            return None;
        }
        let is_near = |fact: &&Fact| {
            !fact.motif.is_mate()
                && (fact.ply <= NEAR || self.mates)
                && !is_roundabout(fact, &self.line)
        };
        let is_near = |fact: &&Fact| is_near(fact) && (fact.ply == 0 || !is_simple);
        // What a mating move takes or attacks besides does not matter.
        let mates_at_once = self.mates && self.line.moves.len() == 1;
        let matters = |fact: &&Fact| match self.mates {
            true => is_of_mate(fact.motif) || !mates_at_once && !is_of_material(fact.motif),
            false => true,
        };
        let mut facts: Vec<&Fact> = Vec::new();
        for fact in telling(&self.facts).into_iter().filter(is_near).filter(matters) {
            // One fact of a move is enough, and one that says the same.
            let differs = |other: &&Fact| {
                other.ply != fact.ply
                    && (other.motif, &other.squares) != (fact.motif, &fact.squares)
            };
            if facts.len() < TOLD && facts.iter().all(differs) {
                facts.push(fact);
            }
        }
        facts.sort_by_key(|fact| fact.ply);
        let begins = facts.first().is_some_and(|fact| fact.ply == 0);
        let promotes =
            |fact: &&Fact| matches!(fact.motif, Motif::Promotion | Motif::UnderPromotion);
        let promotes = facts.iter().any(promotes);
        let causes: Vec<String> = facts.iter().map(|fact| words(fact, &self.line)).collect();
        let causes = causes.join(", and ");
        if self.mates {
            return Some(self.told_mate(first, &causes));
        }
        let (side, gain) = (side_name(self.line.us), gain?);
        Some(match causes.is_empty() {
            true => Told::does(first, self.by_first_move(gain)),
            // The capture says it all.
            false if begins && hangs(&facts) && self.hangs_all() => Told::new(first, &causes),
            false if begins => match won.words_beside(promotes) {
                Some(gain) => Told::new(first, &format!("{causes}: {side} {gain}")),
                None => Told::new(first, &causes),
            },
            false => match (won.words_beside(promotes), &facts[..]) {
                (None, [fact]) => {
                    let promotion = move_text(&self.line, fact.ply);
                    Told::does(first, format!("leads to a promotion with {promotion}"))
                }
                (beside, _) => {
                    let gain = self.by_first_move(beside.unwrap_or(gain));
                    Told::does(first, format!("{gain}: {causes}"))
                }
            },
        })
    }

    fn begins_with_promotion(&self) -> bool {
        self.line.moves.first().is_some_and(|m| m.promotion().is_some())
    }

    /// Whether the line wins about what its first move takes.
    fn hangs_all(&self) -> bool {
        let captured = self.line.captured(0).map_or(0, worth);
        !self.begins_with_promotion() && self.gain.pawns <= captured + 2
    }

    /// What the line brings, as something that its first move does.
    fn by_first_move(&self, gain: String) -> String {
        match gain.strip_prefix("promotes ") {
            Some(rest) if !self.begins_with_promotion() => {
                format!("leads to the promotion of {rest}")
            }
            _ => gain,
        }
    }

    /// What the exchange that the first move begins brings; if nothing, what the line brings.
    fn gain_at_once(&self) -> Gain {
        let square = self.line.moves[0].to();
        // The other side may promote too.
        if self.begins_with_promotion() {
            return self.gain.clone();
        }
        let captures = self.line.moves.iter().take_while(|m| m.to() == square).count();
        let gain = Gain::of(&self.line.cut(captures));
        // Not more than the line keeps, but for a pawn.
        let is_kept = gain.pawns <= self.gain.pawns + 1;
        if is_kept && gain.words().is_some() { gain } else { self.gain.clone() }
    }

    /// Whether the exchange that the first move begins wins nearly all that the line wins.
    fn wins_most_at_once(&self) -> bool {
        let Some(&m) = self.line.moves.first() else { return false };
        self.line.captured(0).is_some() && self.line.before(0).see_ge(m, self.nearly_all())
    }

    /// Whether the exchange that the first move begins wins as much in this position. A mate is more than
    /// that.
    pub(super) fn wins_at_once_in(&self, position: &Position) -> bool {
        let wins =
            |m: &Move| position.moves().contains(m) && position.see_ge(*m, self.nearly_all());
        !self.mates && self.line.moves.first().is_some_and(wins)
    }

    /// Nearly all that the line wins, in centipawns.
    fn nearly_all(&self) -> i32 {
        75 * self.gain.pawns.max(1)
    }

    /// A mate, with its causes.
    fn told_mate(&self, first: String, causes: &str) -> Told {
        let moves = self.line.moves.len().div_ceil(2);
        let cause = Told::new(first.clone(), causes);
        match moves {
            0 | 1 if causes.is_empty() => Told::does(first, "is mate".to_string()),
            0 | 1 => cause,
            LONG_MATE.. => Told::does(first, self.long_mate(moves)),
            _ if causes.is_empty() => Told::does(first, format!("forces mate in {moves}")),
            _ => Told::does(first, format!("forces mate in {moves}: {}", cause.briefly())),
        }
    }

    /// A mate in many moves: by the pawn that promotes on the way, if there is one.
    fn long_mate(&self, moves: usize) -> String {
        let promotion = self.line.ours(0).find(|&ply| self.line.moves[ply].promotion().is_some());
        match promotion {
            Some(0) => format!("promotes and mates in {moves}"),
            Some(ply) => format!("wins, since a pawn promotes with {}", move_text(&self.line, ply)),
            None => match self.line.captured(0).filter(|&role| role != Role::Pawn) {
                Some(role) if self.line.before(0).see_ge(self.line.moves[0], 200) => {
                    let (name, square) = (role_name(role), self.line.moves[0].to());
                    format!("takes the {name} on {square} and mates in {moves}")
                }
                _ => format!("forces mate in {moves}"),
            },
        }
    }

    /// Whether the score of the search agrees with what the line wins.
    fn is_credible(&self) -> bool {
        let least = (CREDIBLE * self.gain.pawns).max(CREDIBLE_PAWN);
        // A side that was behind may win something only to draw.
        let lead = self.line.positions[0].material_lead(self.line.us);
        let saves = lead < 0
            && self.score.raw() >= -EVEN
            && self.score.raw() >= CREDIBLE * (lead + self.gain.pawns);
        // Or the score has changed as much, and the gain comes soon: the other side may still be ahead.
        let is_soon = self.line.moves.len() <= NEAR + 1 || self.wins_most_at_once();
        self.score.raw() >= least || saves || (is_soon && self.swing >= least)
    }

    /// Whether a quiet move wins a single pawn and no motif says how: other moves may win it too.
    pub(super) fn wins_pawn_somehow(&self) -> bool {
        self.gain.pawns == 1
            && !self.mates
            && self.motifs().is_empty()
            && self.line.moves.first().is_some_and(|m| !self.line.before(0).is_noisy(*m))
    }

    /// Whether it is worth telling of a move that is not on the board: a mate, or at least two pawns.
    pub fn is_striking(&self) -> bool {
        self.mates || self.gain.pawns >= 2
    }

    /// Whether it is why a move is better: striking, or a pawn won by its capture.
    pub fn is_better(&self) -> bool {
        self.is_striking() || self.gain.pawns >= 1 && self.line.captured(0).is_some()
    }
}

/// Whether all that is told is that an undefended piece is taken.
fn hangs(facts: &[&Fact]) -> bool {
    matches!(facts, [fact] if fact.motif == Motif::HangingPiece)
}

/// Whether a motif says only how material is won.
fn is_of_material(motif: Motif) -> bool {
    matches!(motif, Motif::Fork | Motif::HangingPiece | Motif::TrappedPiece | Motif::Skewer)
}

/// Whether a motif says how a move mates.
fn is_of_mate(motif: Motif) -> bool {
    matches!(
        motif,
        Motif::BackRankMate | Motif::SmotheredMate | Motif::DoubleCheck | Motif::DiscoveredCheck
    )
}
