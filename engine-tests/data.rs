//! Training data: files that are damaged.

use std::path::PathBuf;

use freshet::board::Position;
use freshet::score::Score;
use freshet::tuning::data::{self, Record};
use freshet::tuning::datagen::{self, DatagenSettings};

use crate::support::Folder;

#[test]
fn training_data_without_a_result_is_refused() {
    let folder = Folder::new("results");
    let record = Record::new(&Position::start(), Score::cp(3));
    let file = PathBuf::from(folder.file("data.bin"));
    for (result, is_one) in [(0, true), (1, true), (2, true), (3, false), (255, false)] {
        std::fs::write(&file, record.with_result(result).0).expect("a file");
        let read = data::read(&file).map_err(|error| error.to_string());
        let problem = format!("{}: record 1: {result} is no result, 0, 1 or 2", file.display());
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
