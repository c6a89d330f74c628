//! Training data: files that are damaged.

use std::path::PathBuf;

use freshet::board::Position;
use freshet::chess::{Bitboard, Color, Role, facing_north};
use freshet::eval::trace;
use freshet::fill::spans::pawn_attacks;
use freshet::score::Score;
use freshet::tuning::data::{self, Record};
use freshet::tuning::datagen::{self, DatagenSettings};
use freshet::tuning::features::{self, FeatureSettings};
use freshet::tuning::wdl;

use crate::support::{Folder, random, random_game};

#[test]
fn training_data_with_a_wrong_result_is_refused() {
    let folder = Folder::new("results");
    let record = Record::new(&Position::start(), Score::cp(3));
    let file = PathBuf::from(folder.file("data.bin"));
    for (result, is_one) in [(0, true), (1, true), (2, true), (3, true), (4, false), (255, false)] {
        std::fs::write(&file, record.with_result(result).0).expect("a file");
        let read = data::read(&file, None).map_err(|error| error.to_string());
        let problem = format!(
            "{}: record 1: {result} is no result: 0 lost, 1 drawn, 2 won, 3 unknown",
            file.display()
        );
        assert_eq!(read, if is_one { Ok(vec![record.with_result(result)]) } else { Err(problem) });
    }
}

/// Records that would be added after half a record could not be read.
#[test]
fn data_that_ends_with_half_a_record_is_not_gone_on_with() {
    let folder = Folder::new("half");
    let openings = PathBuf::from(folder.write("openings.epd", Position::START));
    let output = PathBuf::from(folder.write("data.bin", &"x".repeat(48)));
    folder.write("data.bin.games", "3 48\n");
    let settings = DatagenSettings { openings, output, games: 4, nodes: 1, ..Default::default() };
    let error = datagen::run(&settings, &()).expect_err("not whole records").to_string();
    assert!(error.starts_with(&folder.file("data.bin.games")), "{error}");
    assert_eq!(std::fs::read(&settings.output).expect("the file").len(), 48);
}

/// No model fits games in which the side with the better score loses. The fit once took thousands
/// of steps, to an even chance at hundreds of pawns.
#[test]
fn results_that_contradict_the_scores_fit_no_model() {
    let folder = Folder::new("contradiction");
    let file = PathBuf::from(folder.file("data.bin"));
    let fit = |score: i32| {
        let results = [(score, [7, 2, 1]), (0, [2, 6, 2]), (-score, [1, 2, 7])];
        let mut bytes = Vec::new();
        for (score, [won, drawn, lost]) in results {
            let record = Record::new(&Position::start(), Score::cp(score));
            for (result, games) in [(2, won), (1, drawn), (0, lost)] {
                bytes.extend(record.with_result(result).0.repeat(40 * games));
            }
        }
        std::fs::write(&file, bytes).expect("a file");
        wdl::run(std::slice::from_ref(&file), &()).map_err(|error| error.to_string())
    };
    assert!(fit(150).is_ok());
    let error = fit(-150).expect_err("contradictory");
    assert!(error.starts_with("no model fits"), "{error}");
}

/// The scores add 30 centipawns to the evaluation for each bishop protected by a pawn: that is the
/// missing term to find.
#[test]
fn a_missing_term_is_found() {
    let mut random = random(91);
    let mut records = Vec::new();
    while records.len() < 10_000 {
        random_game(&mut random, Position::START, |position| {
            let protected = |side: Color| {
                let set = |role| facing_north(position.set(side, role), side);
                let bishops: Bitboard = set(Role::Bishop) & pawn_attacks(set(Role::Pawn));
                bishops.count() as i32
            };
            let steps = trace(position).steps;
            let eval = steps.total;
            // As of any term, the endgame part passes through the endgame scale, in 64ths.
            let (middlegame, scale) = (steps.phase as f64 / 24.0, steps.sums.scale as f64 / 64.0);
            let worth = 30.0 * (middlegame + (1.0 - middlegame) * scale);
            let missing = worth * f64::from(protected(Color::White) - protected(Color::Black));
            let score = eval + missing.round() as i32;
            let score = Score::cp(score).for_side(position.turn());
            records.push(Record::new(position, score).with_result(1 + eval.signum()));
        });
    }
    let folder = Folder::new("features");
    let file = PathBuf::from(folder.file("data.bin"));
    let bytes: Vec<u8> = records.iter().flat_map(|record| record.0).collect();
    std::fs::write(&file, bytes).expect("a file");
    let settings = |maps| FeatureSettings {
        data: vec![file.clone()],
        most: 3,
        result_share: 0.0,
        maps,
        ..Default::default()
    };
    let found = features::run(&settings(false), &()).expect("enough positions");
    assert_eq!(found[0].name, "our bishops & attacked by our pawns", "{found:#?}");
    assert!(found[0].weights.iter().all(|weight| (weight - 30.0).abs() < 3.0), "{found:#?}");
    assert!(found[0].gain > 0.0 && found[0].gain >= found[1].gain, "{found:#?}");
    let found = features::run(&settings(true), &()).expect("enough positions");
    // The opponent's bishops gain exactly as much, so rounding decides which comes first.
    let mut names = [found[0].name.as_str(), found[1].name.as_str()];
    names.sort_unstable();
    let both = ["our bishops & attacked by our pawns", "their bishops & attacked by their pawns"];
    assert_eq!(names, both, "{found:#?}");

    std::fs::write(&file, records[0].0).expect("a file");
    let error = features::run(&settings(false), &()).expect_err("one position");
    assert_eq!(error.to_string(), "1 positions are not enough");
    let later = FeatureSettings { ahead: Some(24), ..settings(false) };
    let error = features::run(&later, &()).expect_err("no games").to_string();
    assert!(error.ends_with("later scores are taken from .pgn files only"), "{error}");
}
