package dev.holdfast.query.clause.specialized;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.document.BatchBuilder;
import dev.holdfast.document.DocumentSource;
import dev.holdfast.document.Mapping;
import dev.holdfast.document.MetadataFields;
import dev.holdfast.query.ElasticsearchSimilarity;
import dev.holdfast.query.QueryContext;
import dev.holdfast.query.QueryReader;
import dev.holdfast.query.highlight.HighlightRequest;
import dev.holdfast.query.highlight.Highlights;
import dev.holdfast.query.source.StoredDocument;
import dev.holdfast.world.Json;
import dev.holdfast.world.StopSignal;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.lucene.index.BinaryDocValues;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.SerialMergeScheduler;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.util.BytesRef;

/// Documents of a request as an index in memory, on which the queries that an index holds are run.
/// They are mapped as the index maps its own; fields that it lacks are mapped for them alone.
final class PercolatedDocuments {
  /// Of a document in memory, beside what it holds: postings and columns of each of its fields.
  private static final long DOCUMENT_BYTES = 1024;

  /// Memory for each of its bytes, about.
  private static final long INDEX_FACTOR = 8;

  private final String field;
  private final List<ObjectNode> documents;
  private final QueryReader queries;
  private final QueryContext inMemory;

  PercolatedDocuments(
      QueryContext context, String field, List<ObjectNode> documents, QueryReader queries) {
    this.field = field;
    this.queries = queries;
    this.documents = documents;
    try {
      this.inMemory = index(context);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  String field() {
    return field;
  }

  private QueryContext index(QueryContext context) throws IOException {
    ByteBuffersDirectory directory = new ByteBuffersDirectory();
    Mapping mapping = context.mapping();
    IndexWriterConfig config =
        new IndexWriterConfig()
            .setMergePolicy(NoMergePolicy.INSTANCE)
            .setMergeScheduler(new SerialMergeScheduler());
    try (IndexWriter writer = new IndexWriter(directory, config)) {
      for (int slot = 0; slot < documents.size(); slot++) {
        StopSignal.lookForCancelling();
        mapping = add(context, writer, mapping, slot);
      }
    }
    // Never closed: its files are on the heap and go with it.
    IndexSearcher searcher = ElasticsearchSimilarity.searcher(DirectoryReader.open(directory));
    return new QueryContext(
            context.index(),
            context.shard(),
            mapping,
            searcher,
            context.nowMillis(),
            context.isCancelled())
        .reserving(context.memory());
  }

  /// Adds a document under its number.
  ///
  /// @return the mapping, with the fields that the document introduced
  private Mapping add(QueryContext context, IndexWriter writer, Mapping mapping, int slot)
      throws IOException {
    byte[] bytes = Json.bytes(documents.get(slot));
    context.memory().add(DOCUMENT_BYTES + INDEX_FACTOR * bytes.length);
    DocumentSource source =
        new DocumentSource(Integer.toString(slot), null, bytes, 0, bytes.length);
    Mapping known = mapping;
    while (true) {
      BatchBuilder batch = known.newBatch();
      switch (batch.add(source)) {
        case BatchBuilder.Outcome.Added(int row) -> {
          batch.identify(row, slot, 1, 1);
          writer.addBatch(batch.columns());
          return known;
        }
        case BatchBuilder.Outcome.NeedsMapping(var update) -> known = known.merge(update);
        case BatchBuilder.Outcome.Refused(var refusal) -> throw refusal;
      }
    }
  }

  /// The query that a document of the index holds, for the documents in memory.
  Query query(BytesRef json) {
    ObjectNode query = (ObjectNode) Json.parse(json.bytes, json.offset, json.length);
    return inMemory.overRoots(queries.read(query).toLucene(inMemory));
  }

  /// The best score that a query gives to any of the documents; negative when it finds none.
  float score(BytesRef json) throws IOException {
    TopDocs best = inMemory.searcher().search(query(json), 1);
    return best.scoreDocs.length == 0 ? -1 : Math.max(0, best.scoreDocs[0].score);
  }

  boolean finds(BytesRef json) throws IOException {
    return inMemory.searcher().count(query(json)) > 0;
  }

  /// Numbers of the documents that are found by the query of a document of the index.
  List<Object> slots(LeafReaderContext leaf, int doc) throws IOException {
    List<Object> slots = new ArrayList<>();
    BinaryDocValues queries = leaf.reader().getBinaryDocValues(field);
    if (queries != null && queries.advanceExact(doc)) {
      TopDocs found = inMemory.searcher().search(query(queries.binaryValue()), documents.size());
      for (ScoreDoc one : found.scoreDocs) {
        StoredDocument stored = new StoredDocument(false);
        inMemory.searcher().getIndexReader().storedFields().document(one.doc, stored);
        slots.add(Long.valueOf(Objects.requireNonNull(stored.id(), MetadataFields.ID)));
      }
    }
    slots.sort(null);
    return slots;
  }

  /// What the query of a document of the index found in each of the documents, by field; with the
  /// document's number before it where there are several.
  Map<String, List<String>> highlights(HighlightRequest request, LeafReaderContext leaf, int doc)
      throws IOException {
    Map<String, List<String>> all = new LinkedHashMap<>();
    BinaryDocValues queries = leaf.reader().getBinaryDocValues(field);
    if (queries == null || !queries.advanceExact(doc)) {
      return all;
    }
    Query query = query(queries.binaryValue());
    Highlights highlights = new Highlights(request, inMemory, query);
    for (ScoreDoc one : inMemory.searcher().search(query, documents.size()).scoreDocs) {
      StoredDocument stored = new StoredDocument(false);
      inMemory.searcher().getIndexReader().storedFields().document(one.doc, stored);
      String slot = Objects.requireNonNull(stored.id(), MetadataFields.ID);
      ObjectNode source = documents.get(Integer.parseInt(slot));
      String prefix = documents.size() == 1 ? "" : slot + "_";
      highlights
          .of(slot, one.doc, source)
          .forEach((name, fragments) -> all.put(prefix + name, fragments));
    }
    return all;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof PercolatedDocuments that
        && field.equals(that.field)
        && documents.equals(that.documents);
  }

  @Override
  public int hashCode() {
    return Objects.hash(field, documents);
  }
}
