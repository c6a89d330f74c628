//! Node types, as type parameters of the search: the compiler makes a version of the search for
//! each (monomorphisation).

/// The type of a node.
pub(crate) trait NodeType {
    /// A PV node, whose window is open: the score may be exact. Other nodes have a null window.
    const PV: bool;
    /// The node is the root, which keeps a list of its moves with their scores and lines.
    const ROOT: bool;
    /// The type of a child that is searched with the same window.
    type Child: NodeType;
}

/// The root of the search.
pub(crate) struct Root;
/// A node on the principal variation.
pub(crate) struct Pv;
/// A node that is searched with a null window.
pub(super) struct NonPv;

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
