//! Terms: everything the evaluation counts, each declared once.
//!
//! [`Terms`] with [`Phased`](super::phased::Phased) in its fields is the table of weights; with
//! `i32` it holds the counts of one side of a position. Counts times weights, added up, are the
//! evaluation before the nonlinear steps of `total.rs`.

/// A group of related terms, counted by one file of the evaluation, in the order of the table that
/// `eval` shows. Groups are what an ablation leaves out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TermGroup {
    /// Material, imbalance, the bishop pair, the tempo.
    Material,
    /// Piece-square tables: one for each piece, and more for phalanxes, supported pawns, candidates
    /// and passed pawns.
    Squares,
    /// Maps over sets of squares that come out of fills: attacked, controlled, reachable.
    Fills,
    /// Mobility and what helps it: open files, outposts.
    Mobility,
    /// Pawn structure.
    Pawns,
    /// Passed pawns.
    Passers,
    /// King safety: pawn shelter and pawn storm in front of our king.
    King,
    /// Threats.
    Threats,
    /// Space, king distance in pawn endings, mating a bare king.
    Territory,
    /// King safety: king danger, the attack on the enemy king.
    Danger,
    /// The initiative: how likely the side that is ahead is to win.
    Initiative,
    /// Scale factors of the endgame.
    Scale,
}

/// Which of the [`Sums`](super::total::Sums) the terms of a group are added to.
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
    pub const ALL: [Purpose; 4] =
        [Purpose::Value, Purpose::Danger, Purpose::Initiative, Purpose::Scale];
}

impl TermGroup {
    /// All groups, in the order of declaration.
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

    /// Which sum its terms are added to.
    pub fn purpose(self) -> Purpose {
        match self {
            TermGroup::Danger => Purpose::Danger,
            TermGroup::Initiative => Purpose::Initiative,
            TermGroup::Scale => Purpose::Scale,
            _ => Purpose::Value,
        }
    }
}

/// A set of term groups.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, bytemuck::Zeroable)]
pub struct TermGroups(u16);

impl TermGroups {
    /// The set with `group` added.
    pub fn with(self, group: TermGroup) -> TermGroups {
        TermGroups(self.0 | 1 << group as u32)
    }

    /// The union of both sets.
    pub fn union(self, others: TermGroups) -> TermGroups {
        TermGroups(self.0 | others.0)
    }

    /// Whether `group` is in the set.
    #[inline(always)]
    pub fn contains(self, group: TermGroup) -> bool {
        self.0 & 1 << group as u32 != 0
    }

    /// Whether the set is empty.
    #[inline(always)]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }
}

/// Where weights come from, as the head of their file says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WeightsOrigin {
    /// Positions they were tuned on.
    pub positions: usize,
    /// The seed of the tuner's random numbers.
    pub seed: u64,
    /// The share of the game's result in the target, in percent; the rest is the search's score.
    pub result_percent: u32,
}

