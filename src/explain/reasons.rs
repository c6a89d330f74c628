//! Why a move is good or bad: facts of the line after it, found by searches, and told in a few
//! sentences.

use serde::Serialize;

use super::breakdown::Breakdown;
use super::deltas::Delta;
use super::facts::line::PlayedLine;
use super::facts::{self, Fact, Motif};
use super::known;
use super::moves::{Explainer, SearchedMove};
use super::story::{Gain, move_text, telling, words};
use super::words::of_term;
use crate::board::{Move, Position};
use crate::chess::side_name;
use crate::eval::terms::name;
use crate::score::Score;
use crate::search::Limits;
use crate::text::{capitalised, json_text, line_text, sans, score_text};
use crate::tools::accuracy::Mark;

/// Facts are looked for in this many plies of a line.
const PLIES: usize = 12;

/// Nodes of a search that decides whether a side is in zugzwang.
const ZUGZWANG_NODES: u64 = 10_000;

/// Nodes of a search that completes the line of a mate.
const MATE_NODES: u64 = 50_000;

/// From this score on, in centipawns, a side is lost.
const LOST: i32 = 300;

/// Causes are told up to this ply of a line.
const NEAR: usize = 4;

/// A line is told as a win of material only if its score is at least this, in centipawns for each
/// pawn it wins. Otherwise the line merely happens to end there.
const CREDIBLE: i32 = 35;

/// Terms of the evaluation that are about what lasts.
const LASTING: [&str; 13] = [
    name::bishop_pair,
    name::isolated,
    name::doubled,
    name::backward,
    name::passed_rank,
    name::passed_supported,
    name::knight_outpost,
    name::bishop_outpost,
    name::rook_open_file,
    name::rook_half_open_file,
    name::castling,
    name::bishop_blocked_pawns,
    name::unstoppable,
];

/// The least worth of a feature that is told, in centipawns.
const LEAST: i32 = 10;

/// The most facts told of a line.
const TOLD: usize = 2;

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
    /// Whether that is a mate.
    pub mates: bool,
}

/// A move, explained.
#[derive(Clone, Debug)]
pub struct Explanation {
    /// The position before the move.
    pub position: Position,
    /// The move, with its line and score.
    pub chosen: SearchedMove,
    /// The best move found, if it is another one.
    pub better: Option<SearchedMove>,
    /// How bad the move is.
    pub mark: Mark,
    /// Why: of a bad move the refutation, of a good one its own line.
    pub reason: Reason,
    /// What the better move does. Only for a move with a mark.
    pub better_reason: Option<Reason>,
    /// What lasts, in favour of the better move or of a good one. Only where the line shows nothing
    /// and nothing is proven.
    pub lasting: Vec<String>,
    /// What is proven of the position after the move, in words.
    pub known: Option<String>,
    /// What is proven of the position after the better move. Only for a move with a mark.
    pub known_of_better: Option<String>,
}

impl Explainer {
    /// Explains a legal move.
    pub fn explanation(&mut self, position: &Position, m: Move) -> Explanation {
        let chosen = self.searched(position, m);
        let best = self.best(position);
        self.explained(chosen, best)
    }

    /// Compares two legal moves: explains the worse one, beside the other.
    pub fn comparison(&mut self, position: &Position, moves: [Move; 2]) -> Explanation {
        let [first, second] = moves.map(|m| self.searched(position, m));
        if first.score < second.score {
            self.explained(first, Some(second))
        } else {
            self.explained(second, Some(first))
        }
    }

