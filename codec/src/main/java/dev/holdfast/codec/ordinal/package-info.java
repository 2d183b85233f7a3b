/// Postings of fields whose terms are doc values, too: the terms are kept once, and postings are
/// found by their ordinals. Readers are for one thread each, as Lucene's are.
@NullMarked
package dev.holdfast.codec.ordinal;

import org.jspecify.annotations.NullMarked;
