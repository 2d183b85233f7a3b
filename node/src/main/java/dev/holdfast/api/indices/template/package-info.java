/// Templates of indices: component, composable and legacy ones, which of them a new index matches,
/// and what they make of it.
@NullMarked
package dev.holdfast.api.indices.template;

import org.jspecify.annotations.NullMarked;
