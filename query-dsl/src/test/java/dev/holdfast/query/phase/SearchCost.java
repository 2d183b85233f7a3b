package dev.holdfast.query.phase;

import dev.holdfast.document.BatchBuilder;
import dev.holdfast.document.DocumentSource;
import dev.holdfast.document.Mapping;
import dev.holdfast.document.mapping.StandardMappings;
import dev.holdfast.query.QueryContext;
import dev.holdfast.query.fetch.FetchPhase;
import dev.holdfast.query.hits.ShardResult;
import dev.holdfast.query.parse.SearchParser;
import dev.holdfast.query.request.SearchSource;
import dev.holdfast.world.Json;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Random;
import java.util.TreeMap;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.store.MMapDirectory;

/// Processor time of searches over web logs in the order of time, one segment: a program to run by
/// hand, with a directory and bodies of searches as arguments.
public final class SearchCost {
  private static final int DOCUMENTS = 500_000;
  private static final String PROPERTIES =
      """
      {"properties":{"@timestamp":{"type":"date"},"clientip":{"type":"ip"},
       "request":{"type":"text"},"status":{"type":"integer"},"size":{"type":"long"}}}
      """;

  private final Mapping mapping =
      new StandardMappings().create(Json.parseObject(PROPERTIES), new TreeMap<>());
  private final IndexSearcher searcher;

  public SearchCost(Path directory) throws IOException {
    MMapDirectory files = new MMapDirectory(directory);
    if (!DirectoryReader.indexExists(files)) {
      fill(files);
    }
    searcher = new IndexSearcher(DirectoryReader.open(files));
  }

  private void fill(MMapDirectory files) throws IOException {
    Random random = new Random(7);
    try (IndexWriter writer = new IndexWriter(files, new IndexWriterConfig())) {
      BatchBuilder batch = mapping.newBatch();
      for (int i = 0; i < DOCUMENTS; i++) {
        long time = 894_000_000_000L + i * 250L / 1000 * 1000;
        String document =
            String.format(
                "{\"@timestamp\":%d,\"clientip\":\"10.%d.%d.1\",\"request\":\"GET"
                    + " /english/page%d.html HTTP/1.0\",\"status\":%d,\"size\":%d}",
                time,
                random.nextInt(200),
                random.nextInt(200),
                random.nextInt(5000),
                random.nextInt(10) == 0 ? 404 : 200,
                random.nextInt(50_000));
        byte[] bytes = document.getBytes(StandardCharsets.UTF_8);
        var added = batch.add(new DocumentSource("id" + i, null, bytes, 0, bytes.length));
        batch.identify(((BatchBuilder.Outcome.Added) added).row(), i, 1, 1);
        if (batch.rows() == 1000) {
          writer.addBatch(batch.columns());
          batch = mapping.newBatch();
        }
      }
      if (batch.rows() > 0) {
        writer.addBatch(batch.columns());
      }
      writer.forceMerge(1);
    }
  }

  /// Milliseconds of processor time that one search takes: parsing, both phases, merge.
  public double millis(String body, int searches) throws IOException {
    var threads = ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadCpuTime();
    for (int i = 0; i < searches; i++) {
      SearchSource source = SearchParser.parse(Json.parseObject(body));
      QueryContext context = new QueryContext("logs", 0, mapping, searcher, 0, () -> false);
      ShardResult result = QueryPhase.run(source, context, () -> false);
      SearchMerge merge = SearchMerge.of(source, java.util.List.of(result), 65_536);
      FetchPhase.run(
          source, context, merge.hits().stream().map(SearchMerge.MergedHit::hit).toList());
    }
    return (threads.getCurrentThreadCpuTime() - before) / 1e6 / searches;
  }

  public static void main(String[] arguments) throws IOException {
    SearchCost cost = new SearchCost(Path.of(arguments[0]));
    for (int round = 0; round < 5; round++) {
      for (int i = 1; i < arguments.length; i++) {
        System.out.printf("%8.3f ms  %s%n", cost.millis(arguments[i], 200), arguments[i]);
      }
    }
  }
}