    /// Explains a move that has been searched, beside the best move.
    pub fn explained(&mut self, chosen: SearchedMove, best: Option<SearchedMove>) -> Explanation {
        let m = chosen.line.first().copied();
        let chosen = self.with_whole_mate(chosen);
        let best = best.map(|best| self.with_whole_mate(best));
        let better =
            best.filter(|best| best.line.first().copied() != m && best.score > chosen.score);
        let mark =
            better.as_ref().map_or(Mark::Good, |best| Mark::of_scores(best.score, chosen.score));
        // A move nearly as good is not compared with the best one.
        let compared = better.as_ref().filter(|_| mark != Mark::Good);
        // For a losing move, tell the refutation even if no move is better.
        let is_refuted = mark != Mark::Good || chosen.score.raw() <= -LOST;
        let reason = self.reason(&chosen, usize::from(is_refuted));
        let better_reason = compared.map(|best| self.reason(best, 0));
        let known = self.known(&chosen);
        let known_of_better = compared.and_then(|best| self.known(best));
        let lasting = match reason.told().is_none() && known.is_none() {
            true => self.lasting(&chosen, compared),
            false => Vec::new(),
        };
        let position = chosen.position.clone();
        Explanation {
            position,
            chosen,
            better,
            mark,
            reason,
            better_reason,
            lasting,
            known,
            known_of_better,
        }
    }

    /// What is proven of the position after the first move of a line.
    fn known(&mut self, searched: &SearchedMove) -> Option<String> {
        let mut after = searched.position.clone();
        after.play(*searched.line.first()?);
        if after.moves().is_empty() {
            return None;
        }
        let evaluator = self.evaluator();
        evaluator.prepare(&after);
        evaluator.knowledge().ask(&after).as_ref().and_then(known::words)
    }

    /// What lasts at the end of the better line, compared with the other one, or of a good line,
    /// compared with the position before: at most two features of the pawns and pieces.
    fn lasting(&mut self, chosen: &SearchedMove, better: Option<&SearchedMove>) -> Vec<String> {
        let lines = [Some(chosen), better];
        if lines.iter().flatten().any(|searched| searched.ending.is_some()) {
            return Vec::new();
        }
        let changes = match better {
            Some(better) => {
                let [chosen, better] = self.compared([chosen, better]);
                better.changes_against(&chosen, self.evaluator())
            }
            None => {
                let told = self.told(chosen);
                let evaluator = self.evaluator();
                told.changes(|position| Breakdown::with_walls(position, evaluator))
            }
        };
        let sign = if chosen.position.turn().is_white() { 1 } else { -1 };
        let mut features: Vec<&Delta> = changes
            .list
            .iter()
            .flat_map(|change| &change.deltas)
            .filter(|delta| LASTING.contains(&delta.term) && sign * delta.white_cp() >= LEAST)
            .collect();
        features.sort_by_key(|delta| -delta.cp().abs());
        let mut told: Vec<String> = Vec::new();
        for text in features.into_iter().filter_map(of_term) {
            if told.len() < TOLD && !told.contains(&text) {
                told.push(text);
            }
        }
        told
    }

    /// Completes the line of a mate, which a search may have cut short.
    fn with_whole_mate(&mut self, searched: SearchedMove) -> SearchedMove {
        let SearchedMove { position, mut line, score, mut end, .. } = searched;
        let plies = Score::mate_in(0).raw() - score.raw().abs();
        while score.is_mate() && (line.len() as i32) < plies && !line.is_full() {
            let limits = Limits::nodes(MATE_NODES);
            let result = self.engine.search(&end, &limits);
            if !result.score.is_mate() {
                break;
            }
            for m in result.line {
                if line.try_push(m).is_err() {
                    break;
                }
                end.play(m);
            }
            if end.moves().is_empty() {
                break;
            }
        }
        SearchedMove::new(&position, line, score)
    }

