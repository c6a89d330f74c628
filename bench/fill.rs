//! The cost of a fill: nanoseconds for each form of it, of many independent ones in a row
//! (throughput) and of a chain in which each waits for the one before (latency).
//!
//!     cargo bench --bench fill
//!     cargo bench --bench fill --features bench-pext    # look-ups by PEXT instead of magics
//!
//! All forms of a slider fill compute the same: all squares that the sliders of one side attack, in
//! positions from random games (4.5 sliders on average). The rows of other backends come from
//! builds for lower x86-64 levels, which this program makes.
//!
//! Where time means nothing, as under an emulator, instructions can be counted: `-- --rounds N FORM`
//! runs a form N times over the 1024 positions and does nothing else (docs/building.md).

use std::hint::black_box;
use std::process::Command;
use std::time::Instant;

use freshet::board::Position;
use freshet::chess::{Bitboard, Role, bit};
use freshet::fill::waves::{self, Wave};
use freshet::fill::{Direction, Rays, SHIFT, WRAP, scalar};
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};

/// Sliders and occupancy of the side to move, and what waves need.
struct Sample {
    orthogonal: Bitboard,
    diagonal: Bitboard,
    occupied: Bitboard,
    kings: [Bitboard; 2],
    knights: Bitboard,
    pawns: Bitboard,
}

/// Positions from random games, always the same.
fn samples() -> Vec<Sample> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(3);
    let mut samples = Vec::new();
    while samples.len() < 1024 {
        let mut position = Position::start();
        for _ in 0..random.random_range(4..70) {
            let moves = position.moves();
            if moves.is_empty() {
                break;
            }
            position.play(moves[random.random_range(0..moves.len())]);
        }
        let us = position.turn();
        samples.push(Sample {
            orthogonal: position.orthogonal(us),
            diagonal: position.diagonal(us),
            occupied: position.occupied(),
            kings: [position.set(us, Role::King), position.set(us.other(), Role::King)],
            knights: position.set(us, Role::Knight),
            pawns: position.role(Role::Pawn),
        });
    }
    samples
}

/// Nanoseconds a call, the median of several rounds over all samples: of independent calls, and of
/// calls that wait for the last one.
fn measure(samples: &[Sample], f: impl Fn(&Sample, Bitboard) -> u64) -> (f64, f64) {
    let round = |chain: u64| {
        let start = Instant::now();
        let mut sum = 0u64;
        for _ in 0..20 {
            for sample in samples {
                // The chain is zero, which the compiler does not know: each call waits for the
                // result of the last.
                sum = sum.wrapping_add(f(sample, Bitboard(sum & chain)));
            }
        }
        black_box(sum);
        start.elapsed().as_nanos() as f64 / (20 * samples.len()) as f64
    };
    let independent = |_: u64| {
        let start = Instant::now();
        for _ in 0..20 {
            for sample in samples {
                black_box(f(sample, Bitboard::EMPTY));
            }
        }
        start.elapsed().as_nanos() as f64 / (20 * samples.len()) as f64
    };
    // The processor takes a while to get up to speed.
    for _ in 0..10 {
        independent(0);
    }
    let median = |f: &dyn Fn(u64) -> f64| {
        let mut times: Vec<f64> = (0..15).map(|_| f(black_box(0))).collect();
        times.sort_by(f64::total_cmp);
        times[times.len() / 2]
    };
    (median(&independent), median(&round))
}

/// A slider fill made of fills in single directions.
fn by_direction(
    s: &Sample,
    change: Bitboard,
    fill: impl Fn(Direction, Bitboard, Bitboard) -> Bitboard,
) -> u64 {
    let empty = !(s.occupied ^ change);
    Direction::ALL
        .iter()
        .fold(Bitboard::EMPTY, |all, &d| {
            let sliders = if d.lane() % 4 < 2 { s.orthogonal } else { s.diagonal };
            all | d.step(fill(d, sliders, empty))
        })
        .0
}

