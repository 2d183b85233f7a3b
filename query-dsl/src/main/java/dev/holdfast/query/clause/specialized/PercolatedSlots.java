package dev.holdfast.query.clause.specialized;

import dev.holdfast.query.QueryClause;
import dev.holdfast.query.QueryContext;
import dev.holdfast.query.highlight.HighlightRequest;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.lucene.index.LeafReaderContext;

/// Which of the percolated documents each hit found: `_percolator_document_slot`.
public record PercolatedSlots(Map<String, PercolatedDocuments> byName) {
  public static PercolatedSlots of(QueryClause query, QueryContext context) {
    Map<String, PercolatedDocuments> byName = new LinkedHashMap<>();
    collect(query, context, byName);
    return new PercolatedSlots(byName);
  }

  private static void collect(
      QueryClause clause, QueryContext context, Map<String, PercolatedDocuments> byName) {
    if (clause instanceof PercolateClause percolate) {
      byName.put(percolate.name(), percolate.percolated(context));
    }
    clause.children().forEach(child -> collect(child, context, byName));
  }

  public boolean isEmpty() {
    return byName.isEmpty();
  }

  /// What was found in the percolated documents; with the name of its query where there are
  /// several.
  public Map<String, List<String>> highlights(
      HighlightRequest request, LeafReaderContext leaf, int doc) throws IOException {
    Map<String, List<String>> all = new LinkedHashMap<>();
    for (Map.Entry<String, PercolatedDocuments> one : byName.entrySet()) {
      String prefix = byName.size() == 1 ? "" : PercolateClause.nameOf(one.getKey());
      one.getValue()
          .highlights(request, leaf, doc)
          .forEach((field, fragments) -> all.put(prefix + field, fragments));
    }
    return all;
  }

  public void add(Map<String, List<Object>> values, LeafReaderContext leaf, int doc)
      throws IOException {
    for (Map.Entry<String, PercolatedDocuments> one : byName.entrySet()) {
      List<Object> slots = one.getValue().slots(leaf, doc);
      if (!slots.isEmpty()) {
        values.put(one.getKey(), slots);
      }
    }
  }
}
