//! Laws of the evaluation and its fills.

use std::mem::MaybeUninit;
use std::sync::LazyLock;

use freshet::board::Position;
use freshet::chess::{Bitboard, ByColor, square_at};
use freshet::eval::phased::Phased;
use freshet::eval::terms::{Purpose, Terms};
use freshet::eval::total::{balance, total};
use freshet::eval::weights::WEIGHTS;
use freshet::eval::{evaluate, trace};
use freshet::fill::{Pair, SquareTable};
use freshet::score::Score;
use freshet::wdl::{MaterialClass, chances, shown};

use super::input::Input;

/// The most plies of a game.
const PLIES: usize = 24;

/// Positions of a game are evaluated, and fills of any sets are as defined.
pub fn eval(bytes: &[u8]) {
    let mut input = Input(bytes);
    let form = input.byte();
    if form.is_multiple_of(4) {
        return fills(&mut input);
    }
    let mut position = input.start();
    for _ in 0..PLIES {
        evaluates(&position);
        if input.is_empty() {
            break;
        }
        let Some(m) = input.choose(&position) else { break };
        position.play(m);
    }
}

/// The purpose and the weight of every term, in the order of declaration.
static TERMS: LazyLock<Vec<(Purpose, Phased)>> = LazyLock::new(|| {
    let mut terms = Vec::new();
    WEIGHTS.each(|group, _, row| terms.extend(row.iter().map(|&w| (group.purpose(), w))));
    terms
});

/// Counts times weights of one side, added up over all terms of a purpose: middlegame and endgame.
fn sum(counts: &Terms<i32>, wanted: Purpose) -> [i32; 2] {
    let (mut sum, mut terms) = ([0; 2], TERMS.iter());
    counts.each(|_, _, row| {
        for (&count, &(purpose, weight)) in row.iter().zip(&mut terms) {
            if purpose == wanted {
                sum = [sum[0] + weight.mg() * count, sum[1] + weight.eg() * count];
            }
        }
    });
    assert!(terms.next().is_none());
    sum
}

/// The trace adds up to the score, which is the same for both colours and both wings.
pub fn evaluates(position: &Position) {
    let score = evaluate(position);
    let trace = trace(position);
    let steps = trace.steps;
    let of = |purpose| trace.counts.as_ref().map(|counts| sum(counts, purpose));

    let ByColor { white, black } = of(Purpose::Value);
    assert_eq!([white[0] - black[0], white[1] - black[1]], steps.sums.value, "{position}");
    let ByColor { white, black } = of(Purpose::Danger);
    assert_eq!([white, black], steps.sums.danger, "{position}");
    assert_eq!(of(Purpose::Initiative).white[1], steps.sums.initiative, "{position}");
    let ByColor { white, black } = of(Purpose::Scale);
    assert_eq!(white[1] + black[1], steps.sums.scale, "{position}");
    assert_eq!(balance(&steps.sums), steps.balance, "{position}");
    if steps.tapered != 0 {
        let tapered = total(steps.balance, steps.sums.scale, steps.phase);
        assert_eq!(tapered, steps.tapered, "{position}");
    }
    assert_eq!(steps.tapered + steps.endgame_correction, steps.total, "{position}");
    // More queens than a game can have would exceed the range of scores.
    assert_eq!(score.for_white(position.turn()), Score::cp(steps.total), "{position}");

    assert_eq!(evaluate(&position.mirrored()), score, "{position}");
    if let Some(other) = files_mirrored(position) {
        assert_eq!(evaluate(&other), score, "{position}");
    }
    let maps = trace.square_values;
    assert_eq!(maps.len(), 64);
    let chances = chances(score, MaterialClass::of(position));
    assert!(chances.iter().sum::<i32>() == 1000 && chances.iter().all(|chance| *chance >= 0));
    assert_eq!(shown(-steps.total), -shown(steps.total));
    if steps.known.is_some_and(|known| known.is_draw()) {
        assert_eq!(score.as_cp(), Some(0), "{position}");
    }
}

