//! Move ordering: the hash move, good captures, killers, quiet moves by their histories, bad
//! captures. The staged picker generates moves only when it reaches their stage, and selects the
//! best of a stage one at a time.

use arrayvec::ArrayVec;

use super::histories::{Context, Histories};
use crate::board::{CheckInfo, GenType, MAX_MOVES, Move, MoveList, Position, see_value};
use crate::chess::{Bitboard, Role};
use crate::search::numbers::numbers;

numbers! {
    order:
    /// The bonus of a quiet check, in history units.
    check = 12000, 0 to 32000;
    /// The bonus of a minor piece that leaves the attack of a pawn.
    minor = 2900, 0 to 16000;
    /// The bonus of a rook that leaves the attack of a pawn or minor piece.
    rook = 5100, 0 to 20000;
    /// The bonus of a queen that leaves the attack of a piece of lower value.
    queen = 10000, 0 to 32000;
}

/// The stage of the move picker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stage {
    /// The hash move.
    Table,
    /// Captures and promotions are to be generated.
    GenerateNoisy,
    /// Captures and promotions that lose nothing, or little, by static exchange (SEE).
    GoodNoisy,
    /// Quiet moves that caused a cutoff in a node with the same grandparent.
    Killers,
    /// Quiet moves are to be generated.
    GenerateQuiet,
    /// The other quiet moves, by history.
    Quiet,
    /// Captures and promotions that lose material.
    BadNoisy,
    /// Quiet checks are to be generated.
    GenerateChecks,
    /// Quiet checks that lose nothing by static exchange (SEE).
    Checks,
    /// Nothing is left to pick.
    Done,
}

/// The move picker: hands out the moves of a node one by one, the most promising first.
pub(crate) struct Picker {
    stage: Stage,
    hash_move: Option<Move>,
    killers: [Option<Move>; 2],
    killer: usize,
    /// Only captures and promotions whose SEE is at least this many centipawns.
    noisy_only: Option<i32>,
    /// After the captures, also try quiet checks.
    quiet_checks: bool,
    /// Leave out the quiet moves not yet picked.
    skips_quiets: bool,
    list: ArrayVec<ScoredMove, MAX_MOVES>,
    bad: ArrayVec<Move, MAX_MOVES>,
    next_bad: usize,
    /// The next quiet move, picked one early.
    ahead: Option<Move>,
}

impl Picker {
    /// Picks all moves. `hash_move` must be legal.
    pub(crate) fn new(hash_move: Option<Move>, killers: [Option<Move>; 2]) -> Picker {
        Picker {
            stage: if hash_move.is_some() { Stage::Table } else { Stage::GenerateNoisy },
            hash_move,
            killers: killers.map(|killer| killer.filter(|_| killer != hash_move)),
            killer: 0,
            noisy_only: None,
            quiet_checks: false,
            skips_quiets: false,
            list: ArrayVec::new(),
            bad: ArrayVec::new(),
            next_bad: 0,
            ahead: None,
        }
    }

    /// Picks captures and promotions whose SEE is at least `least` centipawns. `hash_move` must be
    /// one of them.
    pub(crate) fn noisy(hash_move: Option<Move>, least: i32) -> Picker {
        Picker { noisy_only: Some(least), ..Picker::new(hash_move, [None; 2]) }
    }

    /// Picks the moves of quiescence search: captures and promotions that lose nothing by SEE and
    /// then, if wanted, quiet checks that lose nothing. `hash_move` must be a capture or promotion.
    pub(crate) fn quiescence(hash_move: Option<Move>, quiet_checks: bool) -> Picker {
        Picker { quiet_checks, ..Picker::noisy(hash_move, 0) }
    }

    /// The current stage: that of the last move picked, unless it was the hash move.
    pub(crate) fn stage(&self) -> Stage {
        self.stage
    }

    /// The quiet move that comes next, if already picked.
    pub(crate) fn ahead(&self) -> Option<Move> {
        self.ahead
    }

    /// Leaves out the quiet moves not yet picked. If their stage has not begun, they are never
    /// generated.
    pub(crate) fn skip_quiets(&mut self) {
        self.skips_quiets = true;
        self.ahead = None;
        if matches!(self.stage, Stage::Killers | Stage::GenerateQuiet | Stage::Quiet) {
            self.stage = Stage::BadNoisy;
        }
    }

