//! An explanation: verdict, cause, consequence and the better move, in a few sentences or as JSON.

use serde::Serialize;

use super::draws;
use super::facts::line::PlayedLine;
use super::facts::{Fact, Motif};
use super::ideas::Idea;
use super::moves::{Explainer, SearchedMove};
use super::reason::{EVEN, LOST, Reason, TOLD, Told};
use super::story::words;
use crate::board::{Move, Position};
use crate::chess::side_adjective;
use crate::text::{capitalised, json_text, line_text, listed, sans};
use crate::tools::accuracy::Mark;
use crate::wdl::shown;

/// Ideas up to this rank decide endgames.
const DECISIVE: u8 = 9;

/// Ideas of a higher rank are not worth telling of the other side's reply.
const TELLING: u8 = 22;

/// The most plies told of the line after a move.
const AFTER: usize = 5;

/// What is proven of the position after a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proven {
    /// In words, without a full stop.
    pub text: String,
    /// Only the side that moved can still win: that says nothing against the move.
    pub is_good: bool,
}

/// A natural reply that a line avoids: "why not X?".
#[derive(Clone, Debug)]
pub struct Refused {
    /// The position before the reply.
    pub position: Position,
    /// The reply.
    pub m: Move,
    /// What it runs into.
    pub reason: Reason,
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
    /// In a comparison: the other move, which is no worse.
    pub beside: Option<SearchedMove>,
    /// How bad the move is.
    pub mark: Mark,
    /// Why: of a bad move the refutation, of a good one its own line.
    pub reason: Reason,
    /// What the better move does. Only for a move with a mark.
    pub better_reason: Option<Reason>,
    /// A natural reply that the line avoids, and why.
    pub refused: Option<Refused>,
    /// What a move without a mark threatens.
    pub threat: Option<Reason>,
    /// What the other side threatened before the move.
    pub danger: Option<Reason>,
    /// What the move does for its side or costs it, the most telling first.
    pub ideas: Vec<Idea>,
    /// What the reply to a move with a mark does for its side.
    pub reply_ideas: Vec<Idea>,
    /// What the better move does for its side.
    pub better_ideas: Vec<Idea>,
    /// What lasts, in favour of the better move or of a good one. Only where the line shows nothing
    /// and nothing is proven.
    pub lasting: Vec<String>,
    /// What is proven of the position after the move.
    pub known: Option<Proven>,
    /// What is proven of the position after the better move. Only for a move with a mark.
    pub known_of_better: Option<Proven>,
}

impl Refused {
    /// `if 24...hxg4, 25.Qh7# is mate`.
    fn text(&self) -> Option<String> {
        let takes = line_text(&self.position, &[self.m]).replace(' ', "");
        Some(format!("if {takes}, {}", self.reason.told()?.sentence()))
    }
}

/// Why the better move is better.
enum Why {
    /// What it does.
    Told(Told),
    /// What is the case after it.
    Plain(String),
}

/// Whether a move meets a threat: the threat is not carried out in its line, and a threatened capture
/// or promotion no longer wins as much. A counterattack, which leaves it possible, does not count. Nor does
/// a check, which only delays it.
pub(super) fn is_met(danger: &Reason, searched: &SearchedMove) -> bool {
    let threat = danger.line.moves.first();
    let line = PlayedLine::new(&searched.position, None, &searched.line);
    let carries_out = |m: &Move| Some(m) == threat;
    if line.moves.len() < 2 || line.moves.iter().skip(1).step_by(2).any(carries_out) {
        return false;
    }
    // The first position in which the other side is free to carry it out.
    let free = line.ours(0).map(|ply| line.after(ply)).find(|after| after.checkers().is_empty());
    !free.is_some_and(|after| danger.wins_at_once_in(after))
}

/// The first move of a line with its number: `12...Nf6`.
fn first_move(searched: &SearchedMove) -> String {
    line_text(&searched.position, &searched.line[..1]).replace(' ', "")
}

