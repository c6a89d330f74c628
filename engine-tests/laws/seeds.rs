//! Small seed inputs, one for each kind of content.

use freshet::board::{Epd, Position};
use freshet::book::{Book, Entry, code, key};
use freshet::score::Score;
use freshet::tools::bench::POSITIONS;
use freshet::tuning::data::Record;

fn bytes<'a>(texts: impl IntoIterator<Item = &'a str>) -> Vec<Vec<u8>> {
    texts.into_iter().map(|text| text.as_bytes().to_vec()).collect()
}

/// One line in `step` of a suite.
fn every(step: usize, suite: &str) -> impl Iterator<Item = &str> {
    suite.lines().filter(|line| !line.starts_with('#') && !line.is_empty()).step_by(step)
}

pub fn fen() -> Vec<Vec<u8>> {
    let mut seeds = bytes(POSITIONS);
    let suites = [
        include_str!("../suites/perft_chess960.epd"),
        include_str!("../suites/perft_tricky.epd"),
        include_str!("../suites/blocked.epd"),
    ];
    for (step, suite) in [40, 4, 60].into_iter().zip(suites) {
        let positions = Epd::lines(suite).filter_map(|(_, epd)| epd.ok()).step_by(step);
        seeds.extend(positions.map(|epd| epd.position.fen().into_bytes()));
    }
    seeds.extend(bytes([
        "",
        "8/8/8/8/8/8/8/8 w - - 0 1",
        "4k3/8/8/8/8/8/8/4K3 w - - 4294967295 4294967295",
        "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 3",
        "1rkr1bnq/pppppppp/8/8/8/8/PPPPPPPP/1RKR1BNQ w DBdb - 99 80",
        "QQQQQQQQ/QQQQQQQQ/8/8/8/8/qqqqqqqq/k6K w - -",
        "4k3/8/8/8/8/8/8/4K2R w KQkq e6 x y",
    ]));
    seeds
}

/// Numbers of different sizes: all forms of positions and of choices.
pub fn choices() -> Vec<Vec<u8>> {
    let mut seeds: Vec<Vec<u8>> = (0..48u8)
        .map(|seed| (0..40u8).map(|i| seed.wrapping_add(i.wrapping_mul(i ^ seed))).collect())
        .collect();
    // Kings, then pieces: rooks against pawns, queens, pawns that promote and castling.
    for pieces in [
        &[3u8, 3, 0, 4, 60, 16, 3, 0, 3, 7, 11, 56, 11, 63][..],
        &[1, 3, 1, 6, 62, 3, 0, 36, 8, 35, 8, 37, 7],
        &[1, 3, 0, 16, 40, 0, 0, 49, 8, 9, 0, 50, 7],
        &[2, 3, 0, 0, 63, 0, 4, 20, 12, 30, 4, 40, 7],
        &[3, 3, 0, 6, 57, 0, 0, 8, 8, 16, 0, 29, 8, 37, 0, 31, 8, 39, 7],
        &[1, 3, 200, 18, 0, 0, 2, 40, 7, 1, 2, 3, 4, 5, 6, 7, 8, 9],
    ] {
        seeds.push(pieces.to_vec());
        seeds.push([pieces, &[7, 1, 0, 1, 0, 2, 0, 3, 0, 4, 0]].concat());
    }
    seeds
}

pub fn san() -> Vec<Vec<u8>> {
    let mut seeds = bytes([
        "\ne4\ne5\nNf3\nNc6\nBb5\na6\nO-O\nd7d5\nexd6\n",
        "\ne2e4\ne7e5\ng1f3\nb8c6\nf1b5\na7a6\ne1g1\n",
        "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1\nO-O-O+\ne8c8\n",
        "1rkr4/8/8/8/8/8/8/1RKR4 w DBdb - 0 1\nc1d1\nc8b8\n",
        "8/P6k/8/8/8/8/p6K/8 w - - 0 1\na8=Q\na1=N\na7a8q\n",
        "k7/8/8/8/8/8/8/KQ2Q2Q w - - 0 1\nQbe4\nQh1e1\nQee4+\nQb7#\n",
        "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1\ndxe3\nKd2\n0000\nP@e4\n",
    ]);
    seeds.extend(every(50, include_str!("../suites/perft_chess960.epd")).map(|line| {
        format!("{}\nO-O\nO-O-O\n", line.split(';').next().unwrap_or_default()).into_bytes()
    }));
    seeds
}

