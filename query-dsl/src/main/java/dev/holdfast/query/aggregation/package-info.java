/// Aggregations (§2): one file a kind, holding its request, its collector over a segment, its
/// mergeable partial result and its rendering.
@NullMarked
package dev.holdfast.query.aggregation;

import org.jspecify.annotations.NullMarked;