/// The line after a move, as far as it is told; `None` if there is none.
pub(super) fn after_move(searched: &SearchedMove) -> Option<String> {
    let (&first, rest) = searched.line.split_first()?;
    let mut after = searched.position.clone();
    after.play(first);
    (!rest.is_empty()).then(|| line_text(&after, &rest[..rest.len().min(AFTER)]))
}

/// A text as a sentence.
fn sentence(text: &str) -> String {
    format!("{}.", capitalised(text))
}

impl Explanation {
    /// In a few sentences: verdict, cause, consequence, and the better move.
    pub fn text(&self) -> String {
        let san = self.chosen.san();
        let verdict = match (self.mark, &self.better) {
            (Mark::Good, _) if let Some(other) = &self.beside => {
                let is_equal = other.score_text() == self.chosen.score_text();
                let nearly = if is_equal { "" } else { "nearly " };
                format!("{san} is {nearly}as good as {}.", other.san())
            }
            (Mark::Good, None) if self.chosen.score.raw() <= -LOST => {
                format!("{san} is the best move found, in a lost position.")
            }
            (Mark::Good, None) => format!("{san} is the best move found."),
            (Mark::Good, Some(better)) if better.score.raw() <= -LOST => {
                format!("{san} is no worse than other moves, in a lost position.")
            }
            // What is told is what the other side wins.
            (Mark::Good, Some(_)) if self.is_refuted() => {
                format!("{san} is no worse than other moves.")
            }
            (Mark::Good, Some(_)) => format!("{san} is a good move."),
            (mark, _) => format!("{san} is {}.", mark.with_article()),
        };
        let mut sentences = vec![verdict];
        sentences.extend(self.of_other());
        sentences.extend(self.causes());
        if let Some(better) = self.better.as_ref().filter(|_| self.mark != Mark::Good) {
            let line = first_move(better);
            sentences.push(match self.why_better() {
                Some(Why::Told(told)) => format!("Better is {line}, {}.", told.relative()),
                Some(Why::Plain(text)) => format!("Better is {line}: {text}."),
                None => format!("Better is {line}."),
            });
        }
        sentences.join(" ")
    }

    /// In a comparison of two moves that are both bad: what the other one is worth.
    fn of_other(&self) -> Option<String> {
        let (other, best) = (self.beside.as_ref()?, self.better.as_ref()?);
        let mark = Mark::of_scores(best.score, other.score);
        if mark == Mark::Good {
            return None;
        }
        Some(match Mark::of_scores(other.score, self.chosen.score) {
            Mark::Good if other.score_text() == self.chosen.score_text() => {
                format!("{} is no better.", other.san())
            }
            Mark::Good => format!("{} is hardly better.", other.san()),
            _ => format!("{} is better, but also {}.", other.san(), mark.with_article()),
        })
    }

    /// Why the move is bad, or good, in a sentence or two: the refutation or the line itself, else
    /// what the better move does; `None` where nothing can be said.
    pub fn why(&self) -> Option<String> {
        let mut causes = self.causes();
        if causes.is_empty() {
            causes.extend(self.why_better().map(|why| match why {
                Why::Told(told) => sentence(&told.sentence()),
                Why::Plain(text) => match &self.better {
                    Some(better) => format!("With {}, {text}.", first_move(better)),
                    None => sentence(&text),
                },
            }));
        }
        (!causes.is_empty()).then(|| causes.join(" "))
    }