pub fn epd() -> Vec<Vec<u8>> {
    let mut seeds = bytes([
        "4k3/8/8/8/8/8/4P3/4K3 w - - bm Kd2; id \"king; first\"; c0 \"\";\n",
        "4k3/8/8/8/8/8/4P3/4K3 w - - 3 17 ;D1 5 ;D2 25\n",
        "# comment\n\n4k3/8/8/8/8/8/4P3/4K3 w - - 0\r\nnothing\n",
        "4k3/8/8/8/8/8/4P3/4K3 w - - id \"not closed; am e4\n",
    ]);
    let suites = [
        include_str!("../suites/perft_tricky.epd"),
        include_str!("../suites/blocked_known.epd"),
        include_str!("../suites/blocked.epd"),
    ];
    seeds.extend(suites.into_iter().flat_map(|suite| bytes(every(12, suite))));
    seeds
}

pub fn pgn() -> Vec<Vec<u8>> {
    bytes([
        "[White \"A\"]\n[Black \"B\"]\n[Result \"1-0\"]\n\n1. e4 {+0.31/12 0.07s} e5 {-0.3/9 1s} \
         2. Nf3 (2. f4 exf4) Nc6 $1 3. Bb5! a6?? 1-0\n\n1. d4 d5 1/2-1/2\n",
        "[FEN \"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1\"]\n\n1. O-O-O+ Kf7 0-1\n",
        "[FEN \"nobody\"]\n\n1. e4 *\n",
        "[Event \"a \\\"quoted\\\" name\"]\n; a line\n% another\n1... e5 2. -- Nf6\n",
        "1. e4 e5 2. Bc4 Bc5 3. Qh5 Nf6 4. Qxf7# {0.00/3, White mates} 1-0\n",
        "eco\tname\tpgn\nA00\tName\t1. e4 c5\nB00\tOther\t1. e4\n",
        "[FEN \"8/P7/8/8/8/8/7k/K7 w - - 0 1\"] 1. a8=Q {+12.00/20} Kh3 {book} *",
    ])
}

pub fn polyglot() -> Vec<Vec<u8>> {
    let start = Position::start();
    let entries = start.moves().into_iter().zip(1..).map(|(m, weight)| Entry {
        key: key(&start),
        code: code(m),
        weight,
    });
    let mut seeds = vec![
        [&[0, 0][..], &Book::bytes(entries.collect())].concat(),
        [&[0, 2, 3, 4][..], &[8, 1, 9, 0, 8, 2, 5, 1, 0, 28, 3, 255, 255]].concat(),
        [&[0, 0][..], &[0; 17]].concat(),
    ];
    seeds.extend(choices().into_iter().take(12));
    seeds
}

pub fn hash_file() -> Vec<Vec<u8>> {
    let mut seeds = vec![
        b"\x00\x00\x00freshet-hash-1 1 3\nshort".to_vec(),
        b"\x00\x00\x00freshet-hash-1 2 0\n".to_vec(),
        b"\x01\x00\x00freshet-hash-1 1 255\nAb.".to_vec(),
        b"\x02\x00\x05\x01\x02\x03".to_vec(),
    ];
    // Entries with scores and depths of all sizes, bounds of all kinds.
    for seed in [0x0c7f_0010_7d00_031c_u64, 0x0fff_8000_8000_8fff, 0x07ff_7fff_7fff_1000] {
        let data = (0..30u64).flat_map(|i| seed.rotate_left(i as u32).to_le_bytes());
        seeds.push([3, 0, 1].into_iter().chain(data).collect());
    }
    // All entries the same, with scores that no search has.
    for data in [0x03ff_0000_8000_0000_u64, 0x03ff_0000_7fff_0000, 0x02ff_7fff_8001_0000] {
        let data = [data.to_le_bytes(); 101].concat();
        seeds.push([vec![3, 0, 0], data].concat());
    }
    seeds
}

