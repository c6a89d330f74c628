//! Terms: everything that is counted, each named once.
//!
//! With [`Phased`](super::phased::Phased) in its fields it is the weights, with whole numbers the counts of a
//! position (the trace). Counts times weights, summed up, are the evaluation before scaling.

/// The rooms of the evaluation, in the order in which they are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Room {
    Material,
    Squares,
    Mobility,
    Pawns,
    Passers,
    King,
    Threats,
    Territory,
}

impl Room {
    /// All rooms.
    pub const ALL: [Room; 8] = [
        Room::Material,
        Room::Squares,
        Room::Mobility,
        Room::Pawns,
        Room::Passers,
        Room::King,
        Room::Threats,
        Room::Territory,
    ];
}

macro_rules! terms {
    ($($room:ident { $($(#[doc = $doc:literal])+ $name:ident: $size:literal,)+ })+) => {
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
            pub fn each(&self, mut visit: impl FnMut(Room, &'static str, &[T])) {
                $($(visit(Room::$room, stringify!($name), &self.$name);)+)+
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
    }
    Squares {
        /// A pawn on a square, a1 to h8 for a side that moves north.
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
    }
    Mobility {
        /// Moves of a knight inside the mobility area: squares that no enemy pawn attacks and no blocked pawn
        /// or king of ours holds.
        knight_moves: 9,
        /// The same of all bishops together, each square counted.
        bishop_moves: 1,
        /// The same of all rooks together.
        rook_moves: 1,
        /// The same of all queens together.
        queen_moves: 1,
        /// A rook on a file without pawns.
        rook_open_file: 1,
        /// A rook on a file without own pawns.
        rook_half_open_file: 1,
        /// An own pawn on the colour of an own bishop.
        bishop_pawns: 1,
        /// A knight on ranks 4 to 6, guarded by a pawn, outside all enemy pawn attack cones.
        knight_outpost: 1,
        /// A bishop there.
        bishop_outpost: 1,
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
        /// A pawn beside another, by rank.
        phalanx: 8,
        /// A pawn guarded by a pawn, by rank.
        guarded: 8,
    }
    Passers {
        /// A passed pawn, by rank.
        passed: 8,
        /// A passed pawn whose next square is free and not attacked, by rank.
        passed_free: 8,
        /// A passed pawn guarded by a pawn.
        passed_guarded: 1,
        /// King moves of our king to the square in front of a passed pawn, waves over what it may cross, up
        /// to 7, times how far the pawn has come beyond the third rank.
        passed_our_king: 1,
        /// The same for the enemy's king.
        passed_their_king: 1,
        /// A passed pawn nobody can stop: the enemy has no pieces and its king comes too late.
        unstoppable: 1,
    }
    King {
        /// What an attack on the king is worth, by its weight: see `king.rs`.
        danger: 64,
        /// The nearest own pawn in front of the king on its own and the neighbouring files, by rank of
        /// the pawn; 0 where there is none.
        shelter: 8,
        /// The nearest enemy pawn on those files, by rank; 0 where there is none.
        storm: 8,
        /// A king on a file without own pawns.
        open_king_file: 1,
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
        /// An enemy piece that a safe push of a pawn would attack.
        push_threat: 1,
    }
    Territory {
        /// A square of ranks 2 to 4 on the four middle files, free of our pawns, that no enemy pawn attacks; counted again
        /// if it is behind one of our pawns and nothing attacks it.
        space: 1,
        /// A square that our king reaches before the enemy's, waves over what each may cross.
        king_cells: 1,
        /// A step of a bare enemy king from the centre.
        bare_king_edge: 1,
        /// A step by which our king is nearer to a bare enemy king.
        bare_king_near: 1,
    }
}
