/// Metrics of places: the box around points or shapes, and their centre.
@NullMarked
package dev.holdfast.query.aggregation.metric.geo;

import org.jspecify.annotations.NullMarked;
