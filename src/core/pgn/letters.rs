//! Piece letters of other languages.

use super::{Game, Variation};

/// The letters of king, queen, rook, bishop and knight in a language.
struct Letters {
    /// The language's English name and ISO 639-1 code.
    language: [&'static str; 2],
    letters: [char; 5],
}

const ENGLISH: [char; 5] = ['K', 'Q', 'R', 'B', 'N'];

const OTHERS: [Letters; 6] = [
    Letters { language: ["german", "de"], letters: ['K', 'D', 'T', 'L', 'S'] },
    Letters { language: ["french", "fr"], letters: ['R', 'D', 'T', 'F', 'C'] },
    Letters { language: ["spanish", "es"], letters: ['R', 'D', 'T', 'A', 'C'] },
    Letters { language: ["italian", "it"], letters: ['R', 'D', 'T', 'A', 'C'] },
    Letters { language: ["dutch", "nl"], letters: ['K', 'D', 'T', 'L', 'P'] },
    Letters { language: ["portuguese", "pt"], letters: ['R', 'D', 'T', 'B', 'C'] },
];

impl Letters {
    /// Whether a tag such as `de-AT` or `German` names the language.
    fn is_named(&self, tag: &str) -> bool {
        let tag = tag.to_lowercase();
        let name = tag.split(['-', '_']).next().unwrap_or_default();
        self.language.contains(&name)
    }

    /// A move with English letters.
    fn translated(&self, text: &str) -> String {
        let english = |c: char| {
            let index = self.letters.iter().position(|&letter| letter == c);
            // Other piece letters are invalid: `B` is not a piece in a German game.
            index.map_or(if ENGLISH.contains(&c) { '?' } else { c }, |index| ENGLISH[index])
        };
        if text.starts_with(['O', 'o', '0', '-']) {
            return text.to_string();
        }
        text.chars().map(english).collect()
    }
}

impl Game {
    /// Translates the moves to English piece letters, if they are clearly in another language: more
    /// moves of the main line are legal in it than in English, and every language with as many
    /// gives the same moves. A tag `Language` decides between equally good readings. Returns
    /// whether anything changed.
    pub fn translate(&mut self) -> bool {
        /// This many more legal moves are no accident.
        const CLEARLY: usize = 4;
        let moves = |game: &Game| game.main_line().map_or(Vec::new(), |line| line.moves);
        let all = self.moves.nodes.len();
        let english = moves(self).len();
        let tag = self.tag("Language").unwrap_or_default();
        let named = OTHERS.iter().find(|letters| letters.is_named(tag));
        if english == all && named.is_none() {
            return false;
        }
        let with = |letters: &Letters| {
            let mut game = self.clone();
            translate_line(&mut game.moves, letters);
            (moves(&game), game)
        };
        if let Some((legal, game)) = named.map(with).filter(|(legal, _)| legal.len() >= english) {
            let is_new = game != *self && !legal.is_empty();
            *self = game;
            return is_new;
        }
        let mut readings: Vec<_> = OTHERS.iter().map(with).collect();
        let longest = readings.iter().map(|(legal, _)| legal.len()).max().unwrap_or_default();
        readings.retain(|(legal, _)| legal.len() == longest);
        let is_clear = longest == all || longest >= english + CLEARLY;
        let is_one = readings.windows(2).all(|pair| pair[0].0 == pair[1].0);
        match readings.into_iter().next() {
            Some((_, game)) if longest > english && is_clear && is_one => {
                *self = game;
                true
            }
            _ => false,
        }
    }
}

fn translate_line(line: &mut Variation, letters: &Letters) {
    for node in &mut line.nodes {
        node.text = letters.translated(&node.text);
        node.variations.iter_mut().for_each(|variation| translate_line(variation, letters));
    }
}
