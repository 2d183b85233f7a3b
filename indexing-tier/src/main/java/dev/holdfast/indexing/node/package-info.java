/// What all indexing shards of a node share: settings, budgets of memory, disk and refreshes,
/// pools, and the members whose writes may come again. Everything here is safe for any thread; what
/// has no room refuses with 429 before anything is changed.
@NullMarked
package dev.holdfast.indexing.node;

import org.jspecify.annotations.NullMarked;