    /// The next move, if any.
    pub(crate) fn next(
        &mut self,
        position: &Position,
        info: &CheckInfo,
        histories: &Histories,
        context: &Context<'_>,
    ) -> Option<Move> {
        loop {
            match self.stage {
                Stage::Table => {
                    self.stage = Stage::GenerateNoisy;
                    return self.hash_move;
                }
                Stage::GenerateNoisy => {
                    let value = |m| Some(noisy_value(position, histories, m));
                    self.generate(position, info, GenType::Noisy, value);
                    self.stage = Stage::GoodNoisy;
                }
                Stage::GoodNoisy => match self.best(&[self.hash_move]) {
                    Some((m, value)) => {
                        // With a valuable victim or a good history, a capture may lose a little by
                        // SEE.
                        let threshold = self.noisy_only.unwrap_or_else(|| (-value / 64).min(0));
                        if position.see_ge_in(m, threshold, info.attacked) {
                            return Some(m);
                        }
                        self.bad.push(m);
                    }
                    None if self.quiet_checks => self.stage = Stage::GenerateChecks,
                    None if self.noisy_only.is_some() => self.stage = Stage::Done,
                    None if self.skips_quiets => self.stage = Stage::BadNoisy,
                    None => self.stage = Stage::Killers,
                },
                Stage::Killers => {
                    let killer = self.killers.get(self.killer).copied();
                    self.killer += 1;
                    match killer {
                        Some(Some(m)) if position.is_legal(m, info) && !position.is_noisy(m) => {
                            return Some(m);
                        }
                        Some(_) => {
                            // It was not searched: it may still come as a quiet move.
                            self.killers[self.killer - 1] = None;
                        }
                        None => self.stage = Stage::GenerateQuiet,
                    }
                }
                Stage::GenerateQuiet => {
                    // There are few evasions, so histories order them well enough.
                    let bonus = (!info.in_check()).then(|| QuietBonus::new(position, context));
                    let bonus_of = |m| bonus.as_ref().map_or(0, |bonus| bonus.value(position, m));
                    let histories = histories.quiets(position, context);
                    let value = |m| Some(histories.sum(position, m) + bonus_of(m));
                    self.generate(position, info, GenType::Quiet, value);
                    self.ahead = self.best_quiet();
                    self.stage = Stage::Quiet;
                }
                Stage::Quiet => match self.ahead {
                    Some(m) => {
                        self.ahead = self.best_quiet();
                        return Some(m);
                    }
                    None => self.stage = Stage::BadNoisy,
                },
                Stage::BadNoisy => {
                    let m = self.bad.get(self.next_bad).copied();
                    self.next_bad += 1;
                    if m.is_none() {
                        self.stage = Stage::Done;
                    }
                    return m;
                }
                Stage::GenerateChecks => {
                    let value = |m| context.gives_check(position, m).then_some(0);
                    self.generate(position, info, GenType::Quiet, value);
                    self.stage = Stage::Checks;
                }
                Stage::Checks => match self.best(&[]) {
                    Some((m, _)) if position.see_ge_in(m, 0, info.attacked) => return Some(m),
                    Some(_) => {}
                    None => self.stage = Stage::Done,
                },
                Stage::Done => return None,
            }
        }
    }

    /// Generates the moves for which `value` returns a number, the hash move and killers included.
    fn generate(
        &mut self,
        position: &Position,
        info: &CheckInfo,
        gen_type: GenType,
        value: impl Fn(Move) -> Option<i32>,
    ) {
        let mut moves = MoveList::new();
        position.generate(info, gen_type, &mut moves);
        let valued = moves.iter().filter_map(|&m| Some((m, value(m)?))).enumerate();
        self.list.clear();
        self.list.extend(valued.map(|(place, (m, value))| ScoredMove::new(m, value, place)));
    }

    /// Takes the most promising move left that is not in `played`. Testing for `played` here is
    /// cheaper than during generation, since few moves are ever picked.
    #[inline(always)]
    fn best(&mut self, played: &[Option<Move>]) -> Option<(Move, i32)> {
        loop {
            let best = ScoredMove(self.list.iter().fold(0, |best, scored| best.max(scored.0)));
            let (m, value, place) = best.parts()?;
            self.list[place] = ScoredMove::TAKEN;
            if !played.contains(&Some(m)) {
                return Some((m, value));
            }
        }
    }

    /// Takes the best quiet move other than the hash move and the killers already picked.
    #[inline(always)]
    fn best_quiet(&mut self) -> Option<Move> {
        let [first, second] = self.killers;
        self.best(&[self.hash_move, first, second]).map(|(m, _)| m)
    }
}

/// Bonus and malus of quiet moves besides their histories.
struct QuietBonus<'a> {
    context: &'a Context<'a>,
    /// By role: the squares that enemy pieces of lower value attack.
    attacked_by_lower: [Bitboard; 8],
    /// By role: the bonus for leaving such a square, in history units.
    escape: [i32; 8],
}

