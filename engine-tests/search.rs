//! The search: mates, draws, limits, the same nodes every time.

use std::time::{Duration, Instant};

use freshet::board::{Move, Position};
use freshet::engine::Engine;
use freshet::score::Score;
use freshet::search::{
    Bound, Entry, Limits, Probing, Report, Reporter, SearchResult, StopFlag, Tablebases,
    TranspositionTable,
};
use rand::{Rng, RngExt};

use crate::support::{position, random};

fn search_with(
    fen: &str,
    limits: &Limits,
    threads: usize,
    reporter: &mut dyn Reporter,
) -> SearchResult {
    let position = position(fen);
    let mut engine = Engine::new(8, threads).expect("eight MiB");
    engine.set_move_overhead(20);
    engine.set_position(position);
    engine.go(limits, &StopFlag::new(), reporter)
}

fn search_fen(fen: &str, limits: &Limits) -> SearchResult {
    search_with(fen, limits, 1, &mut ())
}

fn depth(plies: i64) -> Limits {
    Limits { depth: Some(plies), ..Limits::default() }
}

#[test]
fn mates_are_found_and_counted() {
    let mates = [
        ("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", 1, "a1a8"),
        ("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", 3, "f6a6"),
        ("7k/8/5K2/8/8/8/8/R7 w - - 0 1", 2, ""),
        ("8/8/8/8/8/2k5/1q6/K7 w - - 0 1", 0, ""),
    ];
    for (fen, moves, best) in mates {
        let result = search_fen(fen, &depth(10));
        let position = position(fen);
        if moves > 0 {
            assert_eq!(result.score, Score::mate_in(2 * moves - 1), "{fen}");
            assert_eq!(result.line.len(), 2 * moves - 1, "{fen}: the line ends in mate");
            let mut end = position.clone();
            for &m in &result.line {
                end.play(m);
            }
            assert!(end.moves().is_empty() && end.checkers().any());
        } else {
            assert_eq!(result.score, Score::mated_in(0));
            assert!(result.line.is_empty());
        }
        if !best.is_empty() {
            assert_eq!(result.line.first().map(|&m| position.uci(m, false)).as_deref(), Some(best));
        }
    }
}

#[test]
fn lone_kings_are_mated() {
    for fen in ["8/8/8/4k3/8/8/8/3QK3 w - - 0 1", "2k5/8/3K4/8/8/8/8/7R w - - 0 1"] {
        let limits = Limits { nodes: Some(3_000_000), ..Limits::default() };
        let result = search_fen(fen, &limits);
        assert!(result.score.is_win(), "{fen}: {}", result.score);
    }
}

#[test]
fn a_repetition_is_better_than_a_loss() {
    // White is two queens behind but checks for ever.
    let result = search_fen("7k/6p1/8/4Q3/8/1q6/qq6/7K w - - 0 1", &depth(10));
    assert!(result.score.raw().abs() <= 2, "{}", result.score);
}

#[test]
fn nodes_are_exact_and_repeatable() {
    let start = Position::START;
    for nodes in [1, 2, 500, 12_345] {
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let result = search_fen(start, &limits);
        assert_eq!(result.nodes, nodes);
        assert!(!result.line.is_empty());
    }
    assert_eq!(search_fen(start, &depth(9)).nodes, search_fen(start, &depth(9)).nodes);
}

#[test]
fn only_the_chosen_moves() {
    let position = Position::start();
    let only: Vec<Move> =
        ["a2a3", "h2h4"].iter().filter_map(|text| position.parse_uci(text).ok()).collect();
    let limits = Limits { search_moves: only.clone(), ..depth(6) };
    let result = search_fen(Position::START, &limits);
    assert!(only.contains(&result.line[0]));
}

/// Checks every line that a search reports.
struct LineChecker {
    position: Position,
    lines: usize,
    last: Option<(Move, Bound)>,
}

impl Reporter for LineChecker {
    fn report(&mut self, report: &Report) {
        self.lines += 1;
        let mut position = self.position.clone();
        for (index, &m) in report.line.iter().enumerate() {
            assert!(position.is_legal(m, &position.check_info()), "{m:?} in {}", position.fen());
            position.play(m);
            let over = position.is_threefold() || position.is_fifty_move_draw();
            assert!(!over || index + 1 == report.line.len(), "the line goes on after a draw");
        }
        assert!(report.hashfull <= 1000);
        self.last = report.line.first().map(|&m| (m, report.bound));
    }
}

