/// Buckets of a grid over the earth: geohashes and tiles, of points and of shapes.
@NullMarked
package dev.holdfast.query.aggregation.bucket.geo;

import org.jspecify.annotations.NullMarked;
