package dev.holdfast.query.aggregation;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.document.BatchBuilder;
import dev.holdfast.document.DocumentSource;
import dev.holdfast.document.Mapping;
import dev.holdfast.document.mapping.StandardMappings;
import dev.holdfast.query.ElasticsearchSimilarity;
import dev.holdfast.query.QueryClause;
import dev.holdfast.query.QueryContext;
import dev.holdfast.query.aggregation.kernel.AggregationCollector;
import dev.holdfast.query.aggregation.kernel.AggregationTree;
import dev.holdfast.query.aggregation.kernel.Results;
import dev.holdfast.world.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.TreeMap;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.search.CollectorManager;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.jspecify.annotations.Nullable;

/// One shard of a real index, cut into segments as the test wants.
public final class AggregationTestShard implements AutoCloseable {
  static final long NOW = 1_600_000_000_000L;

  private final Directory directory;
  private final IndexWriter writer;
  private final Mapping mapping;
  private DirectoryReader reader;

  public AggregationTestShard(String mappingJson) throws IOException {
    this(mappingJson, new ByteBuffersDirectory());
  }

  AggregationTestShard(String mappingJson, Directory directory) throws IOException {
    this.directory = directory;
    mapping = new StandardMappings().create(Json.parseObject(mappingJson), new TreeMap<>());
    writer =
        new IndexWriter(directory, new IndexWriterConfig().setMergePolicy(NoMergePolicy.INSTANCE));
    reader = DirectoryReader.open(writer);
  }

  /// Adds documents as one segment more.
  public AggregationTestShard segment(List<String> documents) throws IOException {
    return routed(null, documents);
  }

  /// Adds documents of one routing as one segment more.
  public AggregationTestShard routed(@Nullable String routing, List<String> documents)
      throws IOException {
    BatchBuilder batch = mapping.newBatch();
    for (int i = 0; i < documents.size(); i++) {
      byte[] bytes = documents.get(i).getBytes(StandardCharsets.UTF_8);
      BatchBuilder.Outcome outcome =
          batch.add(new DocumentSource(Integer.toString(i), routing, bytes, 0, bytes.length));
      if (!(outcome instanceof BatchBuilder.Outcome.Added(int row))) {
        throw new AssertionError(documents.get(i) + ": " + outcome);
      }
      batch.identify(row, i, 1, 1);
    }
    if (!documents.isEmpty()) {
      writer.addBatch(batch.columns());
    }
    reopen();
    return this;
  }

  void delete(String field, String valueJson) throws IOException {
    writer.deleteDocuments(query(Json.parse("{\"term\":{\"" + field + "\":" + valueJson + "}}")));
    reopen();
  }

  private void reopen() throws IOException {
    writer.flush();
    reader.close();
    reader = DirectoryReader.open(writer);
  }

  QueryContext context() {
    return new QueryContext(
        "test", 0, mapping, ElasticsearchSimilarity.searcher(reader), NOW, () -> false);
  }

  Query query(JsonNode node) {
    return clause(node).toLucene(context());
  }

  /// `match_all` and `term`: enough for filters.
  static QueryClause clause(JsonNode node) {
    return context -> {
      if (node.has("match_all")) {
        return MatchAllDocsQuery.INSTANCE;
      }
      String field = node.get("term").fieldNames().next();
      var type = context.type(field);
      if (type == null) {
        throw new AssertionError("unmapped: " + field);
      }
      return type.termQuery(field, node.get("term").get(field), NOW);
    };
  }

  Results collect(AggregationTree tree, Query query) throws IOException {
    QueryContext context = context();
    return context
        .searcher()
        .search(
            query,
            new CollectorManager<AggregationCollector, Results>() {
              @Override
              public AggregationCollector newCollector() throws IOException {
                return tree.bind(context);
              }

              @Override
              public Results reduce(java.util.Collection<AggregationCollector> collectors)
                  throws IOException {
                Results all = null;
                for (AggregationCollector collector : collectors) {
                  Results one = collector.results();
                  all = all == null ? one : all.merge(one);
                }
                return all == null ? tree.empty() : all;
              }
            });
  }

  @Override
  public void close() throws IOException {
    reader.close();
    writer.close();
    directory.close();
  }
}
