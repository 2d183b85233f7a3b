package dev.holdfast.indexing.write;

import dev.holdfast.indexing.engine.ShardCounters;
import dev.holdfast.indexing.operation.WriteOperation;
import dev.holdfast.indexing.version.Row;
import java.io.IOException;
import java.util.List;

/// Counts what the writes of a shard do, for `_stats`.
final class WriteCounts {
  private final ShardCounters counters;

  WriteCounts(ShardCounters counters) {
    this.counters = counters;
  }

  /// What is done with rows.
  @FunctionalInterface
  interface Work<T> {
    T run() throws IOException, InterruptedException;
  }

  /// The rows are operations that are under way while this runs.
  <T> T during(List<Row> rows, Work<T> work) throws IOException, InterruptedException {
    long deletes = deletes(rows);
    counters.deleting.addAndGet(deletes);
    counters.indexing.addAndGet(rows.size() - deletes);
    try {
      return work.run();
    } finally {
      counters.deleting.addAndGet(-deletes);
      counters.indexing.addAndGet(deletes - rows.size());
    }
  }

  /// Each of the rows took as long as the others.
  void took(List<Row> rows, long nanos) {
    counters.indexNanos.add(nanos);
    if (!rows.isEmpty()) {
      counters.deleteNanos.add(Math.round((double) nanos * deletes(rows) / rows.size()));
    }
  }

  /// A request of operations is applied.
  void bulk(List<WriteOperation> operations, long nanos) {
    counters.bulks.increment();
    counters.bulkNanos.add(nanos);
    counters.bulkBytes.add(operations.stream().mapToLong(WriteOperation::length).sum());
  }

  private static long deletes(List<Row> rows) {
    return rows.stream().filter(Row::isDelete).count();
  }
}
