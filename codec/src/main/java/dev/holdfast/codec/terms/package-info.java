/// Sorted terms in compressed blocks, found by their ordinals or by their bytes. Readers are for
/// one thread each.
@NullMarked
package dev.holdfast.codec.terms;

import org.jspecify.annotations.NullMarked;
