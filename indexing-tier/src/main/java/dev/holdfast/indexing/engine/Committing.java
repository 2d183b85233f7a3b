package dev.holdfast.indexing.engine;

import dev.holdfast.indexing.node.RoutingNodes;
import dev.holdfast.indexing.resend.SavedWrites;
import dev.holdfast.translog.Log;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.locks.Lock;
import org.apache.lucene.index.IndexCommit;
import org.jspecify.annotations.Nullable;

/// Makes a Lucene commit and finds out what it is certain to hold.
final class Committing {
  private final ShardEngine engine;
  private final Log log;
  private final Lock gate;
  private final RoutingNodes routers;

  /// @param gate nobody is between numbering and the log while it is held
  Committing(ShardEngine engine, Log log, RoutingNodes routers, Lock gate) {
    this.engine = engine;
    this.log = log;
    this.gate = gate;
    this.routers = routers;
  }

  /// What is in Lucene at a moment at which no write is under way.
  private record Captured(
      long maxSeqNo, long logOrdinal, long indexNanos, long logOperations, long logBytes) {}

  /// Commits what changed; one caller at a time.
  ///
  /// @param isForced commit even when nothing changed
  Committed commit(boolean isForced) throws IOException {
    Captured captured;
    gate.lock();
    try {
      captured =
          new Captured(
              engine.numbers.max(),
              log.ordinal(),
              engine.counters.indexNanos.sum(),
              engine.counters.logOperations.get(),
              engine.counters.logBytes.get());
    } finally {
      gate.unlock();
    }
    if (!isForced && !engine.writer.hasUncommittedChanges()) {
      return committed(null, captured);
    }
    engine.recent.tidy(routers::isMember);
    engine.writer.setLiveCommitData(
        Map.of(
                "max_seq_no",
                Long.toString(captured.maxSeqNo),
                "primary_term",
                Long.toString(engine.primaryTerm),
                SavedWrites.MEMBER,
                engine.recent.save(captured.maxSeqNo))
            .entrySet());
    engine.writer.commit();
    IndexCommit commit = engine.commits.newest();
    if (commit == null) {
      throw new IOException("Lucene committed and told nobody [shard=" + engine.shard + "]");
    }
    return committed(commit, captured);
  }

  private Committed committed(@Nullable IndexCommit commit, Captured captured) throws IOException {
    return new Committed(
        commit,
        captured.maxSeqNo,
        captured.logOrdinal,
        barrier(),
        commit == null ? SegmentCounts.NONE : SegmentCounts.of(commit),
        captured.indexNanos,
        captured.logOperations,
        captured.logBytes);
  }

  /// Covers every operation that Lucene has: none is between Lucene and the log when nobody holds
  /// the gate.
  private Log.Ticket barrier() {
    gate.lock();
    try {
      return log.barrier();
    } finally {
      gate.unlock();
    }
  }
}
