//! Learns from the moves of other players: changes the weights so that the moves they chose look better
//! (comparison training: Gerald Tesauro 2001; Kunihito Hoki 2006).
//!
//! A search finds the best few moves of every position in which another player moved. The evaluation
//! at the end of each line is what the weights can change. The chance that the player chooses a line
//! is modelled by its score: exp(k score), divided by the sum over all lines. The factor k depends on the
//! game phase: otherwise the weights would learn larger scores for phases in which the player errs less.
//! The weights make one step towards the maximum of the likelihood of all choices (Newton's method), with
//! the priors of `least_squares.rs`.
//!
//! Only moves of others show what Freshet misjudges: its own moves come from the same evaluation.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use super::TuningError;
use super::data::{Record, own_sides};
use super::eval::{INPUTS, PurposeIndices, Samples, clamp, groups, pairs, purpose_indices, source};
use super::expected::golden_section;
use super::least_squares::{Parts, Problem, merged, rounded};
use super::leaves;
use super::output::{Output, weights_option};
use super::threads::{in_parts, on_threads, sum_vectors};
use crate::board::{Move, Position, PositionError};
use crate::book::games::{self, Game};
use crate::chess::Color;
use crate::engine::Engine;
use crate::eval::Evaluator;
use crate::eval::terms::TermGroup;
use crate::eval::weights;
use crate::files::{FileError, read_text};
use crate::progress::Progress;
use crate::score::Score;
use crate::search::{Bound, Limits, Report, Reporter, StopFlag};

/// The settings of a run.
#[derive(Clone, Debug)]
pub struct MoveSettings {
    /// The file of comparisons, which a run continues if it exists. A file of the same name plus
    /// `.games` holds the number of games that were searched, and of bytes.
    pub file: PathBuf,
    /// PGN files of games of Freshet against others. When a run is continued the files already
    /// searched come first, in the same order.
    pub games: Vec<PathBuf>,
    /// Of the other player's moves, one in this many is compared; at least 1. The same number of moves
    /// tells more if they come from more games.
    pub one_in: usize,
    /// Nodes of the search of a position, for all lines together.
    pub nodes: u64,
    /// Lines of a search: at least 2.
    pub lines: usize,
    /// The standard deviation, in centipawns, of the prior for the change of a square weight; see
    /// `least_squares.rs`.
    pub prior: f64,
    /// The share of the step to make, 0 to 1: less than 1 if the players also choose moves for other
    /// reasons than strength, such as style.
    pub step: f64,
    /// The number of threads.
    pub threads: usize,
    /// The starting weights, if not the built-in ones.
    pub weights: Option<weights::Weights>,
}

impl Default for MoveSettings {
    fn default() -> MoveSettings {
        MoveSettings {
            file: "moves.txt".into(),
            games: Vec::new(),
            one_in: 1,
            nodes: 12_000,
            lines: 5,
            prior: 0.2,
            step: 1.0,
            threads: 1,
            weights: None,
        }
    }
}

impl MoveSettings {
    /// What decides the comparisons besides the games, as options of the command line. The scores are
    /// those of the starting weights, so the built-in ones have a checksum too.
    fn kind(&self) -> String {
        let weights = weights_option(Some(self.weights.as_ref().unwrap_or(&weights::WEIGHTS)));
        let MoveSettings { nodes, lines, one_in, .. } = self;
        format!("--nodes {nodes} --lines {lines} --one-in {one_in}{weights}")
    }
}

/// The size of the transposition table of a search in MiB.
const HASH: usize = 8;
/// Games whose comparisons are written together.
const BLOCK: usize = 64;
/// Positions whose best score is further from level, in centipawns, are decided: any move will do.
const DECIDED: i32 = 500;
/// Lines whose score is this many centipawns below the best are left out: that they are worse is
/// a matter of tactics, not of the weights.
const WORSE: i32 = 120;
/// One in this many pairs of games (an opening played twice) is held out for validation.
const HELD_OUT: usize = 20;
/// How often k is fitted, for the opening and the endgame in turn.
const FACTOR_ROUNDS: usize = 4;
/// The range in which k is looked for.
const CHOICE_RANGE: [f64; 2] = [0.001, 0.1];

