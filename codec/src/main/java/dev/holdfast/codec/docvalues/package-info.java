/// Single-valued numeric columns in blocks that decode in bulk; everything else is Lucene's.
/// Aggregations and sorts read them many values at a time. Readers are for one thread each, as
/// Lucene's are.
@NullMarked
package dev.holdfast.codec.docvalues;

import org.jspecify.annotations.NullMarked;