/// The position with files mirrored; `None` if a side may castle.
fn files_mirrored(position: &Position) -> Option<Position> {
    let mut setup = position.to_setup();
    setup.board.flip_horizontal();
    setup.ep_square = setup.ep_square.map(|square| square.flip_horizontal());
    (position.castling_rights() == 0)
        .then(|| Position::from_setup(setup).expect("as legal as before"))
}

/// Sets of few and of many squares.
fn set(input: &mut Input<'_>) -> Bitboard {
    match input.byte() % 4 {
        0 => Bitboard(input.long() & input.long()),
        1 => Bitboard(1 << (input.byte() & 63)),
        2 => !Bitboard(1 << (input.byte() & 63)),
        _ => Bitboard(input.long()),
    }
}

/// Every backend of the build gives the lanes, sets, counts and sums of the scalar one.
fn fills(input: &mut Input<'_>) {
    let (a, b): ([Bitboard; 8], [Bitboard; 8]) =
        (std::array::from_fn(|_| set(input)), std::array::from_fn(|_| set(input)));
    let (x, y, square) = (set(input), set(input), square_at(input.byte().into()));
    let (base, lanes) = (input.word(), input.byte());
    let tables: [[SquareTable; 2]; 5] = std::array::from_fn(|_| {
        let (slope, first) = (input.byte() as i8, input.byte() as i8);
        let table = |slope: i8, first: i8| {
            SquareTable(std::array::from_fn(|i| slope.wrapping_mul(i as i8).wrapping_add(first)))
        };
        [table(slope, first), table(first, slope)]
    });
    let few: Bitboard = x.into_iter().take(32).collect();
    let five = [a[0], a[1], a[2], a[3], a[4]];
    // SAFETY: the words are initialized with 0, and what is written over them is initialized.
    let word = |word: MaybeUninit<u16>| unsafe { word.assume_init() };

    let pairs: [Pair; 8] = std::array::from_fn(|i| Pair::new(a[i], b[i]));

    /// Everything that a backend computes, as text.
    macro_rules! all {
        ($backend:ident) => {{
            use freshet::fill::$backend::{Rays, expand, weigh};
            let (p, q) = (Rays::from_lanes(a), Rays::from_lanes(b));
            let mut words = [MaybeUninit::new(0); 32];
            let count = expand::<65>(few, base, &mut words);
            let words = words[..count].iter().map(|&w| word(w)).collect::<Vec<u16>>();
            let lane = if lanes & 1 == 0 { 2 } else { 6 };
            format!(
                "{:?}",
                (
                    (p.attacks(x).lanes(), p.step().lanes(), p.reversed().lanes()),
                    ((p & q).lanes(), (p | q).lanes(), (p ^ q).lanes()),
                    (Rays::sliders(x, y).attacks(!(x | y)).lanes(), Rays::all(x).lanes()),
                    (p.union(), p.unions(q), p.by_line(), p.orthogonal(), p.diagonal()),
                    (
                        Rays::pair_unions([p, q]).lanes(),
                        Rays::pair_overlaps([p, q]).lanes(),
                        <[Pair; 2]>::from(Rays::pair_by_line([p, q])).map(Pair::lanes),
                        Rays::transposed(pairs).map(Rays::lanes),
                    ),
                    (p.count(), p.count_with(q), p.meeting(q), p.holding(square)),
                    (p.only(lanes).lanes(), Rays::empty_board_rays(square).lanes()),
                    (
                        Rays::knight_attacks(x).union(),
                        Rays::knight_attacks(x).count(),
                        Rays::leaper_attacks(x, y, 3 << lane, a[0]).union(),
                    ),
                    (words, weigh(&five, &tables.each_ref())),
                )
            )
        }};
    }
    let defined = all!(scalar);
    #[cfg(target_feature = "avx2")]
    assert_eq!(all!(avx2), defined);
    #[cfg(all(
        target_feature = "avx512vbmi2",
        target_feature = "avx512vpopcntdq",
        target_feature = "avx512vnni"
    ))]
    assert_eq!(all!(avx512), defined);
    assert!(!defined.is_empty());
}