/// The best lines of a position, with the one that another player chose.
#[derive(Debug, PartialEq)]
struct Comparison {
    /// The number of the game, from 0, among all games of the files.
    game: usize,
    mover: Color,
    /// The index of the line that begins with the player's move.
    chosen: usize,
    lines: Vec<End>,
}

/// The end of a line.
#[derive(Debug, PartialEq)]
struct End {
    /// The score of the line for the mover, in centipawns.
    score: i32,
    /// The FEN of the position at the end.
    fen: String,
}

impl Comparison {
    /// The line of the file: fields with tabs between them.
    fn line(&self) -> String {
        let mut text = format!("{}\t{}\t{}", self.game, self.mover.char(), self.chosen);
        for End { score, fen } in &self.lines {
            text += &format!("\t{score}\t{fen}");
        }
        text + "\n"
    }

    fn parse(text: &str) -> Option<Comparison> {
        let mut fields = text.split('\t');
        let game = fields.next()?.parse().ok()?;
        let mover = Color::from_char(fields.next()?.parse().ok()?)?;
        let chosen = fields.next()?.parse().ok()?;
        let mut lines = Vec::new();
        while let Some(score) = fields.next() {
            lines.push(End { score: score.parse().ok()?, fen: fields.next()?.to_string() });
        }
        (chosen < lines.len()).then_some(Comparison { game, mover, chosen, lines })
    }
}

/// The score and line of each number in the last complete iteration.
#[derive(Default)]
struct Lines(Vec<Option<(Score, Vec<Move>)>>);

impl Reporter for Lines {
    fn report(&mut self, report: &Report) {
        // A stopped search reports its first line again, if that is of an iteration not completed.
        if report.bound != Bound::Exact || report.is_last {
            return;
        }
        if self.0.len() < report.multi_pv {
            self.0.resize(report.multi_pv, None);
        }
        self.0[report.multi_pv - 1] = Some((report.score, report.line.to_vec()));
    }
}

/// Compares a move that was played with others; `None` if the position is decided, the move is not
/// among the lines that are nearly as good as the best, one of these is a draw, or there is only one.
fn compare(
    engine: &mut Engine,
    limits: &Limits,
    position: &Position,
    played: Move,
    game: usize,
) -> Option<Comparison> {
    let mut found = Lines::default();
    engine.clear();
    engine.set_position(position.clone());
    engine.go(limits, &StopFlag::new(), &mut found);
    let found: Vec<(Score, Vec<Move>)> = found.0.into_iter().collect::<Option<_>>()?;
    let best = found.iter().map(|(score, _)| score.raw()).max();
    let best = best.filter(|best| best.abs() <= DECIDED)?;
    let (mut chosen, mut lines) = (None, Vec::new());
    for (score, line) in &found {
        let score = score.raw();
        if best - score > WORSE {
            continue;
        }
        let end = leaves::end(position, line);
        // The score of a draw does not depend on the weights.
        if end.is_draw(line.len()) || end.can_repeat(line.len()) || end.moves().is_empty() {
            return None;
        }
        if line.first() == Some(&played) {
            chosen = Some(lines.len());
        }
        lines.push(End { score, fen: end.fen() });
    }
    let mover = position.turn();
    chosen.filter(|_| lines.len() > 1).map(|chosen| Comparison { game, mover, chosen, lines })
}

/// The colour of the other player, if exactly one of the two names begins with Freshet.
fn other_player(game: &Game) -> Option<Color> {
    let [white, black] = own_sides(game);
    (white != black).then_some(if white { Color::Black } else { Color::White })
}

