/// How vectors are searched: by graph or one by one, over themselves or over what they are
/// quantized to; vectors of bits compared by Hamming distance; more dimensions than Lucene allows
/// by itself.
@NullMarked
package dev.holdfast.codec.vector;

import org.jspecify.annotations.NullMarked;