#[test]
fn lines_are_legal_and_end_at_a_draw() {
    for fen in freshet::tools::bench::POSITIONS {
        for nodes in [3000, 11_000, 40_000] {
            let mut checker = LineChecker { position: position(fen), lines: 0, last: None };
            let result = search_with(fen, &Limits::nodes(nodes), 1, &mut checker);
            assert!(checker.lines > 3);
            // The move played is the one reported last. If it failed high when the search was
            // stopped, its score is a lower bound, never an upper one.
            let (m, bound) = checker.last.expect("a line");
            assert_eq!(result.line.first(), Some(&m), "{fen} after {nodes} nodes");
            assert!([Bound::Exact, Bound::Lower].contains(&bound), "{fen} after {nodes} nodes");
        }
    }
}

#[test]
fn time_limits_hold() {
    let limits = Limits { move_time: Some(100), ..Limits::default() };
    let start = Instant::now();
    search_fen(Position::START, &limits);
    assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
}

#[test]
fn two_threads_find_a_legal_move_and_stop_together() {
    let limits = Limits { move_time: Some(200), ..Limits::default() };
    let result = search_with(freshet::tools::bench::POSITIONS[7], &limits, 2, &mut ());
    assert!(!result.line.is_empty());
}

#[test]
fn the_table_gives_back_what_it_was_given() {
    let mut table = TranspositionTable::new(1).expect("one MiB");
    let mut random = random(30);
    let position = Position::start();
    for m in position.moves() {
        let key = random.next_u64();
        let entry =
            Entry::new(Some(m), Score::mate_in(7), Some(Score::cp(-33)), 9, Bound::Lower, true, 3);
        table.store(key, entry);
        let kept = table.probe(key).expect("just stored");
        assert_eq!((kept.best, kept.depth, kept.bound, kept.pv), (Some(m), 9, Bound::Lower, true));
        // A mate is counted from the node: seen from ply 5 it is two plies further from the root.
        assert_eq!(kept.score(5), Score::mate_in(9));
        assert_eq!(kept.eval(), Some(Score::cp(-33)));
    }
    let key = random.random_range(1..u64::MAX);
    assert!(table.probe(key).is_none());
    table.clear(2);
    assert_eq!(table.hashfull(), 0);
    assert!(
        TranspositionTable::new(1 << 20).is_err(),
        "a tebibyte is more than any test machine has"
    );
}

#[test]
fn scores_are_written_for_guis() {
    assert_eq!(Score::cp(34).to_string(), "cp 34");
    assert_eq!(Score::mate_in(1).to_string(), "mate 1");
    assert_eq!(Score::mate_in(3).to_string(), "mate 2");
    assert_eq!(Score::mated_in(2).to_string(), "mate -1");
    assert_eq!(Score::mated_in(0).to_string(), "mate 0");
    // These mates from the other side's point of view.
    assert_eq!((-Score::mate_in(1)).to_string(), "mate -1");
    assert_eq!((-Score::mate_in(3)).to_string(), "mate -2");
    assert_eq!((-Score::mated_in(2)).to_string(), "mate 1");
    assert!(!Score::cp(1_000_000).is_mate());
    assert_eq!(Score::cp(29_900).plus(500), Score::MAX_EVAL);
}

/// The lines of each iteration, by number.
#[derive(Default)]
struct LineCollector(Vec<(i32, usize, Score, Move)>);

impl Reporter for LineCollector {
    fn report(&mut self, report: &Report) {
        self.0.push((report.depth, report.multi_pv, report.score, report.line[0]));
    }
}