/// Compares one in `one_in` moves of the other player of a game, up to one that cannot be read.
fn compare_all(
    engine: &mut Engine,
    settings: &MoveSettings,
    game: &Game,
    number: usize,
) -> Vec<Comparison> {
    let mut comparisons = Vec::new();
    let (Some(mut position), Some(other)) = (game.start.clone(), other_player(game)) else {
        return comparisons;
    };
    let limits = Limits::nodes(settings.nodes);
    // Not the same moves in every game.
    let mut index = number;
    for text in &game.moves {
        let Ok(m) = position.parse_move(text) else { break };
        if position.turn() == other {
            if index.is_multiple_of(settings.one_in.max(1)) {
                comparisons.extend(compare(engine, &limits, &position, m, number));
            }
            index += 1;
        }
        position.play(m);
    }
    comparisons
}

/// Searches the positions of the games that the file does not have yet.
fn collect(settings: &MoveSettings, progress: &dyn Progress) -> Result<(), TuningError> {
    let mut games: Vec<Game> = Vec::new();
    for path in &settings.games {
        let first = games.len();
        games::read::<FileError>(path, |game| {
            games.push(game);
            Ok(())
        })?;
        if !games[first..].iter().any(|game| other_player(game).is_some()) {
            let problem = "no games in which one name begins with Freshet";
            return Err(FileError::content(path, problem).into());
        }
    }
    let mut output = Output::open(&settings.file, settings.kind(), 1)?;
    if output.games() > games.len() as u64 {
        let problem = format!(
            "holds {} games, more than the {} given: give the files searched before first",
            output.games(),
            games.len()
        );
        return Err(FileError::content(&settings.file, problem).into());
    }
    progress.note(&format!("{} games, {} of them searched before", games.len(), output.games()));
    progress.start("games", games.len() as u64);
    progress.set(output.games());
    while let Some(rest) = games.get(output.games() as usize..).filter(|rest| !rest.is_empty()) {
        let first = output.games() as usize;
        let block = &rest[..rest.len().min(BLOCK)];
        let next = AtomicUsize::new(0);
        let worker = || -> Result<Vec<Comparison>, TuningError> {
            let mut engine = Engine::new(HASH, 1)?;
            engine.set_multi_pv(settings.lines);
            engine.set_weights(settings.weights.clone());
            let mut comparisons = Vec::new();
            loop {
                let index = next.fetch_add(1, Relaxed);
                let Some(game) = block.get(index) else { return Ok(comparisons) };
                comparisons.extend(compare_all(&mut engine, settings, game, first + index));
                progress.advance();
            }
        };
        let mut comparisons: Vec<Comparison> =
            on_threads(settings.threads, worker)?.into_iter().flatten().collect();
        comparisons.sort_by_key(|comparison| comparison.game);
        let text: String = comparisons.iter().map(Comparison::line).collect();
        output.append(text.as_bytes(), (first + block.len()) as u64)?;
    }
    progress.finish();
    Ok(())
}

/// A line of a comparison, for the fit.
struct FitLine {
    /// The score for the mover, in centipawns.
    score: f64,
    /// The number of the position at the end among the samples.
    sample: u32,
    /// The derivatives of the evaluation for the mover by the inputs of its formula.
    slopes: [f32; INPUTS],
}

/// A comparison, for the fit.
struct Choice {
    chosen: usize,
    /// The game phase at the end of the first line, as [`Samples::phase_at`] gives it.
    phase: f64,
    lines: Vec<FitLine>,
}

/// Comparisons, with the samples of the ends of their lines.
#[derive(Default)]
struct FitData {
    samples: Samples,
    choices: Vec<Choice>,
}

