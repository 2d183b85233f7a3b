package dev.holdfast.query.aggregation.bucket.terms;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.document.ValuesKind;
import dev.holdfast.query.QueryContext;
import dev.holdfast.query.aggregation.column.BoundField;
import dev.holdfast.query.aggregation.column.FieldRequest;
import dev.holdfast.query.aggregation.column.TermFilter;
import dev.holdfast.query.aggregation.column.TermNumbers;
import dev.holdfast.query.aggregation.kernel.Aggregation;
import dev.holdfast.query.aggregation.kernel.AggregationTree;
import dev.holdfast.query.aggregation.kernel.BucketOrder;
import dev.holdfast.query.aggregation.kernel.BucketOrdinals;
import dev.holdfast.query.aggregation.kernel.Collecting;
import dev.holdfast.query.aggregation.kernel.Definition;
import dev.holdfast.query.aggregation.kernel.DisplayFormat;
import dev.holdfast.query.aggregation.kernel.KeyCollecting;
import dev.holdfast.query.aggregation.kernel.KeySet;
import dev.holdfast.query.aggregation.kernel.Label;
import dev.holdfast.query.aggregation.kernel.Partial;
import dev.holdfast.query.aggregation.kernel.PartialInput;
import dev.holdfast.query.aggregation.kernel.Unmapped;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.Reservation;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.lucene.index.LeafReaderContext;

/// The combinations of values of several fields, each a bucket, the most frequent first.
public record MultiTerms(
    Label label,
    List<FieldRequest> fields,
    int size,
    int shardSize,
    long minDocCount,
    long shardMinDocCount,
    BucketOrder order,
    boolean showsError,
    AggregationTree children)
    implements Aggregation {
  private static final int SIZE_DEFAULT = 10;

  /// The first is ours: it says nothing of what is found.
  private static final List<String> COLLECT_MODES = List.of("breadth_first", "depth_first");

  public static Aggregation parse(Definition definition) {
    JsonObject body = definition.body();
    List<FieldRequest> fields = new ArrayList<>();
    JsonNode terms = body.required("terms");
    for (JsonNode each : terms) {
      JsonObject one = JsonObject.ofKinds("multi_terms", each);
      fields.add(FieldRequest.parse(one));
      one.done();
    }
    if (fields.size() < 2) {
      throw Refusal.badArgument(
          "The [terms] parameter in the aggregation ["
              + definition.label().name()
              + "] must be present and have at least 2 fields or scripts.");
    }
    int size = body.integer("size", SIZE_DEFAULT);
    if (size <= 0) {
      throw Refusal.badArgument(
          "[size] must be greater than 0. Found ["
              + size
              + "] in ["
              + definition.label().name()
              + "]");
    }
    BucketOrder order = BucketOrder.parse(body.take("order"), BucketOrder.COUNT_DESCENDING);
    int shardSize = body.integer("shard_size", -1);
    if (body.has("shard_size") && shardSize <= 0) {
      throw Refusal.badArgument(
          "[shardSize] must be greater than 0. Found ["
              + shardSize
              + "] in ["
              + definition.label().name()
              + "]");
    }
    var _ = body.choice("collect_mode", COLLECT_MODES);
    return new MultiTerms(
        definition.label(),
        List.copyOf(fields),
        size,
        Math.max(
            size,
            shardSize > 0
                ? shardSize
                : order.isByKey() ? size : (int) Math.min(Integer.MAX_VALUE, size * 1.5 + 10)),
        body.longValue("min_doc_count", 1),
        body.longValue("shard_min_doc_count", 0),
        order,
        body.bool("show_term_doc_count_error", false),
        definition.children());
  }

  @Override
  public Collecting bind(QueryContext context) throws IOException {
    List<TermNumbers> numbers = new ArrayList<>(fields.size());
    List<DisplayFormat> shown = new ArrayList<>(fields.size());
    for (FieldRequest field : fields) {
      BoundField bound = field.bind(context, ValuesKind.KEYWORD);
      if (bound == null) {
        return new Unmapped(empty());
      }
      if (!bound.kind().hasOrdinals() && !bound.kind().isNumeric()) {
        throw field.unsupported(bound);
      }
      numbers.add(new TermNumbers(bound, TermFilter.ALL, name(), context));
      shown.add(bound.shown());
    }
    Combinations combinations = new Combinations(numbers, context.memory());
    return new KeyCollecting(
        combinations::open,
        children.group(context),
        (found, _, below) ->
            MultiTermsPartial.best(this, combinations::values, found, shown, below));
  }

  /// Numbers of combinations: that of the first two values, combined with the third, and so on.
  private static final class Combinations {
    private final List<TermNumbers> fields;
    private final List<BucketOrdinals> pairs = new ArrayList<>();

    Combinations(List<TermNumbers> fields, Reservation memory) {
      this.fields = fields;
      for (int i = 1; i < fields.size(); i++) {
        pairs.add(new BucketOrdinals(memory));
      }
    }

    KeyCollecting.Keys open(LeafReaderContext segment) throws IOException {
      List<KeyCollecting.Keys> columns = new ArrayList<>(fields.size());
      for (TermNumbers field : fields) {
        columns.add(field.open(segment));
      }
      KeySet[] read = new KeySet[columns.size()];
      Arrays.setAll(read, _ -> new KeySet());
      return (doc, into) -> {
        for (int i = 0; i < read.length; i++) {
          read[i].clear();
          columns.get(i).read(doc, read[i]);
          if (read[i].size() == 0) {
            return;
          }
          read[i].sort();
        }
        for (int i = 0; i < read[0].size(); i++) {
          combine(read, 1, read[0].get(i), into);
        }
      };
    }

    private void combine(KeySet[] read, int field, long soFar, KeySet into) {
      if (field == read.length) {
        into.add(soFar);
        return;
      }
      for (int i = 0; i < read[field].size(); i++) {
        combine(read, field + 1, pairs.get(field - 1).add(soFar, read[field].get(i)), into);
      }
    }

    List<Object> values(long combination) {
      List<Object> values = new ArrayList<>(fields.size());
      long left = combination;
      for (int i = fields.size() - 1; i > 0; i--) {
        BucketOrdinals pair = pairs.get(i - 1);
        values.addFirst(fields.get(i).key(pair.value((int) left)));
        left = pair.parent((int) left);
      }
      values.addFirst(fields.getFirst().key(left));
      return List.copyOf(values);
    }
  }

  @Override
  public Partial empty() {
    return new MultiTermsPartial(this, List.of(), 0, 0, 0, List.of());
  }

  @Override
  public Partial read(PartialInput in) throws IOException {
    return MultiTermsPartial.read(in, this);
  }
}
