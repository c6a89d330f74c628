//! Reading games from a stream, one at a time.

use std::io::{self, BufRead};
use std::mem::take;

use super::write::without_braces;
use super::{Game, MAX_BYTES, MAX_NESTING, MAX_PARTS, Node, PgnProblem, Tag, Variation, shortened};

/// The results of decided and drawn games.
const RESULTS: [&str; 3] = ["1-0", "0-1", "1/2-1/2"];

/// Other spellings of results, with hyphens for all dashes and colons.
const OTHER_RESULTS: [(&str, &str); 6] = [
    ("½-½", "1/2-1/2"),
    ("1/2", "1/2-1/2"),
    ("½", "1/2-1/2"),
    ("0.5-0.5", "1/2-1/2"),
    ("+--", "1-0"),
    ("--+", "0-1"),
];

/// Assessment signs with their glyphs. A longer sign comes before its suffixes: `+=` before `=`.
const SIGNS: [(&str, u16); 22] = [
    ("+/-", 16),
    ("-/+", 17),
    ("+/=", 14),
    ("=/+", 15),
    ("+-", 18),
    ("-+", 19),
    ("+=", 14),
    ("=+", 15),
    ("=", 10),
    ("⩲", 14),
    ("⩱", 15),
    ("±", 16),
    ("∓", 17),
    ("∞", 13),
    ("□", 7),
    ("⊕", 138),
    ("→", 40),
    ("↑", 36),
    ("⇆", 132),
    ("∆", 140),
    ("‼", 3),
    ("⁇", 4),
];

/// Words that stand for a glyph, or that can be dropped.
const WORDS: [(&str, Option<u16>); 14] = [
    ("N", Some(146)),
    ("TN", Some(146)),
    ("⁉", Some(5)),
    ("⁈", Some(6)),
    ("e.p.", None),
    ("e.p", None),
    ("ep", None),
    ("ch", None),
    ("dblch", None),
    ("mate", None),
    ("+", None),
    ("++", None),
    ("-", None),
    (":", None),
];

/// Longer lines are read in pieces of this many bytes or so, each ending with a blank.
const PIECE: usize = 1 << 20;

/// Reads the games of a stream one after the other.
///
/// Text is read as UTF-8 or, if invalid, as ISO 8859-1, the character set of the PGN standard.
#[derive(Debug)]
pub struct Reader<R> {
    input: R,
    /// The line being read, and the number of characters already read.
    line: Vec<char>,
    at: usize,
    /// This piece continues the line of the previous piece.
    is_rest: bool,
    /// The line goes on in the next piece.
    is_unfinished: bool,
    /// The last piece ended with a carriage return.
    after_return: bool,
    /// The rest of the line belongs to a skipped part: a rest-of-line comment, or a long tag.
    skips_rest: bool,
    /// The number of the line, from 1.
    line_number: usize,
    /// The offset in the stream, in bytes.
    bytes: u64,
    /// The number of the last game read.
    games: usize,
}

/// The parts read so far of an unfinished game.
#[derive(Clone, Debug, Default)]
struct Builder {
    game: Game,
    /// Tags, moves, comments and glyphs read.
    parts: usize,
    /// The lines around the current variation, from the main line on.
    outer: Vec<Variation>,
    /// The line to which moves are added.
    inner: Variation,
    /// The open comment, if any.
    comment: Option<String>,
    /// Braces opened inside the comment. By the standard a comment ends at the first closing brace.
    braces: usize,
    /// The alternative reading, in which the comment goes on after its first closing brace.
    nested: Option<Box<Nested>>,
    /// The number of alternative readings tried.
    doubts: usize,
    /// Some part of the game has been read.
    begun: bool,
    has_moves: bool,
    /// The result was read.
    has_ended: bool,
}

/// A comment with inner braces, which may go on after its first closing brace.
#[derive(Clone, Debug)]
struct Nested {
    /// The state before that brace.
    before: Builder,
    /// The text read since, including the brace.
    text: String,
}

impl<R: BufRead> Reader<R> {
    /// Reads from the beginning of `input`.
    pub fn new(input: R) -> Reader<R> {
        Reader {
            input,
            line: Vec::new(),
            at: 0,
            is_rest: false,
            is_unfinished: false,
            skips_rest: false,
            after_return: false,
            line_number: 0,
            bytes: 0,
            games: 0,
        }
    }