impl FitData {
    /// Adds a comparison. Leaves it out if a line ends in check, or where more than the weights decides
    /// the evaluation.
    ///
    /// # Errors
    ///
    /// If an end is no FEN of a position.
    fn add(
        &mut self,
        comparison: &Comparison,
        weights: &[[f64; 2]],
        indices: &PurposeIndices,
        evaluator: &mut Evaluator,
    ) -> Result<(), PositionError> {
        let sign = comparison.mover.fold_wb(1.0, -1.0);
        let mut lines = Vec::new();
        for End { score, fen } in &comparison.lines {
            let position = Position::from_fen(fen)?;
            let sample = self.samples.len();
            if !position.checkers().is_empty()
                || !self.samples.add(&Record::new(&position, Score::DRAW), indices, evaluator)
            {
                return Ok(());
            }
            let slopes = self.samples.slopes_at(sample, weights).map(|slope| (sign * slope) as f32);
            lines.push(FitLine { score: (*score).into(), sample: sample as u32, slopes });
        }
        let phase = lines.first().map_or(0.0, |line| self.samples.phase_at(line.sample as usize));
        self.choices.push(Choice { chosen: comparison.chosen, phase, lines });
        Ok(())
    }

    /// Calls `visit` with the index of each number on which the score of a line depends, and the
    /// derivative by it.
    #[inline(always)]
    fn derivatives(&self, line: &FitLine, mut visit: impl FnMut(usize, f64)) {
        self.samples.derivatives_of(line.sample as usize, &line.slopes, |weight, [mg, eg]| {
            visit(2 * weight, mg);
            visit(2 * weight + 1, eg);
        });
    }

    /// By how much the score of a line rises if the weights change by this vector.
    fn rise(&self, line: &FitLine, change: &[f64]) -> f64 {
        let mut rise = 0.0;
        self.derivatives(line, |index, slope| rise += slope * change[index]);
        rise
    }

    /// The mean log-likelihood of the choices if the weights change by this vector.
    fn log_likelihood(
        &self,
        k: Factor,
        change: Option<&[f64]>,
        threads: usize,
    ) -> Result<f64, TuningError> {
        let of_part = |choices: &[Choice]| -> f64 {
            let of_choice = |choice: &Choice| {
                let score = |line: &FitLine| {
                    line.score + change.map_or(0.0, |change| self.rise(line, change))
                };
                chances(k.at(choice.phase), choice.lines.iter().map(score))[choice.chosen].ln()
            };
            choices.iter().map(of_choice).sum()
        };
        let sums = in_parts(&self.choices, threads, of_part)?;
        Ok(sums.into_iter().sum::<f64>() / self.choices.len().max(1) as f64)
    }
}

/// The factor k by game phase: `endgame` without pieces, `opening` with all, linear between.
#[derive(Clone, Copy)]
struct Factor {
    endgame: f64,
    opening: f64,
}

impl Factor {
    fn at(self, phase: f64) -> f64 {
        self.endgame + phase * (self.opening - self.endgame)
    }

    /// The factor with which the choices are most likely.
    fn fitted(choices: &FitData, threads: usize) -> Result<Factor, TuningError> {
        let loss = |k: Factor| Ok(-choices.log_likelihood(k, None, threads)?);
        let same = |k: f64| Factor { endgame: k, opening: k };
        let mut k = same(golden_section(CHOICE_RANGE, |k| loss(same(k)))?);
        for _ in 0..FACTOR_ROUNDS {
            k.opening = golden_section(CHOICE_RANGE, |opening| loss(Factor { opening, ..k }))?;
            k.endgame = golden_section(CHOICE_RANGE, |endgame| loss(Factor { endgame, ..k }))?;
        }
        Ok(k)
    }
}

/// The chances that a player chooses the lines with these scores.
fn chances(k: f64, scores: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut chances: Vec<f64> = scores.collect();
    let most = chances.iter().copied().fold(f64::MIN, f64::max);
    chances.iter_mut().for_each(|score| *score = (k * (*score - most)).exp());
    let sum: f64 = chances.iter().sum();
    chances.iter_mut().for_each(|chance| *chance /= sum);
    chances
}

/// The negative log-likelihood of the choices near the weights in use: a quadratic function of their
/// change.
struct Likelihood<'a> {
    choices: &'a FitData,
    k: Factor,
    /// The number of numbers in a vector: two for each weight.
    numbers: usize,
    threads: usize,
}