    /// The causes of the verdict, as sentences: what the line shows, what is known, threats, and
    /// what the move does for its side or costs it.
    fn causes(&self) -> Vec<String> {
        let mut causes = Vec::new();
        let drawn = draws::words(&self.chosen).filter(|_| self.chosen.score.raw().abs() <= EVEN);
        if let Some(told) = self.told() {
            let (told, brief) = (told.sentence(), told.briefly());
            // What decides an endgame is told beside what the line wins, and other ideas where the
            // line wins something without a motif.
            if self.mark == Mark::Good && self.tells_own_line() {
                let most = if self.reason.motifs().is_empty() { TELLING } else { DECISIVE };
                let ideas = up_to(&self.ideas, most);
                causes.extend(joined(&ideas, true, 1).map(|idea| format!("It {idea}.")));
            }
            causes.push(if self.overlooks() {
                format!("It overlooks the threat: {told}.")
            } else if self.mark == Mark::Good && self.tells_own_line() {
                sentence(&brief)
            } else {
                sentence(&told)
            });
            let refused = self.refused.as_ref().and_then(Refused::text);
            causes.extend(refused.or(drawn).map(|text| sentence(&text)));
            return causes;
        }
        if self.mark != Mark::Good {
            // What the line loses matters more, though the score does not show it.
            if !self.loses_pieces() {
                causes.extend(self.costs());
            }
            let known = self.known.clone().filter(|known| !known.is_good).map(|known| known.text);
            causes.extend(known.or(drawn).map(|text| sentence(&text)));
            if causes.is_empty() {
                causes.extend(self.turn().or_else(|| self.answer()));
            }
            return causes;
        }
        if let Some(text) = self.known.clone().map(|known| known.text).or(drawn) {
            causes.push(sentence(&text));
        }
        if let Some(threat) = self.threat.as_ref().and_then(Reason::told) {
            causes.push(format!("It threatens {}.", threat.object()));
        } else if let Some(danger) =
            self.danger.as_ref().filter(|danger| is_met(danger, &self.chosen))
            && let Some(danger) = danger.told()
        {
            causes.push(format!("It meets the threat of {}.", danger.object()));
        }
        let room = TOLD.saturating_sub(causes.len());
        // A threat says more than that something is attacked.
        let is_said = |idea: &&Idea| self.threat.is_some() && idea.is_attack();
        let ideas: Vec<Idea> = self.ideas.iter().filter(|idea| !is_said(idea)).cloned().collect();
        causes.extend(joined(&ideas, true, room).map(|ideas| format!("It {ideas}.")));
        if ideas.iter().any(|idea| idea.label == "sacrifice") {
            causes.extend(after_move(&self.chosen).map(|line| format!("It goes on {line}.")));
        }
        if causes.is_empty() {
            causes.extend(self.lasting().map(|text| sentence(&text)));
        }
        causes
    }

    /// What the line shows. The refutation of a move that is as good as any other, or the answer to the
    /// better move too, is told only if it is striking: the position was lost before.
    fn told(&self) -> Option<Told> {
        let is_own = self.tells_own_line();
        let is_reason = self.mark != Mark::Good && !self.has_same_answer();
        let matters = is_own || is_reason || self.reason.is_striking();
        self.reason.told().filter(|_| matters)
    }

    /// Whether the reason is what the mover wins, not what the other side does.
    fn tells_own_line(&self) -> bool {
        self.reason.line.us == self.position.turn()
    }

    /// Whether what is told is what the other side wins.
    fn is_refuted(&self) -> bool {
        !self.tells_own_line() && self.told().is_some()
    }

    /// Whether the better move has the same answer, which then is no reason.
    fn has_same_answer(&self) -> bool {
        let answer = self.chosen.line.get(1);
        answer.is_some() && answer == self.better.as_ref().and_then(|better| better.line.get(1))
    }

    /// Whether the refutation is what the other side threatened anyway, and the better move meets the
    /// threat ([`is_met`]).
    fn overlooks(&self) -> bool {
        let Some((danger, better)) = self.danger.as_ref().zip(self.better.as_ref()) else {
            return false;
        };
        self.mark != Mark::Good
            && !self.tells_own_line()
            && self.reason.line.moves.first() == danger.line.moves.first()
            && better.score.raw() > -LOST
            && is_met(danger, better)
    }

