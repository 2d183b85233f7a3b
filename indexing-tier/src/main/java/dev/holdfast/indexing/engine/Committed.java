package dev.holdfast.indexing.engine;

import dev.holdfast.translog.Log;
import org.apache.lucene.index.IndexCommit;
import org.jspecify.annotations.Nullable;

/// A Lucene commit as it was made.
///
/// @param commit null when nothing had changed: the commit before holds it all
/// @param maxSeqNo every operation up to it is in the commit
/// @param logOrdinal every operation that is not lies in this file of the log or a later one
/// @param ticket when it is durable, so is every operation in the commit
/// @param counts none when nothing had changed
/// @param indexNanos thread time of writes until the commit
/// @param logOperations operations given to the log until the commit, for statistics
public record Committed(
    @Nullable IndexCommit commit,
    long maxSeqNo,
    long logOrdinal,
    Log.Ticket ticket,
    SegmentCounts counts,
    long indexNanos,
    long logOperations,
    long logBytes) {}
