/// Buckets by value: `terms` of keywords, numbers and unindexed texts, rare ones, several fields at
/// once. A shard returns its best `shard_size` buckets, and with them the bound of what it left
/// out.
@NullMarked
package dev.holdfast.query.aggregation.bucket.terms;

import org.jspecify.annotations.NullMarked;
