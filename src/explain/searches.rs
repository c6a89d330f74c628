//! Why a move is good or bad: the searches that an explanation needs, for the line, the better move,
//! threats, a natural reply that the line avoids, and what lasts.

use super::breakdown::Breakdown;
use super::deltas::Delta;
use super::draws::is_over;
use super::explanation::{Explanation, Proven, Refused, is_met, joined};
use super::facts;
use super::facts::line::PlayedLine;
use super::ideas::{self, Idea};
use super::known;
use super::moves::{Explainer, SearchedMove};
use super::reason::{LOST, Reason, TOLD};
use super::words::of_term;
use crate::board::{Move, Position};
use crate::chess::Role;
use crate::eval::terms::name;
use crate::eval::wording::About;
use crate::known::Judged;
use crate::progress::Progress;
use crate::score::Score;
use crate::search::{Limits, Line};
use crate::tools::accuracy::{Mark, win_percent};
use crate::tools::analyse::MoveReport;
use crate::wdl::shown;

/// Facts are looked for in this many plies of a line.
const PLIES: usize = 12;

/// Nodes of a search that decides whether a side is in zugzwang.
const ZUGZWANG_NODES: u64 = 10_000;

/// Nodes of a search that completes the line of a mate.
const MATE_NODES: u64 = 50_000;

/// Nodes of a search that completes the line of a draw, and the most such searches.
const DRAW_NODES: u64 = 10_000;
const DRAW_SEARCHES: usize = 3;

/// Nodes of a search for a threat, in which a side passes.
const THREAT_NODES: u64 = 20_000;

/// A threat must be worth this many centipawns more than what happens without it.
const THREAT: i32 = 100;

/// Plies of a threat that are looked at, if it is no mate.
const THREAT_PLIES: usize = 5;

/// A line that wins material needs no check of other answers if its score is at least this, in
/// centipawns for each pawn it wins.
const CONVINCING: i32 = 80;

/// The search for an answer that loses less takes the nodes of the other searches divided by this.
const ANSWER_SHARE: u64 = 4;

/// An answer that is worse by no more than this, in centipawns, is as good.
const AS_GOOD: i32 = 40;

/// Nodes of the search after a natural reply that the line avoids.
const REFUSED_NODES: u64 = 20_000;

/// The least score of a position that is called won, in centipawns.
const WON: i32 = 100;

/// A doubtful verdict is searched again with this many times the nodes.
const DOUBT: u64 = 5;

/// Losses of winning chances so close to the limit of a mark, in percent, are doubtful.
const NEAR_LIMIT: f64 = 1.5;

/// Terms of the evaluation that are about what lasts.
const LASTING: [&str; 12] = [
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
    name::bishop_blocked_pawns,
    name::unstoppable,
];

/// Those of them that are a weakness of the side that has them.
const WEAKNESSES: [&str; 4] =
    [name::isolated, name::doubled, name::backward, name::bishop_blocked_pawns];

/// The least worth of a feature that is told, in centipawns.
const LEAST: i32 = 10;

impl Explainer {
    /// What a move and its line show at a glance, and the threat that it meets. The threat takes some
    /// short searches.
    pub fn with_danger(&mut self, searched: &SearchedMove) -> Option<String> {
        let shown = at_a_glance(searched);
        let danger = self.danger_elsewhere(searched, searched.score);
        let met = danger.filter(|danger| is_met(danger, searched)).and_then(|danger| danger.told());
        let met = met.map(|told| format!("it meets the threat of {}", told.object()));
        match (shown, met) {
            (Some(shown), Some(met)) => Some(format!("{shown}; {met}")),
            (shown, met) => shown.or(met),
        }
    }

    /// Explains a legal move. Reports its long searches to `progress`.
    pub fn explanation(
        &mut self,
        position: &Position,
        m: Move,
        progress: &dyn Progress,
    ) -> Explanation {
        let (mut chosen, mut best) = self.chosen_and_best(position, m, progress);
        if best.as_ref().is_some_and(|best| is_doubtful(best, &chosen)) {
            self.nodes *= DOUBT;
            (chosen, best) = self.chosen_and_best(position, m, progress);
            self.nodes /= DOUBT;
        }
        self.explained(chosen, best)
    }

    /// Searches a move and the best move.
    fn chosen_and_best(
        &mut self,
        position: &Position,
        m: Move,
        progress: &dyn Progress,
    ) -> (SearchedMove, Option<SearchedMove>) {
        progress.start("searches", 2);
        let chosen = self.searched(position, m);
        progress.advance();
        let best = self.best(position);
        progress.finish();
        (chosen, best)
    }

