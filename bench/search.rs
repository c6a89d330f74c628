//! Nodes a second on the bench positions: the median of several rounds of `freshet bench`.
//!
//!     cargo bench --bench search

use freshet::tools::bench;

fn main() {
    let rounds: Vec<bench::Measured> = (0..7).map(|_| bench::run()).collect();
    let mut speeds: Vec<f64> =
        rounds.iter().map(|round| round.nodes as f64 / round.time.as_secs_f64()).collect();
    speeds.sort_by(f64::total_cmp);
    assert!(
        rounds.iter().all(|round| round.nodes == rounds[0].nodes),
        "the same nodes in every round"
    );
    println!(
        "{}: {} nodes, {:.0} nodes a second (slowest {:.0}, fastest {:.0})",
        freshet::fill::BACKEND,
        rounds[0].nodes,
        speeds[speeds.len() / 2],
        speeds[0],
        speeds[speeds.len() - 1],
    );
}
