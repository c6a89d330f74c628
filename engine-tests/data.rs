//! Training data: files that are damaged.

use std::path::PathBuf;

use freshet::board::Position;
use freshet::score::Score;
use freshet::tuning::data::{self, Record};

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