/// Kogge-Stone: three doubling steps instead of seven single ones, in the same lanes.
fn kogge_stone(s: &Sample, change: Bitboard) -> u64 {
    let empty = !(s.occupied ^ change);
    let mut all = 0;
    for lane in 0..8 {
        let mut flood = if lane % 4 < 2 { s.orthogonal.0 } else { s.diagonal.0 };
        let mut open = empty.0 & WRAP[lane].0;
        let shift = SHIFT[lane];
        flood |= open & flood.rotate_left(shift);
        open &= open.rotate_left(shift);
        flood |= open & flood.rotate_left(2 * shift % 64);
        open &= open.rotate_left(2 * shift % 64);
        flood |= open & flood.rotate_left(4 * shift % 64);
        all |= flood.rotate_left(shift) & WRAP[lane].0;
    }
    all
}

/// The same with all lanes in one register.
#[cfg(all(target_feature = "avx512f", target_feature = "avx512vpopcntdq"))]
fn kogge_stone_lanes(s: &Sample, change: Bitboard) -> u64 {
    use std::arch::x86_64::*;
    let load = |words: &[i64; 8]| {
        // SAFETY: eight words are 64 bytes, and the `cfg` above requires AVX-512.
        unsafe { _mm512_loadu_si512(words.as_ptr().cast()) }
    };
    let shifts = |times: u32| load(&SHIFT.map(|shift| i64::from(shift * times % 64)));
    let wrap = load(&WRAP.map(|set| set.0 as i64));
    let empty = Rays::all(!(s.occupied ^ change));
    let mut flood = load(&Rays::sliders(s.orthogonal, s.diagonal).words().map(|word| word as i64));
    // SAFETY: the `cfg` above requires AVX-512.
    unsafe {
        let mut open = _mm512_and_si512(load(&empty.words().map(|word| word as i64)), wrap);
        flood = _mm512_ternarylogic_epi64::<0xf8>(flood, open, _mm512_rolv_epi64(flood, shifts(1)));
        open = _mm512_and_si512(open, _mm512_rolv_epi64(open, shifts(1)));
        flood = _mm512_ternarylogic_epi64::<0xf8>(flood, open, _mm512_rolv_epi64(flood, shifts(2)));
        open = _mm512_and_si512(open, _mm512_rolv_epi64(open, shifts(2)));
        flood = _mm512_ternarylogic_epi64::<0xf8>(flood, open, _mm512_rolv_epi64(flood, shifts(4)));
        _mm512_reduce_or_epi64(_mm512_and_si512(_mm512_rolv_epi64(flood, shifts(1)), wrap)) as u64
    }
}

/// For comparison: a look-up in a magic or PEXT table for each slider, by cozy-chess.
fn look_up(s: &Sample, change: Bitboard) -> u64 {
    use cozy_chess::{BitBoard, Square, get_bishop_moves, get_rook_moves};
    let occupied = BitBoard((s.occupied ^ change).0);
    let mut all = BitBoard::EMPTY;
    for square in s.orthogonal {
        all |= get_rook_moves(Square::index(square as usize), occupied);
    }
    for square in s.diagonal {
        all |= get_bishop_moves(Square::index(square as usize), occupied);
    }
    all.0
}

/// The name of the row of [`look_up`].
const LOOK_UP: &str =
    if cfg!(feature = "bench-pext") { "look-up (PEXT) loop" } else { "look-up (magics) loop" };

