//! Terms: everything the evaluation counts, each declared once.
//!
//! [`Terms`] with [`Phased`](super::phased::Phased) in its fields is the table of weights; with
//! `i32` it holds the counts of one side of a position. The sum of counts times weights is the
//! evaluation before the nonlinear steps of `total.rs`.

use super::wording::{About, Special, Wording, does, fact, has};
use crate::chess::Role;

/// A group of related terms, counted by one file of the evaluation, in the order of the table that
/// `eval` shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TermGroup {
    /// Material, imbalance, the bishop pair, the tempo.
    Material,
    /// Piece-square tables: one for each piece, and more for phalanxes, supported pawns, candidates
    /// and passed pawns.
    Squares,
    /// Maps over sets of squares found by fills: attacked, controlled, reachable.
    Fills,
    /// Mobility and what helps it: open files, outposts.
    Mobility,
    /// Doubled, isolated and backward pawns, and levers.
    Pawns,
    /// Passed pawns: advance, stop square, king distances, rooks behind.
    Passers,
    /// King safety: pawn shelter and pawn storm in front of our king.
    King,
    /// Threats, and how pieces and pawns are attacked and defended.
    Threats,
    /// Space, mating a bare king.
    Territory,
    /// King safety: king danger, the attack on the enemy king.
    Danger,
    /// The initiative: how likely the side that is ahead is to win.
    Initiative,
    /// Scale factors of the endgame.
    Scale,
}

/// The weights in a row of a table by side to move: four columns, each with one weight for the
/// enemy to move and one for us to move. Such tables are `defence`, `pinned` and `passed_stop`;
/// `en_prise` is one row of three columns.
const ROW: usize = 8;

/// The index of a weight of such a table.
#[inline(always)]
pub(crate) fn cell(row: usize, column: usize, to_move: bool) -> usize {
    ROW * row + 2 * column + usize::from(to_move)
}

/// The row and the column of a weight of such a table.
#[doc(hidden)]
pub fn row_and_column(index: usize) -> (usize, usize) {
    (index / ROW, index % ROW / 2)
}

/// The [sum](super::total::Sums) to which the terms of a group are added.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Centipawns of the evaluation.
    Value,
    /// The strength of an attack on the king, which a formula in `total.rs` turns into centipawns.
    Danger,
    /// Centipawns for the side that is ahead in the endgame.
    Initiative,
    /// The scale factor of the endgame value, in 64ths.
    Scale,
}

impl Purpose {
    /// All of them, in the order of declaration.
    #[doc(hidden)]
    pub const ALL: [Purpose; 4] =
        [Purpose::Value, Purpose::Danger, Purpose::Initiative, Purpose::Scale];
}

impl TermGroup {
    /// All groups, in the order of declaration.
    #[doc(hidden)]
    pub const ALL: [TermGroup; 12] = [
        TermGroup::Material,
        TermGroup::Squares,
        TermGroup::Fills,
        TermGroup::Mobility,
        TermGroup::Pawns,
        TermGroup::Passers,
        TermGroup::King,
        TermGroup::Threats,
        TermGroup::Territory,
        TermGroup::Danger,
        TermGroup::Initiative,
        TermGroup::Scale,
    ];

    /// The title in tables.
    #[doc(hidden)]
    pub fn title(self) -> &'static str {
        match self {
            TermGroup::Material => "Material",
            TermGroup::Squares => "Piece squares",
            TermGroup::Fills => "Squares attacked and reached",
            TermGroup::Mobility => "Mobility",
            TermGroup::Pawns => "Pawn structure",
            TermGroup::Passers => "Passed pawns",
            TermGroup::King => "King shelter",
            TermGroup::Threats => "Threats and defence",
            TermGroup::Territory => "Space and bare kings",
            TermGroup::Danger => "Attack on the king",
            TermGroup::Initiative => "Initiative",
            TermGroup::Scale => "Endgame scale",
        }
    }

    /// The sum to which its terms are added.
    pub fn purpose(self) -> Purpose {
        match self {
            TermGroup::Danger => Purpose::Danger,
            TermGroup::Initiative => Purpose::Initiative,
            TermGroup::Scale => Purpose::Scale,
            _ => Purpose::Value,
        }
    }
}

/// The name of a term and what it counts, in words for people who do not know the code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TermInfo {
    /// The group that counts the term.
    pub group: TermGroup,
    /// The name in the source and in files: `passed_rank`.
    pub name: &'static str,
    /// The title in tables, unique among terms: `passed pawns by rank`.
    pub title: &'static str,
    /// The meaning of a count, in one sentence.
    pub legend: &'static str,
    /// What it is about: terms about the same are told together.
    pub about: About,
    /// How a change of it is told.
    pub wording: Wording,
    /// The number of weights.
    pub size: usize,
}

