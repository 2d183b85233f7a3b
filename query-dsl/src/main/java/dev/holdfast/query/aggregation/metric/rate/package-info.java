/// `rate`: what a bucket of time holds, or a counter gains, by unit of time. Called while a request
/// is read, by the threads that collect a shard, and by the one that merges; only collecting reads
/// the index and may fail with `IOException`.
@NullMarked
package dev.holdfast.query.aggregation.metric.rate;

import org.jspecify.annotations.NullMarked;
