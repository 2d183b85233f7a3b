package dev.holdfast.query;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.lucene.index.LeafReaderContext;

/// Which of the percolated documents each hit found: `_percolator_document_slot`.
record PercolatedSlots(Map<String, PercolatedDocuments> byName) {
  static PercolatedSlots of(QueryClause query, QueryContext context) {
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

  boolean isEmpty() {
    return byName.isEmpty();
  }

  void add(Map<String, List<Object>> values, LeafReaderContext leaf, int doc) throws IOException {
    for (Map.Entry<String, PercolatedDocuments> one : byName.entrySet()) {
      List<Object> slots = one.getValue().slots(leaf, doc);
      if (!slots.isEmpty()) {
        values.put(one.getKey(), slots);
      }
    }
  }
}
