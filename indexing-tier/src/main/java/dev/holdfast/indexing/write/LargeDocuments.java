package dev.holdfast.indexing.write;

import dev.holdfast.indexing.version.Row;
import dev.holdfast.world.CircuitBreaker;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.Reservation;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;

/// The memory that Lucene takes for the words of large documents. It can write down what it holds
/// between documents, not within one: each new word of one takes sixty bytes beside itself, and
/// arrays are there twice while they grow. Small documents are what its buffer is for.
final class LargeDocuments implements AutoCloseable {
  /// What is smaller is not asked for.
  private static final int SMALL_MAX_BYTES = 256 << 10;

  /// Memory for each byte of a large document.
  private static final int FACTOR = 8;

  private final Reservation memory;

  LargeDocuments(CircuitBreaker breaker) {
    memory = breaker.begin("<indexing_large_document>");
  }

  /// Asks for the memory of those that are large.
  ///
  /// @param refused told of those that there is no memory for (429)
  /// @return the others
  List<Row> admit(List<Row> rows, BiConsumer<Row, Refusal> refused) {
    List<Row> admitted = new ArrayList<>(rows.size());
    for (Row row : rows) {
      try {
        if (row.source != null && row.source.length() > SMALL_MAX_BYTES) {
          memory.add((long) row.source.length() * FACTOR);
        }
        admitted.add(row);
      } catch (Refusal refusal) {
        refused.accept(row, refusal);
      }
    }
    return admitted;
  }

  @Override
  public void close() {
    memory.close();
  }
}