#[test]
fn several_lines_come_in_order_and_never_more_than_moves() {
    for (fen, wanted) in [
        (Position::START, 4),
        ("7k/8/5K2/8/8/8/8/R7 w - - 0 1", 3),
        ("k7/8/1K6/8/8/8/8/8 b - - 0 1", 9),
    ] {
        let position = position(fen);
        let mut engine = Engine::new(8, 1).expect("eight MiB");
        engine.set_multi_pv(wanted);
        engine.set_position(position.clone());
        let mut collector = LineCollector::default();
        let result = engine.go(&depth(7), &StopFlag::new(), &mut collector);
        let count = wanted.min(position.moves().len());
        let last: Vec<_> = collector.0.iter().rev().take(count).rev().collect();
        for (index, (_, number, score, m)) in last.iter().enumerate() {
            assert_eq!(*number, index + 1, "{fen}");
            assert!(index == 0 || *score <= last[index - 1].2, "{fen}: {last:?}");
            assert!(last[..index].iter().all(|line| line.3 != *m), "{fen}: {m:?} twice");
        }
        assert_eq!(result.line.first(), Some(&last[0].3));
        assert!(collector.0.iter().all(|line| line.1 <= count));
    }
}

/// A search ends where every move ends the game, but not where only the last of several lines does.
#[test]
fn only_the_end_of_the_game_ends_a_search_early() {
    let last_depth = |fen: &str, moves: &[&str]| {
        let position = position(fen);
        let parse = |text: &&str| position.parse_uci(text).expect("a legal move");
        let limits =
            Limits { search_moves: moves.iter().map(parse).collect(), ..Limits::nodes(20_000) };
        let mut engine = Engine::new(8, 1).expect("eight MiB");
        engine.set_multi_pv(2);
        engine.set_position(position.clone());
        engine.go(&limits, &StopFlag::new(), &mut ()).depth
    };
    assert_eq!(last_depth("4k3/8/8/8/8/4K3/4P3/8 w - - 99 80", &[]), 9);
    let opening = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 99 60";
    assert!(last_depth(opening, &["e2e4", "g1f3"]) > 9);
}

/// The mate by bishop and knight is known, that by queen and bishop is not, but it is shorter.
#[test]
fn a_known_mate_is_no_reason_to_underpromote() {
    for fen in ["8/6KP/4k3/8/8/4B3/8/8 w - - 0 1", "8/6KP/4k3/8/8/4N3/8/8 w - - 0 1"] {
        for nodes in [5_000, 50_000] {
            let result = search_fen(fen, &Limits::nodes(nodes));
            assert_eq!(result.line[0].to_string(), "h7h8q", "{fen} {nodes}");
        }
    }
}

/// All reports of a search.
#[derive(Default)]
struct Reports(Vec<Report>);

impl Reporter for Reports {
    fn report(&mut self, report: &Report) {
        self.0.push(report.clone());
    }
}

/// When a search is stopped inside an iteration, the lines of the iteration before come as they came
/// then: a score never with the line of another search.
#[test]
fn the_lines_of_a_stopped_search_belong_to_their_scores() {
    let mut repeated = 0;
    let others = [
        "7k/p7/1R5K/6r1/6p1/6P1/8/8 w - - 0 1",
        "8/7p/5k2/5p2/p1p2P2/Pr1pPK2/1P1R3P/8 b - - 0 1",
        "2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - 0 1",
    ];
    for fen in freshet::tools::bench::POSITIONS.into_iter().chain(others) {
        let mut engine = Engine::new(8, 1).expect("eight MiB");
        engine.set_multi_pv(3);
        engine.set_position(position(fen));
        for nodes in (1000..12_000).step_by(1000) {
            engine.new_game();
            let mut reports = Reports::default();
            engine.go(&Limits::nodes(nodes), &StopFlag::new(), &mut reports);
            let (last, earlier): (Vec<_>, Vec<_>) =
                reports.0.iter().partition(|report| report.is_last && report.multi_pv > 1);
            for last in last {
                let mut same = earlier
                    .iter()
                    .filter(|report| report.depth == last.depth && report.line[0] == last.line[0]);
                let before = same.next().expect("the lines of a complete iteration are reported");
                assert_eq!((last.score, &last.line), (before.score, &before.line), "{fen} {nodes}");
                repeated += 1;
            }
        }
    }
    assert!(repeated > 10, "{repeated}");
}

fn with_tables(fen: &str, probing: Probing, limits: &Limits) -> (SearchResult, Engine) {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/engine-tests/suites/syzygy");
    let (tablebases, complaints) = Tablebases::open(folder, probing);
    assert!(complaints.is_empty() && tablebases.is_some(), "{complaints:?}");
    let mut engine = Engine::new(1, 1).expect("one MiB");
    engine.set_tablebases(tablebases);
    let result = engine.search(&position(fen), limits);
    (result, engine)
}

