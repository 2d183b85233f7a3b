/// Norms that are quick to look up while the postings of a segment are written. What is written is
/// the same.
@NullMarked
package dev.holdfast.codec.norms;

import org.jspecify.annotations.NullMarked;
