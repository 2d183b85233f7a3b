/// Hits inside buckets: `top_hits`, `top_metrics`. Above the phases, as each bucket runs a small
/// search of its own.
@NullMarked
package dev.holdfast.query.aggregation.hits;

import org.jspecify.annotations.NullMarked;
