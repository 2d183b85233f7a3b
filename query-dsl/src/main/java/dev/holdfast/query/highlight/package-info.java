/// Highlights: the parts of a hit's fields that made it match, marked. The text comes from the
/// source and is analysed again where no offsets are indexed, within
/// `index.highlight.max_analyzed_offset`. One thread a hit.
@NullMarked
package dev.holdfast.query.highlight;

import org.jspecify.annotations.NullMarked;