    /// Compares two different legal moves: explains the worse one, beside the other. If neither is
    /// good, beside the best move too. Reports its long searches to `progress`.
    pub fn comparison(
        &mut self,
        position: &Position,
        moves: [Move; 2],
        progress: &dyn Progress,
    ) -> Explanation {
        progress.start("searches", 3);
        let [first, second] = moves.map(|m| {
            let searched = self.searched(position, m);
            progress.advance();
            searched
        });
        let (worse, other) =
            if first.score < second.score { (first, second) } else { (second, first) };
        let best = self.best(position).filter(|best| {
            best.line.first().is_some_and(|m| !moves.contains(m))
                && Mark::of_scores(best.score, other.score) != Mark::Good
        });
        progress.finish();
        let better = best.unwrap_or_else(|| other.clone());
        Explanation { beside: Some(other), ..self.explained(worse, Some(better)) }
    }

    /// Explains a move that has been searched, beside the best move.
    pub fn explained(&mut self, chosen: SearchedMove, best: Option<SearchedMove>) -> Explanation {
        let m = chosen.line.first().copied();
        let chosen = self.with_whole_end(chosen);
        let best = best.map(|best| self.with_whole_end(best));
        let better =
            best.filter(|best| best.line.first().copied() != m && best.score > chosen.score);
        let mark =
            better.as_ref().map_or(Mark::Good, |best| Mark::of_scores(best.score, chosen.score));
        // A move nearly as good is not compared with the best one.
        let compared = better.as_ref().filter(|_| mark != Mark::Good);
        // For a losing move, tell the refutation even if no move is better.
        let is_refuted = mark != Mark::Good || chosen.score.raw() <= -LOST;
        // A mate, won or missed, is no measure of material.
        let is_material = |best: &&SearchedMove| !best.score.is_mate() && !chosen.score.is_mate();
        let swing = compared.filter(is_material);
        let swing = swing.map_or(0, |best| best.score.raw() - chosen.score.raw());
        let mut reason = self.confirmed(&chosen, usize::from(is_refuted), swing);
        reason.is_incidental = !is_refuted && reason.wins_pawn_somehow();
        let better_reason = compared.map(|best| self.confirmed(best, 0, swing));
        let known = self.known(&chosen);
        let known_of_better = compared.and_then(|best| self.known(best));
        let is_told = reason.told().is_some();
        let refused = if is_told { self.refused(&reason.line) } else { None };
        let proven = [&known, &known_of_better].into_iter().any(Option::is_some);
        let without_mark = mark == Mark::Good && !is_told && !proven;
        let threat = if without_mark { self.threat(&chosen) } else { None };
        // What could be played at once is no threat. Neither is what the piece does that is taken next.
        let is_threat = |threat: &Reason| {
            let now = better.as_ref().and_then(|better| better.line.first());
            threat.line.moves.first() != now
                && !threat.wins_at_once_in(&chosen.position)
                && !is_recaptured(&chosen)
        };
        let threat = threat.filter(is_threat);
        // Of a bad move it is worth telling that it overlooks a threat, of others that they meet it.
        let score = compared.unwrap_or(&chosen).score;
        let danger = if without_mark || is_told && is_refuted {
            self.danger_elsewhere(&chosen, score)
        } else {
            None
        };
        // In a won or lost game the structure of pawns does not matter much.
        let is_open = [Some(&chosen), compared].into_iter().flatten();
        let is_open = is_open.into_iter().any(|searched| searched.score.raw().abs() < LOST);
        let lasting = match !is_told && known.is_none() && is_open {
            true => self.lasting(&chosen, compared),
            false => Vec::new(),
        };
        let ideas_of = |searched: &SearchedMove, first: usize| match searched.position.turn() {
            _ if searched.line.len() <= first => Vec::new(),
            _ => {
                let mut ideas = ideas::of_line(&line_from(searched, first));
                // Losing a move on purpose makes sense only when winning; else the king just shuffles.
                let is_winning = first == 0 && searched.score.raw() >= WON;
                ideas.retain(|idea| idea.label != "triangulation" || is_winning);
                ideas
            }
        };
        let ideas = ideas_of(&chosen, 0);
        let mut reply_ideas = if is_refuted { ideas_of(&chosen, 1) } else { Vec::new() };
        // The line after a sacrifice says more.
        reply_ideas.retain(|idea| idea.label != "sacrifice");
        // What the move or its answer does too is no reason for the better one.
        let is_other =
            |idea: &Idea| ideas.iter().chain(&reply_ideas).all(|other| other.words != idea.words);
        let mut better_ideas = compared.map(|best| ideas_of(best, 0)).unwrap_or_default();
        better_ideas.retain(is_other);
        Explanation {
            ideas,
            reply_ideas,
            better_ideas,
            position: chosen.position.clone(),
            chosen,
            better,
            beside: None,
            mark,
            reason,
            better_reason,
            refused,
            threat,
            danger,
            lasting,
            known,
            known_of_better,
        }
    }

