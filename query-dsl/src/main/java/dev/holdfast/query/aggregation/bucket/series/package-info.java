/// Buckets of time series: documents of the same dimensions (`time_series`). Called while a request
/// is read, by the threads that collect a shard, and by the one that merges; only collecting reads
/// the index and may fail with `IOException`.
@NullMarked
package dev.holdfast.query.aggregation.bucket.series;

import org.jspecify.annotations.NullMarked;
