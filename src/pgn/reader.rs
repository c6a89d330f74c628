//! Reading games from a stream, one at a time.

use std::io::{self, BufRead, Read};
use std::mem::take;

use super::{Game, MAX_BYTES, MAX_NESTING, Node, PgnProblem, Tag, Variation, shortened};

/// The results of decided and drawn games.
const RESULTS: [&str; 3] = ["1-0", "0-1", "1/2-1/2"];

/// Reads the games of a stream one after the other.
///
/// Text is UTF-8 or, where it is not, ISO 8859-1, the character set of the PGN standard.
#[derive(Debug)]
pub struct Reader<R> {
    input: R,
    /// The line that is being read, and how much of it has been.
    line: Vec<char>,
    at: usize,
    /// The number of the line, from 1.
    line_number: usize,
    /// Bytes read.
    bytes: u64,
    /// Games read.
    games: usize,
}

/// What is read of a game that has not ended.
#[derive(Default)]
struct Builder {
    game: Game,
    /// The lines that a variation is part of, from the main line on.
    outer: Vec<Variation>,
    /// The line that moves are added to.
    inner: Variation,
    /// The comment that has begun.
    comment: Option<String>,
    /// Some part of the game was read; of its moves.
    begun: bool,
    has_moves: bool,
    /// The result was read.
    has_ended: bool,
}

impl<R: BufRead> Reader<R> {
    /// Reads from the beginning of `input`.
    pub fn new(input: R) -> Reader<R> {
        Reader { input, line: Vec::new(), at: 0, line_number: 0, bytes: 0, games: 0 }
    }