    /// What a bad move costs its side, or what the reply does.
    fn costs(&self) -> Option<String> {
        // Where the better move wins by force, that is the reason.
        if self.striking().is_some() {
            return None;
        }
        let is_told = |idea: &&Idea| self.mark == Mark::Inaccuracy || !idea.is_small();
        let large = |ideas: &[Idea]| ideas.iter().filter(is_told).cloned().collect::<Vec<Idea>>();
        if let Some(costs) = joined(&large(&self.ideas), false, TOLD) {
            return Some(format!("It {costs}."));
        }
        let reply = self.chosen.line.get(1).filter(|_| !self.has_same_answer())?;
        let mut after = self.position.clone();
        after.play(*self.chosen.line.first()?);
        let does = joined(&up_to(&large(&self.reply_ideas), TELLING), true, 1)?;
        let reply = line_text(&after, &[*reply]).replace(' ', "");
        Some(format!("It allows {reply}, which {does}."))
    }

    /// Whether the refutation wins at least two pawns.
    fn loses_pieces(&self) -> bool {
        !self.tells_own_line() && self.reason.gain.pawns >= 2
    }

    /// From which state of the game the move goes to which, where that changes.
    fn turn(&self) -> Option<String> {
        let cp = |searched: &SearchedMove| searched.score.as_cp().map(shown);
        let (was, is) = (cp(self.better.as_ref()?)?, cp(&self.chosen)?);
        Some(match (was, is) {
            (LOST.., _) if is.abs() <= EVEN => "It lets a winning advantage slip.".to_string(),
            _ if was.abs() <= EVEN && is <= -LOST => {
                "It turns an even game into a lost one.".to_string()
            }
            _ => return None,
        })
    }

    /// The answer to a mistake of which nothing else can be told, with what follows.
    fn answer(&self) -> Option<String> {
        let is_known = self.striking().is_some() || self.has_same_answer();
        if self.mark == Mark::Inaccuracy || is_known {
            return None;
        }
        Some(format!("The answer is {}.", after_move(&self.chosen)?))
    }

    /// Why the better move is better: what it wins, that it meets the threat, what is known, or what
    /// it does.
    fn why_better(&self) -> Option<Why> {
        let better = self.better.as_ref()?;
        if let Some(striking) = self.striking() {
            return Some(Why::Told(striking));
        }
        let drawn = || draws::words(better).filter(|_| better.score.raw().abs() <= EVEN);
        let known = self.known_of_better.clone().filter(|_| self.known_of_better != self.known);
        let result = known.map(|known| known.text).or_else(drawn);
        let most = if result.is_some() { 1 } else { TOLD };
        // What else a move does matters little beside a threat that it meets.
        if self.overlooks() {
            let result = result.map(|result| format!("; {result}")).unwrap_or_default();
            let does = format!("meets the threat{result}");
            return Some(Why::Told(Told::does(first_move(better), does)));
        }
        match (joined(&self.better_ideas, true, most), result) {
            (Some(ideas), Some(result)) => {
                Some(Why::Told(Told::does(first_move(better), format!("{ideas}: {result}"))))
            }
            (Some(ideas), None) => Some(Why::Told(Told::does(first_move(better), ideas))),
            (None, result) => result.or_else(|| self.lasting()).map(Why::Plain),
        }
    }

    /// What the better move wins, if it is worth telling.
    fn striking(&self) -> Option<Told> {
        self.better_reason.as_ref().filter(|reason| reason.is_better()).and_then(Reason::told)
    }

    /// What lasts at the end of the line, which need not be forced.
    fn lasting(&self) -> Option<String> {
        let told = self.lasting.join("; ").replace(" now has ", " gets ");
        (!told.is_empty()).then(|| format!("in the line found, {told}"))
    }

