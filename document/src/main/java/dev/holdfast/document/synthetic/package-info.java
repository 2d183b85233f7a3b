/// Synthetic `_source`: documents told from doc values, and from the rest that doc values lack.
@NullMarked
package dev.holdfast.document.synthetic;

import org.jspecify.annotations.NullMarked;