    /// Bytes read so far.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// The next game; `None` at the end of the stream.
    ///
    /// # Errors
    ///
    /// If the stream cannot be read. What is wrong with a game is in [`Game::problem`].
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
            if self.at == 0 {
                if self.line[0] == '%' && builder.comment.is_none() {
                    self.at = self.line.len();
                    continue;
                }
                if self.begins_game(&builder) {
                    if !builder.has_only_comments() {
                        break;
                    }
                    builder.has_moves = false;
                }
            }
            if self.line[self.at].is_whitespace() && builder.comment.is_none() {
                self.at += 1;
                continue;
            }
            if builder.begin() {
                builder.game.line = self.line_number;
            }
            builder.has_ended |= self.read_token(&mut builder);
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
            let limit = MAX_BYTES as u64 + 2;
            let count = self.input.by_ref().take(limit).read_until(b'\n', &mut bytes)?;
            if count == 0 {
                return Ok(false);
            }
            self.bytes += count as u64;
            self.line_number += 1;
            let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes);
            let text = match std::str::from_utf8(bytes) {
                Ok(text) => text.chars().collect(),
                Err(_) => bytes.iter().copied().map(char::from).collect::<Vec<char>>(),
            };
            // A carriage return alone, of old Macintoshes, is a blank to everything that follows.
            if text.iter().any(|c| !c.is_whitespace()) {
                (self.line, self.at) = (text, 0);
                return Ok(true);
            }
        }
    }

    /// Whether the line is the first of another game: a tag pair after moves; or, in a comment or
    /// among tag pairs, that of the event.
    fn begins_game(&self, builder: &Builder) -> bool {
        let begins_with = |text: &str| self.line.iter().copied().take(text.len()).eq(text.chars());
        let is_event = begins_with("[Event \"");
        match builder.has_moves {
            true if builder.comment.is_none() => self.line[0] == '[',
            true => is_event,
            false => is_event && builder.game.tags.iter().any(|tag| tag.name == "Event"),
        }
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

    /// Reads a part of the line; the answer is true at the end of the game.
    fn read_token(&mut self, builder: &mut Builder) -> bool {
        if let Some(comment) = &mut builder.comment {
            let rest = &self.line[self.at..];
            let end = rest.iter().position(|&c| c == '}');
            let text: String = rest[..end.unwrap_or(rest.len())].iter().collect();
            if builder.game.problem.is_none() {
                comment.push_str(&text);
            }
            self.at += end.map_or(rest.len(), |end| end + 1);
            if end.is_some() {
                builder.end_comment();
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
            '{' => builder.comment = Some(String::new()),
            ';' => {
                let text = self.line[self.at + 1..].iter().collect::<String>().replace('}', ")");
                self.at = self.line.len();
                builder.comment = Some(text);
                builder.end_comment();
                return false;
            }
            '(' => builder.open_variation(),
            ')' => builder.close_variation(),
            '$' => {
                self.at += 1;
                let digits = self.take_while(|c| c.is_ascii_digit());
                match digits.parse() {
                    Ok(nag) => builder.add_nag(nag),
                    Err(_) => builder.fail(PgnProblem::Word(shortened(&format!("${digits}")))),
                }
                return false;
            }
            '!' | '?' => {
                let mark = self.take_while(|c| matches!(c, '!' | '?'));
                let known = ["!", "?", "!!", "??", "!?", "?!"];
                match known.iter().position(|&other| other == mark) {
                    Some(index) => builder.add_nag(index as u8 + 1),
                    None => builder.fail(PgnProblem::Word(shortened(&mark))),
                }
                return false;
            }
            '*' => {
                self.at += 1;
                return builder.end("*");
            }
            c if c.is_whitespace() || c == '.' => {}
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
            while let Some(&c) = self.line.get(self.at) {
                self.at += 1;
                match (c, self.line.get(self.at)) {
                    ('"', _) => break,
                    ('\\', Some(&escaped @ ('"' | '\\'))) => {
                        value.push(escaped);
                        self.at += 1;
                    }
                    ('\r' | '\n', _) => {}
                    _ => value.push(c),
                }
            }
        }
        self.take_while(|c| c != ']');
        self.at += usize::from(self.at < self.line.len());
        if name.is_empty() {
            return builder.fail(PgnProblem::Word("[".to_string()));
        }
        builder.game.tags.push(Tag { name, value });
    }

    /// Reads a move number, a move or a result; the answer is true at the end of the game.
    fn read_word(&mut self, builder: &mut Builder) -> bool {
        let is_part = |c: char| !c.is_whitespace() && !"{}();!?$*[]<>".contains(c);
        let number = self.take_while(|c| c.is_ascii_digit());
        if !number.is_empty() && self.line.get(self.at).is_none_or(|&c| c == '.' || !is_part(c)) {
            // A move number; or a bare number, as of moves without dots.
            return false;
        }
        let word = number + &self.take_while(is_part);
        let mut word = word.replace('–', "-");
        if word.starts_with("0-0") {
            // Castling with zeros.
            word = word.replace('0', "O");
        }
        match word.as_str() {
            "" => {
                builder.fail(PgnProblem::Word(shortened(&self.line[self.at].to_string())));
                self.at += 1;
            }
            result @ ("1-0" | "0-1" | "1/2-1/2" | "1/2") => return builder.end(result),
            "e.p." => {}
            text => builder.add_move(text.strip_suffix("e.p.").unwrap_or(text)),
        }
        false
    }
}

impl Builder {
    /// Part of the game is there; true the first time.
    fn begin(&mut self) -> bool {
        !std::mem::replace(&mut self.begun, true)
    }

    /// Remembers the first problem. From then on nothing is added to the game.
    fn fail(&mut self, problem: PgnProblem) {
        self.game.problem.get_or_insert(problem);
    }

    fn is_whole(&self) -> bool {
        self.game.problem.is_none()
    }

    /// Nothing but comments was read: they belong to the game that follows.
    fn has_only_comments(&self) -> bool {
        let Builder { game, outer, inner, .. } = self;
        self.is_whole()
            && self.comment.is_none()
            && !self.has_ended
            && game.tags.is_empty()
            && outer.is_empty()
            && inner.nodes.is_empty()
    }

    fn add_move(&mut self, text: &str) {
        if self.is_whole() {
            self.inner.nodes.push(Node { text: text.to_string(), ..Node::default() });
        }
    }

    fn add_nag(&mut self, nag: u8) {
        if self.is_whole()
            && let Some(node) = self.inner.nodes.last_mut()
        {
            node.nags.push(nag);
        }
    }

    fn end_comment(&mut self) {
        let text = self.comment.take().unwrap_or_default();
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        if text.is_empty() || !self.is_whole() {
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
        let Some(outer) = self.outer.pop() else { return self.fail(PgnProblem::Close) };
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
        self.game.result = if result == "1/2" { "1/2-1/2" } else { result }.to_string();
        true
    }

    fn finish(mut self, number: usize) -> Game {
        if self.comment.is_some() && !self.has_ended {
            self.fail(PgnProblem::OpenComment);
        }
        if !self.outer.is_empty() {
            self.fail(PgnProblem::OpenVariation);
        }
        // Of a game with a problem, the main line up to the problem.
        let mut lines = self.outer.into_iter().chain([self.inner]);
        self.game.moves = lines.next().unwrap_or_default();
        self.game.number = number;
        if self.game.result.is_empty() {
            let tag = self.game.tag("Result").filter(|tag| RESULTS.contains(tag));
            self.game.result = tag.unwrap_or("*").to_string();
        }
        self.game
    }
}