impl Likelihood<'_> {
    /// Sums what `add` contributes for each choice, given the chances of its lines, using all threads.
    fn sum(
        &self,
        add: impl Fn(&Choice, &[f64], &mut [f64]) + Sync,
    ) -> Result<Vec<f64>, TuningError> {
        sum_vectors(&self.choices.choices, self.threads, self.numbers, |choice: &Choice, sum| {
            let k = self.k.at(choice.phase);
            add(choice, &chances(k, choice.lines.iter().map(|line| line.score)), sum);
        })
    }
}

impl Problem for Likelihood<'_> {
    fn gradient(&self) -> Result<Vec<f64>, TuningError> {
        self.sum(|choice, chances, sum| {
            let k = self.k.at(choice.phase);
            for (index, (line, chance)) in choice.lines.iter().zip(chances).enumerate() {
                let chosen = f64::from(u8::from(index == choice.chosen));
                let slope = k * (chance - chosen);
                self.choices.derivatives(line, |index, by| sum[index] += slope * by);
            }
        })
    }

    fn times(&self, vector: &[f64]) -> Result<Vec<f64>, TuningError> {
        self.sum(|choice, chances, sum| {
            let rises: Vec<f64> =
                choice.lines.iter().map(|line| self.choices.rise(line, vector)).collect();
            let mean: f64 = rises.iter().zip(chances).map(|(rise, chance)| chance * rise).sum();
            for ((line, chance), rise) in choice.lines.iter().zip(chances).zip(&rises) {
                let slope = self.k.at(choice.phase).powi(2) * chance * (rise - mean);
                self.choices.derivatives(line, |index, by| sum[index] += slope * by);
            }
        })
    }

    fn diagonal(&self) -> Result<Vec<f64>, TuningError> {
        self.sum(|choice, chances, sum| {
            let squared = self.k.at(choice.phase).powi(2);
            let mut derivatives: Vec<(usize, f64, f64)> = Vec::new();
            for (line, &chance) in choice.lines.iter().zip(chances) {
                let mut of_line = Vec::new();
                self.choices.derivatives(line, |index, by| of_line.push((index, by)));
                derivatives
                    .extend(merged(of_line).into_iter().map(|(index, by)| (index, chance, by)));
            }
            derivatives.sort_by_key(|&(index, ..)| index);
            // The variance of the derivative by each number, over the lines.
            for same in derivatives.chunk_by(|a, b| a.0 == b.0) {
                let mean: f64 = same.iter().map(|(_, chance, by)| chance * by).sum();
                let square: f64 = same.iter().map(|(_, chance, by)| chance * by * by).sum();
                sum[same[0].0] += squared * (square - mean * mean).max(0.0);
            }
        })
    }
}

/// Reads the comparisons of a file: those to learn from and those held out.
fn read(
    path: &Path,
    weights: &[[f64; 2]],
    evaluator: &mut Evaluator,
    progress: &dyn Progress,
) -> Result<[FitData; 2], TuningError> {
    let text = read_text(path)?;
    let indices = purpose_indices(&groups());
    let mut choices = [FitData::default(), FitData::default()];
    progress.start("comparisons", text.lines().count() as u64);
    for (number, line) in text.lines().enumerate() {
        progress.set(number as u64);
        let comparison = Comparison::parse(line)
            .ok_or_else(|| FileError::line(path, number + 1, "not a comparison of moves"))?;
        let held_out = (comparison.game / 2).is_multiple_of(HELD_OUT);
        choices[usize::from(held_out)]
            .add(&comparison, weights, &indices, evaluator)
            .map_err(|error| FileError::line(path, number + 1, format!("bad FEN: {error}")))?;
    }
    progress.finish();
    let [training, held_out] = choices.each_ref().map(|choices| choices.choices.len());
    if training.min(held_out) < 2 {
        return Err(TuningError::TooFewComparisons { training, held_out });
    }
    Ok(choices)
}

/// What must be added to the other weights to get these.
fn difference(weights: &[[f64; 2]], others: &[[f64; 2]]) -> Vec<f64> {
    let pairs = weights.as_flattened().iter().zip(others.as_flattened());
    pairs.map(|(weight, other)| weight - other).collect()
}