#[test]
fn endgame_tables_know_what_a_shallow_search_does_not() {
    // White takes the pawn: the tables decide after the capture.
    let win = "8/8/8/8/8/k6p/8/1K5R w - - 0 1";
    let (result, _) = with_tables(win, Probing::default(), &depth(2));
    assert!(result.score.is_win(), "{}", result.score);
    // Pawn endings at the root: won, drawn, lost.
    for (fen, sign) in [
        ("8/3k4/8/3K4/8/3P4/8/8 w - - 0 1", 1),
        ("8/3k4/8/3P4/3K4/8/8/8 w - - 0 1", 0),
        ("8/8/8/3k4/8/8/4PP2/4K3 b - - 0 1", -1),
    ] {
        let (result, _) = with_tables(fen, Probing::default(), &depth(3));
        let (score_sign, win) = (result.score.raw().signum(), result.score.is_decided());
        assert_eq!((score_sign, win), (sign, sign != 0), "{fen}: {}", result.score);
    }
    let off = Probing { limit: 0, ..Probing::default() };
    let (result, _) = with_tables("8/8/8/8/3k4/8/4PP2/4K3 w - - 0 1", off, &depth(2));
    assert!(!result.score.is_decided(), "no tables of so many pieces: {}", result.score);
}

#[test]
fn a_won_ending_is_won_before_the_fifty_moves_are_over() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/engine-tests/suites/syzygy");
    for fen in [
        "8/8/8/4k3/8/8/8/R3K3 w - - 60 1",
        "8/3k4/8/8/8/2K5/1P6/8 w - - 90 100",
        "7k/8/8/8/8/8/8/KQ6 w - - 70 1",
    ] {
        let mut engine = Engine::new(1, 1).expect("one MiB");
        engine.set_tablebases(Tablebases::open(folder, Probing::default()).0);
        let mut position = position(fen);
        loop {
            let Some(&m) = engine.search(&position, &depth(4)).line.first() else { break };
            position.play(m);
            assert!(
                !position.is_fifty_move_draw() && !position.is_threefold(),
                "{fen}: {}",
                position.fen()
            );
        }
        assert!(position.checkers().any() && position.moves().is_empty(), "{fen}: mate");
    }
}

