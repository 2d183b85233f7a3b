package dev.holdfast.query.script;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.document.BatchBuilder;
import dev.holdfast.document.DocumentSource;
import dev.holdfast.document.FieldType;
import dev.holdfast.document.MadeField;
import dev.holdfast.document.Mapping;
import dev.holdfast.document.ScriptedValues;
import dev.holdfast.document.runtime.FieldHost;
import dev.holdfast.document.runtime.RuntimeColumn;
import dev.holdfast.document.runtime.RuntimeColumns;
import dev.holdfast.document.runtime.RuntimeReader;
import dev.holdfast.query.QueryClause;
import dev.holdfast.query.QueryContext;
import dev.holdfast.query.source.ColumnValues;
import dev.holdfast.script.ScriptSource;
import dev.holdfast.script.ScriptValues;
import dev.holdfast.script.context.FilterScript;
import dev.holdfast.script.context.ScoreScript;
import dev.holdfast.script.emit.CompositeFieldScript;
import dev.holdfast.script.emit.EmitScripts;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.jspecify.annotations.Nullable;

/// Tries a script on one document, as if an index had it.
public final class ScriptTrial {
  private static final String FIELD = "_trial";
  private static final long BYTES_MAX = 16 << 20;

  private final String index;
  private final ScriptSource script;
  private final QueryClause query;
  private final long nowMillis;

  /// @param query whose score the script may ask for
  public ScriptTrial(String index, ScriptSource script, QueryClause query, long nowMillis) {
    this.index = index;
    this.script = script;
    this.query = query;
    this.nowMillis = nowMillis;
  }

  /// Whether a context runs on documents.
  public static boolean isContext(String name) {
    return name.equals("filter") || name.equals("score") || kind(name) != null;
  }

  /// The kind of field whose scripts run in that context; null for none.
  private static @Nullable String kind(String context) {
    String kind = context.endsWith("_field") ? context.substring(0, context.length() - 6) : "";
    return EmitScripts.all().containsKey(kind) ? kind : null;
  }

  /// Runs the script.
  ///
  /// @param stored the mapping of the index
  /// @throws Refusal 400 when the document does not fit the mapping, or the script fails
  public JsonNode run(String context, Mapping stored, ObjectNode document) throws IOException {
    try (ByteBuffersDirectory directory = new ByteBuffersDirectory();
        IndexWriter writer = new IndexWriter(directory, new IndexWriterConfig())) {
      Mapping mapping = added(writer, stored, Json.bytes(document));
      String kind = kind(context);
      if (kind != null && !kind.equals("composite")) {
        TreeMap<String, MadeField> made = new TreeMap<>();
        made.put(
            FIELD,
            new MadeField(
                kind, new ScriptedValues(script, EmitScripts.shape(kind), null, null, false)));
        mapping = mapping.withMade(made);
      }
      try (DirectoryReader reader =
          new RuntimeReader(
              DirectoryReader.open(writer), mapping, new RuntimeColumns(BYTES_MAX), () -> false)) {
        QueryContext in =
            new QueryContext(index, 0, mapping, new IndexSearcher(reader), nowMillis, () -> false);
        LeafReaderContext leaf = reader.leaves().getLast();
        int doc = leaf.reader().maxDoc() - 1;
        return switch (context) {
          case "filter" -> {
            FilterScript filter =
                ScriptedShard.of(script, FilterScript.SHAPE, FilterScript.class, in).in(leaf);
            filter.moveTo(doc);
            yield ScriptValues.json(filter.execute());
          }
          case "score" -> score(in, leaf, doc);
          case "composite_field" -> composite(in, leaf, doc);
          default -> values(mapping, leaf, doc);
        };
      }
    }
  }

  private static Mapping added(IndexWriter writer, Mapping stored, byte[] document)
      throws IOException {
    DocumentSource source = new DocumentSource("_id", null, document, 0, document.length);
    Mapping mapping = stored;
    BatchBuilder batch = mapping.newBatch();
    BatchBuilder.Outcome outcome = batch.add(source);
    if (outcome instanceof BatchBuilder.Outcome.NeedsMapping(ObjectNode update)) {
      mapping = mapping.merge(update);
      batch = mapping.newBatch();
      outcome = batch.add(source);
    }
    switch (outcome) {
      case BatchBuilder.Outcome.Added(int row) -> batch.identify(row, 0, 1, 1);
      case BatchBuilder.Outcome.Refused(Refusal refusal) -> throw refusal;
      default -> throw Refusal.badArgument("the document does not fit the mapping");
    }
    long _ = writer.addBatch(batch.columns());
    return mapping;
  }

  private JsonNode score(QueryContext in, LeafReaderContext leaf, int doc) throws IOException {
    TopDocs found = in.searcher().search(in.overRoots(query.toLucene(in)), 1);
    float score = found.scoreDocs.length == 0 ? 0 : found.scoreDocs[0].score;
    ScoreScript scoring =
        ScriptedShard.of(script, ScoreScript.SHAPE, ScoreScript.class, in).in(leaf);
    scoring.scoreBy(() -> score);
    scoring.moveTo(doc);
    return ScriptValues.json(scoring.execute());
  }

  private JsonNode composite(QueryContext in, LeafReaderContext leaf, int doc) {
    CompositeFieldScript composite =
        ScriptedShard.of(script, CompositeFieldScript.SHAPE, CompositeFieldScript.class, in)
            .in(leaf);
    composite.of(new FieldHost("composite_field", null));
    composite.run(doc);
    ObjectNode shown = Json.object();
    composite
        .all()
        .forEach((name, values) -> shown.set("composite_field." + name, ScriptValues.json(values)));
    return shown;
  }

  private static JsonNode values(Mapping mapping, LeafReaderContext leaf, int doc)
      throws IOException {
    FieldType type = Objects.requireNonNull(mapping.field(FIELD)).type();
    RuntimeColumn column = RuntimeReader.one(leaf.reader(), doc, FIELD, type);
    List<Object> values =
        switch (type.typeName()) {
          case "keyword", "ip" -> ColumnValues.texts(column.terms(), 0, type.format(null, null));
          case "geo_point" -> ColumnValues.shapes(column.numbers(), false);
          default -> ColumnValues.numbers(column.numbers(), 0, type, type.format(null, null));
        };
    ArrayNode shown = Json.MAPPER.createArrayNode();
    values.forEach(value -> shown.add(ScriptValues.json(value)));
    return shown;
  }
}