/// A form of a fill by name, for a sample and a change of its occupancy.
type Form = (&'static str, fn(&Sample, Bitboard) -> u64);

/// All forms, in the order of the rows.
fn forms() -> Vec<Form> {
    let mut forms: Vec<Form> = vec![
        ("dumb7fill in lanes", |s, change| {
            Rays::sliders(s.orthogonal, s.diagonal).attacks(!(s.occupied ^ change)).union().0
        }),
        ("mobility count in lanes", |s, change| {
            u64::from(
                Rays::sliders(s.orthogonal, s.diagonal).attacks(!(s.occupied ^ change)).count(),
            )
        }),
        ("one slider, one square", |s, change| {
            Rays::all(s.kings[0]).attacks(!(s.occupied ^ change)).union().0
        }),
        ("unrolled, ray by ray", |s, change| by_direction(s, change, scalar::occluded)),
        ("loop with early exit", |s, change| by_direction(s, change, scalar::occluded_loop)),
        ("generalised rotate", |s, change| {
            scalar::Rays::sliders(s.orthogonal, s.diagonal)
                .attacks(!(s.occupied ^ change))
                .union()
                .0
        }),
        ("Kogge-Stone", kogge_stone),
    ];
    #[cfg(all(target_feature = "avx512f", target_feature = "avx512vpopcntdq"))]
    forms.push(("Kogge-Stone in lanes", kogge_stone_lanes));
    forms.extend::<[Form; 6]>([
        (LOOK_UP, look_up),
        ("king flood over empty", |s, change| {
            waves::flood(s.kings[0], !(s.occupied ^ change), waves::king_attacks).0
        }),
        ("knight flood over empty", |s, change| {
            let start = s.knights | bit(freshet::chess::Square::B1);
            waves::flood(start, !(s.occupied ^ change), waves::knight_attacks).0
        }),
        ("two-king Voronoi", |s, change| {
            let path = !(s.pawns ^ change);
            let [first, second] = s.kings.map(|king| Wave::new(king, path));
            waves::voronoi(first, second, waves::king_attacks).first.0
        }),
        ("all shortest paths", |s, change| {
            let path = !(s.pawns ^ change);
            waves::all_shortest_paths(s.kings[0], s.kings[1], path).map_or(0, |layers| layers[0].0)
        }),
        ("the same, frontier form", |s, change| {
            let path = !(s.pawns ^ change);
            waves::all_shortest_paths_frontier(s.kings[0], s.kings[1], path)
                .map_or(0, |layers| layers[0].0)
        }),
    ]);
    forms
}

/// Rows of another level: the same program, built for it. Look-ups by PEXT need BMI2, so that the
/// build for the lowest level has it as well.
fn other_level(cpu: &str) -> Option<String> {
    let root = env!("CARGO_MANIFEST_DIR");
    eprintln!("building for {cpu} ...");
    let pext = cfg!(feature = "bench-pext");
    let bmi2 = if pext { "-C target-feature=+bmi2" } else { "" };
    let output = Command::new(env!("CARGO"))
        .args(["bench", "--quiet", "--bench", "fill", "--target-dir"])
        .arg(format!("{root}/target/levels/{cpu}"))
        .args(["--features", if pext { "bench-pext" } else { "" }])
        .args(["--", "--rows"])
        .env("RUSTFLAGS", format!("-C target-cpu={cpu} {bmi2}"))
        .env_remove("CARGO_ENCODED_RUSTFLAGS")
        .current_dir(root)
        .output()
        .ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Runs one form this many times over all samples, for a counter of instructions outside.
fn run(rounds: u32, name: &str) {
    let (samples, forms) = (samples(), forms());
    let names = || forms.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
    let found = forms.iter().find(|(known, _)| *known == name);
    let (_, form) = found.unwrap_or_else(|| panic!("no form {name:?}: {}", names()));
    for _ in 0..rounds {
        for sample in &samples {
            black_box(form(sample, Bitboard::EMPTY));
        }
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [flag, rounds, name, ..] = &arguments[..]
        && flag == "--rounds"
    {
        return run(rounds.parse().expect("a number of rounds"), name);
    }
    let samples = samples();
    let rows_only = arguments.iter().any(|word| word == "--rows");
    if !rows_only {
        let sliders: usize =
            samples.iter().map(|s| (s.orthogonal | s.diagonal).count()).sum::<usize>() * 10
                / samples.len();
        println!(
            "{} positions, {}.{} sliders on average",
            samples.len(),
            sliders / 10,
            sliders % 10
        );
        println!("{:10}{:28}{:>14}{:>12}", "build", "ns a call", "throughput", "latency");
    }
    for (name, form) in forms() {
        let (throughput, latency) = measure(&samples, form);
        println!("{:10}{name:28}{throughput:14.1}{latency:12.1}", freshet::fill::BACKEND);
    }
    if !rows_only {
        for (backend, cpu) in [("AVX2", "x86-64-v3"), ("scalar", "x86-64-v2")] {
            if backend != freshet::fill::BACKEND {
                match other_level(cpu) {
                    Some(rows) => print!("\n{rows}"),
                    None => eprintln!("no rows for {cpu}: the build failed"),
                }
            }
        }
    }
}
