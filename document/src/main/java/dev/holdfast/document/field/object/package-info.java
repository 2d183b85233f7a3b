/// Fields that are more than values: aliases, flattened objects, joins, stored queries, binary
/// values.
@NullMarked
package dev.holdfast.document.field.object;

import org.jspecify.annotations.NullMarked;
