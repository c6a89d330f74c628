//! Terms: everything that is counted, each named once.
//!
//! With [`Phased`](super::phased::Phased) in its fields it is the weights, with whole numbers the counts of a
//! position (the trace). Counts times weights, summed up, are the evaluation before scaling.

/// The rooms of the evaluation, in the order in which they are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum TermGroup {
    Material,
    Squares,
    Fills,
    Mobility,
    Pawns,
    Passers,
    King,
    Threats,
    Territory,
    Danger,
    Initiative,
    Scale,
}

/// What becomes of the sum of a room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Centipawns, added to the evaluation.
    Value,
    /// The strength of an attack on the king, of which the formula in `total.rs` makes centipawns.
    Danger,
    /// Centipawns by which the side that is ahead in the endgame is more, or less, ahead.
    Initiative,
    /// 64ths of the endgame part that count.
    Scale,
}

impl Purpose {
    /// All of them, in their order.
    pub const ALL: [Purpose; 4] =
        [Purpose::Value, Purpose::Danger, Purpose::Initiative, Purpose::Scale];
}

impl TermGroup {
    /// All rooms.
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

    /// What becomes of its sum.
    pub fn purpose(self) -> Purpose {
        match self {
            TermGroup::Danger => Purpose::Danger,
            TermGroup::Initiative => Purpose::Initiative,
            TermGroup::Scale => Purpose::Scale,
            _ => Purpose::Value,
        }
    }
}

/// Some of the rooms.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, bytemuck::Zeroable)]
pub struct TermGroups(u16);

impl TermGroups {
    /// These and one more.
    pub fn with(self, group: TermGroup) -> TermGroups {
        TermGroups(self.0 | 1 << group as u32)
    }

    /// These and others.
    pub fn and(self, others: TermGroups) -> TermGroups {
        TermGroups(self.0 | others.0)
    }

    /// Whether this is one of them.
    #[inline(always)]
    pub fn contains(self, group: TermGroup) -> bool {
        self.0 & 1 << group as u32 != 0
    }

    /// Whether there are none.
    #[inline(always)]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }
}

