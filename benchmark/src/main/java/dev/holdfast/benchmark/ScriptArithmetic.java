package dev.holdfast.benchmark;

import dev.holdfast.codec.HoldfastCodec;
import dev.holdfast.document.BatchBuilder;
import dev.holdfast.document.DocumentSource;
import dev.holdfast.document.Mapping;
import dev.holdfast.document.mapping.StandardMappings;
import dev.holdfast.query.ElasticsearchSimilarity;
import dev.holdfast.query.QueryContext;
import dev.holdfast.query.parse.SearchParser;
import dev.holdfast.world.Json;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.queries.function.FunctionScoreQuery;
import org.apache.lucene.search.DoubleValues;
import org.apache.lucene.search.DoubleValuesSource;
import org.apache.lucene.search.Explanation;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.util.NumericUtils;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// `./holdfast benchmark script-arithmetic`: a `script_score` over three numbers of each document,
/// and the same formula over the same columns written in Java (at most twice the time is wanted).
@Command(
    name = "script-arithmetic",
    mixinStandardHelpOptions = true,
    description = "A script_score and the same arithmetic in Java, by time of one thread.")
final class ScriptArithmetic implements Callable<Integer> {
  private static final double RATIO_MAX = 2;
  private static final int BATCH = 1000;
  private static final int HITS = 10;
  private static final int WARM_ROUNDS = 30;
  private static final String MAPPING =
      "{\"properties\":{\"a\":{\"type\":\"long\"},\"b\":{\"type\":\"double\"},\"c\":{\"type\":\"double\"}}}";
  private static final String SEARCH =
      "{\"query\":{\"script_score\":{\"query\":{\"match_all\":{}},\"script\":\"doc['a'].value * 1.5"
          + " + doc['b'].value / (doc['c'].value + 1)\"}}}";

  @Option(names = "--documents", description = "(default: ${DEFAULT-VALUE})")
  private int documents = 500_000;

  @Option(names = "--rounds", description = "(default: ${DEFAULT-VALUE})")
  private int rounds = 15;

  @Override
  public Integer call() throws Exception {
    Mapping mapping = new StandardMappings().create(Json.parseObject(MAPPING), new TreeMap<>());
    try (Scratch scratch = Scratch.create();
        FSDirectory directory = FSDirectory.open(scratch.resolve("index"))) {
      write(directory, mapping);
      try (DirectoryReader reader = DirectoryReader.open(directory)) {
        IndexSearcher searcher = ElasticsearchSimilarity.searcher(reader);
        QueryContext context = new QueryContext("numbers", 0, 0, mapping, searcher, 0, () -> false);
        Query script = SearchParser.parse(Json.parseObject(SEARCH)).query().toLucene(context);
        return compare(
            searcher, script, new FunctionScoreQuery(MatchAllDocsQuery.INSTANCE, new Formula()));
      }
    }
  }

  private void write(FSDirectory directory, Mapping mapping) throws IOException {
    IndexWriterConfig config = new IndexWriterConfig().setCodec(HoldfastCodec.of("default"));
    Random random = new Random(1);
    try (IndexWriter writer = new IndexWriter(directory, config)) {
      for (int from = 0; from < documents; from += BATCH) {
        BatchBuilder batch = mapping.newBatch();
        for (int i = 0; i < BATCH; i++) {
          byte[] bytes =
              String.format(
                      Locale.ROOT,
                      "{\"a\":%d,\"b\":%.3f,\"c\":%.3f}",
                      random.nextInt(1000),
                      random.nextDouble() * 100,
                      random.nextDouble() * 10)
                  .getBytes(StandardCharsets.UTF_8);
          switch (batch.add(new DocumentSource("d" + (from + i), null, bytes, 0, bytes.length))) {
            case BatchBuilder.Outcome.Added(int row) -> batch.identify(row, from + i, 1, 1);
            case BatchBuilder.Outcome.NeedsMapping(var update) ->
                throw new IllegalStateException("not in the mapping: " + update);
            case BatchBuilder.Outcome.Refused(var refusal) -> throw refusal;
          }
        }
        writer.addBatch(batch.columns());
      }
      writer.forceMerge(1);
      writer.commit();
    }
  }

  private int compare(IndexSearcher searcher, Query script, Query java) throws IOException {
    TopDocs made = searcher.search(script, HITS);
    TopDocs wanted = searcher.search(java, HITS);
    for (int i = 0; i < HITS; i++) {
      if (made.scoreDocs[i].doc != wanted.scoreDocs[i].doc
          || made.scoreDocs[i].score != wanted.scoreDocs[i].score) {
        throw new IllegalStateException("the script and Java disagree at hit " + i);
      }
    }
    double[] scripts = new double[rounds];
    double[] javas = new double[rounds];
    for (int round = -WARM_ROUNDS; round < rounds; round++) {
      double ofScript = millis(searcher, script);
      double ofJava = millis(searcher, java);
      if (round >= 0) {
        scripts[round] = ofScript;
        javas[round] = ofJava;
      }
    }
    Arrays.sort(scripts);
    Arrays.sort(javas);
    double ratio = scripts[rounds / 2] / javas[rounds / 2];
    System.out.printf(
        Locale.ROOT,
        "%,d documents: script %.2f ms, Java %.2f ms, medians of %d: %.2f times (at most %.0f is"
            + " wanted)%n",
        documents,
        scripts[rounds / 2],
        javas[rounds / 2],
        rounds,
        ratio,
        RATIO_MAX);
    return ratio <= RATIO_MAX ? 0 : 1;
  }

  /// Processor time of this thread, which is the one that searches.
  private static double millis(IndexSearcher searcher, Query query) throws IOException {
    long before = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    TopDocs _ = searcher.search(query, HITS);
    return (ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - before) / 1e6;
  }

  /// What the script says, in Java.
  private static final class Formula extends DoubleValuesSource {
    private static double decode(NumericDocValues values) throws IOException {
      return NumericUtils.sortableLongToDouble(values.longValue());
    }

    @Override
    public DoubleValues getValues(LeafReaderContext leaf, @Nullable DoubleValues scores)
        throws IOException {
      NumericDocValues a = column(leaf, "a");
      NumericDocValues b = column(leaf, "b");
      NumericDocValues c = column(leaf, "c");
      return new DoubleValues() {
        @Override
        public double doubleValue() throws IOException {
          return a.longValue() * 1.5 + decode(b) / (decode(c) + 1);
        }

        @Override
        public boolean advanceExact(int doc) throws IOException {
          return a.advanceExact(doc) && b.advanceExact(doc) && c.advanceExact(doc);
        }
      };
    }

    private static NumericDocValues column(LeafReaderContext leaf, String field)
        throws IOException {
      NumericDocValues values =
          DocValues.unwrapSingleton(DocValues.getSortedNumeric(leaf.reader(), field));
      if (values == null) {
        throw new IllegalStateException("several values in one document [" + field + "]");
      }
      return values;
    }

    @Override
    public boolean needsScores() {
      return false;
    }

    @Override
    public DoubleValuesSource rewrite(IndexSearcher searcher) {
      return this;
    }

    @Override
    public boolean isCacheable(LeafReaderContext leaf) {
      return false;
    }

    @Override
    public Explanation explain(LeafReaderContext leaf, int doc, Explanation score) {
      return score;
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other == this;
    }

    @Override
    public int hashCode() {
      return System.identityHashCode(this);
    }

    @Override
    public String toString() {
      return "formula";
    }
  }
}