/// Declares [`Terms`]: for each group its terms, and for each term what one count of it is and how
/// many weights it has.
macro_rules! terms {
    ($($group:ident { $($(#[doc = $doc:literal])+ $name:ident: $size:literal,)+ })+) => {
        /// A row of values, one or more, for each term of the evaluation.
        #[derive(Clone, Debug, PartialEq)]
        pub struct Terms<T> {
            $($($(#[doc = $doc])+ pub $name: [T; $size],)+)+
        }

        impl<T: Copy> Terms<T> {
            /// The same value everywhere.
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
        material: 5,
        /// The bishop pair.
        bishop_pair: 1,
        /// A knight, for each own pawn.
        knight_pawns: 1,
        /// A rook, for each own pawn.
        rook_pawns: 1,
        /// Imbalance of own pieces, by pairs of two: two knights, bishop and knight, rook and
        /// knight, rook and bishop, two rooks, queen and knight, queen and bishop, queen and rook,
        /// queen and pawn, bishop and pawn.
        imbalance_own: 10,
        /// Imbalance of own pieces against the enemy's: knight, bishop, rook and queen for each
        /// enemy pawn, bishop for each knight, rook for each knight and bishop, queen for each
        /// knight, bishop and rook.
        imbalance_enemy: 10,
        /// Tempo: we are to move.
        tempo: 1,
    }
    Squares {
        /// Piece-square table of the pawn, a1 to h8 for a side that moves north. In this group and
        /// the next the files are mirrored where our king stands on the files a to d, unless the
        /// term says otherwise.
        pawn_psqt: 64,
        /// Piece-square table of the knight.
        knight_psqt: 64,
        /// Piece-square table of the bishop.
        bishop_psqt: 64,
        /// Piece-square table of the rook.
        rook_psqt: 64,
        /// Piece-square table of the queen.
        queen_psqt: 64,
        /// Piece-square table of the king.
        king_psqt: 64,
        /// A phalanx: a pawn beside another.
        phalanx: 64,
        /// A pawn defended by a pawn.
        supported: 64,
        /// A candidate passed pawn: not passed yet, no pawn in front of it, and own pawns beside or
        /// behind to help it.
        candidate_passer: 64,
        /// A passed pawn.
        passed_psqt: 64,
        /// A passed pawn whose stop square is free and not attacked.
        passed_safe_stop: 64,
        /// A passed pawn whose whole way to promotion is free and not attacked.
        passed_safe_path: 64,
        /// A pawn, files mirrored by the enemy king.
        pawn_psqt_enemy_king: 64,
    }
    Fills {
        /// A square our pawns attack. This and the next six maps are mirrored by the enemy king.
        pawn_attacks: 64,
        /// A square our knights attack.
        knight_attacks: 64,
        /// A square our bishops attack.
        bishop_attacks: 64,
        /// A square our rooks attack.
        rook_attacks: 64,
        /// A square our queens attack.
        queen_attacks: 64,
        /// A square we attack twice.
        attacked_twice: 64,
        /// A square we attack and the enemy does not.
        uncontested: 64,
        /// A square we control: our least valuable attacker is less valuable than the enemy's.
        controlled: 64,
        /// A square our knights, bishops and rooks attack only with the move after next: they reach
        /// safe squares with one move and attack this one from there.
        second_wave: 64,
        /// A square our king reaches within three moves over squares the enemy does not attack.
        king_wave: 64,
        /// A hole: a square of ranks 4 to 7 that enemy pawns can never attack.
        holes: 64,
        /// A square behind our pawns.
        behind_pawns: 64,
        /// A ram: a pawn of ours face to face with an enemy pawn.
        rams: 64,
    }
    Mobility {
        /// A knight, by the number of its moves inside the mobility area: squares not attacked by
        /// enemy pawns and not occupied by our blocked pawns or our king.
        knight_mobility: 9,
        /// The same for a bishop.
        bishop_mobility: 14,
        /// The same for a rook.
        rook_mobility: 15,
        /// The same for a queen.
        queen_mobility: 28,
        /// A rook on an open file.
        rook_open_file: 1,
        /// A rook on a half-open file: no own pawn, but an enemy one.
        rook_half_open_file: 1,
        /// An own pawn on the square colour of an own bishop.
        bishop_pawns: 1,
        /// Such a pawn that is blocked.
        bishop_blocked_pawns: 1,
        /// A knight on an outpost: a square of ranks 4 to 6 that our pawns defend and no enemy pawn
        /// can ever attack.
        knight_outpost: 1,
        /// A bishop on an outpost.
        bishop_outpost: 1,
        /// An outpost that a knight can move to.
        reachable_outpost: 1,
        /// A knight or bishop directly behind a pawn.
        minor_behind_pawn: 1,
    }
    Pawns {
        /// A doubled pawn: behind an own pawn on its file.
        doubled: 1,
        /// An isolated pawn: no own pawns on the adjacent files.
        isolated: 1,
        /// An isolated pawn with no enemy pawn in front of it on its file.
        isolated_unopposed: 1,
        /// A backward pawn: no own pawn can defend it, and its stop square is attacked by a pawn.
        backward: 1,
        /// A backward pawn with no enemy pawn in front of it on its file.
        backward_unopposed: 1,
        /// A pawn that an enemy pawn attacks.
        lever: 1,
    }
    Passers {
        /// A passed pawn, by rank.
        passed_rank: 8,
        /// A passed pawn defended by a pawn.
        passed_supported: 1,
        /// Ranks a passed pawn has advanced beyond the third, by the number of moves, up to 7, our
        /// king needs to its stop square: a wave over the squares the king may cross.
        passed_own_king: 8,
        /// The same for the enemy king.
        passed_enemy_king: 8,
        /// A rook or queen of ours behind a passed pawn, the line between them free.
        passed_rook_behind: 1,
        /// A rook or queen of the enemy's behind it.
        passed_enemy_rook_behind: 1,
        /// An unstoppable passed pawn: the enemy has no pieces, and its king is too far away.
        unstoppable: 1,
    }
    King {
        /// Pawn shelter: the nearest own pawn in front of the king on its own and the adjacent
        /// files. Eight ranks, rank 0 for no pawn, for each of four distances of the file from the
        /// edge.
        shelter: 32,
        /// Pawn storm: the nearest enemy pawn there, in the same layout.
        storm: 32,
        /// The nearest enemy pawn there where it is face to face with our nearest one, by rank.
        storm_blocked: 8,
        /// The king on a file without own pawns.
        king_half_open_file: 1,
        /// The king with no own pawns on its own file and two files to either side.
        pawnless_flank: 1,
    }
    Threats {
        /// An enemy knight, bishop, rook or queen attacked by a pawn.
        threat_by_pawn: 4,
        /// An enemy knight, bishop, rook or queen attacked by a knight or bishop.
        threat_by_minor: 4,
        /// An enemy knight, bishop, rook or queen attacked by a rook.
        threat_by_rook: 4,
        /// A hanging enemy pawn, knight, bishop, rook or queen: attacked and not defended.
        hanging: 5,
        /// An enemy pawn, knight, bishop, rook or queen attacked by our king and not defended.
        threat_by_king: 5,
        /// An enemy pawn or piece attacked twice and defended only once, not by a pawn.
        overloaded: 1,
        /// An enemy piece that a safe pawn push would attack.
        threat_by_pawn_push: 1,
        /// A safe square from which a knight of ours would attack the enemy queen; one from which
        /// a bishop or rook would.
        threat_on_queen: 2,
        /// An own knight, bishop, rook or queen that nothing defends.
        loose: 4,
        /// We are to move and attack: a piece with a pawn; a rook or queen with a piece of less
        /// value; anything that is not defended.
        threat_to_move: 3,
        /// A restricted enemy move: a square both sides attack, the enemy not with a pawn and not
        /// more often than we do.
        restricted: 1,
    }
    Territory {
        /// Space: a square of ranks 2 to 4 on the files c to f, free of our pawns and not attacked
        /// by enemy pawns; counted twice if it is behind one of our pawns and nothing attacks it.
        space: 1,
        /// The same, times the number of our pieces.
        space_pieces: 1,
        /// In pawn endings, a square our king reaches before the enemy king (a Voronoi cell), waves
        /// over the squares each may cross.
        king_territory: 1,
        /// We have mating material, and no pawns, against a bare king.
        bare_king: 1,
        /// Distance of a bare enemy king from the centre.
        bare_king_edge: 1,
        /// Closeness of our king to a bare enemy king: 7 less the distance.
        bare_king_proximity: 1,
        /// With bishop and knight: distance of the bare king from the corners of the bishop's
        /// colour, 0 there to 7 on the long diagonal between the other two.
        bare_king_corner: 1,
    }
    Danger {
        /// A square of the king ring that our knights, bishops, rooks, queens attack.
        danger_ring_attacks: 4,
        /// A square adjacent to the king that we attack.
        danger_adjacent_attacks: 1,
        /// Such a square that only the king defends.
        danger_weak_squares: 1,
        /// A square of the king ring that we attack twice.
        danger_ring_twice: 1,
        /// A square of the king ring that our pawns attack.
        danger_ring_pawns: 1,
        /// Safe checks: our knights, bishops, rooks, queens have at least one.
        danger_safe_checks: 4,
        /// A kind of piece that has checks but no safe one.
        danger_unsafe_checks: 1,
        /// We have no queen.
        danger_no_queen: 1,
        /// A square we attack on the enemy's side of the board (ranks 4 to 8 for us), on the king's
        /// own file and two files to either side.
        danger_flank_attacks: 1,
        /// Such a square that we attack twice.
        danger_flank_twice: 1,
        /// Such a square that the defender attacks.
        danger_flank_defence: 1,
        /// A square of the king ring defended by knights or bishops.
        danger_minor_defenders: 1,
        /// A pawn of the defender in the king ring.
        danger_pawn_shield: 1,
        /// An escape square: adjacent to the king, free of its own pieces and not attacked by us.
        danger_escapes: 1,
        /// An escape square the king reaches with two moves.
        danger_second_escapes: 1,
        /// No pawn of the defender on the king's file.
        danger_no_pawn_on_file: 1,
        /// How many kinds of pieces, knights to queens, attack the king ring.
        danger_attacker_kinds: 5,
        /// The attacker is to move; it is and has a safe check.
        danger_to_move: 2,
        /// More than one safe check by knights, bishops, rooks, queens.
        danger_multiple_checks: 4,
        /// An x-ray through one piece at the king: by a rook or queen on a rank or file; by a
        /// bishop or queen on a diagonal.
        danger_xray: 2,
        /// A file of the king or next to it without a pawn of the defender; without any pawn.
        danger_open_files: 2,
        /// A pawn of ours on the king's own and the adjacent files: anywhere; on the sixth rank; on
        /// the seventh.
        danger_pawn_storm: 3,
    }
    Initiative {
        /// Always one.
        initiative_base: 1,
        /// A pawn of either side.
        initiative_pawns: 1,
        /// Pawns on both flanks.
        initiative_flanks: 1,
        /// A pawn ending.
        initiative_pawn_ending: 1,
        /// A king on the opponent's half of the board.
        initiative_infiltration: 1,
        /// Outflanking: files between the kings less ranks between them.
        initiative_outflanking: 1,
    }
    Scale {
        /// By the number of pawns, up to 8, of the side that is ahead: where nothing else applies.
        scale_pawns: 9,
        /// The same in pawn endings.
        scale_pawn_ending: 9,
        /// The same in rook endings, a rook each.
        scale_rook_ending: 9,
        /// The same with opposite-coloured bishops and nothing else.
        scale_opposite_bishops: 9,
        /// The same with opposite-coloured bishops and other pieces.
        scale_opposite_bishops_plus: 9,
        /// The same with a queen on one side only.
        scale_lone_queen: 9,
        /// A bare king against mating material without pawns.
        scale_bare_king: 1,
        /// No pawns, and ahead by a minor piece or less.
        scale_no_pawns: 1,
    }
}