    /// As JSON, on one line or indented, as `docs/explain.schema.json` describes it. The explainer
    /// settles the line for the table of terms.
    pub fn json(&self, explainer: &mut Explainer, pretty: bool) -> String {
        let labels = |reason: &Reason| -> Vec<String> {
            reason.motifs().into_iter().map(Motif::label).collect()
        };
        let is_told = self.told().is_some();
        let ideas = |ideas: &[Idea], good: bool| -> Vec<String> {
            ideas.iter().filter(|idea| idea.is_good == good).map(|idea| idea.label.into()).collect()
        };
        let mut motifs = labels(&self.reason);
        if !is_told {
            motifs.extend(ideas(&self.ideas, self.mark == Mark::Good));
        }
        let line = &self.reason.line;
        let mut facts: Vec<FactJson> =
            self.reason.facts.iter().map(|fact| FactJson::new(fact, line)).collect();
        facts.extend(self.ideas.iter().map(|idea| FactJson::of_idea(idea, &self.chosen)));
        let told = |reason: &Reason, told: &Told| ReplyJson {
            played: sans(reason.line.before(0), &reason.line.moves).swap_remove(0),
            fen: reason.line.before(0).fen(),
            line: sans(reason.line.before(0), &reason.line.moves),
            motifs: labels(reason),
            text: told.sentence(),
        };
        let reply =
            |reason: Option<&Reason>| reason.and_then(|reason| Some(told(reason, &reason.told()?)));
        let json = ExplanationJson {
            fen: self.position.fen(),
            played: self.chosen.san(),
            verdict: self.mark.word(),
            text: self.text(),
            score: self.chosen.score_text(),
            motifs,
            facts,
            line: sans(&self.position, &self.chosen.line),
            threat: reply(self.threat.as_ref()),
            danger: reply(self.danger.as_ref()),
            refused: self.refused.as_ref().map(|refused| RefusedJson {
                played: refused.position.san(refused.m),
                answer: reply(Some(&refused.reason)),
            }),
            better: self.better.as_ref().map(|better| BetterJson {
                played: better.san(),
                score: better.score_text(),
                line: sans(&better.position, &better.line),
                motifs: match &self.better_reason {
                    Some(reason) if reason.told().is_some() => labels(reason),
                    _ => ideas(&self.better_ideas, true),
                },
            }),
            beside: self.beside.as_ref().map(|other| BesideJson {
                played: other.san(),
                score: other.score_text(),
                line: sans(&other.position, &other.line),
            }),
            terms: explainer
                .terms(&self.chosen)
                .list
                .iter()
                .map(|change| TermJson { cp: change.cp, text: change.words.clone() })
                .collect(),
        };
        json_text(&json, pretty)
    }
}

/// The ideas up to a rank.
fn up_to(ideas: &[Idea], rank: u8) -> Vec<Idea> {
    ideas.iter().filter(|idea| idea.rank <= rank).cloned().collect()
}

/// The most telling ideas that are good or bad, as one predicate: `develops the knight and attacks
/// the pawn on e5`.
pub fn joined(ideas: &[Idea], good: bool, most: usize) -> Option<String> {
    let mut told: Vec<String> = Vec::new();
    for idea in ideas.iter().filter(|idea| idea.is_good == good) {
        if told.len() < most && !told.contains(&idea.words) {
            told.push(idea.words.clone());
        }
    }
    (!told.is_empty()).then(|| listed(&told))
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
    threat: Option<ReplyJson>,
    danger: Option<ReplyJson>,
    refused: Option<RefusedJson>,
    better: Option<BetterJson>,
    beside: Option<BesideJson>,
    terms: Vec<TermJson>,
}

/// A line that wins something.
#[derive(Serialize)]
struct ReplyJson {
    #[serde(rename = "move")]
    played: String,
    /// The position before the line.
    fen: String,
    line: Vec<String>,
    motifs: Vec<String>,
    text: String,
}

#[derive(Serialize)]
struct RefusedJson {
    #[serde(rename = "move")]
    played: String,
    answer: Option<ReplyJson>,
}

#[derive(Serialize)]
struct BetterJson {
    #[serde(rename = "move")]
    played: String,
    score: String,
    line: Vec<String>,
    motifs: Vec<String>,
}

/// The other of two moves that are compared.
#[derive(Serialize)]
struct BesideJson {
    #[serde(rename = "move")]
    played: String,
    score: String,
    line: Vec<String>,
}

/// What changes in the evaluation to the end of the line.
#[derive(Serialize)]
struct TermJson {
    /// Centipawns from White's view.
    cp: i32,
    text: String,
}