    /// Bytes read so far.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// The next game; `None` at the end of the stream.
    ///
    /// # Errors
    ///
    /// If the stream cannot be read. Errors in a game are in [`Game::problem`].
    pub fn next_game(&mut self) -> io::Result<Option<Game>> {
        let mut builder = Builder::default();
        let first_byte = self.bytes;
        loop {
            if builder.has_ended && builder.comment.is_none() && !self.comment_follows() {
                break;
            }
            if self.at >= self.line.len() && !self.next_line()? {
                break;
            }
            if self.bytes - first_byte > MAX_BYTES as u64 {
                builder.fail(PgnProblem::Length);
            }
            if self.at == 0 && !self.is_rest {
                if self.line[0] == '%' && builder.comment.is_none() {
                    self.skip_line();
                    continue;
                }
                if self.begins_game(&builder) {
                    if !builder.has_only_comments() {
                        break;
                    }
                    builder.has_moves = false;
                }
            }
            let is_nested = builder.nested.is_some();
            if self.line[self.at].is_whitespace() && builder.comment.is_none() {
                builder.keep_unread(&self.line[self.at..=self.at]);
                builder.note(&self.line[self.at..=self.at]);
                self.at += 1;
                continue;
            }
            if builder.begin() {
                builder.game.line = self.line_number;
            }
            let begin = self.at;
            builder.has_ended |= self.read_token(&mut builder);
            let read = &self.line[begin.min(self.at)..self.at];
            if is_nested && self.line[begin] != '}' {
                builder.note(read);
            }
            builder.keep_unread(read);
        }
        if !builder.begun || builder.has_only_comments() {
            return Ok(None);
        }
        self.games += 1;
        Ok(Some(builder.finish(self.games)))
    }

    /// Reads the next line that is not empty.
    fn next_line(&mut self) -> io::Result<bool> {
        loop {
            let mut bytes = Vec::new();
            self.read_until(&mut bytes, b"\n\r", PIECE)?;
            if bytes.is_empty() {
                return Ok(false);
            }
            let ends = |bytes: &[u8]| bytes.ends_with(b"\n") || bytes.ends_with(b"\r");
            if bytes.len() >= PIECE && !ends(&bytes) {
                // End the piece at a blank, so that no word is cut in two.
                self.read_until(&mut bytes, b" \n\r", 2 * PIECE)?;
            }
            // A line feed after a carriage return does not end another line.
            let is_feed = bytes == b"\n" && self.after_return;
            self.after_return = bytes.ends_with(b"\r");
            let is_rest = std::mem::replace(&mut self.is_unfinished, !ends(&bytes));
            self.bytes += bytes.len() as u64;
            self.line_number += usize::from(!is_rest && !is_feed);
            if is_rest && self.skips_rest {
                continue;
            }
            self.skips_rest = false;
            let text: Vec<char> = crate::files::decode(&bytes).chars().collect();
            if text.iter().any(|c| !c.is_whitespace()) {
                (self.line, self.at, self.is_rest) = (text, 0, is_rest);
                return Ok(true);
            }
        }
    }

    /// Reads up to the first of these bytes, or until there are `most` bytes.
    fn read_until(&mut self, bytes: &mut Vec<u8>, ends: &[u8], most: usize) -> io::Result<()> {
        while bytes.len() < most {
            let here = self.input.fill_buf()?;
            let here = &here[..here.len().min(most - bytes.len())];
            if here.is_empty() {
                break;
            }
            let end = here.iter().position(|byte| ends.contains(byte));
            let count = end.map_or(here.len(), |end| end + 1);
            bytes.extend_from_slice(&here[..count]);
            self.input.consume(count);
            if end.is_some() {
                break;
            }
        }
        Ok(())
    }

    /// Skips the rest of the line.
    fn skip_line(&mut self) {
        self.at = self.line.len();
        self.skips_rest = self.is_unfinished;
    }

    /// Whether the line begins another game. After moves, a tag pair or the move number 1 does; in a
    /// comment or among tag pairs, only the tag `Event`.
    fn begins_game(&self, builder: &Builder) -> bool {
        let begins_with = |text: &str| self.line.iter().copied().take(text.len()).eq(text.chars());
        let is_event = begins_with("[Event \"");
        match builder.has_moves {
            true if builder.comment.is_none() => {
                self.line[0] == '[' || (builder.is_past_first_move() && self.has_first_move())
            }
            true => is_event,
            false => is_event && builder.game.tags.iter().any(|tag| tag.name == "Event"),
        }
    }

    /// Whether the line begins with the number of White's first move: `1.`, not `1...`.
    fn has_first_move(&self) -> bool {
        let mut rest = self.line.iter().copied().skip_while(|c| c.is_whitespace());
        rest.next() == Some('1')
            && rest.next() == Some('.')
            && rest.find(|c| !c.is_whitespace()).is_none_or(|next| !is_dot(next))
    }