    /// What a line shows from move `first` on: 0, or 1 for the reply.
    fn reason(&mut self, searched: &SearchedMove, first: usize) -> Reason {
        let moves: Vec<Move> = searched.line.iter().copied().collect();
        let mut start = searched.position.clone();
        let mut earlier = None;
        if first == 0 {
            let mut before = start.clone();
            if let Some(last) = start.last_move().filter(|_| start.ply() > 0) {
                before.undo();
                earlier = Some((before, last));
            }
        }
        for &m in &moves[..first.min(moves.len())] {
            earlier = Some((start.clone(), m));
            start.play(m);
        }
        let rest = &moves[first.min(moves.len())..];
        let score = if first == 0 { searched.score } else { -searched.score };
        let most = if score.is_mate() { rest.len() } else { rest.len().min(PLIES) };
        let line = PlayedLine::new(&start, earlier, &rest[..most]);
        let engine = &mut self.engine;
        let mut value = |position: &Position| -> Score {
            engine.search(position, &Limits::nodes(ZUGZWANG_NODES)).score
        };
        let zugzwang = facts::zugzwang::find(&line, &mut value);
        let won = if score.is_mate() { line.clone() } else { line.until_won() };
        let zugzwang = zugzwang.filter(|fact| fact.ply < won.moves.len() + 4);
        let plies = zugzwang.iter().map(|fact| fact.ply + 1).chain([won.moves.len()]).max();
        let line = line.cut(plies.unwrap_or_default());
        let mut facts = facts::of_line(&won);
        facts.extend(zugzwang);
        Reason::new(line, facts, score)
    }
}

impl Reason {
    /// What a line with these facts and this score for its side shows.
    fn new(line: PlayedLine, facts: Vec<Fact>, score: Score) -> Reason {
        let mates = score.is_mate() && score > Score::DRAW;
        Reason { gain: Gain::of(&line), facts, score, mates, line }
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

    /// The cause and what follows, in a sentence without its full stop; `None` where the line shows
    /// nothing.
    pub fn told(&self) -> Option<String> {
        let first = self.line.moves.first().map(|_| move_text(&self.line, 0))?;
        // A motif is a reason only if the line gains something, and only near its start.
        let gain = self.gain.words().filter(|_| self.is_credible());
        if gain.is_none() && !self.mates {
            return None;
        }
        let is_near = |fact: &&Fact| !fact.motif.is_mate() && (fact.ply <= NEAR || self.mates);
        let mut told: Vec<&Fact> = Vec::new();
        for fact in telling(&self.facts).into_iter().filter(is_near) {
            // One fact of a move is enough.
            if told.len() < TOLD && told.iter().all(|other| other.ply != fact.ply) {
                told.push(fact);
            }
        }
        told.sort_by_key(|fact| fact.ply);
        let causes: Vec<String> = told.iter().map(|fact| words(fact, &self.line)).collect();
        let causes = causes.join(", and ");
        let begins = told.first().is_some_and(|fact| fact.ply == 0);
        if self.mates {
            let mate = match self.line.moves.len().div_ceil(2) {
                0 | 1 => {
                    return Some(if causes.is_empty() {
                        format!("{first} is mate")
                    } else {
                        causes
                    });
                }
                moves => format!("{first} forces mate in {moves}"),
            };
            return Some(if causes.is_empty() { mate } else { format!("{mate}: {causes}") });
        }
        let (side, gain) = (side_name(self.line.us), gain?);
        Some(match causes.is_empty() {
            true => format!("{first} {gain}"),
            false if begins => format!("{causes}: {side} {gain}"),
            false => format!("{first} {gain}: {causes}"),
        })
    }

    /// Whether the score of the search agrees with what the line wins.
    fn is_credible(&self) -> bool {
        self.score.raw() >= CREDIBLE * self.gain.pawns
    }

    /// Whether it is worth telling of the better move: a mate, or at least two pawns.
    fn is_striking(&self) -> bool {
        self.mates || self.gain.pawns >= 2
    }
}

impl Explanation {
    /// In a few sentences: verdict, cause, consequence, and the better move.
    pub fn text(&self) -> String {
        let san = self.chosen.san();
        let mut sentences = vec![match (self.mark, &self.better) {
            (Mark::Good, None) if self.chosen.score.raw() <= -LOST => {
                format!("{san} is the best move found, in a lost position.")
            }
            (Mark::Good, None) => format!("{san} is the best move found."),
            (Mark::Good, Some(_)) => format!("{san} is a good move."),
            (mark, _) => format!("{san} is {}.", mark.with_article()),
        }];
        let told = self.reason.told().or_else(|| self.known.clone());
        if let Some(told) = &told {
            sentences.push(format!("{}.", capitalised(told)));
        }
        let better = self.better.as_ref().filter(|_| self.mark != Mark::Good);
        if let Some(better) = better {
            let line = line_text(&self.position, &better.line[..1]).replace(' ', "");
            let known =
                || self.known_of_better.clone().filter(|_| self.known_of_better != self.known);
            let why = self.striking().or_else(known).or_else(|| self.lasting());
            sentences.push(match why {
                Some(why) => format!("Better is {line}: {why}."),
                None => format!("Better is {line}."),
            });
        } else if let Some(lasting) = self.lasting() {
            sentences.push(format!("{}.", capitalised(&lasting)));
        }
        sentences.join(" ")
    }

