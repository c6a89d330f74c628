//! Node types: what is known of a node before its search begins is known to the compiler, which
//! makes a version of the search for each.

/// The type of a node.
pub trait NodeType {
    /// The window is open: the score may be exact. Only whether it reaches beta is asked otherwise.
    const PV: bool;
    /// The node is the root, whose moves are kept in a list of their own.
    const ROOT: bool;
    /// The type of a child that is searched with the same window.
    type Child: NodeType;
}

/// The root of the search.
pub struct Root;
/// A node on the principal variation.
pub struct Pv;
/// A node that is searched with a null window.
pub struct NonPv;

impl NodeType for Root {
    const PV: bool = true;
    const ROOT: bool = true;
    type Child = Pv;
}

impl NodeType for Pv {
    const PV: bool = true;
    const ROOT: bool = false;
    type Child = Pv;
}

impl NodeType for NonPv {
    const PV: bool = false;
    const ROOT: bool = false;
    type Child = NonPv;
}
