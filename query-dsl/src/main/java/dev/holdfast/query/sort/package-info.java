/// What `sort` says and what it means on one index: keys over doc values, over values of nested
/// objects, over distances. A [SortSpec] is what a request says; a [SortKey] is bound to a shard
/// and of one thread. Sort values are Long, Double, BytesRef or null and mean the same on all
/// shards of a search, whatever the kinds of its indices.
@NullMarked
package dev.holdfast.query.sort;

import org.jspecify.annotations.NullMarked;
