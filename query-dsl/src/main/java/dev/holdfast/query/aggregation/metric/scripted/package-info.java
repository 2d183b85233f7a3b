/// `scripted_metric`: states that scripts keep on shards, and what they come to.
@NullMarked
package dev.holdfast.query.aggregation.metric.scripted;

import org.jspecify.annotations.NullMarked;
