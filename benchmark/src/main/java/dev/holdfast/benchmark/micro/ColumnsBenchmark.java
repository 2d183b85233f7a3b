package dev.holdfast.benchmark.micro;

import dev.holdfast.document.BatchBuilder;
import dev.holdfast.document.DocumentSource;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/// A bulk's documents from bytes into the columns that Lucene is given.
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class ColumnsBenchmark {
  private static final int DOCUMENTS = 1_000;

  private final List<byte[]> lines = WebLog.lines(DOCUMENTS);
  private final BatchBuilder batch = WebLog.mapping().newBatch();

  /// Time of one document.
  @Benchmark
  @OperationsPerInvocation(DOCUMENTS)
  public int document() {
    int number = 0;
    for (byte[] line : lines) {
      DocumentSource source =
          new DocumentSource(Integer.toString(number++), null, line, 0, line.length);
      if (!(batch.add(source) instanceof BatchBuilder.Outcome.Added(int row))) {
        throw new IllegalStateException("a document was not added");
      }
      batch.identify(row, number, 1, 1);
    }
    int rows = batch.rows();
    batch.clear();
    return rows;
  }
}
