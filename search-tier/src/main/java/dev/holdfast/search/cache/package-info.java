/// What a node remembers of searches: documents of filters by segment, answers of shards to whole
/// requests by commit. A commit never changes, so nothing that is kept is ever out of date; what
/// depended on time or chance is not kept. Each has a budget of memory; figures by shard. Safe for
/// any thread.
@NullMarked
package dev.holdfast.search.cache;

import org.jspecify.annotations.NullMarked;
