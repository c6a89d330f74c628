//! `freshet board`: the analysis board in the browser, served on the loopback address.
//!
//! Every address begins with a random token, so that no other page can guess one; the
//! headers `Host` and `Origin` are checked as well, against pages that have been given another
//! address for this one (DNS rebinding). Nothing else is ever listened on.

use std::collections::HashMap;
use std::ffi::OsString;
use std::io::{self, Read, Write};
use std::net::Ipv4Addr;
use std::path::Path;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};
use std::thread::Builder;
use std::time::{Duration, Instant};

use clap::Args;
use freshet::eval::weights::Weights;
use freshet::files::{self, FileError};
use freshet::page;
use freshet::search::{Probing, StopFlag, Tablebases};
use freshet::service::{MOST_BYTES, Service};
use serde_json::json;
use tiny_http::{Header, Method, Request, Response, Server};

use super::analyse::{Subject, subject};
use super::output::print;
use super::{CommandError, Outcome, fen, values};

/// The files of the page, with their types.
const FILES: [(&str, &str, &str); 3] = [
    ("", "text/html; charset=utf-8", page::HTML),
    ("app.js", "text/javascript; charset=utf-8", page::SCRIPT),
    ("app.css", "text/css; charset=utf-8", page::STYLE),
];

/// What the page may do: nothing from elsewhere, and no script but its own.
const HEADERS: [(&str, &str); 5] = [
    (
        "Content-Security-Policy",
        "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; \
         form-action 'none'; frame-ancestors 'none'",
    ),
    ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "no-referrer"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
    ("Cache-Control", "no-store"),
];

/// The stack of a thread that answers, in bytes: a search runs in it.
const STACK: usize = 64 << 20;

/// Pages that have an engine each. For one page more, the engine unused for longest ends; a busy one only
/// if all are busy.
const MOST_PAGES: usize = 4;

/// Interval of the pings that reveal a closed page.
const BEAT: Duration = Duration::from_millis(500);

/// The program exits after this long without a page. Reloading closes a page for a moment.
const PAGE_WAIT: Duration = Duration::from_secs(5);

/// Open the analysis board in the browser
///
/// The page is served on the loopback address only, with a random token in its address, and the
/// engine of this program analyses for it. The program ends with Ctrl-C, or when the page is
/// closed.
#[derive(Args)]
pub struct BoardArgs {
    /// A FEN, in one argument or six, or a .pgn file [default: the start position]
    #[arg(value_name = "FEN|FILE.pgn", num_args = 0..)]
    what: Vec<OsString>,
    /// Threads of the analysis [default: one for each core]
    #[arg(
        long, value_name = "N",
        value_parser = values::number::<usize, 1, { values::MAX_THREADS }>
    )]
    threads: Option<usize>,
    /// Size of the transposition table in MB
    #[arg(
        long, value_name = "MB", default_value_t = 64,
        value_parser = values::number::<usize, 1, { values::MAX_HASH }>
    )]
    hash: usize,
    /// Folders with Syzygy tablebases for the analysis, separated as in PATH
    #[arg(long, value_name = "PATH")]
    syzygy: Option<String>,
    /// The port [default: a free one]
    #[arg(
        long, value_name = "N", default_value_t = 0, hide_default_value = true,
        value_parser = values::number::<u16, 0, 65535>
    )]
    port: u16,
    /// Print the address, but open no browser
    #[arg(long)]
    no_browser: bool,
    /// Go on when the page is closed
    #[arg(long)]
    keep: bool,
}