    /// What a side threatens in a position in which the other side has just passed, if its score is
    /// better than `without` by the least worth of a threat.
    fn threat_of(&mut self, passed: &Position, without: Score) -> Option<Reason> {
        if passed.moves().is_empty() {
            return None;
        }
        let result = self.engine.search(passed, &Limits::nodes(THREAT_NODES));
        let gains = result.score.raw() - without.raw() >= THREAT && result.score > Score::DRAW;
        let most = if result.score.is_mate() { result.line.len() } else { THREAT_PLIES };
        let line: Line = result.line.into_iter().take(most).collect();
        if !gains || line.is_empty() {
            return None;
        }
        let searched = self.with_whole_mate(SearchedMove::new(passed, line, result.score));
        let reason = self.reason(&searched, 0);
        reason.told().is_some().then_some(reason)
    }

    /// What the other side threatens: what it would win if the side to move passed.
    pub fn threat_against(&mut self, position: &Position) -> Option<Reason> {
        if position.moves().is_empty() {
            return None;
        }
        let score = self.engine.search(position, &Limits::nodes(THREAT_NODES)).score;
        self.danger(position, score)
    }

    /// What a move threatens.
    fn threat(&mut self, chosen: &SearchedMove) -> Option<Reason> {
        let mut passed = chosen.position.clone();
        passed.play(*chosen.line.first()?);
        if passed.checkers().any() || passed.moves().is_empty() {
            return None;
        }
        passed.play_null();
        self.threat_of(&passed, chosen.score)
    }

    /// What the other side would do if the side to move passed; `score` is what it has with a good
    /// move.
    fn danger(&mut self, position: &Position, score: Score) -> Option<Reason> {
        if position.checkers().any() {
            return None;
        }
        let mut passed = position.clone();
        passed.play_null();
        self.threat_of(&passed, -score)
    }

    /// What the other side threatened before a move, but for a capture of the piece that moves: an
    /// idea tells that.
    fn danger_elsewhere(&mut self, searched: &SearchedMove, score: Score) -> Option<Reason> {
        let from = searched.line.first().copied().map(Move::from);
        let danger = self.danger(&searched.position, score);
        danger.filter(|danger| danger.line.moves.first().map(|m| m.to()) != from)
    }

    /// A capture of the piece that the first move of a line offers, where the line avoids it.
    fn refused(&mut self, line: &PlayedLine) -> Option<Refused> {
        let (first, reply) = (*line.moves.first()?, *line.moves.get(1)?);
        let position = line.after(0);
        let offered = line.before(0).captured_by(first).map_or(0, facts::line::worth)
            < facts::line::worth(line.mover(0));
        if !offered || reply.to() == first.to() {
            return None;
        }
        let takes = position
            .moves()
            .iter()
            .copied()
            .filter(|m| m.to() == first.to() && position.see_ge(*m, 1))
            .min_by_key(|&m| facts::line::worth(position.moved_by(m).role))?;
        let mut after = position.clone();
        after.play(takes);
        if after.moves().is_empty() {
            return None;
        }
        let result = self.engine.search(&after, &Limits::nodes(REFUSED_NODES));
        let searched = SearchedMove::new(&after, result.line, result.score);
        let searched = self.with_whole_mate(searched);
        let reason = self.reason(&searched, 0);
        // Only where taking loses something visibly.
        reason.told().is_some().then(|| Refused { position: position.clone(), m: takes, reason })
    }

