package dev.holdfast.indexing.write;

import dev.holdfast.document.DocumentSource;
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
/// between documents, not within one: each new word of one takes sixty bytes beside itself, and
/// arrays are there twice while they grow. Small documents are what its buffer is for.
final class LargeDocuments implements AutoCloseable {
  /// What is smaller is not asked for.
  private static final int SMALL_MAX_BYTES = 256 << 10;

  /// Memory for each byte of a large document.
  private static final int FACTOR = 8;

  /// Memory for each of its values, of which two bytes (`1,`) can make one: they lie in arrays that
  /// double, here and in Lucene.
  private static final int VALUE_BYTES = 48;

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
          memory.add((long) row.source.length() * FACTOR + values(row.source) * VALUE_BYTES);
        }
        admitted.add(row);
      } catch (Refusal refusal) {
        refused.accept(row, refusal);
      }
    }
    return admitted;
  }

  /// How many values there are, at most.
  private static long values(DocumentSource source) {
    long commas = 0;
    for (int i = source.offset(); i < source.offset() + source.length(); i++) {
      commas += source.bytes()[i] == ',' ? 1 : 0;
    }
    return commas;
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
