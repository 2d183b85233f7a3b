package dev.holdfast.document;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.document.mapping.StandardMappings;
import dev.holdfast.world.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.store.ByteBuffersDirectory;

/// A small real index: documents go in by a batch builder, queries run on Lucene's reader.
public final class MappedTestIndex implements AutoCloseable {
  private final IndexWriter writer;
  private final ByteBuffersDirectory directory = new ByteBuffersDirectory();
  private Mapping mapping;
  private BatchBuilder batch;
  private DirectoryReader reader;
  private int ids;

  public MappedTestIndex(String mappingJson) throws IOException {
    this(mappingJson, Collections.emptySortedMap());
  }

  public MappedTestIndex(String mappingJson, SortedMap<String, Object> settings)
      throws IOException {
    mapping = new StandardMappings().create(Json.parseObject(mappingJson), new TreeMap<>(settings));
    batch = mapping.newBatch();
    writer = new IndexWriter(directory, new IndexWriterConfig());
    reader = DirectoryReader.open(writer);
  }

  public Mapping mapping() {
    return mapping;
  }

  public BatchBuilder batch() {
    return batch;
  }

  /// Adds to the batch; grows the mapping where the document asks for it. The id is a count from 0.
  public BatchBuilder.Outcome add(String json) throws IOException {
    byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
    DocumentSource source = new DocumentSource(Integer.toString(ids), null, bytes, 0, bytes.length);
    BatchBuilder.Outcome outcome = batch.add(source);
    if (outcome instanceof BatchBuilder.Outcome.NeedsMapping(ObjectNode update)) {
      flush();
      mapping = mapping.merge(update);
      batch = mapping.newBatch();
      outcome = batch.add(source);
    }
    if (outcome instanceof BatchBuilder.Outcome.Added(int row)) {
      batch.identify(row, row, 1, 1);
      ids++;
    }
    return outcome;
  }

  public MappedTestIndex with(String... documents) throws IOException {
    for (String document : documents) {
      BatchBuilder.Outcome outcome = add(document);
      if (!(outcome instanceof BatchBuilder.Outcome.Added)) {
        throw new AssertionError(
            outcome instanceof BatchBuilder.Outcome.Refused(var refusal)
                ? refusal.reason()
                : outcome.toString());
      }
    }
    flush();
    return this;
  }

  /// Hands the batch to Lucene and opens a reader on it.
  public void flush() throws IOException {
    if (batch.rows() > 0) {
      writer.addBatch(batch.columns());
      batch.clear();
    }
    reader.close();
    reader = DirectoryReader.open(writer);
  }

  public DirectoryReader reader() {
    return reader;
  }

  public FieldType type(String field) {
    MappedField mapped = mapping.field(field);
    if (mapped == null) {
      throw new AssertionError("unmapped: " + field);
    }
    return mapped.type();
  }

  /// Ids of the documents found, ascending.
  public List<Integer> find(Query query) throws IOException {
    IndexSearcher searcher = new IndexSearcher(reader);
    List<Integer> found = new ArrayList<>();
    for (ScoreDoc hit : searcher.search(query, 1000).scoreDocs) {
      var stored = searcher.storedFields().document(hit.doc);
      found.add(Integer.valueOf(stored.getBinaryValue(MetadataFields.ID).utf8ToString()));
    }
    Collections.sort(found);
    return found;
  }

  public List<Integer> term(String field, String valueJson) throws IOException {
    return find(type(field).termQuery(field, Json.parse(valueJson), 0));
  }

  @Override
  public void close() throws IOException {
    reader.close();
    writer.close();
    directory.close();
  }
}
