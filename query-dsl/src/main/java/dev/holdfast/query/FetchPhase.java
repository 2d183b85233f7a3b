package dev.holdfast.query;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.document.MetadataFields;
import dev.holdfast.world.Json;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.ReaderUtil;
import org.apache.lucene.index.StoredFields;
import org.apache.lucene.search.Explanation;
import org.jspecify.annotations.Nullable;

/// Reads what is shown of hits that made it into the answer: only they are read.
public final class FetchPhase {
  private final SearchSource source;
  private final QueryContext context;
  private final List<SortKey> keys;
  private final FieldValues fieldValues;

  private FetchPhase(SearchSource source, QueryContext context) throws IOException {
    this.source = source;
    this.context = context;
    this.keys = SortKeys.bind(source.sorts(), context);
    this.fieldValues = new FieldValues(context, source.storedFields());
  }

  /// The hits of one shard, in the order given.
  ///
  /// @param context with the same reader that the query phase ran on
  public static List<Hit> run(SearchSource source, QueryContext context, List<ShardHit> hits)
      throws IOException {
    if (hits.isEmpty()) {
      return List.of();
    }
    FetchPhase phase = new FetchPhase(source, context);
    List<List<String>> matched = MatchedQueries.of(source.query(), context, hits);
    // Read in the order of the index: neighbours share compressed blocks.
    TreeMap<Integer, List<Integer>> positions = new TreeMap<>();
    for (int i = 0; i < hits.size(); i++) {
      positions.computeIfAbsent(hits.get(i).doc(), doc -> new ArrayList<>()).add(i);
    }
    Hit[] fetched = new Hit[hits.size()];
    StoredFields stored = context.searcher().getIndexReader().storedFields();
    for (int doc : positions.keySet()) {
      stored.prefetch(doc);
    }
    for (Map.Entry<Integer, List<Integer>> entry : positions.entrySet()) {
      for (int i : entry.getValue()) {
        fetched[i] = phase.hit(hits.get(i), stored, matched.get(i));
      }
    }
    return List.of(fetched);
  }

  private Hit hit(ShardHit hit, StoredFields stored, List<String> matched) throws IOException {
    HitParts parts = source.storedFields();
    boolean readsSource = source.source().isShown() || !parts.fields().isEmpty();
    StoredDocument document = new StoredDocument(readsSource);
    if (parts.withId() || readsSource) {
      stored.document(hit.doc(), document);
    }
    byte[] bytes = document.source();
    LeafReaderContext leaf = leaf(hit.doc());
    int inLeaf = hit.doc() - leaf.docBase;
    return new Hit(
        context.index(),
        parts.withId() ? document.id() : null,
        hit.score(),
        bytes == null || !source.source().isShown() ? null : source.source().apply(bytes),
        parts.withId() ? document.routing() : null,
        fieldValues.ignored(leaf, inLeaf),
        parts.withVersion() ? number(leaf, MetadataFields.VERSION, inLeaf) : -1,
        parts.withSeqNo() ? number(leaf, MetadataFields.SEQ_NO, inLeaf) : -1,
        parts.withSeqNo() ? number(leaf, MetadataFields.PRIMARY_TERM, inLeaf) : -1,
        fieldValues.of(leaf, inLeaf, bytes),
        sort(hit),
        matched,
        parts.withExplanation() ? explanation(hit.doc()) : null);
  }

  private LeafReaderContext leaf(int doc) {
    List<LeafReaderContext> leaves = context.searcher().getIndexReader().leaves();
    return leaves.get(ReaderUtil.subIndex(doc, leaves));
  }

  private static long number(LeafReaderContext leaf, String field, int doc) throws IOException {
    NumericDocValues values = DocValues.getNumeric(leaf.reader(), field);
    return values.advanceExact(doc) ? values.longValue() : -1;
  }

  private List<@Nullable Object> sort(ShardHit hit) {
    List<@Nullable Object> shown = new ArrayList<>(keys.size());
    if (source.isByScore()) {
      if (source.searchAfter() != null) {
        shown.add(hit.score());
      }
      return shown;
    }
    for (int i = 0; i < keys.size(); i++) {
      shown.add(keys.get(i).shown(hit.sortValues().get(i)));
    }
    return shown;
  }

  private JsonNode explanation(int doc) throws IOException {
    return json(context.searcher().explain(source.query().toLucene(context), doc));
  }

  private static ObjectNode json(Explanation explanation) {
    ObjectNode node = Json.object();
    node.put("value", explanation.getValue().doubleValue());
    node.put("description", explanation.getDescription());
    var details = node.putArray("details");
    for (Explanation detail : explanation.getDetails()) {
      details.add(json(detail));
    }
    return node;
  }
}