    /// Why the move is bad, or good: the refutation or the line itself, else what the better move
    /// does, else what lasts.
    pub fn why(&self) -> Option<String> {
        let known = || self.known.clone();
        let better = || self.striking();
        self.reason.told().or_else(known).or_else(better).or_else(|| self.lasting())
    }

    /// What the better move does, if it is worth telling.
    fn striking(&self) -> Option<String> {
        self.better_reason.as_ref().filter(|reason| reason.is_striking()).and_then(Reason::told)
    }

    /// What lasts at the end of the line, which need not be forced.
    fn lasting(&self) -> Option<String> {
        let told = self.lasting.join("; ").replace(" now has ", " gets ");
        (!told.is_empty()).then(|| format!("in the line found, {told}"))
    }

    /// As JSON, on one line or indented.
    pub fn json(&self, pretty: bool) -> String {
        let sans = |searched: &SearchedMove| sans(&searched.position, &searched.line);
        let score = |searched: &SearchedMove| score_text(searched.score, &searched.position);
        let labels = |reason: &Reason| reason.motifs().into_iter().map(Motif::label).collect();
        let json = ExplanationJson {
            fen: self.position.fen(),
            played: self.chosen.san(),
            verdict: self.mark.word(),
            text: self.text(),
            score: score(&self.chosen),
            motifs: labels(&self.reason),
            facts: self
                .reason
                .facts
                .iter()
                .map(|fact| FactJson::new(fact, &self.reason.line))
                .collect(),
            line: sans(&self.chosen),
            better: self.better.as_ref().map(|better| BetterJson {
                played: better.san(),
                score: score(better),
                line: sans(better),
                motifs: self.better_reason.as_ref().map(labels).unwrap_or_default(),
            }),
        };
        json_text(&json, pretty)
    }
}

/// What a move and its line show at a glance, without any search.
pub fn at_a_glance(searched: &SearchedMove) -> Option<String> {
    let moves: Vec<Move> = searched.line.iter().copied().collect();
    let score = searched.score;
    let line = PlayedLine::new(&searched.position, None, &moves);
    let line = if score.is_mate() { line } else { line.cut(PLIES).until_won() };
    let facts = facts::of_line(&line);
    Reason::new(line, facts, score).told()
}

#[derive(Serialize)]
struct ExplanationJson {
    fen: String,
    #[serde(rename = "move")]
    played: String,
    verdict: &'static str,
    text: String,
    /// From White's view, in pawns or moves to mate.
    score: String,
    motifs: Vec<String>,
    facts: Vec<FactJson>,
    line: Vec<String>,
    better: Option<BetterJson>,
}

#[derive(Serialize)]
struct BetterJson {
    #[serde(rename = "move")]
    played: String,
    score: String,
    line: Vec<String>,
    motifs: Vec<String>,
}

#[derive(Serialize)]
struct FactJson {
    motif: Motif,
    /// The position in which the move is made.
    fen: String,
    #[serde(rename = "move")]
    played: String,
    squares: Vec<String>,
    text: String,
}

impl FactJson {
    fn new(fact: &Fact, line: &PlayedLine) -> FactJson {
        FactJson {
            motif: fact.motif,
            fen: line.before(fact.ply).fen(),
            played: line.before(fact.ply).san(fact.m),
            squares: fact.squares.iter().map(ToString::to_string).collect(),
            text: words(fact, line),
        }
    }
}
