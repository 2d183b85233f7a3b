/// Highlights: the parts of a hit's fields that made it match, marked.
@NullMarked
package dev.holdfast.query.highlight;

import org.jspecify.annotations.NullMarked;
