package dev.holdfast.indexing.write;

import dev.holdfast.indexing.version.Row;
import dev.holdfast.world.CircuitBreaker;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.Reservation;
import dev.holdfast.world.WorkMemory;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;

/// The memory that Lucene takes for the words of large documents. It can write down what it holds
/// between documents, not within one. Small documents are what its buffer is for.
final class LargeDocuments implements AutoCloseable {
  /// What is smaller is not asked for.
  private static final int SMALL_MAX_BYTES = 256 << 10;

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
          memory.add(DocumentMemory.of(row.source));
        }
        admitted.add(row);
      } catch (Refusal refusal) {
        refused.accept(row, refusal);
      }
    }
    return admitted;
  }

  /// A step of a write.
  interface Step<T> {
    T run() throws IOException, InterruptedException;
  }

  /// Runs the write: what analysis makes of texts is asked for, too.
  <T> T during(Step<T> step) throws IOException, InterruptedException {
    try {
      return WorkMemory.<T, Exception>during(memory, step::run);
    } catch (IOException | InterruptedException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    memory.close();
  }
}
