package dev.holdfast.benchmark.micro;

import dev.holdfast.document.scan.JsonScanner;
import dev.holdfast.document.scan.Token;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/// The JSON scanner: every token of a document, values of numbers included.
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class ScanBenchmark {
  private static final int DOCUMENTS = 1_000;

  private final List<byte[]> lines = WebLog.lines(DOCUMENTS);
  private final JsonScanner scanner = new JsonScanner();

  /// Time of one document.
  @Benchmark
  @OperationsPerInvocation(DOCUMENTS)
  public long document() {
    long sum = 0;
    for (byte[] line : lines) {
      scanner.open(line, 0, line.length);
      Token _ = scanner.next();
      for (boolean isFirst = true; scanner.nextMember(isFirst); isFirst = false) {
        Token _ = scanner.next();
        sum += scanner.isLong() ? scanner.longValue() : scanner.position();
      }
      scanner.finish();
    }
    return sum;
  }
}
