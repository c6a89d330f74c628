//! `freshet board`: who may ask, what is answered, and when the program ends. The page itself is
//! tested in a browser, by `web/board/test.mjs`.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// A board that is served until it is dropped.
struct Served {
    child: Child,
    /// `127.0.0.1:PORT`.
    host: String,
    /// `/TOKEN/`.
    prefix: String,
    /// The program ends if nobody reads its output.
    _output: BufReader<ChildStdout>,
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Served {
    fn new(arguments: &[&str]) -> Served {
        let mut child = Command::new(env!("CARGO_BIN_EXE_freshet"))
            .args(["board", "--no-browser", "--threads", "1", "--hash", "1"])
            .args(arguments)
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program");
        let mut line = String::new();
        let mut output = BufReader::new(child.stdout.take().expect("its output"));
        output.read_line(&mut line).expect("the address");
        let address = line.trim().strip_prefix("The board is at http://").expect("an address");
        let (host, path) = address.split_once('/').expect("a path");
        let (host, prefix) = (host.to_string(), format!("/{path}"));
        Served { child, host, prefix, _output: output }
    }

    /// Sends a request and returns the connection.
    fn connect(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> TcpStream {
        let mut stream = TcpStream::connect(&self.host).expect("a connection");
        stream.set_read_timeout(Some(Duration::from_secs(60))).expect("a time-out");
        let mut request = format!("{method} {path} HTTP/1.1\r\nConnection: close\r\n");
        if !headers.iter().any(|(name, _)| *name == "Host") {
            request += &format!("Host: {}\r\n", self.host);
        }
        for (name, value) in headers {
            request += &format!("{name}: {value}\r\n");
        }
        request += &format!("Content-Length: {}\r\n\r\n{body}", body.len());
        stream.write_all(request.as_bytes()).expect("a request");
        stream
    }

    /// The status and the rest of an answer.
    fn fetch(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: &str,
    ) -> (u16, String) {
        let mut text = String::new();
        let mut stream = self.connect(method, path, headers, body);
        stream.read_to_string(&mut text).expect("an answer");
        let status = text.split(' ').nth(1).expect("a status").parse().expect("a number");
        (status, text)
    }

    /// The answers to a request of a page.
    fn ask(&self, request: &Value) -> Vec<Value> {
        let path = format!("{}ask", self.prefix);
        let (status, text) = self.fetch("POST", &path, &[("X-Page", "one")], &request.to_string());
        assert_eq!(status, 200, "{text}");
        let events = text.lines().filter_map(|line| line.strip_prefix("data: "));
        events.map(|event| serde_json::from_str(event).expect("JSON")).collect()
    }
}

/// The type of the last answer, and the answer before it.
fn last_two(answers: &[Value]) -> (&str, &Value) {
    let [.., before, last] = answers else { panic!("{answers:?}") };
    (last["type"].as_str().expect("a type"), before)
}

#[test]
fn only_its_own_page_may_ask() {
    let board = Served::new(&["--keep"]);
    let start = format!("{}start", board.prefix);
    let (status, text) = board.fetch("GET", &start, &[], "");
    assert!(status == 200 && text.contains("default-src 'self'"), "{text}");
    assert!(text.contains("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"), "{text}");
    let status = |path: &str, headers: &[(&str, &str)]| board.fetch("GET", path, headers, "").0;
    assert_eq!(status("/", &[]), 404);
    assert_eq!(status("/00000000000000000000000000000000/start", &[]), 404);
    assert_eq!(status(&format!("{}../start", board.prefix), &[]), 404);
    assert_eq!(status(&start, &[("Host", "example.org")]), 403);
    assert_eq!(status(&start, &[("Origin", "http://example.org")]), 403);
    assert_eq!(status(&start, &[("Origin", "null")]), 403);
    assert_eq!(status(&start, &[("Origin", &format!("http://{}", board.host))]), 200);
    assert_eq!(board.fetch("PUT", &board.prefix, &[], "").0, 405);
    for (place, kind) in [("", "text/html"), ("app.js", "text/javascript"), ("app.css", "text/css")]
    {
        let (status, text) = board.fetch("GET", &format!("{}{place}", board.prefix), &[], "");
        assert!(status == 200 && text.contains(&format!("Content-Type: {kind}")), "{place}");
    }
}

#[test]
fn requests_are_answered() {
    let board = Served::new(&["--keep"]);
    let answers =
        board.ask(&json!({"do": "analyse", "position": "startpos", "lines": 2, "nodes": 3000}));
    let (end, lines) = last_two(&answers);
    assert_eq!(end, "done");
    assert_eq!(lines["lines"].as_array().map(Vec::len), Some(2), "{lines}");
    let fen = "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1";
    let answers =
        board.ask(&json!({"do": "explain", "position": fen, "move": "Kf1", "nodes": 5000}));
    let (_, told) = last_two(&answers);
    assert!(told["explanation"]["text"].as_str().is_some_and(|text| text.contains("1.Ra8#")));
    let answers = board
        .ask(&json!({"do": "compare", "position": fen, "moves": ["h3", "Ra8#"], "nodes": 5000}));
    assert_eq!(last_two(&answers).1["explanation"]["move"], "h3");
    for elo in [json!(1000), Value::Null] {
        let request = json!({"do": "play", "position": fen, "elo": elo, "milliseconds": 50});
        let answers = board.ask(&request);
        assert!(last_two(&answers).1["move"].as_str().is_some_and(|m| m.len() == 4), "{answers:?}");
    }
    let fen = "r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 3 3";
    let answers = board.ask(&json!({"do": "threat", "position": fen}));
    assert_eq!(last_two(&answers).1["threat"]["text"], "4.Qxf7#");
    let answers = board.ask(&json!({"do": "threat", "position": "startpos"}));
    assert_eq!(answers, [json!({"type": "threat"}), json!({"type": "done"})]);
    let answers = board.ask(&json!({"do": "terms", "position": "startpos moves e2e4"}));
    assert!(
        last_two(&answers).1["evaluation"]["rows"].as_array().is_some_and(|rows| rows.len() > 90)
    );
    let answers = board.ask(&json!({"do": "fills", "position": "startpos", "name": "attacks"}));
    assert_eq!(last_two(&answers).1["boards"][0]["title"], "White's attackers");
    let pgn = "1. e4 e5 2. Bc4 Nc6 3. Qf3 Nd4 4. Qxf7# 1-0";
    let answers = board.ask(&json!({"do": "annotate", "pgn": pgn, "nodes": 1000}));
    let (end, annotated) = last_two(&answers);
    assert_eq!((end, &answers[0]["type"]), ("done", &json!("progress")));
    assert_eq!(answers[0]["of"], 8, "positions, not bytes");
    assert!(annotated["pgn"].as_str().is_some_and(|pgn| pgn.contains("3... Nd4 $4")));
    for (request, problem) in [
        (json!({"do": "dance"}), "not a request: unknown variant"),
        (json!({"do": "terms", "position": "8/8"}), "bad FEN"),
        (json!({"do": "explain", "position": "startpos", "move": "Ke3"}), "move \"Ke3\": "),
        (json!({"do": "fills", "position": "startpos", "name": "x"}), "no picture is called x"),
        (json!({"do": "annotate", "pgn": "nothing"}), "not written as a move"),
        (json!({"do": "annotate", "pgn": ""}), "no games"),
        (json!({"do": "page", "pgn": "[FEN \"8/8\"]\n\n*"}), "game 1 (line 1) is skipped: bad FEN"),
        (json!([1]), "not a request"),
    ] {
        let answers = board.ask(&request);
        let answer = answers.last().expect("an answer");
        let text = answer["text"].as_str().unwrap_or_default();
        assert!(answer["type"] == "error" && text.contains(problem), "{request}: {answer}");
    }
}

/// A new request of a page ends what it has asked before, however many there are.
#[test]
fn the_last_request_counts() {
    let board = Served::new(&["--keep"]);
    let path = format!("{}ask", board.prefix);
    let endless = json!({"do": "analyse", "position": "startpos"}).to_string();
    let headers = |number: &'static str| [("X-Page", "one"), ("X-Number", number)];
    let open: Vec<TcpStream> =
        (0..20).map(|_| board.connect("POST", &path, &headers("1"), &endless)).collect();
    let short = json!({"do": "analyse", "position": "startpos", "nodes": 500}).to_string();
    let (_, text) = board.fetch("POST", &path, &headers("2"), &short);
    assert!(text.contains("\"lines\"") && text.contains(r#"{"type":"done"}"#), "{text}");
    for mut stream in open {
        let mut text = String::new();
        stream.read_to_string(&mut text).expect("an end");
        assert!(text.contains(r#"data: {"type":"done"}"#), "{text}");
    }
}

#[test]
fn it_ends_with_its_page() {
    let mut board = Served::new(&[]);
    let mut page = board.connect("GET", &format!("{}alive", board.prefix), &[], "");
    let mut first = [0; 64];
    page.read_exact(&mut first).expect("a sign of life");
    assert!(board.child.try_wait().expect("a state").is_none());
    drop(page);
    let gone = Instant::now();
    loop {
        if let Some(status) = board.child.try_wait().expect("a state") {
            assert_eq!(status.code(), Some(0));
            break;
        }
        assert!(gone.elapsed() < Duration::from_secs(60), "it goes on");
        std::thread::sleep(Duration::from_millis(100));
    }
}
