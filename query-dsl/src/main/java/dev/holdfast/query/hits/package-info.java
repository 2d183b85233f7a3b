/// The best hits of one shard, with their total: by score, by sort keys, by groups, and the
/// shortcut over point trees for sorts of numeric fields. Hits and aggregations share one pass
/// where that is cheaper. Hot code, of one thread a shard; ends early when the search is cancelled,
/// out of time, or has collected enough.
@NullMarked
package dev.holdfast.query.hits;

import org.jspecify.annotations.NullMarked;
