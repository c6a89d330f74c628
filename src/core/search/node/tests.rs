//! Tests of what the search hands on from node to node: plies to the table, depths to the
//! re-searches, errors of the evaluation to the correction histories.

use std::sync::OnceLock;
use std::sync::atomic::AtomicU64;

use super::node_type::{NodeType, NonPv, Pv, Root};
use super::quiescence::quiescence;
use super::reductions::reduction;
use super::state::{Candidate, Node, Searched};
use super::{search_move, static_eval};
use crate::board::Position;
use crate::eval::evaluate;
use crate::score::Score;
use crate::search::order::corrections::MovesBeforeLast;
use crate::search::order::histories::{Context, NO_MOVE, piece_to};
use crate::search::root_moves::RootMoves;
use crate::search::shared::{Counts, Shared};
use crate::search::time::budget::Clock;
use crate::search::time::lag::Reserve;
use crate::search::time::stop::StopFlag;
use crate::search::window::Window;
use crate::search::worker::Worker;
use crate::search::{Bound, Limits, SearchResult, SearcherState, search};

fn position(fen: &str) -> Position {
    Position::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

/// Calls `work` with the only thread of a search without limits, in this position.
fn with_worker<T>(
    state: &mut SearcherState,
    position: &Position,
    work: impl FnOnce(&mut Worker<'_>) -> T,
) -> T {
    let SearcherState { table, threads, params, .. } = state;
    let (stop, limits) = (StopFlag::new(), Limits::default());
    let clock = Clock::new(&limits, position, Reserve { overhead: 0, clock: 0 }, &stop);
    let shared = Shared {
        table,
        clock: &clock,
        stop: &stop,
        limits: &limits,
        params: params.in_use(),
        weights: None,
        tablebases: None,
        multi_pv: 1,
        score_before: None,
        strength: None,
        node_limit: u64::MAX,
        solved: OnceLock::new(),
        counts: vec![Counts::default()],
        tablebase_hits: AtomicU64::new(0),
    };
    let roots = RootMoves::new(&position.moves(), None);
    let (thread, reporter) = (&mut threads[0], &mut ());
    let mut worker = Worker::new(0, position.clone(), thread, &shared, roots, reporter);
    worker.root_depth = 1;
    work(&mut worker)
}

/// Quiescence counts mates from the root of the search, and the table from the position: an entry
/// says the same at whatever ply it was stored.
#[test]
fn quiescence_stores_mates_as_seen_from_their_position() {
    for (fen, of_position) in [
        // Mated.
        ("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1", Score::mated_in(0)),
        // Qxf7#.
        ("r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 0 1", Score::mate_in(1)),
        // In check, with the only answer Rxe8, after which Rxe8 mates.
        ("3rR1k1/5ppp/8/8/8/8/8/4R1K1 b - - 0 1", Score::mated_in(2)),
    ] {
        for ply in [1, 2, 5, 30] {
            let (position, mut state) = (position(fen), SearcherState::new(1, 1).expect("one MiB"));
            let score = with_worker(&mut state, &position, |worker| {
                quiescence::<Pv>(worker, Window::FULL, ply).expect("nobody stops it")
            });
            let entry = state.table.probe(position.key()).expect("just stored");
            assert_eq!(entry.score(ply), score, "{fen} at ply {ply}");
            assert_eq!(entry.score(0), of_position, "{fen} at ply {ply}");
        }
    }
}

/// After a reduced search that raises alpha the move is searched to its full depth, with the null
/// window and, in a PV node, with the full window: the entry of the position after the move has
/// that depth.
fn check_depth_of_re_search<N: NodeType>(fen: &str, beta: impl Fn(Score) -> Score) {
    let parent = position(fen);
    let m = parent.parse_uci("h2h3").expect("a legal move");
    let mut child = parent.clone();
    child.play(m);
    // A little below the score of the move, so that it raises alpha and nothing is pruned away.
    let alpha = Score::cp(-evaluate(&child).raw() - 60);
    let window = Window { alpha, beta: beta(alpha) };
    let mut state = SearcherState::new(1, 1).expect("one MiB");
    // So shallow that neither internal reductions nor a raised alpha change the depth of the child.
    let (depth, new_depth) = (3, 2);
    let score = with_worker(&mut state, &parent, |worker| {
        let node = Node { improving: true, ..Node::new(worker, window, depth, 0, false) };
        let candidate = Candidate {
            m,
            quiet: true,
            gives_check: false,
            killer: false,
            history: 0,
            base_reduction: 4 * 1024,
        };
        // Not the best by so little that the re-search would be shallower.
        let best = Score::cp(alpha.raw() - 200);
        let searched = Searched { count: 9, ..Searched::none(best) };
        assert!(reduction::<N>(worker, &node, &candidate, 9) > 0, "{fen}: not reduced");
        let before = worker.prior_moves(0);
        let context = Context::new(worker.params, &parent, before, node.info.attacked);
        search_move::<N>(worker, &node, &context, &candidate, &searched, new_depth)
            .expect("nobody stops it")
    });
    assert!(score > alpha, "{fen}: {score} is not above {alpha}, nothing is searched again");
    let entry = state.table.probe(child.key()).expect("it was searched");
    assert!(entry.depth >= new_depth, "{fen}: depth {} of {new_depth}", entry.depth);
}

#[test]
fn re_searches_have_the_full_depth() {
    for fen in [
        "rnbqkb1r/ppp1pppp/5n2/3p4/3P4/5N2/PPP1PPPP/RNBQKB1R w KQkq - 2 3",
        "r1bq1rk1/ppp2ppp/2np1n2/2b1p3/2B1P3/2NP1N2/PPP2PPP/R1BQ1RK1 w - - 0 7",
        "r4rk1/pp3ppp/2p2n2/8/8/2P2N2/PP3PPP/R4RK1 w - - 0 20",
    ] {
        check_depth_of_re_search::<Root>(fen, |_| Window::FULL.beta);
        check_depth_of_re_search::<Pv>(fen, |_| Window::FULL.beta);
        check_depth_of_re_search::<NonPv>(fen, Score::bound_above);
    }
}

/// Where an error of the evaluation is learnt, White to move.
const LEARNT: &str = "4k1nr/7p/8/8/8/8/P7/RN2K3 w - - 0 1";

/// Positions that have one key of the correction histories in common with that one, or none.
const COMMON: [(&str, &str); 7] = [
    ("the pawns", "r2k4/1n5p/8/8/8/8/P5N1/3K3R w - - 0 1"),
    ("kings and minor pieces", "r3k1n1/6p1/8/8/8/8/1P6/1N2K2R w - - 0 1"),
    ("kings and major pieces", "1n2k2r/6p1/8/8/8/8/1P6/R3K1N1 w - - 0 1"),
    ("White's pieces", "rn1k4/6p1/8/8/8/8/1P6/RN2K3 w - - 0 1"),
    ("Black's pieces", "4k1nr/6p1/8/8/8/8/1P6/3K2NR w - - 0 1"),
    ("the moves before the last", "rn1k4/6p1/8/8/8/8/1P6/3K2NR w - - 0 1"),
    ("nothing", "rn1k4/6p1/8/8/8/8/1P6/3K2NR w - - 0 1"),
];

/// What is learnt in one position corrects the evaluation of others in the same direction, by each
/// table for itself: the positions have only the key of that table in common.
#[test]
fn every_correction_history_moves_the_evaluation_towards_the_search() {
    let learnt = position(LEARNT);
    let earlier: MovesBeforeLast =
        [("4k3/8/8/8/8/8/8/1N2K3 w - - 0 1", "b1c3"), ("4k1n1/8/8/8/8/8/8/4K3 b - - 0 1", "g8f6")]
            .map(|(fen, m)| {
                piece_to(&position(fen), position(fen).parse_uci(m).expect("a legal move"))
            });
    for (what, fen) in COMMON {
        let asked = position(fen);
        let before = if what.contains("moves") { earlier } else { [NO_MOVE; 2] };
        for error in [90, -90] {
            let mut state = SearcherState::new(1, 1).expect("one MiB");
            for _ in 0..20 {
                state.threads[0].memory[0].corrections.update(&learnt, earlier, error, 8);
            }
            let (plain, corrected, others) = with_worker(&mut state, &asked, |worker| {
                for (frame, piece_to) in worker.frames.iter_mut().zip(before) {
                    frame.piece_to = piece_to;
                }
                let raw = Score::cp(300);
                let [corrected, plain] = [worker.correction(3), 0]
                    .map(|by| static_eval::of(worker.params, &worker.position, raw, by));
                // The other side's errors are others.
                worker.position.play_null();
                worker.frames[0].piece_to = NO_MOVE;
                (plain, corrected, worker.correction(3))
            });
            let gained = corrected.raw() - plain.raw();
            let expected = if what == "nothing" { 0 } else { error.signum() };
            assert_eq!(gained.signum(), expected, "{what}, {error}: {gained} centipawns");
            assert_eq!(others, 0, "{what}, {error}: the other side to move");
        }
    }
}

/// Scores far from level are shown as they were evaluated, but for rounding, and mates stay mates.
#[test]
fn what_is_compressed_is_expanded_again() {
    let mut state = SearcherState::new(1, 1).expect("one MiB");
    with_worker(&mut state, &Position::default(), |worker| {
        for cp in [-29_000, -2_345, -301, -40, 0, 40, 299, 300, 1_200, 9_000] {
            let inner = static_eval::of(worker.params, &worker.position, Score::cp(cp), 0);
            let shown = static_eval::expand(worker.params, inner).raw();
            assert!((shown - cp).abs() < 4, "{cp} is shown as {shown}");
            assert!(cp.abs() <= 300 || inner.raw().abs() < cp.abs(), "{cp} is not compressed");
        }
        for decided in [Score::mate_in(7), Score::mated_in(4), Score::tablebase_win(3)] {
            assert_eq!(static_eval::expand(worker.params, decided), decided);
        }
    });
}

fn run(state: &mut SearcherState, position: &Position, limits: &Limits) -> SearchResult {
    let (stop, reserve) = (StopFlag::new(), Reserve { overhead: 0, clock: 0 });
    let clock = Clock::new(limits, position, reserve, &stop);
    search(position, limits, &clock, &stop, state, &mut ())
}

/// Its scores say nothing of the error of the evaluation.
#[test]
fn a_search_for_mate_teaches_no_corrections() {
    let mut state = SearcherState::new(4, 1).expect("four MiB");
    // By Paul Morphy: Ra6.
    let position: Position = "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1".parse().expect("legal");
    let limits = Limits { mate: Some(2), ..Limits::default() };
    assert_eq!(run(&mut state, &position, &limits).score, Score::mate_in(3));
    assert!(state.threads[0].memory[0].corrections.is_empty());
    run(&mut state, &position, &Limits::depth(4));
    assert!(!state.threads[0].memory[0].corrections.is_empty());
}

/// What the search for mates keeps in the table does not depend on the fifty-move rule.
#[test]
fn a_draw_by_fifty_moves_hides_no_mate_later() {
    let mut state = SearcherState::new(4, 1).expect("four MiB");
    let limits = Limits { mate: Some(3), ..Limits::default() };
    let mut score = |fifty: u32| {
        let fen = format!("k7/8/8/3K4/8/8/8/7R w - - {fifty} 80");
        let found = run(&mut state, &fen.parse().expect("legal"), &limits);
        (found.score, found.depth)
    };
    // Mate would come with the fifth ply, but the fourth is the hundredth without progress: a draw.
    assert!(!score(96).0.is_mate());
    // Depth 5: found by the mate search, not by the usual search after it.
    assert_eq!(score(0), (Score::mate_in(5), 5));
    assert!(!score(96).0.is_mate());
}

/// A node of the principal variation raises alpha and stays below beta: its score is exact.
#[test]
fn the_principal_variation_is_stored_as_exact() {
    let mut state = SearcherState::new(4, 1).expect("four MiB");
    let mut position = Position::start();
    let result = run(&mut state, &position, &Limits::depth(7));
    for &m in &result.line[..3] {
        position.play(m);
        let entry = state.table.probe(position.key()).expect("an entry");
        assert_eq!((entry.bound, entry.pv), (Bound::Exact, true), "{position}");
    }
}

/// The score of some moves is not that of the position.
#[test]
fn chosen_moves_leave_no_score_of_the_position() {
    let mut state = SearcherState::new(4, 1).expect("four MiB");
    // Qxd5 wins a rook; the chosen move leaves the queen to it.
    let fen = "4k3/pp6/8/3r4/8/8/3Q4/4K3 w - - 0 1";
    let position: Position = fen.parse().expect("a legal position");
    let chosen = position.parse_uci("e1e2").expect("legal");
    let limits = Limits { search_moves: vec![chosen], ..Limits::depth(6) };
    assert!(run(&mut state, &position, &limits).score.raw() < -300);
    // Nor an error of the evaluation. The replies are left to quiescence, which learns nothing.
    let mut fresh = SearcherState::new(4, 1).expect("four MiB");
    let shallow = Limits { search_moves: vec![chosen], ..Limits::depth(1) };
    run(&mut fresh, &position, &shallow);
    assert!(fresh.threads[0].memory[0].corrections.is_empty());
    let has_score = |state: &SearcherState| {
        state.table.probe(position.key()).is_some_and(|entry| entry.bound != Bound::None)
    };
    assert!(!has_score(&state));
    assert!(run(&mut state, &position, &Limits::depth(6)).score.raw() > 300);
    assert!(has_score(&state));
}
