package dev.holdfast.query;

import dev.holdfast.document.BatchBuilder;
import dev.holdfast.document.DocumentSource;
import dev.holdfast.document.Mapping;
import dev.holdfast.document.mapping.StandardMappings;
import dev.holdfast.query.fetch.FetchPhase;
import dev.holdfast.query.hits.ShardResult;
import dev.holdfast.query.parse.Queries;
import dev.holdfast.query.parse.SearchParser;
import dev.holdfast.query.phase.QueryPhase;
import dev.holdfast.query.request.SearchSource;
import dev.holdfast.query.result.Hit;
import dev.holdfast.world.Json;
import dev.holdfast.world.Reservation;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.jspecify.annotations.Nullable;

/// A real index of a few documents, written as the indexing tier writes it.
public final class SearchTestIndex implements AutoCloseable {
  private final ByteBuffersDirectory directory = new ByteBuffersDirectory();
  private final IndexWriter writer;
  private Mapping mapping;
  private DirectoryReader reader;
  private long seqNo;

  public SearchTestIndex(String properties) throws IOException {
    mapping =
        new StandardMappings()
            .create(Json.parseObject("{\"properties\":" + properties + "}"), new TreeMap<>());
    writer =
        new IndexWriter(directory, new IndexWriterConfig().setMergePolicy(NoMergePolicy.INSTANCE));
    reader = DirectoryReader.open(writer);
  }

  /// Adds documents `id, json, id, json, …` as one segment.
  public SearchTestIndex add(String... idsAndDocuments) throws IOException {
    return routed(null, idsAndDocuments);
  }

  /// The same with a routing.
  public SearchTestIndex routed(@Nullable String routing, String... idsAndDocuments)
      throws IOException {
    BatchBuilder batch = mapping.newBatch();
    for (int i = 0; i < idsAndDocuments.length; i += 2) {
      byte[] bytes = idsAndDocuments[i + 1].getBytes(StandardCharsets.UTF_8);
      DocumentSource source =
          new DocumentSource(idsAndDocuments[i], routing, bytes, 0, bytes.length);
      switch (batch.add(source)) {
        case BatchBuilder.Outcome.Added(int row) -> batch.identify(row, seqNo++, 1, 1);
        case BatchBuilder.Outcome.NeedsMapping(var update) -> {
          if (batch.rows() > 0) {
            writer.addBatch(batch.columns());
          }
          mapping = mapping.merge(update);
          batch = mapping.newBatch();
          i -= 2;
        }
        case BatchBuilder.Outcome.Refused(var refusal) -> throw refusal;
      }
    }
    if (batch.rows() > 0) {
      writer.addBatch(batch.columns());
    }
    refresh();
    return this;
  }

  /// Deletes the documents of a query.
  public SearchTestIndex delete(String query) throws IOException {
    writer.deleteDocuments(Queries.parse(Json.parseObject(query)).toLucene(context()));
    refresh();
    return this;
  }

  private void refresh() throws IOException {
    writer.flush();
    DirectoryReader changed = DirectoryReader.openIfChanged(reader);
    if (changed != null) {
      reader.close();
      reader = changed;
    }
  }

  Mapping mapping() {
    return mapping;
  }

  public QueryContext context() {
    return new QueryContext(
        "test", 0, mapping, ElasticsearchSimilarity.searcher(reader), 0, () -> false);
  }

  public ShardResult run(String body) throws IOException {
    return QueryPhase.run(SearchParser.parse(Json.parseObject(body)), context(), () -> false);
  }

  /// As [#run], for a request that may hold so many bytes.
  public ShardResult run(String body, long bytesMax) throws IOException {
    return QueryPhase.run(
        SearchParser.parse(Json.parseObject(body)),
        context().reserving(Reservation.of(bytesMax)),
        () -> false);
  }

  public List<Hit> hits(String body) throws IOException {
    SearchSource source = SearchParser.parse(Json.parseObject(body));
    ShardResult result = QueryPhase.run(source, context(), () -> false);
    return FetchPhase.run(source, context(), result.hits());
  }

  /// Ids of the hits of a body, in order.
  public List<String> ids(String body) throws IOException {
    List<String> ids = new ArrayList<>();
    hits(body).forEach(hit -> ids.add(hit.id()));
    return ids;
  }

  /// Ids of the documents of a query, in order of the index.
  public String matching(String query) throws IOException {
    return String.join(" ", ids("{\"size\":100,\"sort\":[\"_doc\"],\"query\":" + query + "}"));
  }

  @Override
  public void close() throws IOException {
    reader.close();
    writer.close();
    directory.close();
  }
}