impl BoardArgs {
    pub fn run(self, weights: Option<Weights>) -> Result<Outcome, CommandError> {
        let start = match &self.what[..] {
            [file] if matches!(subject(&self.what), Subject::Games) => {
                json!({ "pgn": games(Path::new(file))? })
            }
            words => json!({ "fen": fen::position(words, None)?.fen() }),
        };
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let settings = Settings {
            threads: self.threads.unwrap_or(cores),
            hash: self.hash,
            syzygy: self.syzygy,
            weights,
        };
        // Reports missing memory or tablebases before a page opens.
        let first = settings.session()?;
        let server = Server::http((Ipv4Addr::LOCALHOST, self.port))
            .map_err(|error| format!("cannot listen on port {}: {error}", self.port))?;
        let port = server.server_addr().to_ip().map_or(self.port, |address| address.port());
        let token = token()?;
        let url = format!("http://127.0.0.1:{port}/{token}/");
        let shared = Arc::new(Shared {
            prefix: format!("/{token}/"),
            hosts: ["127.0.0.1", "localhost"].map(|name| match port {
                // Browsers leave the usual port out.
                80 => name.to_string(),
                _ => format!("{name}:{port}"),
            }),
            start: json!({
                "engine": format!("Freshet {}", env!("CARGO_PKG_VERSION")),
                "threads": settings.threads,
                "start": start,
            })
            .to_string(),
            settings,
            spare: Mutex::new(Some(Arc::new(first))),
            sessions: Mutex::default(),
            pages: Mutex::new(Pages { open: 0, gone: None }),
        });
        let end =
            if self.keep { "Ctrl-C ends it." } else { "Ctrl-C, or closing the page, ends it." };
        print(&format!("The board is at {url}\n{end}"));
        if !self.no_browser
            && let Err(error) = open::that_detached(&url)
        {
            print(&format!("No browser could be started ({error}): open the address yourself."));
        }
        loop {
            if let Some(request) = server.recv_timeout(BEAT)? {
                let shared = Arc::clone(&shared);
                // Without a thread the request is dropped, which answers it with status 500; the other pages
                // go on.
                if let Err(error) =
                    Builder::new().stack_size(STACK).spawn(move || shared.serve(request))
                {
                    log::error!("no thread for a request: {error}");
                }
            }
            if !self.keep && shared.is_left() {
                return Ok(Outcome::Success);
            }
        }
    }
}

/// The text of a file of games.
fn games(path: &Path) -> Result<String, CommandError> {
    let bytes = std::fs::read(path).map_err(FileError::io(path))?;
    if bytes.len() > MOST_BYTES / 2 {
        let most = MOST_BYTES >> 21;
        return Err(format!("{}: the board takes files up to {most} MB", path.display()).into());
    }
    Ok(files::decode(&bytes))
}

/// A random word of 128 bits that nobody can guess.
fn token() -> Result<String, CommandError> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(|error| format!("no random numbers: {error}"))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// The engines to make.
struct Settings {
    threads: usize,
    hash: usize,
    syzygy: Option<String>,
    weights: Option<Weights>,
}

impl Settings {
    fn session(&self) -> Result<Session, CommandError> {
        let mut service = Service::new(self.hash, self.threads)?;
        service.set_weights(self.weights.clone());
        if let Some(path) = &self.syzygy {
            let (tables, problems) = Tablebases::open(path, Probing::default());
            if let Some(problem) = problems.into_iter().next() {
                return Err(problem.into());
            }
            service.engine().set_tablebases(tables);
        }
        let running = Mutex::default();
        Ok(Session { service: Mutex::new(service), running, used: Mutex::new(Instant::now()) })
    }
}

/// The engine of a page.
struct Session {
    service: Mutex<Service>,
    /// The number of the last request, and what stops it.
    running: Mutex<(u64, Arc<StopFlag>)>,
    used: Mutex<Instant>,
}

impl Session {
    /// Ends what is running: the last request is now the one of this number and flag. Requests of a
    /// page that come at once may overtake one another; one with a lower number than the last is
    /// stopped at its beginning.
    fn interrupt(&self, number: Option<u64>, next: &Arc<StopFlag>) {
        let mut running = lock(&self.running);
        let number = number.unwrap_or(running.0);
        if number < running.0 {
            return next.stop();
        }
        let (_, last) = std::mem::replace(&mut *running, (number, Arc::clone(next)));
        last.stop();
    }
}