    /// What is proven of the position after the first move of a line.
    fn known(&mut self, searched: &SearchedMove) -> Option<Proven> {
        let mut after = searched.position.clone();
        after.play(*searched.line.first()?);
        // The rules say more.
        if is_over(&after) {
            return None;
        }
        let evaluator = self.evaluator();
        evaluator.prepare(&after);
        let known = evaluator.knowledge().ask(&after)?;
        // Claim no win that the fifty-move rule prevents.
        let claims = match known.judged {
            Judged::Mate { plies, .. } => after.fifty() + plies <= 100,
            Judged::Won(_) => searched.score.raw().abs() >= WON,
            _ => true,
        };
        let mover = searched.position.turn();
        // That the losing side cannot win is no news.
        let loser = if searched.score > Score::DRAW { mover.other() } else { mover };
        let is_news = known.can_win[loser] || searched.score.raw().abs() < LOST;
        let is_won = matches!(known.judged, Judged::Mate { .. } | Judged::Won(_));
        let claims = claims && (is_news || is_won);
        let is_good = known.can_win[mover] && !known.can_win[mover.other()];
        let text = known::words(&known).filter(|_| claims)?;
        Some(Proven { text, is_good })
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
            None => self.terms(chosen),
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
        // Beside a better line, tell only what the better line itself brings about.
        let new: Vec<String> = match better {
            Some(better) => {
                let terms = self.terms(better);
                terms.list.iter().flat_map(|change| &change.deltas).filter_map(of_term).collect()
            }
            None => Vec::new(),
        };
        let is_there =
            |text: &String| better.is_none() || (!text.contains("no longer") && new.contains(text));
        if features.is_empty() {
            return told;
        }
        // The line may have been continued for the comparison: tell what is so at its own end.
        let told_of = better.unwrap_or(chosen);
        let evaluator = self.evaluator();
        let at_end = told_of.changes(|position| Breakdown::with_walls(position, evaluator));
        let at_end: Vec<String> =
            at_end.list.iter().flat_map(|change| &change.deltas).filter_map(of_term).collect();
        // Skip a feature whose weight contradicts its wording, and one that only moves or is exchanged.
        let agrees = |delta: &Delta, text: &str| {
            let is_own = delta.side == chosen.position.turn();
            let is_lost = text.contains("no longer");
            let [before, after] = delta.counts();
            let is_new = if is_lost { after < before } else { after > before };
            let role = match delta.about {
                Some(About::Pieces(role)) => role,
                _ => Role::Pawn,
            };
            let count = |position: &Position, role| position.set(delta.side, role).count();
            let has_all = count(&told_of.position, role) == count(&told_of.end, role);
            // With both bishops no pawn stands on the wrong colour.
            let is_bad_bishop = delta.term == name::bishop_blocked_pawns;
            let is_true = !is_bad_bishop || count(&told_of.end, Role::Bishop) == 1;
            is_own ^ WEAKNESSES.contains(&delta.term) ^ is_lost
                && is_new
                && is_true
                && (has_all || !is_lost || delta.term == name::bishop_pair)
                && at_end.iter().any(|there| there == text)
        };
        let texts = features
            .into_iter()
            .filter_map(|delta| of_term(delta).filter(|text| agrees(delta, text)));
        for text in texts.filter(is_there) {
            if told.len() < TOLD && !told.contains(&text) {
                told.push(text);
            }
        }
        told
    }

    /// Completes the line of a mate or of a draw by the rules, which a search may have cut short.
    fn with_whole_end(&mut self, searched: SearchedMove) -> SearchedMove {
        match is_level(searched.score) && searched.ending.is_none() {
            true => self.with_whole_draw(searched),
            false => self.with_whole_mate(searched),
        }
    }