/// Searches the positions of the games that the file does not have yet, if there are any, and makes a
/// step towards weights that prefer the moves played. Returns the source of `weights.rs`.
///
/// # Errors
///
/// If a file cannot be read or written, belongs to a run with other settings or has too few
/// comparisons, or there is no memory for a transposition table.
pub fn run(settings: &MoveSettings, progress: &dyn Progress) -> Result<String, TuningError> {
    if !settings.games.is_empty() {
        collect(settings, progress)?;
    } else if settings.file.exists() {
        // Refuses scores of other weights, and cuts off a line that was not finished.
        Output::open(&settings.file, settings.kind(), 1)?;
    }
    let mut evaluator = Evaluator::with_weights(settings.weights.clone());
    let mut weights = pairs(evaluator.weights());
    let [training, held_out] = read(&settings.file, &weights, &mut evaluator, progress)?;
    let MoveSettings { prior, step, threads, .. } = *settings;
    let k = Factor::fitted(&training, threads)?;
    let groups = groups();
    // Most moves leave a scale factor as it is, so moves say nothing about it.
    let fixed: Vec<bool> = groups.iter().map(|&group| group == TermGroup::Scale).collect();
    let new = vec![false; weights.len()];
    let parts = Parts::new(weights.as_flattened(), &fixed, &new, prior, 1.0);
    let numbers = 2 * weights.len();
    let likelihood = Likelihood { choices: &training, k, numbers, threads };
    let change = parts.solve(&likelihood, progress)?;
    let start = weights.clone();
    weights.as_flattened_mut().iter_mut().zip(change).for_each(|(weight, by)| *weight += step * by);
    clamp(&mut weights, &groups);
    let exact = difference(&weights, &start);
    // Most changes are below a centipawn. Rounding each for itself would lose much of the step.
    let whole = rounded(&likelihood, weights.as_flattened(), progress)?;
    weights.as_flattened_mut().copy_from_slice(&whole);
    let change = difference(&weights, &start);
    let [before, unrounded, after] = [None, Some(&exact), Some(&change)]
        .map(|change| held_out.log_likelihood(k, change.map(Vec::as_slice), threads));
    let (before, unrounded, after) = (before?, unrounded?, after?);
    progress.note(&format!(
        "{} comparisons; a line 10 centipawns better is chosen {:.2} times as often with all pieces, \
         {:.2} times without; validation log-likelihood {before:.5}, after the step {unrounded:.5}, \
         rounded {after:.5}",
        training.choices.len(),
        (10.0 * k.opening).exp(),
        (10.0 * k.endgame).exp()
    ));
    if after <= before {
        progress.note(
            "the step has not raised the validation log-likelihood: the weights are unchanged",
        );
        weights = start;
    }
    Ok(source(&weights))
}

#[cfg(test)]
mod tests {
    use std::fs::OpenOptions;
    use std::io::Write;

    use super::*;
    use crate::eval::phased::s;

    const GAME: &str = "[White \"other\"]\n[Black \"Freshet 0.2\"]\n[Result \"*\"]\n\n\
        e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1 b5 Bb3 d6 c3 O-O h3 Nb8 d4 Nbd7 Ke9 a5 *\n\n";

    fn comparison(chosen: usize, lines: &[(i32, &str)]) -> Comparison {
        let end = |&(score, fen): &(i32, &str)| End { score, fen: fen.to_string() };
        Comparison { game: 7, mover: Color::Black, chosen, lines: lines.iter().map(end).collect() }
    }

    #[test]
    fn a_comparison_is_a_line_of_text() {
        let comparison = comparison(1, &[(12, Position::START), (-3, "a FEN")]);
        let line = comparison.line();
        assert_eq!(line, format!("7\tb\t1\t12\t{}\t-3\ta FEN\n", Position::START));
        assert_eq!(Comparison::parse(line.trim_end()), Some(comparison));
        for bad in ["", "7\tb\t0", "7\tx\t0\t1\tfen", "7\tw\t0\t1", "7\tw\t1\t1\tfen"] {
            assert_eq!(Comparison::parse(bad), None, "{bad}");
        }
    }