#[derive(Serialize)]
struct FactJson {
    motif: String,
    /// The side that it is good for.
    side: &'static str,
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
            motif: fact.motif.label(),
            side: side_adjective(line.us),
            fen: line.before(fact.ply).fen(),
            played: line.before(fact.ply).san(fact.m),
            squares: fact.squares.iter().map(ToString::to_string).collect(),
            text: words(fact, line),
        }
    }

    fn of_idea(idea: &Idea, chosen: &SearchedMove) -> FactJson {
        let mover = chosen.position.turn();
        FactJson {
            motif: idea.label.to_string(),
            side: side_adjective(if idea.is_good { mover } else { mover.other() }),
            fen: chosen.position.fen(),
            played: chosen.san(),
            squares: idea.squares.iter().map(ToString::to_string).collect(),
            text: format!("{} {}", first_move(chosen), idea.words),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::Score;

    fn position(fen: &str) -> Position {
        Position::from_fen(fen).expect("a legal position")
    }

    fn moves(position: &Position, line: &str) -> Vec<Move> {
        let mut end = position.clone();
        let mut play = |san: &str| {
            let m = end.parse_san(san).expect("a legal move");
            end.play(m);
            m
        };
        line.split(' ').map(&mut play).collect()
    }

    /// What a line wins for the side that begins it.
    fn reason(fen: &str, line: &str, score: Score) -> Reason {
        let position = position(fen);
        let line = PlayedLine::new(&position, None, &moves(&position, line));
        Reason::new(line, Vec::new(), score)
    }

    #[test]
    fn a_threat_is_met_if_it_no_longer_wins() {
        let pinned = "r3kbnr/pp3ppp/3p4/1Pp4b/2P1P3/PR1q1P2/3N1P1P/2BQK2R";
        let bishop = "r2q2k1/7p/8/8/4B3/8/5P1P/6K1";
        let mate = "5rk1/5ppp/8/7Q/8/3B4/P4PPP/6K1";
        let (wins, mates) = (Score::cp(900), Score::mate_in(1));
        for (board, castling, threat, score, line, met) in [
            // The queen leaves; a counterattack leaves it where it is.
            (pinned, "Kkq", "Rxd3", wins, "Qd4 Nb1", true),
            (pinned, "Kkq", "Rxd3", wins, "Bxf3 Nxf3 Qxb3 Qxb3", false),
            (pinned, "Kkq", "Rxd3", wins, "Bxf3 Rxd3", false),
            // The line ends.
            (pinned, "Kkq", "Rxd3", wins, "Qd4", false),
            // The check only delays it.
            (bishop, "-", "Bxa8", wins, "Qd1+ Kg2 h6 h4", false),
            (bishop, "-", "Bxa8", wins, "Qd1+ Kg2 Re8 h4", true),
            // It still wins a pawn, but does not mate.
            (mate, "-", "Qxh7", mates, "Rd8 a3", true),
        ] {
            let danger = reason(&format!("{board} w {castling} - 0 1"), threat, score);
            let before = position(&format!("{board} b {castling} - 0 1"));
            let line = moves(&before, line).into_iter().collect();
            let searched = SearchedMove::new(&before, line, Score::DRAW);
            assert_eq!(is_met(&danger, &searched), met, "{threat} {}", searched.line_text());
        }
    }

    #[test]
    fn a_capture_wins_where_it_is_possible_and_pays() {
        let fen = "rnb1k1nr/ppppqpbp/8/8/2BPPp2/2N2Q2/PPP3PP/R1B2RK1 b kq - 0 3";
        let takes = reason(fen, "Bxd4+", Score::cp(100));
        assert!(takes.wins_at_once_in(&position(fen)));
        // A defended pawn; a blocked diagonal.
        for other in [
            "rnb1k1nr/ppppqpbp/8/8/2BPPp2/2N1BQ2/PPP3PP/R4RK1 b kq - 0 3",
            "rnb1k1nr/ppppqpbp/5p2/8/2BPPp2/2N2Q2/PPP3PP/R1B2RK1 b kq - 0 3",
        ] {
            assert!(!takes.wins_at_once_in(&position(other)), "{other}");
        }
    }
}