/// Pages that are open.
struct Pages {
    open: usize,
    /// When the last one was closed.
    gone: Option<Instant>,
}

/// All that requests share.
struct Shared {
    /// What every path begins with: the token between slashes.
    prefix: String,
    /// The values of `Host` that are this server.
    hosts: [String; 2],
    /// What the page begins with.
    start: String,
    settings: Settings,
    /// An engine for the next page.
    spare: Mutex<Option<Arc<Session>>>,
    sessions: Mutex<HashMap<String, Arc<Session>>>,
    pages: Mutex<Pages>,
}

/// Locks even if a thread panicked while holding it.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The value of a header.
fn header<'a>(request: &'a Request, name: &'static str) -> Option<&'a str> {
    let found = request.headers().iter().find(|header| header.field.equiv(name));
    found.map(|header| header.value.as_str())
}

/// The number that the page has given a request.
fn number(request: &Request) -> Option<u64> {
    header(request, "X-Number")?.parse().ok()
}

fn respond(request: Request, status: u16, kind: &str, body: &[u8]) {
    let mut response = Response::from_data(body).with_status_code(status);
    for (name, value) in HEADERS.into_iter().chain([("Content-Type", kind)]) {
        if let Ok(header) = Header::from_bytes(name, value) {
            response.add_header(header);
        }
    }
    // A page that has gone needs no answer.
    let _ = request.respond(response);
}

fn refuse(request: Request, status: u16, why: &str) {
    respond(request, status, "text/plain; charset=utf-8", format!("{why}\n").as_bytes());
}

/// A stream of events, each a chunk of its answer. It ends when it is dropped.
struct Events {
    writer: Mutex<Box<dyn Write + Send>>,
}

impl Events {
    fn new(request: Request) -> io::Result<Events> {
        let mut writer = request.into_writer();
        writer.write_all(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n")?;
        for (name, value) in HEADERS {
            write!(writer, "{name}: {value}\r\n")?;
        }
        writer.write_all(b"Transfer-Encoding: chunked\r\n\r\n")?;
        writer.flush()?;
        Ok(Events { writer: Mutex::new(writer) })
    }

    /// Sends an event of one line.
    fn say(&self, data: &str) -> io::Result<()> {
        self.send(&format!("data: {data}\n\n"))
    }

    /// Sends a comment, to learn whether anybody listens.
    fn ping(&self) -> io::Result<()> {
        self.send(":\n\n")
    }

    fn send(&self, text: &str) -> io::Result<()> {
        let mut writer = lock(&self.writer);
        write!(writer, "{:x}\r\n{text}\r\n", text.len())?;
        writer.flush()
    }
}

impl Drop for Events {
    fn drop(&mut self) {
        let mut writer = lock(&self.writer);
        // Ignored: the client may have disconnected.
        let _ = writer.write_all(b"0\r\n\r\n").and_then(|()| writer.flush());
    }
}

impl Shared {
    /// Whether the last page was closed some time ago.
    fn is_left(&self) -> bool {
        let pages = lock(&self.pages);
        pages.open == 0 && pages.gone.is_some_and(|gone| gone.elapsed() >= PAGE_WAIT)
    }