#[test]
fn damaged_tables_are_told_and_left_out() {
    let folder = std::env::temp_dir().join(format!("freshet tables {}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    std::fs::write(folder.join("KRvK.rtbw"), b"not a table").expect("a file");
    std::fs::write(folder.join("notes.txt"), b"nor this").expect("a file");
    let real = concat!(env!("CARGO_MANIFEST_DIR"), "/engine-tests/suites/syzygy");
    let both = std::env::join_paths([folder.as_path(), "/no/such/folder".as_ref(), real.as_ref()])
        .expect("a list");
    let (tables, complaints) = Tablebases::open(&both.to_string_lossy(), Probing::default());
    assert_eq!(complaints.len(), 2, "{complaints:?}");
    let files = std::fs::read_dir(real).expect("the tables are there").count();
    assert!(tables.is_some_and(|tables| tables.files == files && tables.max_pieces() == 4));
    std::fs::remove_dir_all(&folder).expect("our own folder");
}

#[test]
fn a_repetition_that_one_move_makes_is_foreseen() {
    let mut position = Position::start();
    for text in ["g1f3", "g8f6", "f3g1"] {
        position.play(position.parse_uci(text).expect("a legal move"));
        // Black can repeat the first position only now, and only positions inside the search count.
        assert_eq!(position.can_repeat(9), text == "f3g1");
    }
    assert!(!position.can_repeat(3), "the first position is the root");
    // A bishop whose way back is blocked.
    let mut position =
        Position::from_fen("4k3/8/8/8/8/8/4P3/3BK2n w - - 0 1").expect("a legal FEN");
    for text in ["d1a4", "e8f8", "a4c2"] {
        position.play(position.parse_uci(text).expect("a legal move"));
    }
    assert!(!position.can_repeat(9));
    // Compare with brute force: whether some move leads to an earlier position.
    let mut random = random(31);
    let (mut yes, mut no) = (0, 0);
    for _ in 0..300 {
        let mut position =
            Position::from_fen("4k2r/8/2n5/8/8/5N2/8/R3K2B w - - 0 1").expect("a legal FEN");
        for ply in 1..40 {
            let moves = position.moves();
            if moves.is_empty() {
                break;
            }
            position.play(moves[random.random_range(0..moves.len())]);
            let brute = position.moves().into_iter().any(|m| {
                let quiet = !position.is_noisy(m);
                position.play(m);
                let back = quiet && position.fifty() > 0 && position.is_repetition(ply + 1);
                position.undo();
                back
            });
            assert_eq!(position.can_repeat(ply), brute, "{} after {ply} plies", position.fen());
            yes += u32::from(brute);
            no += u32::from(!brute);
        }
    }
    assert!(yes > 30 && no > 1000, "{yes} {no}");
}

/// The node count of the bench is the declared signature, which every functional change updates.
#[test]
fn the_bench_has_its_signature() {
    assert_eq!(freshet::tools::bench::run().nodes, freshet::tools::bench::SIGNATURE);
}

/// The side that loses by the tables takes a draw by repetition when offered.
#[test]
fn the_losing_side_repeats() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/engine-tests/suites/syzygy");
    let mut engine = Engine::new(1, 1).expect("one MiB");
    engine.set_tablebases(Tablebases::open(folder, Probing::default()).0);
    let mut game = position("8/8/6K1/k7/8/7R/8/8 w - - 61 2");
    for text in ["g6g7", "a5a6", "g7g6", "a6a5", "g6g7", "a5a6", "g7g6"] {
        game.play(game.parse_uci(text).expect("a legal move"));
    }
    let result = engine.search(&game, &depth(4));
    assert_eq!(result.line[0].to_string(), "a6a5");
    assert_eq!(result.score, Score::DRAW);
}

/// Searches of a single node win a won ending, even after earlier repetitions.
#[test]
fn a_won_ending_is_won_after_repetitions() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/engine-tests/suites/syzygy");
    let mut engine = Engine::new(1, 1).expect("one MiB");
    engine.set_tablebases(Tablebases::open(folder, Probing::default()).0);
    let mut random = random(33);
    for _ in 0..20 {
        let mut game = position("8/8/8/3k4/8/8/8/R3K3 w - - 0 1");
        for text in ["e1e2", "d5d6", "e2e1", "d6d5"] {
            game.play(game.parse_uci(text).expect("a legal move"));
        }
        loop {
            let Some(&m) = engine.search(&game, &Limits::nodes(1)).line.first() else { break };
            game.play(m);
            assert!(!game.is_draw(0), "{}", game.fen());
            let replies = game.moves();
            if replies.is_empty() {
                break;
            }
            // Half of the time the defender steps back, if it can.
            let back = replies.iter().copied().find(|&reply| {
                game.play(reply);
                let repeats = game.has_repeated();
                game.undo();
                repeats
            });
            let any = replies[random.random_range(0..replies.len())];
            game.play(back.filter(|_| random.random()).unwrap_or(any));
        }
        assert!(game.checkers().any() && game.moves().is_empty(), "mate: {}", game.fen());
    }
}

/// Captures without end do not hold up the clock in the first iteration.
#[test]
fn the_clock_is_looked_at_in_the_first_iteration() {
    let start = Instant::now();
    let result = search_fen(
        "QR1bK3/r4QBk/4Qr2/2R1q1Q1/Q4Qq1/1q2q1Qb/4qqqQ/NNn4n w - - 0 1",
        &Limits::move_time(100),
    );
    assert!(!result.line.is_empty());
    assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
}

/// An evaluation that solves a pawn structure takes as long as hundreds of nodes: with kings alone,
/// and with a piece beside locked pawns.
#[test]
fn the_clock_is_looked_at_after_a_structure_was_solved() {
    let nodes_after_stop = |fen| {
        let mut engine = Engine::new(1, 1).expect("one MiB");
        engine.set_position(position(fen));
        let stop = StopFlag::new();
        stop.stop();
        engine.go(&Limits::default(), &stop, &mut ()).nodes
    };
    // In the second, a capture in check leaves a piece and locked pawns.
    for solved in ["8/3p1k2/3P4/8/8/2P5/5K2/8 w - - 0 1", "8/5k2/p7/P2p4/3P4/8/5p2/4KR2 w - - 0 1"]
    {
        let nodes = nodes_after_stop(solved);
        assert!(nodes < 5, "{nodes} in {solved}");
    }
    let none = nodes_after_stop("8/3p1k2/7n/8/8/7N/3P1K2/8 w - - 0 1");
    assert!(none > 15, "{none}");
}

