/// APIs that do or show something on each shard of indices: refresh, flush, merge, caches,
/// segments, recoveries, statistics. The shape of the answer (`_shards`) is that of
/// [ShardOperations].
@NullMarked
package dev.holdfast.api.indices.shard;

import org.jspecify.annotations.NullMarked;