/// Declares [`Terms`] and [`TERMS`]: for each group its terms, and for each term what one count of
/// it is, how many weights it has, its title, its legend, what it is about and how a change is told.
macro_rules! terms {
    ($($group:ident { $(
        $(#[doc = $doc:literal])+ $name:ident: $size:literal = $title:literal, $legend:literal,
        $about:ident $(($role:expr))?, $wording:expr;
    )+ })+) => {
        /// One or more values for each term of the evaluation.
        #[derive(Clone, Debug, PartialEq)]
        pub struct Terms<T> {
            $($($(#[doc = $doc])+ pub $name: [T; $size],)+)+
        }

        /// All terms, in the order of declaration.
        pub const TERMS: &[TermInfo] = &[$($(TermInfo {
            group: TermGroup::$group,
            name: stringify!($name),
            title: $title,
            legend: $legend,
            about: About::$about $(($role))?,
            wording: $wording,
            size: $size,
        }),+),+];

        /// The names of the terms as constants, so that a misspelt name does not compile.
        #[allow(non_upper_case_globals, missing_docs)]
        pub mod name {
            $($(pub const $name: &str = stringify!($name);)+)+
        }

        impl<T: Copy> Terms<T> {
            /// Terms with `value` in every place.
            pub const fn all(value: T) -> Terms<T> {
                Terms { $($($name: [value; $size],)+)+ }
            }

            /// Visits every term in the order of declaration: its group, its name and its row.
            pub fn each(&self, mut visit: impl FnMut(TermGroup, &'static str, &[T])) {
                $($(visit(TermGroup::$group, stringify!($name), &self.$name);)+)+
            }

            /// Visits every row in the order of declaration, to change its values.
            pub fn each_mut(&mut self, mut visit: impl FnMut(&mut [T])) {
                $($(visit(&mut self.$name);)+)+
            }
        }
    };
}

terms! {
    Material {
        /// Pawn, knight, bishop, rook, queen.
        material: 5 = "pieces and pawns", "The value of pieces and pawns on the board.",
            Material, Wording::Total;
        /// The bishop pair: bishops on both square colours.
        bishop_pair: 1 = "bishop pair", "Bishops on both square colours.",
            Material, fact("{side} now has the bishop pair", "{side} no longer has the bishop pair");
        /// A knight, for each own pawn.
        knight_pawns: 1 = "knights by the number of pawns",
            "Knights are worth more with many pawns of their own side.",
            Material, Wording::Total;
        /// A rook, for each own pawn.
        rook_pawns: 1 = "rooks by the number of pawns",
            "How the value of rooks changes with the number of own pawns.",
            Material, Wording::Total;
        /// Imbalance of own pieces, by pairs of two: two knights, bishop and knight, rook and
        /// knight, rook and bishop, two rooks, queen and knight, queen and bishop, queen and rook,
        /// queen and pawn, bishop and pawn.
        imbalance_own: 10 = "combinations of own pieces",
            "Own pieces that work together better or worse than each alone, such as two rooks or a queen and a knight.",
            Material, Wording::Total;
        /// Imbalance of own pieces against the enemy's: knight, bishop, rook and queen for each
        /// enemy pawn, bishop for each knight, rook for each knight and bishop, queen for each
        /// knight, bishop and rook.
        imbalance_enemy: 10 = "own pieces against unlike ones",
            "Own pieces against unlike enemy pieces, such as a queen against rooks or a bishop against pawns.",
            Material, Wording::Total;
        /// Tempo: we are to move.
        tempo: 1 = "side to move", "It is this side's turn to move.",
            Move, Wording::Total;
    }
    Squares {
        /// Piece-square table of the pawn, a1 to h8 for a side that moves north. In this group and
        /// the next the files are mirrored where our king stands on the files a to d, unless the
        /// term says otherwise.
        pawn_psqt: 64 = "pawn squares", "Where the pawns stand, seen from the wing of their own king.",
            Pawns, does("{side}'s pawns", "now stand on %", "no longer stand on %");
        /// Piece-square table of the knight.
        knight_psqt: 64 = "knight squares", "Where the knights stand.",
            Pieces(Role::Knight), does("{side}'s knights", "now stand on %", "no longer stand on %");
        /// Piece-square table of the bishop.
        bishop_psqt: 64 = "bishop squares", "Where the bishops stand.",
            Pieces(Role::Bishop), does("{side}'s bishops", "now stand on %", "no longer stand on %");
        /// Piece-square table of the rook.
        rook_psqt: 64 = "rook squares", "Where the rooks stand.",
            Pieces(Role::Rook), does("{side}'s rooks", "now stand on %", "no longer stand on %");
        /// Piece-square table of the queen.
        queen_psqt: 64 = "queen squares", "Where the queens stand.",
            Pieces(Role::Queen), does("{side}'s queens", "now stand on %", "no longer stand on %");
        /// Piece-square table of the king.
        king_psqt: 64 = "king square", "Where the king stands.",
            King, does("the {own} king", "now stands on %", "no longer stands on %");
        /// A phalanx: a pawn beside another.
        phalanx: 64 = "pawns side by side", "Pawns next to each other on a rank.",
            Pawns, has("a pawn beside another on", "pawns beside others on");
        /// A pawn defended by a pawn.
        supported: 64 = "pawns defended by pawns", "Pawns that a pawn of their own side defends.",
            Pawns, has("a pawn defended by a pawn on", "pawns defended by pawns on");
        /// A candidate passed pawn: not passed yet, no pawn in front of it, and own pawns beside or
        /// behind to help it.
        candidate_passer: 64 = "candidate passed pawns",
            "Pawns on a half-open file that own pawns can help to become passed.",
            Passers, has("a candidate passed pawn on", "candidate passed pawns on");
        /// Piece-square table of passed pawns.
        passed_psqt: 64 = "passed pawn squares", "Where the passed pawns stand.",
            Passers, has("a passed pawn on", "passed pawns on");
        /// A passed pawn whose whole way to promotion is free and not attacked.
        passed_safe_path: 64 = "passed pawns with a free path",
            "Passed pawns whose whole path to promotion is empty and not attacked.",
            Passers, has("a passed pawn with a free and safe path on", "passed pawns with a free and safe path on");
        /// Piece-square table of the pawn, with files mirrored by the enemy king instead of ours.
        pawn_psqt_enemy_king: 64 = "pawns against the king's wing",
            "Where the pawns stand, seen from the enemy king's wing.",
            Pawns, Wording::Total;
    }
    Fills {
        /// A square our pawns attack. This and the next six maps are mirrored by the enemy king.
        pawn_attacks: 64 = "squares attacked by pawns", "Which squares the pawns attack.",
            Pawns, does("{side}'s pawns", "now attack %", "no longer attack %");
        /// A square our knights attack.
        knight_attacks: 64 = "squares attacked by knights", "Which squares the knights attack.",
            Pieces(Role::Knight), does("{side}'s knights", "now attack %", "no longer attack %");
        /// A square our bishops attack.
        bishop_attacks: 64 = "squares attacked by bishops", "Which squares the bishops attack.",
            Pieces(Role::Bishop), does("{side}'s bishops", "now attack %", "no longer attack %");
        /// A square our rooks attack.
        rook_attacks: 64 = "squares attacked by rooks", "Which squares the rooks attack.",
            Pieces(Role::Rook), does("{side}'s rooks", "now attack %", "no longer attack %");
        /// A square our queens attack.
        queen_attacks: 64 = "squares attacked by queens", "Which squares the queens attack.",
            Pieces(Role::Queen), does("{side}'s queens", "now attack %", "no longer attack %");
        /// A square we attack twice.
        attacked_twice: 64 = "squares attacked twice",
            "Squares that two pieces or pawns attack, sliders also through others on their line.",
            Control, does("{side}", "now attacks % twice", "no longer attacks % twice");
        /// A square we attack and the enemy does not.
        uncontested: 64 = "squares only this side attacks",
            "Squares that this side attacks and the enemy does not.",
            Control, does("{side}", "now is the only side that attacks %", "no longer is the only side that attacks %");
        /// A square we control: our least valuable attacker is worth less than the enemy's, or the enemy
        /// does not attack it.
        controlled: 64 = "controlled squares",
            "Squares where this side's least valuable attacker is worth less than the enemy's, or that the enemy does not attack.",
            Control, does("{side}", "now controls %", "no longer controls %");
        /// A square that we do not attack, but that our knights, bishops and rooks can attack after
        /// one move: they reach a safe square with that move and attack this one from there.
        second_wave: 64 = "squares in reach",
            "Squares that knights, bishops and rooks attack after one safe move, but not yet.",
            Control, does("{side}'s pieces", "now are one safe move away from attacking %", "no longer are one safe move away from attacking %");
        /// A square our king reaches within three moves over squares the enemy does not attack.
        king_wave: 64 = "squares in the king's reach",
            "Squares the king reaches within three moves without crossing an attacked square.",
            King, does("the {own} king", "can now reach % within three moves", "can no longer reach % within three moves");
        /// A hole: a square of ranks 4 to 7 that enemy pawns can never attack.
        holes: 64 = "holes in the enemy position",
            "Squares on the fourth to seventh rank that enemy pawns can never attack.",
            Control, does("{enemy}'s pawns", "can no longer defend %", "can now defend %");
        /// A square behind our pawns.
        behind_pawns: 64 = "squares behind own pawns", "Squares that lie behind own pawns.",
            Pawns, has("the square behind its pawns", "the squares behind its pawns");
        /// A ram: a pawn of ours face to face with an enemy pawn.
        rams: 64 = "blocked pawns face to face",
            "Pawns that stand face to face with an enemy pawn.",
            Pawns, has("a pawn blocked by a pawn on", "pawns blocked by pawns on");
    }
    Mobility {
        /// A knight, by the number of squares it attacks inside the mobility area: squares not attacked
        /// by enemy pawns and not occupied by our blocked pawns or our king. Squares of other own pieces
        /// count.
        knight_mobility: 9 = "knight mobility",
            "Knights by the number of squares they cover, without squares that enemy pawns attack.",
            Pieces(Role::Knight), Wording::Special(Special::Mobility);
        /// A bishop, by its mobility.
        bishop_mobility: 14 = "bishop mobility",
            "Bishops by the number of squares they cover, without squares that enemy pawns attack.",
            Pieces(Role::Bishop), Wording::Special(Special::Mobility);
        /// A rook, by its mobility.
        rook_mobility: 15 = "rook mobility",
            "Rooks by the number of squares they cover, without squares that enemy pawns attack.",
            Pieces(Role::Rook), Wording::Special(Special::Mobility);
        /// A queen, by its mobility.
        queen_mobility: 28 = "queen mobility",
            "Queens by the number of squares they cover, without squares that enemy pawns attack.",
            Pieces(Role::Queen), Wording::Special(Special::Mobility);
        /// A rook on an open file.
        rook_open_file: 1 = "rooks on open files", "Rooks on files without any pawn.",
            Pieces(Role::Rook), has("a rook on an open file, on", "rooks on open files, on");
        /// A rook on a half-open file: no own pawn, but an enemy one.
        rook_half_open_file: 1 = "rooks on half-open files",
            "Rooks on files where only the enemy has a pawn.",
            Pieces(Role::Rook), has("a rook on a half-open file, on", "rooks on half-open files, on");
        /// An own pawn on the square colour of an own bishop.
        bishop_pawns: 1 = "pawns on the bishop's colour",
            "Own pawns on the square colour of an own bishop.",
            Pieces(Role::Bishop), has("a pawn on its bishop's colour, on", "pawns on its bishop's colour, on");
        /// An own pawn on the square colour of an own bishop that is also blocked.
        bishop_blocked_pawns: 1 = "blocked pawns on the bishop's colour",
            "Own blocked pawns on the square colour of an own bishop.",
            Pieces(Role::Bishop), has("a blocked pawn on its bishop's colour, on", "blocked pawns on its bishop's colour, on");
        /// A knight on an outpost: a square of ranks 4 to 6 that our pawns defend and no enemy pawn
        /// can ever attack.
        knight_outpost: 1 = "knights on outposts",
            "Knights defended by a pawn where no enemy pawn can ever drive them away.",
            Pieces(Role::Knight), does("{side}'s knight", "on %, defended by a pawn, cannot be driven away by {enemy}'s pawns", "no longer has the outpost %");
        /// A bishop on an outpost.
        bishop_outpost: 1 = "bishops on outposts",
            "Bishops defended by a pawn where no enemy pawn can ever drive them away.",
            Pieces(Role::Bishop), does("{side}'s bishop", "on %, defended by a pawn, cannot be driven away by {enemy}'s pawns", "no longer has the outpost %");
        /// An outpost that a knight can move to.
        reachable_outpost: 1 = "outposts in reach of a knight",
            "Outposts that a knight can go to with its next move.",
            Pieces(Role::Knight), does("{side}'s knights", "can now go to the outpost %", "can no longer go to the outpost %");
        /// A knight or bishop directly behind a pawn.
        minor_behind_pawn: 1 = "minor pieces behind pawns",
            "Knights and bishops that have a pawn directly in front of them.",
            Control, has("a minor piece behind a pawn on", "minor pieces behind pawns on");
    }
    Pawns {
        /// A doubled pawn: behind an own pawn on its file.
        doubled: 1 = "doubled pawns", "Pawns with an own pawn in front of them on the same file.",
            Pawns, has("a doubled pawn on", "doubled pawns on");
        /// An isolated pawn: no own pawns on the adjacent files.
        isolated: 1 = "isolated pawns", "Pawns without own pawns on the files beside them.",
            Pawns, has("an isolated pawn on", "isolated pawns on");
        /// An isolated pawn with no enemy pawn in front of it on its file.
        isolated_unopposed: 1 = "isolated pawns on half-open files",
            "Isolated pawns with no enemy pawn in front of them.",
            Pawns, has("an isolated pawn on a half-open file, on", "isolated pawns on half-open files, on");
        /// A backward pawn: not isolated, but all own pawns on the adjacent files are ahead of it, and an
        /// enemy pawn attacks its stop square, which no own pawn defends.
        backward: 1 = "backward pawns",
            "Pawns that no own pawn can defend and that an enemy pawn stops from advancing.",
            Pawns, has("a backward pawn on", "backward pawns on");
        /// A backward pawn with no enemy pawn in front of it on its file.
        backward_unopposed: 1 = "backward pawns on half-open files",
            "Backward pawns with no enemy pawn in front of them.",
            Pawns, has("a backward pawn on a half-open file, on", "backward pawns on half-open files, on");
        /// A pawn that an enemy pawn attacks.
        lever: 1 = "pawns under attack by pawns", "Pawns that an enemy pawn can capture.",
            Pawns, has("a pawn that a pawn attacks on", "pawns that pawns attack on");
    }
    Passers {
        /// A passed pawn, by rank.
        passed_rank: 8 = "passed pawns by rank", "How far the passed pawns have advanced.",
            Passers, has("a passed pawn on", "passed pawns on");
        /// A passed pawn defended by a pawn.
        passed_supported: 1 = "passed pawns defended by pawns",
            "Passed pawns that a pawn of their own side defends.",
            Passers, has("a passed pawn defended by a pawn on", "passed pawns defended by pawns on");
        /// Ranks a passed pawn has advanced beyond the third, by the number of moves, up to 7, our
        /// king needs to its stop square: a wave over the squares the king may cross.
        passed_own_king: 8 = "own king near the passed pawn",
            "How many moves the side's own king needs to the square in front of the passed pawn.",
            Passers, Wording::Special(Special::KingDistance { own: true });
        /// Moves of the enemy king to the square before a passed pawn.
        passed_enemy_king: 8 = "enemy king far from the passed pawn",
            "How many moves the enemy king needs to the square in front of the passed pawn.",
            Passers, Wording::Special(Special::KingDistance { own: false });
        /// A rook or queen of ours behind a passed pawn, the line between them free.
        passed_rook_behind: 1 = "rooks behind own passed pawns",
            "A rook or queen that supports its passed pawn from behind.",
            Passers, has("a rook or queen behind its passed pawns, on", "rooks or queens behind its passed pawns, on");
        /// An enemy rook or queen behind a passed pawn.
        passed_enemy_rook_behind: 1 = "enemy rooks behind passed pawns",
            "A rook or queen of the enemy that attacks the passed pawn from behind.",
            Passers, does("{enemy}", "now has a rook or queen behind the passed pawns, on %", "no longer has a rook or queen behind the passed pawns, on %");
        /// A passed pawn by rank and stop square, eight weights for each rank, in pairs for the
        /// enemy to move and us to move: occupied; attacked and not defended; attacked and
        /// defended; not attacked.
        passed_stop: 64 = "passed pawns that may advance",
            "Passed pawns by what is on the square in front of them, who attacks it and whose move it is.",
            Passers, Wording::Special(Special::SafeAdvance);
        /// An unstoppable passed pawn: neither side has pieces, and the enemy king is too far away.
        unstoppable: 1 = "unstoppable passed pawn",
            "A passed pawn that the enemy king cannot catch, with no pieces left.",
            Passers, fact("{side} now has an unstoppable passed pawn", "{side} has no unstoppable passed pawn now");
    }
    King {
        /// The right to castle, by the number of own pawns on the second and third rank in front of
        /// and beside the king's target square, from none to three or more: four weights for the
        /// king's side, four for the queen's side.
        castling: 8 = "castling rights",
            "The king may still castle, by the pawns that would shelter it.",
            King, fact("{side} may castle", "{side} may no longer castle");
        /// Pawn shelter: the nearest own pawn in front of the king on its own and the adjacent
        /// files. Eight ranks, rank 0 for no pawn, for each of four distances of the file from the
        /// edge.
        shelter: 32 = "pawn shelter", "The own pawns in front of the king.",
            King, Wording::Special(Special::Shelter);
        /// Pawn storm: the nearest enemy pawn in front of our king, in the layout of `shelter`.
        storm: 32 = "enemy pawns before the king",
            "How near the enemy pawns have come on the king's file and the files beside it.",
            King, Wording::Special(Special::Storm);
        /// The nearest enemy pawn in front of our king, by rank, if our nearest pawn blocks it.
        storm_blocked: 8 = "blocked pawn storm",
            "Enemy pawns near the king that an own pawn blocks.",
            King, does("before the {own} king", "{enemy}'s pawn on % is now blocked", "{enemy}'s pawn on % is no longer blocked there");
        /// The king on a file without own pawns.
        king_half_open_file: 1 = "king on a file without own pawns",
            "No own pawn stands on the king's file.",
            King, fact("the {own} king now stands on a file without own pawns", "the {own} king no longer stands on a file without own pawns");
        /// The king with no own pawns on its own file and two files to either side.
        pawnless_flank: 1 = "king on a wing without own pawns",
            "No own pawn stands within two files of the king.",
            King, fact("the {own} king now stands on a wing without own pawns", "the {own} king no longer stands on a wing without own pawns");
    }
    Threats {
        /// A pawn, knight, bishop, rook or queen, by how it is attacked and defended. For each of
        /// these kinds ten rows of eight weights. Rows, by the least valuable attacker: not
        /// attacked; a pawn, a pawn and one more attacker; the same pair of rows for a knight or
        /// bishop, a rook, a queen; the king, then no other piece attacks. Columns, in pairs for
        /// the enemy to move and us to move: not defended, defended once, twice or more often, by a
        /// pawn.
        defence: 400 = "pieces and pawns attacked and defended",
            "Own pieces and pawns by what attacks them, how they are defended and whose move it is.",
            Safety, Wording::Special(Special::Defence);
        /// A piece pinned to our king. Six rows by its least valuable attacker: none, a pawn, a
        /// knight or bishop, a rook, a queen, the king. Columns, in pairs for the enemy to move and
        /// us to move: knight, bishop, rook, queen.
        pinned: 48 = "pinned pieces", "Own pieces that are pinned to their king, by what attacks them.",
            Safety, has("a pinned piece on", "pinned pieces on");
        /// One, two, three or more of our pieces are attacked by something of less value, or not
        /// defended, or attacked twice and defended only once and not by a pawn. In pairs for the
        /// enemy to move and us to move.
        en_prise: 6 = "pieces in danger",
            "How many own pieces are attacked by something of less value or more often than they are defended, and whose move it is.",
            Safety, Wording::Special(Special::InDanger);
        /// A piece or pawn of ours that the enemy attacks and only our king defends. The first
        /// weight is for the enemy to move, the second for us to move; so too in the next six
        /// terms.
        defended_by_king: 2 = "attacked pieces only the king defends",
            "Own pieces and pawns that are attacked and defended only by their king.",
            Safety, Wording::Total;
        /// A safe square from which a knight of ours would attack two of: king, queens, rooks,
        /// undefended pieces.
        knight_forks: 2 = "knight forks",
            "Safe squares from which a knight would attack two targets at once.",
            Threats, does("{side}", "can now attack two targets at once with a knight, from %", "can no longer attack two targets at once with a knight, from %");
        /// A safe square from which a knight would attack at least one queen, rook or undefended
        /// piece.
        knight_threats: 2 = "squares to attack from with a knight",
            "Safe squares from which a knight would attack a rook, a queen or an undefended piece.",
            Threats, does("{side}", "can now attack a rook, a queen or an undefended piece with a knight, from %", "can no longer attack a rook, a queen or an undefended piece with a knight, from %");
        /// A safe square from which a slider would attack an undefended piece that we do not attack
        /// yet.
        slider_threats: 2 = "squares to attack undefended pieces from",
            "Safe squares from which a bishop, rook or queen would attack an undefended piece that nothing attacks yet.",
            Threats, does("{side}", "can now attack an undefended piece with a bishop, rook or queen, from %", "can no longer attack an undefended piece with a bishop, rook or queen, from %");
        /// An undefended enemy piece behind another one that a slider attacks, on the same line.
        xrays_at_loose: 2 = "undefended pieces behind others",
            "Undefended enemy pieces behind another one that a bishop, rook or queen attacks.",
            Threats, has("a line through a piece to an undefended one on", "lines through pieces to undefended ones on");
        /// An enemy queen behind a piece that a slider attacks, or a rook on a diagonal.
        skewers: 2 = "queens and rooks behind others",
            "Enemy queens, and rooks on diagonals, behind another piece that a bishop, rook or queen attacks.",
            Threats, has("a line through a piece to a rook or queen on", "lines through pieces to rooks or queens on");
        /// A piece or pawn that gives check by moving out of a slider's line to the king: not
        /// pinned, and no pawn on the king's file.
        discovered_checks: 2 = "discovered checks",
            "Pieces and pawns that give check by moving out of the line of another piece.",
            Threats, has("a discovered check from", "discovered checks from");
        /// An enemy piece that a safe pawn push would attack.
        threat_by_pawn_push: 1 = "pieces a pawn push would attack",
            "Enemy pieces that a safe pawn move would attack.",
            Threats, does("{side}'s pawns", "now threaten to advance and attack the pieces on %", "no longer threaten to advance and attack the pieces on %");
        /// A safe square from which a knight of ours would attack the enemy queen; then one from
        /// which a bishop or rook would, along a line on which the queen attacks that square too.
        threat_on_queen: 2 = "squares to attack the queen from",
            "Safe squares from which a minor piece or rook would attack the enemy queen.",
            Threats, does("{side}", "can now attack the queen from %", "can no longer attack the queen from %");
        /// A restricted enemy move: a square both sides attack, the enemy not with a pawn and not
        /// more often than we do.
        restricted: 1 = "restricted enemy squares",
            "Squares where the enemy's moves are contested.",
            Control, does("{side}'s pieces", "now make it hard for the enemy to use %", "no longer make it hard for the enemy to use %");
    }
    Territory {
        /// Space: a square of ranks 2 to 4 on the files c to f, free of our pawns and not attacked
        /// by enemy pawns; counted twice if it is behind one of our pawns and nothing attacks it.
        /// By the number of our pieces, the king included: 1 to 8.
        space: 8 = "space",
            "Safe squares behind and among the own centre pawns, worth more with many pieces.",
            Control, Wording::Special(Special::Space);
        /// We have mating material, and no pawns, against a bare king.
        bare_king: 1 = "enough to mate a bare king",
            "Pieces that can force mate against a king alone.",
            BareKing, fact("{side} now has a bare king to mate", "{side} no longer has a bare king to mate");
        /// Distance of a bare enemy king from the centre.
        bare_king_edge: 1 = "bare king driven to the edge",
            "How far a king alone is from the centre.",
            BareKing, Wording::Special(Special::Edge);
        /// Closeness of our king to a bare enemy king: 7 less the distance.
        bare_king_proximity: 1 = "king close to the bare king",
            "How near the side's own king has come to a bare king.",
            BareKing, Wording::Total;
    }
    Danger {
        /// A square of the king ring that our knights, bishops, rooks, queens attack.
        danger_ring_attacks: 4 = "pieces attack the king's surroundings",
            "Squares around the enemy king that pieces attack.",
            Danger, does("{side}'s pieces", "now attack near the king %", "no longer attack near the king %");
        /// A square adjacent to the king that we attack.
        danger_adjacent_attacks: 1 = "squares next to the king attacked",
            "Squares next to the enemy king that are attacked.",
            Danger, does("{side}", "now attacks % beside the king", "no longer attacks % beside the king");
        /// A square adjacent to the king that we attack and only the king defends.
        danger_weak_squares: 1 = "squares only the king defends",
            "Attacked squares next to the enemy king that only the king defends.",
            Danger, has("an attacked square that only the king defends,", "attacked squares that only the king defends,");
        /// A square of the king ring that we attack twice.
        danger_ring_twice: 1 = "king's surroundings attacked twice",
            "Squares around the enemy king that are attacked twice.",
            Danger, does("{side}", "now attacks % near the king twice", "no longer attacks % near the king twice");
        /// A square of the king ring that our pawns attack.
        danger_ring_pawns: 1 = "pawns attack the king's surroundings",
            "Squares around the enemy king that pawns attack.",
            Danger, does("{side}'s pawns", "now attack near the king %", "no longer attack near the king %");
        /// Safe checks: our knights, bishops, rooks, queens have at least one.
        danger_safe_checks: 4 = "safe checks",
            "Kinds of pieces that can give check without being lost.",
            Danger, has("a safe check on", "safe checks on");
        /// A piece type that has checks but no safe one.
        danger_unsafe_checks: 1 = "checks that can be answered by capture",
            "Kinds of pieces whose checks all go to guarded squares.",
            Danger, has("a check that can be captured on", "checks that can be captured on");
        /// We have no queen.
        danger_no_queen: 1 = "attack without a queen", "The attacker has no queen.",
            Danger, fact("{side} has no queen any more", "{side} has a queen again");
        /// A square we attack on the enemy's side of the board (ranks 4 to 8 for us), on the king's
        /// own file and two files to either side.
        danger_flank_attacks: 1 = "squares attacked on the king's wing",
            "Squares attacked on the enemy side of the board around the king's file.",
            Danger, does("{side}", "now attacks % on the king's wing", "no longer attacks % on the king's wing");
        /// A square in the area of `danger_flank_attacks` that we attack twice.
        danger_flank_twice: 1 = "squares attacked twice on the king's wing",
            "Squares attacked twice on the enemy side of the board around the king's file.",
            Danger, does("{side}", "now attacks % on the king's wing twice", "no longer attacks % on the king's wing twice");
        /// A square in the area of `danger_flank_attacks` that the defender attacks.
        danger_flank_defence: 1 = "squares defended on the king's wing",
            "Squares that the defender covers on the side of the board around its king's file.",
            Danger, does("{enemy}", "now defends % on its king's wing", "no longer defends % on its king's wing");
        /// A square of the king ring defended by knights or bishops.
        danger_minor_defenders: 1 = "knights and bishops defend the king",
            "Squares around the king that its knights or bishops defend.",
            Danger, does("{enemy}'s knights and bishops", "now defend % near the king", "no longer defend % near the king");
        /// A pawn of the defender in the king ring.
        danger_pawn_shield: 1 = "pawns defend the king", "Pawns of the defender around its king.",
            Danger, does("{enemy}'s pawns", "now stand on % near the king", "no longer stand on % near the king");
        /// An escape square: adjacent to the king, free of its own pieces and not attacked by us.
        danger_escapes: 1 = "escape squares",
            "Free squares next to the enemy king that are not attacked.",
            Danger, does("the {their} king", "can now go to %", "can no longer go to %");
        /// An escape square the king reaches with two moves.
        danger_second_escapes: 1 = "escape squares two moves away",
            "Free squares that the enemy king reaches with two moves.",
            Danger, does("the {their} king", "can now escape to % in two moves", "can no longer escape to % in two moves");
        /// No pawn of the defender on the king's file.
        danger_no_pawn_on_file: 1 = "no pawn on the king's file",
            "The defender has no pawn on its king's file.",
            Danger, fact("the {their} king now stands on a file without its pawns", "the {their} king no longer stands on a file without its pawns");
        /// The number of piece types, knights to queens, that attack the king ring.
        danger_attacker_kinds: 5 = "kinds of attackers",
            "How many kinds of pieces attack the king's surroundings; even none is the base of the sum.",
            Danger, Wording::Total;
        /// The attacker is to move; the attacker is to move and has a safe check.
        danger_to_move: 2 = "attacker to move",
            "The attacker is to move, perhaps with a safe check.",
            Danger, Wording::Total;
        /// More than one safe check by knights, bishops, rooks, queens.
        danger_multiple_checks: 4 = "several safe checks",
            "Kinds of pieces with more than one safe check.",
            Danger, Wording::Total;
        /// An x-ray through one piece at the king: by a rook or queen on a rank or file; by a
        /// bishop or queen on a diagonal.
        danger_xray: 2 = "pieces aimed at the king",
            "Rooks, bishops or queens aimed at the king through one piece or pawn.",
            Danger, has("a piece aimed at the king through another, on", "pieces aimed at the king through others, on");
        /// A file of the king or next to it without a pawn of the defender; without any pawn.
        danger_open_files: 2 = "open files at the king",
            "Files at the enemy king without a pawn of the defender, or without any pawn.",
            Danger, Wording::Total;
        /// A pawn of ours on the king's own and the adjacent files: anywhere; on the sixth rank; on
        /// the seventh.
        danger_pawn_storm: 3 = "pawns advance on the king",
            "Own pawns on the enemy king's file and the files beside it.",
            Danger, has("a pawn before the king on", "pawns before the king on");
    }
    Initiative {
        /// A constant: counted once in every position.
        initiative_base: 1 = "deduction from every advantage",
            "The deduction every advantage begins with.",
            Initiative, Wording::Total;
        /// A pawn of either side.
        initiative_pawns: 1 = "pawns on the board",
            "More pawns on the board make a win more likely.",
            Initiative, Wording::Total;
        /// Pawns on both flanks.
        initiative_flanks: 1 = "pawns on both wings", "Pawns on both wings make a win more likely.",
            Initiative, Wording::Total;
        /// Neither side has pieces.
        initiative_pawn_ending: 1 = "pawn ending",
            "Without pieces an advantage decides more often.",
            Initiative, Wording::Total;
        /// A king on the opponent's half of the board.
        initiative_infiltration: 1 = "king in the enemy half",
            "A king has crossed the middle of the board.",
            Initiative, Wording::Total;
        /// Outflanking: files between the kings less ranks between them.
        initiative_outflanking: 1 = "kings far apart on files",
            "The kings are further apart by files than by ranks.",
            Initiative, Wording::Total;
    }
    Scale {
        /// The scale if no other one applies, by the number of pawns, up to 8, of the side that is
        /// ahead.
        scale_pawns: 9 = "few pawns left",
            "With fewer pawns for the side that is ahead, its endgame advantage counts for less.",
            Scale, Wording::Total;
        /// The scale in pawn endings, by the pawns of the side ahead, as in the next four terms.
        scale_pawn_ending: 9 = "pawn ending scale",
            "How much of an advantage counts in a pawn ending, by the number of pawns.",
            Scale, Wording::Total;
        /// The scale in rook endings, with one rook each.
        scale_rook_ending: 9 = "rook ending scale",
            "How much of an advantage counts with a rook each, by the number of pawns.",
            Scale, Wording::Total;
        /// The scale with opposite-coloured bishops and no other pieces.
        scale_opposite_bishops: 9 = "opposite-coloured bishops",
            "Bishops on different colours and nothing else make a draw likely.",
            Scale, Wording::Total;
        /// The scale with opposite-coloured bishops and other pieces.
        scale_opposite_bishops_plus: 9 = "opposite-coloured bishops with pieces",
            "Bishops on different colours with other pieces reduce an endgame advantage.",
            Scale, Wording::Total;
        /// The scale with a single queen on the board.
        scale_lone_queen: 9 = "queen against pieces",
            "How much of an advantage counts with a queen on one side only.",
            Scale, Wording::Total;
        /// The scale of mating material without pawns against a bare king.
        scale_bare_king: 1 = "king alone", "A king alone against enough to mate it.",
            Scale, Wording::Total;
        /// The scale without pawns, when ahead by a minor piece or less.
        scale_no_pawns: 1 = "no pawns to win with",
            "Without pawns, a minor piece more is not enough to win.",
            Scale, Wording::Total;
    }
}
