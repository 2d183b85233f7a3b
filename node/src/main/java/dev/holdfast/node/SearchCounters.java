package dev.holdfast.node;

import dev.holdfast.clusterstate.IndexId;
import java.util.Collection;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/// Searches of this node, by index; a search of several indices counts for each of them.
public final class SearchCounters {
  private final ConcurrentHashMap<IndexId, Cell> cells = new ConcurrentHashMap<>();

  void began(IndexId index) {
    cell(index).began.increment();
  }

  void ended(IndexId index, long nanos) {
    Cell cell = cell(index);
    cell.ended.increment();
    cell.nanos.add(nanos);
  }

  /// Forgets indices that are gone.
  void keepOnly(Collection<IndexId> existing) {
    cells.keySet().retainAll(existing);
  }

  private Cell cell(IndexId index) {
    return cells.computeIfAbsent(index, i -> new Cell());
  }

  /// What was counted for these indices together.
  public Snapshot of(Collection<IndexId> indices) {
    Snapshot sum = new Snapshot(0, 0, 0);
    for (IndexId index : indices) {
      Cell cell = cells.get(index);
      if (cell != null) {
        long ended = cell.ended.sum();
        sum =
            new Snapshot(
                sum.total + ended,
                sum.current + Math.max(0, cell.began.sum() - ended),
                sum.millis + cell.nanos.sum() / 1_000_000);
      }
    }
    return sum;
  }

  /// @param total searches that ended
  /// @param current searches that run
  /// @param millis they took, all together
  public record Snapshot(long total, long current, long millis) {}

  private static final class Cell {
    final LongAdder began = new LongAdder();
    final LongAdder ended = new LongAdder();
    final LongAdder nanos = new LongAdder();
  }
}
