//! Endings of three and four pieces, kings included, against the Syzygy tables: the bitbases have no
//! wrong result, and the static evaluation shows draws near zero and wins as wins.
//!
//! `FRESHET_FOUR_PIECES=5000 cargo test --release four_pieces -- --nocapture` tests 5,000 positions
//! of each ending and prints a table: how many percent of the draws are shown within 50 centipawns,
//! and how many percent of the wins at 150 or more for the right side.

use freshet::board::Position;
use freshet::chess::{Color, Role, Square};
use freshet::eval::Evaluator;
use freshet::known::{Judged, Knowledge, Known, Reason};
use rand::RngExt;
use shakmaty_syzygy::Wdl;

use crate::support::{random, tables, tables_folder, with_pieces};

/// The endings that have tables, as `KRPvK`.
fn endings() -> Vec<String> {
    let files = std::fs::read_dir(tables_folder()).expect("the tables");
    let names = files.filter_map(|file| file.ok()?.file_name().into_string().ok());
    let mut names: Vec<String> =
        names.filter_map(|name| name.strip_suffix(".rtbw").map(str::to_string)).collect();
    names.sort();
    names
}

/// The pieces of an ending, White's before the `v`.
fn pieces(ending: &str) -> Vec<(Color, Role)> {
    let sides = ending.split('v').zip([Color::White, Color::Black]);
    let role = |letter| Role::from_char(letter).expect("a role");
    sides
        .flat_map(|(letters, side)| letters.chars().map(move |letter| (side, role(letter))))
        .collect()
}

/// Whether nobody can capture or promote, and nobody is in check.
fn is_quiet(position: &Position) -> bool {
    let is_calm = |position: &Position| {
        position.checkers().is_empty() && position.moves().iter().all(|&m| !position.is_noisy(m))
    };
    let mut passed = position.clone();
    passed.play_null();
    is_calm(position) && is_calm(&passed)
}

#[derive(Default)]
struct Counted {
    draws: [u32; 2],
    wins: [u32; 2],
    wrong_side: u32,
    known: u32,
}

/// No proof is false, no judgement of the bitbases is wrong, and what the static evaluation shows of
/// quiet positions is what the tables say.
#[test]
fn four_pieces_are_judged_as_by_the_tables() {
    let (tables, mut random) = (tables(), random(63));
    let many = std::env::var("FRESHET_FOUR_PIECES").ok().and_then(|count| count.parse().ok());
    let count = many.unwrap_or(60);
    let (mut evaluator, mut knowledge) = (Evaluator::new(), Knowledge::new());
    let mut worst: Vec<String> = Vec::new();
    for ending in endings() {
        let (pieces, mut counted) = (pieces(&ending), Counted::default());
        let mut found = 0;
        for _ in 0..400 * count {
            if found == count {
                break;
            }
            let turn = if random.random() { Color::White } else { Color::Black };
            let swapped: bool = random.random();
            let placed: Vec<_> = pieces
                .iter()
                .map(|&(side, role)| {
                    (
                        Square::new(random.random_range(0..64)),
                        if swapped { side.other() } else { side },
                        role,
                    )
                })
                .collect();
            let Some(chess) = with_pieces(&placed, turn) else { continue };
            let position = Position::from_shakmaty(&chess);
            let wdl = tables.probe_wdl_after_zeroing(&chess).expect("a table");
            let winner = match wdl {
                Wdl::Win => Some(turn),
                Wdl::Loss => Some(turn.other()),
                Wdl::Draw => None,
                // The fifty-move rule decides.
                _ => continue,
            };
            let known = knowledge.ask(&position);
            if let Some(known) = known {
                for side in Color::ALL {
                    assert!(
                        known.can_win[side] || winner != Some(side),
                        "{ending} {position}: a win is called impossible"
                    );
                }
                if let Reason::FourPieces(_) = known.reason {
                    assert_eq!(won_by(&known), winner, "{ending} {position}");
                    counted.known += 1;
                }
            }
            if !is_quiet(&position) {
                continue;
            }
            found += 1;
            let score = evaluator.evaluate(&position).as_cp().unwrap_or(0);
            let white = if turn.is_white() { score } else { -score };
            match winner {
                None => {
                    counted.draws[1] += 1;
                    let is_shown = score.abs() <= 50;
                    counted.draws[0] += u32::from(is_shown);
                    if !is_shown {
                        worst.push(format!("{ending} {position} {white} draw"));
                    }
                }
                Some(side) => {
                    let for_winner = if side.is_white() { white } else { -white };
                    counted.wins[1] += 1;
                    counted.wins[0] += u32::from(for_winner >= 150);
                    counted.wrong_side += u32::from(for_winner < 0);
                    if for_winner < 150 {
                        worst.push(format!("{ending} {position} {white} won for {side}"));
                    }
                }
            }
        }
        if many.is_some() {
            let percent = |[shown, all]: [u32; 2]| match all {
                0 => "     -".to_string(),
                _ => format!("{:6.1}", 100.0 * f64::from(shown) / f64::from(all)),
            };
            println!(
                "{ending:7} draws {} of {:5}   wins {} of {:5}   wrong side {:3}   bitbase {:6}",
                percent(counted.draws),
                counted.draws[1],
                percent(counted.wins),
                counted.wins[1],
                counted.wrong_side,
                counted.known
            );
        }
    }
    if many.is_some() {
        worst.iter().take(60).for_each(|line| println!("{line}"));
    }
}

/// Every position of the endings that have a bitbase. White's first piece is on the files a to d: the
/// others are mirror images.
#[test]
#[ignore = "takes minutes"]
fn all_positions_are_judged_as_by_the_tables() {
    let (tables, mut knowledge) = (tables(), Knowledge::new());
    let endings = endings().into_iter().filter(|ending| ending.len() == 5);
    for ending in endings {
        let (pieces, mut count) = (pieces(&ending), 0_u32);
        for index in 0..1_u32 << 24 {
            let square = |number: usize| Square::new(index >> (6 * number) & 63);
            if square(1) as u32 % 8 > 3 {
                continue;
            }
            let placed: Vec<_> =
                (0..4).map(|number| (square(number), pieces[number].0, pieces[number].1)).collect();
            let is_apart =
                (1..4).all(|number| !(0..number).any(|other| square(number) == square(other)));
            let has_pawn_outside = placed
                .iter()
                .any(|&(at, _, role)| role == Role::Pawn && !(8..56).contains(&(at as u32)));
            if !is_apart || has_pawn_outside {
                continue;
            }
            for turn in Color::ALL {
                let Some(chess) = with_pieces(&placed, turn) else { continue };
                let position = Position::from_shakmaty(&chess);
                let Some(known) = knowledge.ask(&position) else { continue };
                let Reason::FourPieces(_) = known.reason else { continue };
                let winner = match tables.probe_wdl_after_zeroing(&chess).expect("a table") {
                    Wdl::Win | Wdl::CursedWin => Some(turn),
                    Wdl::Loss | Wdl::BlessedLoss => Some(turn.other()),
                    _ => None,
                };
                assert_eq!(won_by(&known), winner, "{ending} {position}");
                count += 1;
            }
        }
        println!("{ending}: {count} positions");
    }
}

/// The side that wins, as it is judged.
fn won_by(known: &Known) -> Option<Color> {
    match known.judged {
        Judged::Won(side) => Some(side),
        _ => None,
    }
}
