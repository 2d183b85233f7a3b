/// Templates of indices: component, composable and legacy ones, and what they make of a name.
@NullMarked
package dev.holdfast.node.api.template;

import org.jspecify.annotations.NullMarked;