impl<'a> QuietBonus<'a> {
    fn new(position: &Position, context: &'a Context<'a>) -> QuietBonus<'a> {
        let Numbers { minor, rook, queen, .. } = Numbers::of(context.params);
        let escape = [0, 0, minor, minor, rook, queen, 0, 0];
        QuietBonus { context, attacked_by_lower: position.attacked_by_lower_value(), escape }
    }

    /// A bonus for checks that do not simply lose a piece and for pieces that escape a less
    /// valuable attacker, a malus for pieces that walk into one. (Stockfish's ideas.)
    #[inline(always)]
    fn value(&self, position: &Position, m: Move) -> i32 {
        let numbers = Numbers::of(self.context.params);
        let mut value = 0;
        if self.context.gives_check(position, m)
            && position.see_ge_in(m, -75, self.context.attacked)
        {
            value += numbers.check;
        }
        let role = position.moved_by(m).role as usize;
        let attacked = self.attacked_by_lower[role];
        value += self.escape[role]
            * (i32::from(attacked.contains(m.from())) - i32::from(attacked.contains(m.to())));
        value
    }
}

/// A move, its value and its place in the list, packed into one number. The best move is then a
/// plain maximum, which the compiler vectorises. Of equal values the earlier comes first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct ScoredMove(u64);

impl ScoredMove {
    /// Marks a move that was already picked.
    const TAKEN: ScoredMove = ScoredMove(0);

    #[inline(always)]
    fn new(m: Move, value: i32, place: usize) -> ScoredMove {
        let order = (value as u32 ^ 1 << 31) as u64;
        ScoredMove(order << 32 | (0xffff - place as u64) << 16 | u64::from(m.bits()))
    }

    #[inline(always)]
    fn parts(self) -> Option<(Move, i32, usize)> {
        let m = Move::from_bits(self.0 as u16)?;
        let place = 0xffff - (self.0 >> 16 & 0xffff) as usize;
        Some((m, ((self.0 >> 32) as u32 ^ 1 << 31) as i32, place))
    }
}

/// The value of a capture or promotion: mainly the most valuable victim (MVV), adjusted by capture
/// history.
fn noisy_value(position: &Position, histories: &Histories, m: Move) -> i32 {
    let captured = position.captured_value(m);
    let promoted = match m.promotion() {
        Some(Role::Queen) => see_value(Role::Queen),
        Some(_) => -1000,
        None => 0,
    };
    16 * (captured + promoted) + histories.capture(position, m) / 4
}

#[cfg(test)]
mod tests {
    use super::super::histories::NO_MOVE;
    use super::*;
    use crate::search::tuned::Params;

    /// All moves of a picker that starts with these moves, in order.
    fn picked(
        position: &Position,
        hash_move: Option<Move>,
        killers: [Option<Move>; 2],
    ) -> Vec<Move> {
        let (info, params) = (position.check_info(), Params::default());
        let histories: Box<Histories> = bytemuck::zeroed_box();
        let before = [NO_MOVE; _];
        let context = Context::new(params.in_use(), position, before, info.attacked);
        let mut picker = Picker::new(hash_move, killers);
        std::iter::from_fn(|| picker.next(position, &info, &histories, &context)).collect()
    }

    /// Whatever the hash move and the killers are, every legal move comes once, the hash move
    /// first.
    #[test]
    fn every_move_comes_once() {
        let fens = [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "8/2p5/3p4/KP5r/1R3pPk/8/4P3/8 b - g3 0 1",
            "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
            "4k3/8/8/8/7b/8/3r4/R3K2R w KQ - 0 1",
        ];
        for fen in fens {
            let position: Position = fen.parse().expect("a legal position");
            let moves = position.moves();
            let mut expected: Vec<u16> = moves.iter().map(|m| m.bits()).collect();
            expected.sort_unstable();
            // An illegal move, which a killer from another node can be.
            let illegal = Move::from_bits(1);
            let known = || moves.iter().copied().map(Some).chain([None]);
            for hash_move in known() {
                for killer in known().chain([illegal]) {
                    let other = known().find(|&m| m != killer && m != hash_move).flatten();
                    for killers in [[killer, other], [other, killer], [killer, None]] {
                        let picked = picked(&position, hash_move, killers);
                        let mut bits: Vec<u16> = picked.iter().map(|m| m.bits()).collect();
                        bits.sort_unstable();
                        assert_eq!(bits, expected, "{hash_move:?} {killers:?} in {fen}");
                        if hash_move.is_some() {
                            assert_eq!(picked.first().copied(), hash_move, "{fen}");
                        }
                    }
                }
            }
        }
    }
}
