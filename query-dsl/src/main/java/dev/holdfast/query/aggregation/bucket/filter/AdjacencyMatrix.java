package dev.holdfast.query.aggregation.bucket.filter;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.query.QueryClause;
import dev.holdfast.query.QueryContext;
import dev.holdfast.query.aggregation.kernel.Aggregation;
import dev.holdfast.query.aggregation.kernel.AggregationTree;
import dev.holdfast.query.aggregation.kernel.Bucket;
import dev.holdfast.query.aggregation.kernel.BucketOrder;
import dev.holdfast.query.aggregation.kernel.Collecting;
import dev.holdfast.query.aggregation.kernel.Definition;
import dev.holdfast.query.aggregation.kernel.KeyCollecting;
import dev.holdfast.query.aggregation.kernel.KeySet;
import dev.holdfast.query.aggregation.kernel.Label;
import dev.holdfast.query.aggregation.kernel.Partial;
import dev.holdfast.query.aggregation.kernel.PartialInput;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.util.BytesRef;

/// One bucket for the documents of each of several named queries, and one for each pair of queries
/// that have documents in common.
public record AdjacencyMatrix(
    Label label,
    List<String> names,
    List<QueryClause> queries,
    String separator,
    AggregationTree children)
    implements Aggregation, KeyedPartial.Request {
  private static final String SEPARATOR_DEFAULT = "&";

  public static Aggregation parse(Definition definition) {
    JsonObject body = definition.body();
    String separator = body.string("separator", SEPARATOR_DEFAULT);
    JsonNode filters = body.required("filters");
    Map<String, JsonNode> sorted = new TreeMap<>();
    filters.properties().forEach(each -> sorted.put(each.getKey(), each.getValue()));
    List<QueryClause> queries = new ArrayList<>();
    sorted.values().forEach(query -> queries.add(definition.queries().apply(query)));
    return new AdjacencyMatrix(
        definition.label(),
        List.copyOf(sorted.keySet()),
        List.copyOf(queries),
        separator,
        definition.children());
  }

  @Override
  public Collecting bind(QueryContext context) throws IOException {
    int limit = IndexSearcher.getMaxClauseCount();
    if (queries.size() > limit) {
      throw Refusal.badArgument(
          "Number of filters is too large, must be less than or equal to: ["
              + limit
              + "] but was ["
              + queries.size()
              + "].This limit can be set by changing the [indices.query.bool.max_clause_count]"
              + " setting.");
    }
    List<Selection> selections = new ArrayList<>(queries.size());
    for (QueryClause query : queries) {
      selections.add(new Selection(query.toLucene(context), context));
    }
    int size = queries.size();
    return new KeyCollecting(
        segment -> {
          SelectedDocuments[] selected = new SelectedDocuments[size];
          for (int i = 0; i < size; i++) {
            selected[i] = selections.get(i).documents(segment);
          }
          return (doc, into) -> read(selected, doc, into);
        },
        children.group(context),
        (found, _, below) -> {
          List<Bucket> buckets = new ArrayList<>(found.size());
          for (KeyCollecting.Found each : found) {
            buckets.add(each.bucket(new BytesRef(key((int) each.key())), below));
          }
          return new KeyedPartial(this, buckets, 0);
        });
  }

  /// The query itself is cell `(i, i)`.
  private static void read(SelectedDocuments[] selected, int doc, KeySet into) throws IOException {
    int size = selected.length;
    for (int i = 0; i < size; i++) {
      if (selected[i].has(doc)) {
        for (int j = i; j < size; j++) {
          if (selected[j].has(doc)) {
            into.add((long) i * size + j);
          }
        }
      }
    }
  }

  private String key(int cell) {
    int i = cell / names.size();
    int j = cell % names.size();
    return i == j ? names.get(i) : names.get(i) + separator + names.get(j);
  }

  @Override
  public Partial empty() {
    return new KeyedPartial(this, List.of(), 0);
  }

  @Override
  public Partial read(PartialInput in) throws IOException {
    return KeyedPartial.read(in, this);
  }

  @Override
  public String typeName() {
    return "adjacency_matrix";
  }

  @Override
  public int size() {
    return Integer.MAX_VALUE;
  }

  @Override
  public BucketOrder order() {
    return BucketOrder.KEY_ASCENDING;
  }
}
