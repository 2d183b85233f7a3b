/// Buckets of adjoining intervals of numbers and dates: fixed, calendar, by a wanted number of
/// buckets, or by clusters. Where values are few enough they are counted in arrays, where point
/// trees tell the counts no document is looked at.
@NullMarked
package dev.holdfast.query.aggregation.bucket.histogram;

import org.jspecify.annotations.NullMarked;