    #[test]
    fn better_lines_are_chosen_more_often() {
        let chances = chances(0.02, [30.0, 10.0, 10.0].into_iter());
        assert!((chances.iter().sum::<f64>() - 1.0).abs() < 1e-9);
        assert!((chances[0] / chances[1] - 0.4f64.exp()).abs() < 1e-9);
        assert_eq!(chances[1], chances[2]);
    }

    /// Choices among the ends of some lines.
    fn some_choices(weights: &[[f64; 2]]) -> FitData {
        let ends = [
            "r1bqk2r/pppp1ppp/2n2n2/2b1p3/2B1P3/2NP1N2/PPP2PPP/R1BQK2R b KQkq - 0 5",
            "r1bq1rk1/pppp1ppp/2n2n2/2b1p3/2B1P3/2NP1N2/PPP2PPP/R1BQ1RK1 w - - 0 6",
            // Attacks on both kings.
            "2q2rk1/5p1p/3p2pQ/3Pp1N1/8/2n3P1/r4P1P/2R2RK1 b - - 0 26",
        ];
        let mut choices = FitData::default();
        let indices = purpose_indices(&groups());
        let mut evaluator = Evaluator::new();
        for (chosen, lines) in [
            (1, [(20, ends[0]), (10, ends[1]), (-30, ends[2])]),
            (0, [(5, ends[2]), (4, ends[0]), (0, ends[1])]),
        ] {
            let comparison = comparison(chosen, &lines);
            choices.add(&comparison, weights, &indices, &mut evaluator).expect("FENs");
        }
        assert_eq!(choices.choices.len(), 2);
        // Left out: against a bare king more than the weights decides the evaluation.
        let bare = comparison(0, &[(5, ends[0]), (4, "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")]);
        choices.add(&bare, weights, &indices, &mut evaluator).expect("FENs");
        assert_eq!(choices.choices.len(), 2);
        choices
    }

    #[test]
    fn the_derivatives_are_those_of_the_likelihood() {
        const STEP: f64 = 0.5;
        let weights = pairs(Evaluator::new().weights());
        let choices = some_choices(&weights);
        let (k, numbers) = (Factor { endgame: 0.01, opening: 0.03 }, 2 * weights.len());
        let likelihood = Likelihood { choices: &choices, k, numbers, threads: 2 };
        let gradient = likelihood.gradient().expect("threads");
        let diagonal = likelihood.diagonal().expect("threads");
        let mut seen = 0;
        for index in 0..numbers {
            let loss = |step: f64| {
                let mut change = vec![0.0; numbers];
                change[index] = step;
                let mean = choices.log_likelihood(k, Some(&change), 1).expect("threads");
                -mean * choices.choices.len() as f64
            };
            let [below, here, above] = [-STEP, 0.0, STEP].map(loss);
            let slope = (above - below) / (2.0 * STEP);
            let curve = (above - 2.0 * here + below) / (STEP * STEP);
            assert!((slope - gradient[index]).abs() < 1e-4, "{index}: {slope}");
            assert!((curve - diagonal[index]).abs() < 1e-4, "{index}: {curve}");
            let mut unit = vec![0.0; numbers];
            unit[index] = 1.0;
            let times = likelihood.times(&unit).expect("threads");
            assert!((times[index] - diagonal[index]).abs() < 1e-9, "{index}");
            seen += usize::from(diagonal[index] > 1e-4);
        }
        assert!(seen > 20, "{seen}");
    }