    /// Whether a comment is next on the line: after the result it still belongs to the game.
    fn comment_follows(&mut self) -> bool {
        self.take_while(char::is_whitespace);
        matches!(self.line.get(self.at), Some('{' | ';'))
    }

    fn take_while(&mut self, wanted: impl Fn(char) -> bool) -> String {
        let rest = &self.line[self.at..];
        let count = rest.iter().position(|&c| !wanted(c)).unwrap_or(rest.len());
        self.at += count;
        rest[..count].iter().collect()
    }

    /// Reads a part of the line. Returns whether the game has ended.
    fn read_token(&mut self, builder: &mut Builder) -> bool {
        if let Some(comment) = &mut builder.comment {
            let rest = &self.line[self.at..];
            let end = rest.iter().position(|&c| c == '}');
            let text = &rest[..end.unwrap_or(rest.len())];
            if builder.game.problem.is_none() {
                comment.extend(text);
            }
            builder.braces += text.iter().filter(|&&c| c == '{').count();
            self.at += end.map_or(rest.len(), |end| end + 1);
            if end.is_some() {
                builder.close_brace();
            }
            return false;
        }
        let first = self.line[self.at];
        if first == '[' && !builder.has_moves {
            self.read_tag(builder);
            return false;
        }
        builder.has_moves |= !first.is_whitespace();
        match first {
            '{' => builder.open_comment(),
            // A closing brace without an opening one is ignored, or continues the last comment.
            '}' => builder.go_on_with_comment(),
            '<' if self.line.get(self.at + 1) == Some(&'>') => {
                self.at += 1;
                builder.add_move("--");
            }
            ';' => {
                let text = self.line[self.at + 1..].iter().collect::<String>().replace('}', ")");
                self.skip_line();
                builder.comment = Some(text);
                builder.end_comment();
                return false;
            }
            '(' => builder.open_variation(),
            ')' => builder.close_variation(),
            '$' => {
                self.at += 1;
                let digits = self.take_while(|c| c.is_ascii_digit());
                // Numbers too large for a glyph are ignored.
                if let Ok(nag) = digits.parse() {
                    builder.add_nag(nag);
                }
                return false;
            }
            '!' | '?' => {
                let mark = self.take_while(|c| matches!(c, '!' | '?'));
                // Of more than two signs only the first two count.
                let known = ["!", "?", "!!", "??", "!?", "?!"];
                let nag = known.iter().position(|&other| other == &mark[..mark.len().min(2)]);
                builder.add_nag(nag.unwrap_or_default() as u16 + 1);
                return false;
            }
            '*' => {
                self.at += 1;
                return builder.end("*");
            }
            c if c.is_whitespace() || is_dot(c) => {}
            _ => return self.read_word(builder),
        }
        self.at += 1;
        false
    }

    /// Reads a tag pair. What follows it on its line is read next.
    fn read_tag(&mut self, builder: &mut Builder) {
        self.at += 1;
        let is_blank = |c: char| c.is_whitespace();
        self.take_while(is_blank);
        let name = self.take_while(|c| !c.is_whitespace() && c != '"' && c != ']');
        self.take_while(is_blank);
        let mut value = String::new();
        if self.line.get(self.at) == Some(&'"') {
            self.at += 1;
            let end = self.end_of_value();
            while let Some(&c) = self.line[..end].get(self.at) {
                self.at += 1;
                match (c, self.line.get(self.at)) {
                    ('\\', Some(&escaped @ ('"' | '\\'))) => {
                        value.push(escaped);
                        self.at += 1;
                    }
                    ('\r' | '\n', _) => {}
                    _ => value.push(c),
                }
            }
            // The quote, unless the line has ended.
            self.at = (self.at + 1).min(self.line.len());
        } else {
            value.push_str(self.take_while(|c| c != ']').trim());
        }
        self.take_while(|c| c != ']');
        if self.at >= self.line.len() {
            self.skip_line();
        } else {
            self.at += 1;
        }
        if name.is_empty() {
            return builder.fail(PgnProblem::Word("[".to_string()));
        }
        if builder.has_room() {
            builder.game.tags.push(Tag { name, value });
        }
    }

    /// The end of a quoted value: at the first quote that a bracket follows, since quotes inside a value
    /// are often not escaped; without such a quote at the first one, or at the end of the line.
    fn end_of_value(&self) -> usize {
        let (mut first, mut is_escaped) = (None, false);
        for at in self.at..self.line.len() {
            let c = self.line[at];
            if c == '"' && !is_escaped {
                let mut after = self.line[at + 1..].iter().skip_while(|c| c.is_whitespace());
                if after.next() == Some(&']') {
                    return at;
                }
                first.get_or_insert(at);
            }
            is_escaped = c == '\\' && !is_escaped;
        }
        first.unwrap_or(self.line.len())
    }