    fn serve(&self, request: Request) {
        let is_host =
            header(&request, "Host").is_some_and(|host| self.hosts.contains(&host.into()));
        let is_origin = header(&request, "Origin").is_none_or(|origin| {
            origin.strip_prefix("http://").is_some_and(|host| self.hosts.contains(&host.into()))
        });
        if !is_host || !is_origin {
            return refuse(request, 403, "wrong Host or Origin");
        }
        let path = request.url().split(['?', '#']).next().unwrap_or_default();
        let Some(place) = path.strip_prefix(&self.prefix).map(str::to_string) else {
            return refuse(request, 404, "not found");
        };
        match (request.method(), place.as_str()) {
            (Method::Get, "start") => {
                respond(request, 200, "application/json", self.start.as_bytes());
            }
            (Method::Get, "alive") => self.keep_alive(request),
            (Method::Post, "ask") => self.ask(request),
            (Method::Post, "stop") => {
                let page = header(&request, "X-Page").unwrap_or_default();
                let session = lock(&self.sessions).get(page).map(Arc::clone);
                if let Some(session) = session {
                    session.interrupt(number(&request), &Arc::default());
                }
                respond(request, 200, "text/plain", b"");
            }
            (Method::Get, place) => match FILES.iter().find(|(name, ..)| *name == place) {
                Some((_, kind, text)) => respond(request, 200, kind, text.as_bytes()),
                None => refuse(request, 404, "not found"),
            },
            _ => refuse(request, 405, "method not allowed"),
        }
    }

    /// Keeps a connection for as long as the page is open.
    fn keep_alive(&self, request: Request) {
        lock(&self.pages).open += 1;
        let page = request.url().split_once('?').map(|(_, page)| page.to_string());
        if let Ok(events) = Events::new(request) {
            while events.ping().is_ok() {
                std::thread::sleep(BEAT);
            }
        }
        // Its engine serves the next page.
        if let Some(session) = page.and_then(|page| lock(&self.sessions).remove(&page)) {
            session.interrupt(None, &Arc::default());
            *lock(&self.spare) = Some(session);
        }
        let mut pages = lock(&self.pages);
        pages.open -= 1;
        pages.gone = Some(Instant::now());
    }

    /// The engine of the page that asks.
    fn session(&self, request: &Request) -> Result<Arc<Session>, CommandError> {
        let page = header(request, "X-Page").unwrap_or_default().to_string();
        let mut sessions = lock(&self.sessions);
        if let Some(session) = sessions.get(&page) {
            *lock(&session.used) = Instant::now();
            return Ok(Arc::clone(session));
        }
        if sessions.len() >= MOST_PAGES {
            let oldest = sessions.iter().min_by_key(|(_, session)| {
                let is_busy = matches!(session.service.try_lock(), Err(TryLockError::WouldBlock));
                (is_busy, *lock(&session.used))
            });
            if let Some(oldest) = oldest.map(|(page, _)| page.clone())
                && let Some(session) = sessions.remove(&oldest)
            {
                session.interrupt(None, &Arc::default());
            }
        }
        let session = match lock(&self.spare).take() {
            Some(session) => {
                lock(&session.running).0 = 0;
                session
            }
            None => Arc::new(self.settings.session()?),
        };
        sessions.insert(page, Arc::clone(&session));
        Ok(session)
    }

    /// Answers a request of the page, event by event. The request before it ends.
    fn ask(&self, mut request: Request) {
        let mut body = String::new();
        let most = MOST_BYTES as u64 + 1;
        match request.as_reader().take(most).read_to_string(&mut body) {
            Ok(_) if body.len() <= MOST_BYTES => {}
            Ok(_) => return refuse(request, 413, "too long"),
            Err(_) => return refuse(request, 400, "not text"),
        }
        let session = match self.session(&request) {
            Ok(session) => session,
            Err(error) => return refuse(request, 500, &error.to_string()),
        };
        let stop = Arc::new(StopFlag::new());
        session.interrupt(number(&request), &stop);
        let Ok(events) = Events::new(request) else { return };
        let (end, ended) = channel::<()>();
        std::thread::scope(|scope| {
            let (events, stop) = (&events, &stop);
            // Without this thread the request is answered to its end, though the page may have gone.
            let _ = Builder::new().spawn_scoped(scope, move || {
                while let Err(RecvTimeoutError::Timeout) = ended.recv_timeout(BEAT) {
                    if events.ping().is_err() {
                        stop.stop();
                    }
                }
            });
            let mut service = lock(&session.service);
            service.answer(&body, stop, &mut |answer| {
                if events.say(answer).is_err() {
                    stop.stop();
                }
            });
            drop(end);
        });
    }
}
