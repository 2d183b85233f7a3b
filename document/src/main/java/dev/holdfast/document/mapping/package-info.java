/// The mapping of an index as an immutable tree: reading, merging, showing, and growing it by
/// documents.
@NullMarked
package dev.holdfast.document.mapping;

import org.jspecify.annotations.NullMarked;