/// With several lines, the move that is played is the first of the last `multipv 1` line, wherever
/// the search was stopped.
#[test]
fn the_best_move_is_that_of_the_first_line() {
    for fen in freshet::tools::bench::POSITIONS {
        let mut engine = Engine::new(1, 1).expect("one MiB");
        engine.set_multi_pv(3);
        engine.set_position(position(fen));
        for nodes in [50, 700, 3000, 9000, 20_000] {
            let mut collector = LineCollector::default();
            let result = engine.go(&Limits::nodes(nodes), &StopFlag::new(), &mut collector);
            let first = collector.0.iter().rev().find(|line| line.1 == 1).expect("a first line");
            assert_eq!(result.line[0], first.3, "{fen} after {nodes} nodes");
            assert_eq!(result.score, first.2, "{fen} after {nodes} nodes");
        }
    }
}

/// The transposition table ignores the fifty-move rule, so its entry of a won ending must not be
/// used when the rule is about to draw the game.
#[test]
fn the_table_is_not_believed_near_the_fifty_move_rule() {
    let mut engine = Engine::new(8, 1).expect("eight MiB");
    let won = engine.search(&position("8/8/8/4k3/8/8/8/R3K3 w - - 0 1"), &depth(14));
    assert!(won.score > Score::cp(300), "{}", won.score);
    let drawn = engine.search(&position("8/8/8/4k3/8/8/8/R3K3 w - - 97 100"), &depth(6));
    assert!(drawn.score < Score::cp(50), "{}", drawn.score);
}

/// After `new_game` a search repeats the first one. Without it, the search profits from earlier
/// results.
#[test]
fn a_new_game_forgets_everything() {
    let mut engine = Engine::new(8, 1).expect("eight MiB");
    let start = Position::start();
    let first = engine.search(&start, &depth(9)).nodes;
    assert_ne!(engine.search(&start, &depth(9)).nodes, first);
    engine.new_game();
    assert_eq!(engine.search(&start, &depth(9)).nodes, first);
    engine.clear();
    assert_eq!(engine.search(&start, &depth(9)).nodes, first);
}

/// A table that is loaded has the age with which it was saved.
#[test]
fn a_saved_table_keeps_its_age() {
    let path = std::env::temp_dir().join(format!("freshet age {}", std::process::id()));
    let mut table = TranspositionTable::new(1).expect("one MiB");
    for _ in 0..3 {
        table.new_search();
    }
    let mut random = random(35);
    for m in Position::start().moves().into_iter().cycle().take(30_000) {
        let entry = Entry::new(Some(m), Score::DRAW, None, 5, Bound::Exact, false, 0);
        table.store(random.next_u64(), entry);
    }
    table.save(&path).expect("it can be written");
    let mut loaded = TranspositionTable::new(1).expect("one MiB");
    loaded.load(&path).expect("it can be read");
    std::fs::remove_file(&path).expect("our own file");
    assert!(table.hashfull() > 200);
    assert_eq!(loaded.hashfull(), table.hashfull());
}

/// Stalemate is a draw in the search, however tempting the position looks.
#[test]
fn stalemate_is_a_draw() {
    let result = search_fen("k7/P7/2K5/8/8/8/8/2B5 w - - 0 1", &depth(6));
    assert!(result.score.raw().abs() <= 2, "{}", result.score);
}

/// A search stopped after it found a better move returns that move with its own score, which
/// usually differs from the previous move's.
#[test]
fn a_new_best_move_has_its_own_score() {
    let (mut changed, mut same) = (0, 0);
    for fen in freshet::tools::bench::POSITIONS {
        for nodes in (1..40).map(|step| 150 * step) {
            let mut engine = Engine::new(1, 1).expect("one MiB");
            engine.set_position(position(fen));
            let mut collector = LineCollector::default();
            let result = engine.go(&Limits::nodes(nodes), &StopFlag::new(), &mut collector);
            // The last line comes from an iteration that was not completed.
            let complete = collector.0.iter().rev().find(|line| line.0 == result.depth);
            if let Some((_, _, score, m)) = complete.filter(|line| line.3 != result.line[0]) {
                changed += 1;
                same += u32::from(*score == result.score);
                assert_ne!(Some(m), result.line.first());
            }
        }
    }
    assert!(changed > 20 && 4 * same < changed, "{same} of {changed}");
}

