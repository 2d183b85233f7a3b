package dev.holdfast.benchmark.micro;

import dev.holdfast.codec.HoldfastCodec;
import dev.holdfast.document.BatchBuilder;
import dev.holdfast.document.DocumentSource;
import dev.holdfast.document.Mapping;
import dev.holdfast.query.ElasticsearchSimilarity;
import dev.holdfast.query.QueryContext;
import dev.holdfast.query.hits.ShardResult;
import dev.holdfast.query.parse.SearchParser;
import dev.holdfast.query.phase.QueryPhase;
import dev.holdfast.world.Json;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/// Kernels over columns of doc values: the query phase of 100,000 documents in one segment, without
/// hits.
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@SuppressWarnings("NullAway.Init") // by JMH, before anything is measured
public class DocValuesBenchmark {
  private static final int DOCUMENTS = 100_000;
  private static final int BATCH = 1_000;

  /// What is asked.
  public enum Question {
    SUM("{\"size\":0,\"aggs\":{\"a\":{\"sum\":{\"field\":\"size\"}}}}"),
    TERMS("{\"size\":0,\"aggs\":{\"a\":{\"terms\":{\"field\":\"host\"}}}}"),
    TERMS_SUM(
        "{\"size\":0,\"aggs\":{\"a\":{\"terms\":{\"field\":\"host\"},"
            + "\"aggs\":{\"s\":{\"sum\":{\"field\":\"size\"}}}}}}"),
    HISTOGRAM(
        "{\"size\":0,\"aggs\":{\"a\":{\"date_histogram\":"
            + "{\"field\":\"@timestamp\",\"fixed_interval\":\"1h\"}}}}"),
    FILTERED_SUM(
        "{\"size\":0,\"query\":{\"range\":{\"size\":{\"gte\":50000}}},"
            + "\"aggs\":{\"a\":{\"sum\":{\"field\":\"size\"}}}}"),
    SORTED("{\"size\":10,\"sort\":[{\"size\":\"desc\"}],\"track_total_hits\":false}");

    private final String body;

    Question(String body) {
      this.body = body;
    }
  }

  @Param private Question question;

  private final Mapping mapping = WebLog.mapping();
  private ByteBuffersDirectory directory;
  private DirectoryReader reader;

  /// Writes the documents.
  @Setup(Level.Trial)
  public void write() throws IOException {
    directory = new ByteBuffersDirectory();
    List<byte[]> lines = WebLog.lines(DOCUMENTS);
    IndexWriterConfig config = new IndexWriterConfig().setCodec(HoldfastCodec.of("default"));
    try (IndexWriter writer = new IndexWriter(directory, config)) {
      BatchBuilder batch = mapping.newBatch();
      for (int i = 0; i < lines.size(); i++) {
        byte[] line = lines.get(i);
        DocumentSource source = new DocumentSource(Integer.toString(i), null, line, 0, line.length);
        if (!(batch.add(source) instanceof BatchBuilder.Outcome.Added(int row))) {
          throw new IllegalStateException("a document was not added");
        }
        batch.identify(row, i, 1, 1);
        if (batch.rows() == BATCH) {
          writer.addBatch(batch.columns());
          batch.clear();
        }
      }
      writer.forceMerge(1);
    }
    reader = DirectoryReader.open(directory);
  }

  /// Ends it.
  @TearDown(Level.Trial)
  public void close() throws IOException {
    reader.close();
    directory.close();
  }

  /// Time of a whole query phase.
  @Benchmark
  public ShardResult queryPhase() throws IOException {
    QueryContext context =
        new QueryContext(
            "logs", 0, mapping, ElasticsearchSimilarity.searcher(reader), 0, () -> false);
    return QueryPhase.run(
        SearchParser.parse(Json.parseObject(question.body)), context, () -> false);
  }
}
