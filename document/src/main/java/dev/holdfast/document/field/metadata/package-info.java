/// Types of metadata fields (`_id`, `_index`, `_source` and kin): never in a mapping, never given
/// values by documents.
@NullMarked
package dev.holdfast.document.field.metadata;

import org.jspecify.annotations.NullMarked;