/// Root moves are numbered from 1, all of them in every iteration.
#[test]
fn root_moves_are_numbered() {
    struct Numbers(Vec<(i32, usize)>);
    impl Reporter for Numbers {
        fn report(&mut self, _: &Report) {}
        fn current_move(&mut self, depth: i32, _: Move, number: usize, _: Duration) {
            self.0.push((depth, number));
        }
    }
    let mut numbers = Numbers(Vec::new());
    search_with(Position::START, &depth(3), 1, &mut numbers);
    let expected: Vec<_> = (1..=3).flat_map(|depth| (1..=20).map(move |n| (depth, n))).collect();
    assert_eq!(numbers.0, expected);
}

/// Entries of the same bucket, which the highest bits of the key choose.
fn keys_of_one_bucket() -> impl Iterator<Item = u64> {
    (1..).map(|low| 0x1234_5678_9abc_0000 | low)
}

#[test]
fn the_oldest_entry_is_replaced_first() {
    let mut table = TranspositionTable::new(1).expect("one MiB");
    let keys: Vec<u64> = keys_of_one_bucket().take(5).collect();
    for &key in &keys {
        table.new_search();
        table.store(key, Entry::new(None, Score::DRAW, None, 10, Bound::Lower, false, 0));
    }
    let left: Vec<bool> = keys.iter().map(|&key| table.probe(key).is_some()).collect();
    assert_eq!(left, [false, true, true, true, true]);
}

#[test]
fn the_shallowest_entry_of_one_search_is_replaced_first() {
    let table = TranspositionTable::new(1).expect("one MiB");
    let keys: Vec<u64> = keys_of_one_bucket().take(5).collect();
    for (&key, depth) in keys.iter().zip([9, 4, 7, 8, 5]) {
        table.store(key, Entry::new(None, Score::DRAW, None, depth, Bound::Lower, false, 0));
    }
    let left: Vec<bool> = keys.iter().map(|&key| table.probe(key).is_some()).collect();
    assert_eq!(left, [true, false, true, true, true]);
}

#[test]
fn the_move_of_an_entry_is_kept() {
    let table = TranspositionTable::new(1).expect("one MiB");
    let best = Position::start().moves().first().copied();
    table.store(5, Entry::new(best, Score::cp(3), None, 4, Bound::Lower, false, 0));
    table.store(5, Entry::new(None, Score::cp(1), None, 8, Bound::Upper, false, 0));
    let kept = table.probe(5).expect("just stored");
    assert_eq!((kept.best, kept.depth, kept.bound), (best, 8, Bound::Upper));
}

#[test]
fn mates_are_counted_from_the_node() {
    for (stored, seen) in [
        (Score::mate_in(7), Score::mate_in(9)),
        (Score::mated_in(8), Score::mated_in(10)),
        (Score::tablebase_win(4), Score::tablebase_win(6)),
        (-Score::tablebase_win(4), -Score::tablebase_win(6)),
        (Score::cp(-700), Score::cp(-700)),
    ] {
        let entry = Entry::new(None, stored, None, 1, Bound::Exact, false, 3);
        assert_eq!((entry.score(3), entry.score(5)), (stored, seen));
    }
}

/// A stored score replaces the evaluation only if its bound says that the true value lies beyond
/// it.
#[test]
fn bounds_refine_the_evaluation() {
    let refined = |bound, score| {
        let entry = Entry::new(None, Score::cp(score), None, 1, bound, false, 0);
        entry.refine(Score::cp(50), 0).raw()
    };
    assert_eq!((refined(Bound::Lower, 80), refined(Bound::Lower, 20)), (80, 50));
    assert_eq!((refined(Bound::Upper, 80), refined(Bound::Upper, 20)), (50, 20));
    assert_eq!((refined(Bound::Exact, 80), refined(Bound::Exact, 20)), (80, 20));
    assert_eq!(refined(Bound::None, 80), 50);
}
