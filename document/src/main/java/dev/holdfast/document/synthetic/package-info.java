/// Synthetic `_source`: documents told from doc values, and from the rest that doc values lack.
/// What is written decides what can be told, so both sides follow one plan.
@NullMarked
package dev.holdfast.document.synthetic;

import org.jspecify.annotations.NullMarked;