    #[test]
    fn a_run_is_continued_and_compares_the_moves_of_others() {
        let folder = std::env::temp_dir().join(format!("freshet-moves-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let path = |name: &str| folder.join(name);
        std::fs::write(path("one.pgn"), GAME).expect("a file");
        let own = GAME.replace("other", "freshet");
        std::fs::write(path("two.pgn"), own + GAME).expect("a file");
        let settings = |file: &str, games: &[&str], threads| MoveSettings {
            file: path(file),
            games: games.iter().map(|name| path(name)).collect(),
            nodes: 2000,
            threads,
            ..MoveSettings::default()
        };
        let text = |file: &str| std::fs::read_to_string(path(file)).expect("a file");
        let source = run(&settings("whole", &["one.pgn", "two.pgn"], 2), &()).expect("weights");
        assert!(source.contains("pub const WEIGHTS"));
        // The only game is held out: no comparison is left to learn from.
        let error =
            run(&settings("parts", &["one.pgn"], 1), &()).expect_err("one game").to_string();
        assert!(error.starts_with("0 comparisons to learn from and "), "{error}");
        let continued = run(&settings("parts", &["one.pgn", "two.pgn"], 1), &()).expect("weights");
        assert_eq!(text("whole"), text("parts"));
        assert_eq!(source, continued);
        assert_eq!(source, run(&settings("whole", &[], 1), &()).expect("the same without games"));
        let comparisons: Vec<Comparison> =
            text("whole").lines().map(|line| Comparison::parse(line).expect("a line")).collect();
        // White's eleven moves, the last of which is illegal; the game of Freshet against itself
        // has none.
        assert!((8..=20).contains(&comparisons.len()), "{}", comparisons.len());
        assert!(comparisons.iter().all(|c| c.mover == Color::White && c.lines.len() > 1));
        let games: Vec<usize> = comparisons.iter().map(|comparison| comparison.game).collect();
        assert!(games.is_sorted() && games.contains(&0) && !games.contains(&1));
        let fewer = MoveSettings { one_in: 3, ..settings("fewer", &["one.pgn", "two.pgn"], 1) };
        let _ = run(&fewer, &());
        let (all, some) = (text("whole"), text("fewer"));
        assert!(some.lines().all(|line| all.lines().any(|other| other == line)), "{some}");
        assert!((1..all.lines().count()).contains(&some.lines().count()), "{some}");
        let other = MoveSettings { nodes: 2001, ..settings("whole", &["one.pgn"], 1) };
        let error = run(&other, &()).expect_err("other settings").to_string();
        assert!(error.contains("--nodes 2000 --lines 5 --one-in 1"), "{error}");
        // What an interrupted run wrote last is left out.
        let mut cut = OpenOptions::new().append(true).open(path("whole")).expect("the file");
        cut.write_all(b"7\tw\t0\t1").expect("bytes");
        drop(cut);
        assert_eq!(source, run(&settings("whole", &[], 1), &()).expect("the same"));
        let fails =
            |settings: &MoveSettings| run(settings, &()).expect_err("bad input").to_string();
        let error = fails(&settings("whole", &["one.pgn"], 1));
        assert!(error.contains("whole: holds 3 games, more than the 1 given"), "{error}");
        let mut others = weights::WEIGHTS;
        others.each_mut(|row| row.iter_mut().for_each(|weight| *weight += s(1, 0)));
        let error = fails(&MoveSettings { weights: Some(others), ..settings("whole", &[], 1) });
        assert!(error.contains("it was made with"), "{error}");
        std::fs::write(path("none.pgn"), GAME.replace("Freshet", "b")).expect("a file");
        let error = fails(&settings("new", &["none.pgn"], 1));
        assert!(error.ends_with("none.pgn: no games in which one name begins with Freshet"));
        assert!(!path("new").exists());
        for (line, problem) in
            [("no comparison", "not a comparison of moves"), ("0\tw\t0\t1\tx\t1\ty", "bad FEN: ")]
        {
            std::fs::write(path("bad"), format!("{line}\n")).expect("a file");
            let kind = settings("bad", &[], 1).kind();
            std::fs::write(path("bad.games"), format!("1 {}\n{kind}\n", line.len() + 1))
                .expect("a file");
            let error = fails(&settings("bad", &[], 1));
            assert!(error.contains(&format!("bad: line 1: {problem}")), "{error}");
        }
        std::fs::remove_dir_all(&folder).expect("our own folder");
    }
}