macro_rules! terms {
    ($($group:ident { $($(#[doc = $doc:literal])+ $name:ident: $size:literal,)+ })+) => {
        /// One value, or a row of them, for each thing the evaluation counts.
        #[derive(Clone, Debug, PartialEq)]
        pub struct Terms<T> {
            $($($(#[doc = $doc])+ pub $name: [T; $size],)+)+
        }

        impl<T: Copy> Terms<T> {
            /// The same value everywhere.
            pub const fn all(value: T) -> Terms<T> {
                Terms { $($($name: [value; $size],)+)+ }
            }

            /// Visits every term: its room, its name and its row of values.
            pub fn each(&self, mut visit: impl FnMut(TermGroup, &'static str, &[T])) {
                $($(visit(TermGroup::$group, stringify!($name), &self.$name);)+)+
            }
        }
    };
}

terms! {
    Material {
        /// Pawn, knight, bishop, rook, queen.
        material: 5,
        /// Two bishops.
        bishop_pair: 1,
        /// A knight, for each own pawn.
        knight_pawns: 1,
        /// A rook, for each own pawn.
        rook_pawns: 1,
        /// Pairs of own pieces: two knights, bishop and knight, rook and knight, rook and bishop, two rooks, queen and
        /// knight, queen and bishop, queen and rook; a queen for each own pawn, a bishop for each.
        imbalance_own: 10,
        /// Own pieces against enemy ones: knight, bishop, rook and queen for each enemy pawn, bishop for each knight, rook
        /// for each knight and bishop, queen for each knight, bishop and rook.
        imbalance_enemy: 10,
        /// Being to move.
        tempo: 1,
    }
    Squares {
        /// A pawn on a square, a1 to h8 for a side that moves north. In this room and the next the files are mirrored where
        /// the king, ours or as said, stands on the files a to d.
        pawn_on: 64,
        /// A knight on a square.
        knight_on: 64,
        /// A bishop on a square.
        bishop_on: 64,
        /// A rook on a square.
        rook_on: 64,
        /// A queen on a square.
        queen_on: 64,
        /// The king on a square.
        king_on: 64,
        /// A pawn beside another.
        phalanx: 64,
        /// A pawn guarded by a pawn.
        guarded: 64,
        /// A pawn that is not passed yet, with no pawn in front of it and own pawns beside or behind to help it.
        candidates: 64,
        /// A passed pawn.
        passed_on: 64,
        /// A passed pawn whose next square is free and not attacked.
        passed_free: 64,
        /// A passed pawn on whose whole way nothing stands or attacks.
        passed_way: 64,
        /// A pawn on a square, files mirrored by the enemy's king.
        pawn_at_king: 64,
    }
    Fills {
        /// A square that our pawns attack; this and the next six maps mirrored by the enemy's king.
        pawn_attacks: 64,
        /// A square that our knights attack.
        knight_attacks: 64,
        /// A square that our bishops attack.
        bishop_attacks: 64,
        /// A square that our rooks attack.
        rook_attacks: 64,
        /// A square that our queens attack.
        queen_attacks: 64,
        /// A square that we attack twice.
        attacked_twice: 64,
        /// A square that we attack and the enemy does not.
        alone: 64,
        /// A square that we hold: what attacks it is of less worth than what the enemy attacks it with.
        held: 64,
        /// A square that our knights, bishops and rooks do not attack but can with one move more, over squares that are
        /// safe for them.
        second_wave: 64,
        /// A square that our king reaches within three moves over squares the enemy does not attack.
        king_wave: 64,
        /// A square of the fourth to seventh rank that the enemy's pawns can never attack.
        holes: 64,
        /// A square behind our pawns.
        behind_pawns: 64,
        /// A pawn of ours that an enemy pawn blocks.
        rams: 64,
    }
    Mobility {
        /// Moves of a knight inside the mobility area: squares that no enemy pawn attacks and no blocked pawn
        /// or king of ours holds.
        knight_moves: 9,
        /// The same of a bishop.
        bishop_moves: 14,
        /// The same of a rook.
        rook_moves: 15,
        /// The same of a queen.
        queen_moves: 28,
        /// A rook on a file without pawns.
        rook_open_file: 1,
        /// A rook on a file without own pawns.
        rook_half_open_file: 1,
        /// An own pawn on the colour of an own bishop.
        bishop_pawns: 1,
        /// An own pawn there that cannot move.
        bishop_blocked_pawns: 1,
        /// A knight on ranks 4 to 6, guarded by a pawn, outside all enemy pawn attack cones.
        knight_outpost: 1,
        /// A bishop there.
        bishop_outpost: 1,
        /// Such a square that a knight attacks.
        knight_to_outpost: 1,
        /// A knight or bishop right behind a pawn.
        minor_behind_pawn: 1,
    }
    Pawns {
        /// A pawn behind another on its file.
        doubled: 1,
        /// A pawn without own pawns on neighbouring files.
        isolated: 1,
        /// The same where no enemy pawn closes the file.
        isolated_open: 1,
        /// A pawn that neither is nor can be guarded by pawns and whose next square a pawn attacks.
        backward: 1,
        /// The same where no enemy pawn closes the file.
        backward_open: 1,
        /// A pawn that an enemy pawn may take.
        lever: 1,
    }
    Passers {
        /// A passed pawn, by rank.
        passed: 8,
        /// A passed pawn guarded by a pawn.
        passed_guarded: 1,
        /// How far a passed pawn has come beyond the third rank, by the king moves, up to 7, of our king to the square in
        /// front of it: waves over what the king may cross.
        passed_our_king: 8,
        /// The same for the enemy's king.
        passed_their_king: 8,
        /// A rook or queen of ours behind a passed pawn, the line between them free.
        passed_rook_behind: 1,
        /// A rook or queen of the enemy's there.
        passed_their_rook_behind: 1,
        /// A passed pawn nobody can stop: the enemy has no pieces and its king comes too late.
        unstoppable: 1,
    }
    King {
        /// The nearest own pawn in front of the king on its own and the neighbouring files: eight ranks for each of four
        /// distances of the file from the edge; rank 0 where there is none.
        shelter: 32,
        /// The nearest enemy pawn there, in the same way.
        storm: 32,
        /// The nearest enemy pawn there if the own pawn right in front stops it, by rank.
        storm_stopped: 8,
        /// A king on a file without own pawns.
        open_king_file: 1,
        /// A king with no own pawns on its own and the four next files.
        pawnless_flank: 1,
    }
    Threats {
        /// An enemy knight, bishop, rook or queen attacked by a pawn.
        pawn_threat: 4,
        /// An enemy knight, bishop, rook or queen attacked by a knight or bishop.
        minor_threat: 4,
        /// An enemy knight, bishop, rook or queen attacked by a rook.
        rook_threat: 4,
        /// An enemy pawn, knight, bishop, rook or queen attacked and not defended.
        hanging: 5,
        /// An enemy pawn, knight, bishop, rook or queen attacked by our king and not defended.
        king_threat: 5,
        /// An enemy pawn or piece attacked twice and defended once at most, and not by a pawn.
        overloaded: 1,
        /// An enemy piece that a safe push of a pawn would attack.
        push_threat: 1,
        /// A safe square that a knight of ours reaches and attacks their queen from; one where a bishop or rook meets their
        /// queen's lines.
        queen_threat: 2,
        /// An own knight, bishop, rook or queen that nothing defends.
        loose: 4,
        /// We are to move and attack an enemy piece with a pawn, a rook or queen with a lesser piece, anything that is not
        /// defended.
        threat_to_move: 3,
        /// A square that we attack and that the enemy attacks neither with a pawn nor more often than we.
        restricted: 1,
    }
    Territory {
        /// A square of ranks 2 to 4 on the four middle files, free of our pawns, that no enemy pawn attacks; counted again
        /// if it is behind one of our pawns and nothing attacks it.
        space: 1,
        /// The same for each piece we have.
        space_pieces: 1,
        /// A square that our king reaches before the enemy's, waves over what each may cross: in pawn endings.
        king_cells: 1,
        /// A bare enemy king that can be mated, and we have no pawns.
        bare_king: 1,
        /// A step of a bare enemy king from the centre.
        bare_king_edge: 1,
        /// A step by which our king is nearer to a bare enemy king.
        bare_king_near: 1,
        /// With bishop and knight, a step of a bare enemy king from the corners of the bishop's colour.
        bare_king_corner: 1,
    }
    Danger {
        /// A square around the king that knights, bishops, rooks, queens attack.
        danger_ring: 4,
        /// A square beside the king that we attack.
        danger_near: 1,
        /// Such a square that only the king defends.
        danger_weak: 1,
        /// A square around the king that we attack twice.
        danger_twice: 1,
        /// A square around the king that our pawns attack.
        danger_pawns: 1,
        /// A safe check by a knight, bishop, rook, queen.
        danger_safe_check: 4,
        /// A kind of piece that has only checks where it can be taken.
        danger_check: 1,
        /// We have no queen.
        danger_no_queen: 1,
        /// A square we attack in the king's camp, on its own and the four next files.
        danger_flank: 1,
        /// Such a square that we attack twice.
        danger_flank_twice: 1,
        /// Such a square that the defender attacks.
        danger_flank_guards: 1,
        /// A square around the king that its knights and bishops attack.
        danger_guards: 1,
        /// A pawn of its own around the king.
        danger_shield: 1,
        /// A square beside the king where it may go.
        danger_air: 1,
        /// A square it reaches with two moves.
        danger_walk: 1,
        /// No pawn of its own on the king's file.
        danger_open_file: 1,
        /// By how many kinds of pieces, knights to queens, attack the squares around the king.
        danger_kinds: 5,
        /// The attacker is to move; it is and has a safe check.
        danger_to_move: 2,
        /// More than one safe check by knights, bishops, rooks, queens.
        danger_more_checks: 4,
        /// A rook or queen with one man between it and the king, on a rank or file; a bishop or queen on a diagonal.
        danger_xray: 2,
        /// A file of the king or beside it without a pawn of its own; without any pawn.
        danger_open_files: 2,
        /// A pawn of ours on the king's own and the neighbouring files, wherever it stands; on the sixth rank; on the seventh.
        danger_storm: 3,
    }
    Initiative {
        /// Counted once.
        initiative_base: 1,
        /// A pawn of either side.
        initiative_pawns: 1,
        /// Pawns on both wings.
        initiative_flanks: 1,
        /// Only pawns are left.
        initiative_pawn_ending: 1,
        /// A king on the other half of the board.
        initiative_infiltration: 1,
        /// Files by which the kings are apart, less the ranks.
        initiative_outflanking: 1,
    }
    Scale {
        /// By the pawns of the side that is ahead in the endgame, where nothing else is said.
        scale_pawns: 9,
        /// The same with kings and pawns only.
        scale_pawn_ending: 9,
        /// The same with a rook each.
        scale_rooks: 9,
        /// The same with a bishop each, of opposite colours.
        scale_bishops: 9,
        /// The same with these and other pieces.
        scale_bishops_and_more: 9,
        /// The same with a queen on one side only.
        scale_lone_queen: 9,
        /// A bare king against pieces that mate.
        scale_bare_king: 1,
        /// No pawns, and not more than a minor piece ahead.
        scale_no_pawns: 1,
    }
}