    /// The line with the moves that lead to a draw by the rules; unchanged if short searches find
    /// none.
    fn with_whole_draw(&mut self, searched: SearchedMove) -> SearchedMove {
        let (mut line, mut end) = (searched.line.clone(), searched.end.clone());
        for _ in 0..DRAW_SEARCHES {
            let result = self.engine.search(&end, &Limits::nodes(DRAW_NODES));
            if !is_level(result.score) || result.line.is_empty() {
                break;
            }
            for m in result.line {
                if line.try_push(m).is_err() {
                    return searched;
                }
                end.play(m);
            }
            let whole = SearchedMove::new(&searched.position, line.clone(), searched.score);
            if whole.ending.is_some() {
                return whole;
            }
        }
        searched
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

    /// What a line shows from move `first` on: 0, or 1 for the reply. If another answer to it is as good
    /// as that of the line and loses half as much at most, what that answer leads to.
    fn confirmed(&mut self, searched: &SearchedMove, first: usize, swing: i32) -> Reason {
        let reason = Reason { swing, ..self.reason(searched, first) };
        let Some(&answer) = searched.line.get(first + 1) else { return reason };
        let is_convincing = reason.score.raw() >= CONVINCING * reason.gain.pawns;
        if reason.mates || is_convincing || reason.told().is_none() {
            return reason;
        }
        let (start, after) = (reason.line.before(0), reason.line.after(0));
        let nodes = (self.nodes / ANSWER_SHARE).max(1);
        let Some(other) = self.best_without(after, answer, nodes) else { return reason };
        let is_as_good = other.score.raw() + AS_GOOD >= -reason.score.raw();
        // A short line may not show all that it loses.
        if !is_as_good || other.line.len() < reason.line.moves.len() {
            return reason;
        }
        let moves = std::iter::once(reason.line.moves[0]).chain(other.line.iter().copied());
        let line: Line = moves.take(PLIES).collect();
        let other = self.reason(&SearchedMove::new(start, line, -other.score), 0);
        match 2 * other.gain.pawns <= reason.gain.pawns {
            true => Reason { swing, ..other },
            false => reason,
        }
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
        let mut facts = facts::of_line(&won);
        // What is won may end with recaptures that the line lacks; zugzwang may come later.
        let line = match &zugzwang {
            Some(fact) if fact.ply >= won.moves.len() => line.cut(fact.ply + 1),
            _ => won,
        };
        facts.extend(zugzwang);
        Reason::new(line, facts, score)
    }
}

/// Whether the piece that a move has moved is captured in the next moves of its line.
fn is_recaptured(searched: &SearchedMove) -> bool {
    let Some(m) = searched.line.first() else { return false };
    searched.line.iter().skip(1).step_by(2).take(2).any(|reply| reply.to() == m.to())
}

/// Whether a score is shown as 0.00.
fn is_level(score: Score) -> bool {
    score.as_cp().map(shown) == Some(0)
}

/// The line from its move `first` on.
fn line_from(searched: &SearchedMove, first: usize) -> PlayedLine {
    let mut start = searched.position.clone();
    searched.line[..first].iter().for_each(|&m| start.play(m));
    PlayedLine::new(&start, None, &searched.line[first..])
}

/// Whether the verdict could be another one after a longer search: the loss lies near the limit of
/// a mark, or the move gives material away and is not clearly bad.
fn is_doubtful(best: &SearchedMove, chosen: &SearchedMove) -> bool {
    let (Some(&m), Some(&better)) = (chosen.line.first(), best.line.first()) else { return false };
    if m == better || best.score.is_mate() && chosen.score.is_mate() {
        return false;
    }
    let loss = win_percent(best.score) - win_percent(chosen.score);
    let is_near = [5.0, 10.0, 15.0].iter().any(|limit| (loss - limit).abs() <= NEAR_LIMIT);
    // A sacrifice that is called bad, but leaves its side in the game.
    let is_sacrifice = !chosen.position.see_ge(m, -1);
    is_near || is_sacrifice && loss >= 5.0 && chosen.score.raw() > -LOST / 2
}

/// What a move and its line show at a glance, without any search: what the line wins, or what the
/// move does for its side.
pub fn at_a_glance(searched: &SearchedMove) -> Option<String> {
    let ideas = || joined(&ideas::of_line(&line_from(searched, 0)), true, TOLD);
    won_at_a_glance(searched).or_else(|| ideas().map(|ideas| format!("it {ideas}")))
}

/// What the reply to a bad move of a game wins, without any search; `None` if the move is not bad or
/// the line shows nothing.
pub fn refutation(report: &MoveReport) -> Option<String> {
    let mut after = report.position.clone();
    after.play(report.played);
    let reply = SearchedMove::new(&after, report.reply.clone(), -report.score);
    won_at_a_glance(&reply).filter(|_| report.mark != Mark::Good)
}

/// What the line of a move wins, without any search: `24...Nf3+ forks king and rook: Black wins a
/// rook`.
fn won_at_a_glance(searched: &SearchedMove) -> Option<String> {
    let moves: Vec<Move> = searched.line.iter().copied().collect();
    let score = searched.score;
    let line = PlayedLine::new(&searched.position, None, &moves);
    let line = if score.is_mate() { line } else { line.cut(PLIES).until_won() };
    let facts = facts::of_line(&line);
    Reason::new(line, facts, score).told().map(|told| told.sentence())
}
