/// Dense vectors with their graphs, and features: weights by name.
@NullMarked
package dev.holdfast.document.field.vector;

import org.jspecify.annotations.NullMarked;
