/// What one search node is asked, and by which names: the phases of a search, shards and the
/// commits that are kept open, and limits of the tier. Interfaces and records only; this node and
/// other nodes look the same.
@NullMarked
package dev.holdfast.search.node;

import org.jspecify.annotations.NullMarked;
