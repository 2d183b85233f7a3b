/// Merges of a node's shards in one pool, smallest first, bounded together; and merges that wait
/// while a shard is filled and nobody searches it.
@NullMarked
package dev.holdfast.indexing.merge;

import org.jspecify.annotations.NullMarked;