    /// Reads a move number, a move or a result. Returns whether the game has ended.
    fn read_word(&mut self, builder: &mut Builder) -> bool {
        let is_part = |c: char| !c.is_whitespace() && c != '…' && !"{}();!?$*[]<>".contains(c);
        let number = self.take_while(|c| c.is_ascii_digit());
        let is_number = self.line.get(self.at).is_none_or(|&c| is_dot(c) || !is_part(c));
        let is_decimal = number == "0" && self.line[self.at..].starts_with(&['.', '5']);
        if !number.is_empty() && number != "0000" && is_number && !is_decimal {
            // A move number, with or without dots.
            return false;
        }
        let mut word = number + &self.take_while(is_part);
        word.push_str(&self.take_promotion(&word));
        let word = word.replace(['–', '—', '−'], "-");
        if word.is_empty() {
            builder.fail(PgnProblem::Word(shortened(&self.line[self.at].to_string())));
            self.at += 1;
            return false;
        }
        if let Some(result) = result(&word) {
            return builder.end(result);
        }
        if let Some((_, nag)) = WORDS.iter().find(|(text, _)| *text == word) {
            nag.iter().for_each(|&nag| builder.add_nag(nag));
            return false;
        }
        let sign = SIGNS.iter().find_map(|(sign, nag)| Some((word.strip_suffix(sign)?, *nag)));
        match sign {
            // Do not mistake a promotion without its piece for an assessed pawn move.
            Some((m, nag)) if !m.ends_with(['1', '8']) || m.starts_with(char::is_uppercase) => {
                if !m.is_empty() {
                    builder.add_move(m);
                }
                builder.add_nag(nag);
            }
            _ => builder.add_move(&word),
        }
        false
    }

    /// Takes the rest of a promotion written with parentheses: `a8(Q)`.
    fn take_promotion(&mut self, word: &str) -> String {
        let rest = &self.line[self.at..];
        match rest {
            ['(', piece, ')', ..] if word.ends_with(['1', '8']) && piece.is_alphabetic() => {
                self.at += 3;
                rest[..3].iter().collect()
            }
            _ => String::new(),
        }
    }
}

/// Whether a word looks like a move or a move number.
fn is_movetext(word: &str) -> bool {
    let m = word.trim_start_matches(|c: char| c.is_ascii_digit() || is_dot(c));
    let is_square = |pair: &[u8]| matches!(pair, [b'a'..=b'h', b'1'..=b'8']);
    m.is_empty() || m.starts_with("O-O") || (m.len() < 9 && m.as_bytes().windows(2).any(is_square))
}

/// The characters that may follow a move number.
fn is_dot(c: char) -> bool {
    matches!(c, '.' | '…')
}

/// The result that a word stands for.
fn result(word: &str) -> Option<&'static str> {
    let plain = word.replace(':', "-");
    let other = OTHER_RESULTS.iter().find(|(text, _)| *text == plain).map(|&(_, result)| result);
    RESULTS.iter().copied().find(|&result| result == plain).or(other)
}

impl Builder {
    /// Notes that part of the game was read. Returns true the first time.
    fn begin(&mut self) -> bool {
        !std::mem::replace(&mut self.begun, true)
    }

    /// Remembers the first problem. After it, nothing more is added to the game.
    fn fail(&mut self, problem: PgnProblem) {
        self.game.problem.get_or_insert(problem);
    }

    fn is_whole(&self) -> bool {
        self.game.problem.is_none()
    }

    /// Whether the main line is being read, and both sides have moved in it.
    fn is_past_first_move(&self) -> bool {
        self.outer.is_empty() && self.inner.nodes.len() >= 2
    }

    /// Whether only comments were read. They belong to the next game.
    fn has_only_comments(&self) -> bool {
        let Builder { game, outer, inner, .. } = self;
        self.is_whole()
            && self.comment.is_none()
            && !self.has_ended
            && game.tags.is_empty()
            && outer.is_empty()
            && inner.nodes.is_empty()
    }

    /// Keeps the text from the first problem on, unless the game is too long for that.
    fn keep_unread(&mut self, read: &[char]) {
        match self.game.problem {
            None => {}
            Some(PgnProblem::Length | PgnProblem::Parts) => self.game.unread = String::new(),
            Some(_) => self.game.unread.extend(read),
        }
    }