pub fn weights() -> Vec<Vec<u8>> {
    bytes([
        "# a comment\n[Material]\nbishop_pair = 20,40 # more\n",
        "bishop_pair = 1,2 3,4\nno_such_term = 1,1\n",
        "passed_rank =\n    0,0 1,2 3,4 5,6 7,8 9,10 11,12 13,14\n",
        "bishop_pair = 99999,-99999\nbishop_pair = 1,\n 5,5\n",
        "razor, 260\nfutility, 90\n",
        "razor, 99999\nnothing, 3\nrazor 5\n",
    ])
}

pub fn data() -> Vec<Vec<u8>> {
    let record = |fen: &str, score, result| {
        let position = Position::from_fen(fen).expect("a legal FEN");
        Record::new(&position, Score::cp(score)).with_result(result).0
    };
    let mut seeds: Vec<Vec<u8>> = POSITIONS
        .chunks(6)
        .map(|fens| {
            let records = fens.iter().zip(0..).map(|(fen, i)| record(fen, 40 * i - 90, i % 3));
            std::iter::once(3).chain(records.flatten()).collect()
        })
        .collect();
    let one = record(POSITIONS[13], 5, 1);
    seeds.push([&[1, 64][..], &one, &one, b"1 64\n"].concat());
    seeds.push([&[1, 40][..], &one, b"12345678", b"1 32\n"].concat());
    seeds.push([&[1, 40][..], &one, b"12345678", b"1 40\n"].concat());
    seeds.push([&[1, 40][..], &one, b"12345678", b"3 18446744073709551616"].concat());
    seeds.push([&[2, 1][..], &[3, 0, 200, 7]].concat());
    seeds.push([&[0][..], &[255, 127, 0, 128, 1, 0]].concat());
    seeds
}

pub fn uci() -> Vec<Vec<u8>> {
    bytes([
        "uci\nisready\nucinewgame\nposition startpos moves e2e4 e7e5\ngo depth 3\nd\nquit\n",
        "setoption name MultiPV value 3\nsetoption name UCI_ShowWDL value true\nposition fen \
         8/8/1p1r1k2/p1pPN1p1/P3KnP1/1P6/8/3R4 b - - 0 1\ngo wtime 1000 btime 900 winc 10 binc 5 \
         movestogo 3\nisready\n",
        "go infinite\nisready\nstop\ngo ponder wtime 100 btime 100\nponderhit\nd\neval\n",
        "position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1\ngo searchmoves e1g1 e1h1 h1h8 mate 2\n\
         go perft 2\nperft 1\nbench 1 1 1 current depth\n",
        "setoption name UCI_Chess960 value true\n\
         1rkr1bnq/pppppppp/8/8/8/8/PPPPPPPP/1RKR1BNQ w DBdb - 0 1\ngo nodes 100\neval\nhelp\n",
        "setoption name SyzygyPath value tables\nsetoption name SyzygyProbeDepth value 4\n\
         position fen 8/8/8/8/8/1k6/1p6/1K2R3 w - - 0 1\ngo depth 4\n",
        "setoption name OwnBook value true\nsetoption name Book File value book\n\
         setoption name Best Book Move value true\ngo movetime 5\n",
        "setoption name Readable value true\ngo depth 4\nsetoption name Minimal value true\ngo\n",
        "setoption name Save Hash\nsetoption name Load Hash\nsetoption name Clear Hash\n\
         setoption name Hash value 2\nsetoption name Load Hash\nsetoption name Threads value 2\n\
         go depth 5\n",
        "setoption name UCI_LimitStrength value true\nsetoption name UCI_Elo value 700\ngo\n\
         setoption name UCI_AnalyseMode value true\ngo depth 2\nsetoption name Hash value 99999999\n",
        "setoption name Debug Log File value log\nxyzzy\ndebug on\nregister later\nposition fen\n\
         position startpos e2e4\nposition startpos moves e2e5\ngo depth x\ngo perft\n",
        "position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1\ngo\nposition fen \
         7k/8/8/6p1/1p4Pp/1P1p1p1P/1P1P1P1P/3K4 w - - 0 1\ngo depth 6\neval\n",
    ])
}
