/// What a node has searched, by shard: counted where a phase runs, not where its search was asked
/// for, so that the sum over all search nodes is the same whoever is asked. Safe for any thread.
@NullMarked
package dev.holdfast.search.figures;

import org.jspecify.annotations.NullMarked;
