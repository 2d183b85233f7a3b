/// The mapping of an index put together: reading, merging, showing, growing by documents, limits.
/// Above all field types: [FieldTypes] is their registry, one line a kind. [IndexMapping] is
/// immutable, a change makes another; what an update would lose or contradict is refused.
@NullMarked
package dev.holdfast.document.mapping;

import org.jspecify.annotations.NullMarked;
