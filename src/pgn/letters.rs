//! Piece letters of other languages.

use super::{Game, PgnProblem, Variation};

/// The letters of king, queen, rook, bishop and knight in a language.
struct Letters {
    /// Its ISO 639-1 code.
    language: &'static str,
    letters: [char; 5],
}

const ENGLISH: [char; 5] = ['K', 'Q', 'R', 'B', 'N'];

const OTHERS: [Letters; 6] = [
    Letters { language: "de", letters: ['K', 'D', 'T', 'L', 'S'] },
    Letters { language: "fr", letters: ['R', 'D', 'T', 'F', 'C'] },
    Letters { language: "es", letters: ['R', 'D', 'T', 'A', 'C'] },
    Letters { language: "it", letters: ['R', 'D', 'T', 'A', 'C'] },
    Letters { language: "nl", letters: ['K', 'D', 'T', 'L', 'P'] },
    Letters { language: "pt", letters: ['R', 'D', 'T', 'B', 'C'] },
];

impl Letters {
    /// A move with English letters.
    fn translated(&self, text: &str) -> String {
        let english = |c: char| {
            let index = self.letters.iter().position(|&letter| letter == c);
            // No other letter is left as it is: `B` is no piece of a German game.
            index.map_or(if ENGLISH.contains(&c) { '?' } else { c }, |index| ENGLISH[index])
        };
        if text.starts_with(['O', 'o', '0', '-']) {
            return text.to_string();
        }
        text.chars().map(english).collect()
    }
}

impl Game {
    /// Writes the moves with English piece letters, if they have those of another language without
    /// doubt: by a tag `Language`, or because all of the main line is legal by them and not all of it
    /// by English ones. Returns whether anything was changed.
    pub fn translate(&mut self) -> bool {
        let named = self.tag("Language").map(str::to_lowercase).unwrap_or_default();
        let is_named =
            |letters: &&Letters| named.get(..2).is_some_and(|code| code == letters.language);
        let bad_moves = |game: &Game| match game.main_line() {
            Ok(line) => matches!(line.problem, Some(PgnProblem::Move { .. })),
            Err(_) => true,
        };
        let with = |letters: &Letters| {
            let mut game = self.clone();
            translate_line(&mut game.moves, letters);
            game
        };
        if let Some(letters) = OTHERS.iter().find(is_named) {
            *self = with(letters);
            return true;
        }
        if !bad_moves(self) {
            return false;
        }
        let mut legal = OTHERS.iter().map(with).filter(|game| !bad_moves(game));
        let Some(first) = legal.next() else { return false };
        let moves = |game: &Game| game.main_line().map(|line| line.moves);
        if legal.any(|other| moves(&other) != moves(&first)) {
            return false;
        }
        *self = first;
        true
    }
}

fn translate_line(line: &mut Variation, letters: &Letters) {
    for node in &mut line.nodes {
        node.text = letters.translated(&node.text);
        node.variations.iter_mut().for_each(|variation| translate_line(variation, letters));
    }
}
