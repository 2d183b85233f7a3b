/// Writes that are sent again happen once (decision 016): what became of the writes that their
/// routing nodes may still repeat, kept by shard, saved in each commit, filled again by replay. An
/// attempt that follows shares the answer of the one before; where that can't be known any more,
/// the answer is 503.
@NullMarked
package dev.holdfast.indexing.resend;

import org.jspecify.annotations.NullMarked;
