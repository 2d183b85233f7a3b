/// Metrics: numbers over the documents of a bucket. Kinds that need only count, sum, least and
/// greatest share one collector ([MomentMetric]), quantiles share another; sums keep what rounding
/// lost (Kahan), so that the order of shards shows as little as it can.
@NullMarked
package dev.holdfast.query.aggregation.metric;

import org.jspecify.annotations.NullMarked;