    /// Counts a part of the game. Returns false if the game may not grow any more.
    fn has_room(&mut self) -> bool {
        self.parts += 1;
        if self.parts > MAX_PARTS {
            self.fail(PgnProblem::Parts);
        }
        self.is_whole()
    }

    /// Remembers the text read, while it may still be part of a comment.
    fn note(&mut self, read: &[char]) {
        if let Some(nested) = &mut self.nested {
            nested.text.extend(read);
        }
    }

    fn open_comment(&mut self) {
        // Another comment begins: the last one has ended.
        self.nested = None;
        (self.comment, self.braces) = (Some(String::new()), 0);
    }

    /// A closing brace ends the comment. But if braces were opened in it and another closing brace
    /// follows outside of comments, the comment goes on to there.
    fn close_brace(&mut self) {
        /// Copies of a long game take time, so limit their number.
        const MOST: usize = 32;
        self.doubts += usize::from(self.braces > 0);
        if self.braces == 0 || !self.is_whole() || self.doubts > MOST {
            return self.end_comment();
        }
        self.nested = None;
        let before = self.clone();
        self.end_comment();
        self.nested = Some(Box::new(Nested { before, text: String::new() }));
    }

    /// Handles a closing brace outside of comments: the last comment goes on to here, unless only
    /// moves have followed it.
    fn go_on_with_comment(&mut self) {
        let Some(nested) = self.nested.take() else { return };
        let Nested { before, text } = *nested;
        if text.split_whitespace().all(is_movetext) {
            return;
        }
        let doubts = self.doubts;
        *self = before;
        self.doubts = doubts;
        if let Some(comment) = &mut self.comment {
            comment.push('}');
            comment.push_str(&text);
        }
        self.braces -= 1;
        self.close_brace();
    }

    fn add_move(&mut self, text: &str) {
        if self.has_room() {
            self.inner.nodes.push(Node { text: text.to_string(), ..Node::default() });
        }
    }

    fn add_nag(&mut self, nag: u16) {
        if self.has_room()
            && let Some(node) = self.inner.nodes.last_mut()
        {
            node.nags.push(nag);
        }
    }

    fn end_comment(&mut self) {
        let text = self.comment.take().unwrap_or_default();
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let text = without_braces(&text);
        if text.is_empty() || !self.has_room() {
            return;
        }
        match self.inner.nodes.last_mut() {
            Some(node) => node.comments.push(text),
            None => self.inner.comments.push(text),
        }
    }

    fn open_variation(&mut self) {
        if self.inner.nodes.is_empty() {
            return self.fail(PgnProblem::EarlyVariation);
        }
        if self.outer.len() >= MAX_NESTING {
            return self.fail(PgnProblem::Nesting);
        }
        if self.is_whole() {
            self.outer.push(take(&mut self.inner));
        }
    }

    fn close_variation(&mut self) {
        if !self.is_whole() {
            return;
        }
        // A closing parenthesis without an opening one is ignored.
        let Some(outer) = self.outer.pop() else { return };
        let variation = std::mem::replace(&mut self.inner, outer);
        if variation.nodes.is_empty() && variation.comments.is_empty() {
            return;
        }
        if let Some(node) = self.inner.nodes.last_mut() {
            node.variations.push(variation);
        }
    }

    /// A result ends the game, but not one inside a variation.
    fn end(&mut self, result: &str) -> bool {
        if self.is_whole() && !self.outer.is_empty() {
            return false;
        }
        // A result right after another game's result does not make a new game.
        if self.is_whole() && self.game.tags.is_empty() && self.inner == Variation::default() {
            return false;
        }
        self.game.result = result.to_string();
        true
    }

    fn finish(mut self, number: usize) -> Game {
        if self.has_ended {
            self.end_comment();
        } else if let Some(comment) = self.comment.take()
            && self.is_whole()
        {
            self.fail(PgnProblem::OpenComment);
            self.game.unread = format!("{{{comment}");
        }
        if !self.outer.is_empty() {
            self.fail(PgnProblem::OpenVariation);
        }
        // For a game with a problem, keep the main line up to the problem.
        let mut lines = self.outer.into_iter().chain([self.inner]);
        self.game.moves = lines.next().unwrap_or_default();
        if !matches!(self.game.problem, Some(PgnProblem::Length | PgnProblem::Parts)) {
            // The moves of variations that have not ended are not in the game: keep them as text.
            let open: String = lines.map(|line| format!("({} ", line.text())).collect();
            self.game.unread.insert_str(0, &open);
        }
        self.game.number = number;
        if self.game.result.is_empty() {
            let tag = self.game.tag("Result").filter(|tag| RESULTS.contains(tag));
            self.game.result = tag.unwrap_or("*").to_string();
        }
        self.game
    }
}
