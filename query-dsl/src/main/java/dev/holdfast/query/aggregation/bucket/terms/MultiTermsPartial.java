package dev.holdfast.query.aggregation.bucket.terms;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.holdfast.compoundcommit.call.WireInput;
import dev.holdfast.compoundcommit.call.WireOutput;
import dev.holdfast.document.ValuesKind;
import dev.holdfast.query.aggregation.column.TermKeys;
import dev.holdfast.query.aggregation.kernel.Bucket;
import dev.holdfast.query.aggregation.kernel.BucketOrder;
import dev.holdfast.query.aggregation.kernel.Bucketed;
import dev.holdfast.query.aggregation.kernel.DisplayFormat;
import dev.holdfast.query.aggregation.kernel.Group;
import dev.holdfast.query.aggregation.kernel.KeyCollecting;
import dev.holdfast.query.aggregation.kernel.Partial;
import dev.holdfast.query.aggregation.kernel.PartialInput;
import dev.holdfast.query.aggregation.kernel.Reduction;
import dev.holdfast.query.aggregation.kernel.Results;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/// Buckets of `multi_terms`.
///
/// @param error how many documents of a bucket may be missing, over all shards
/// @param shown one a field; empty when no shard had the fields
record MultiTermsPartial(
    MultiTerms request,
    List<Combination> combinations,
    long otherCount,
    long error,
    int shards,
    List<DisplayFormat> shown)
    implements Partial, Bucketed {

  /// @param bucket its key is the count of values: keys that matter are `values`
  record Combination(List<Object> values, Bucket bucket) {
    Combination merge(Combination other) {
      return new Combination(values, bucket.merge(other.bucket));
    }

    static int compareValues(Combination a, Combination b) {
      for (int i = 0; i < a.values.size(); i++) {
        int order = Bucket.compareKeys(a.values.get(i), b.values.get(i));
        if (order != 0) {
          return order;
        }
      }
      return 0;
    }
  }

  MultiTermsPartial {
    combinations = List.copyOf(combinations);
    shown = List.copyOf(shown);
  }

  /// Gives the values of a combination's number.
  @FunctionalInterface
  interface Values {
    List<Object> of(long combination);
  }

  static MultiTermsPartial best(
      MultiTerms request,
      Values values,
      List<KeyCollecting.Found> found,
      List<DisplayFormat> shown,
      Group below)
      throws IOException {
    List<Combination> all = new ArrayList<>(found.size());
    IdentityHashMap<Combination, Integer> ordinals = new IdentityHashMap<>();
    boolean needsChildren = request.order().needsChildren();
    long docs = 0;
    for (KeyCollecting.Found each : found) {
      docs += each.count();
      if (each.count() < request.shardMinDocCount()) {
        continue;
      }
      Results results = needsChildren ? below.results(each.ordinal()) : Results.NONE;
      Combination one =
          new Combination(values.of(each.key()), new Bucket(0L, each.count(), results));
      ordinals.put(one, each.ordinal());
      all.add(one);
    }
    all.sort(order(request.order()));
    List<Combination> kept = new ArrayList<>();
    long returned = 0;
    boolean isCut = all.size() >= request.shardSize() && !request.order().isByKey();
    List<Combination> most = all.subList(0, Math.min(all.size(), request.shardSize()));
    long error =
        !isCut
            ? 0
            : request.order().isByCountDescending()
                ? most.getLast().bucket.count()
                : TermsPartial.ERROR_UNKNOWN;
    for (Combination one : most) {
      returned += one.bucket.count();
      Results results =
          needsChildren
              ? one.bucket.children()
              : below.results(Objects.requireNonNull(ordinals.get(one)));
      Bucket bucket = new Bucket(one.bucket.key(), one.bucket.count(), Math.max(0, error), results);
      kept.add(new Combination(one.values, bucket));
    }
    return new MultiTermsPartial(request, kept, docs - returned, error, 1, shown);
  }

  private static Comparator<Combination> order(BucketOrder order) {
    Comparator<Combination> all = Combination::compareValues;
    for (int i = order.criteria().size() - 1; i >= 0; i--) {
      BucketOrder.Criterion criterion = order.criteria().get(i);
      Comparator<Combination> one =
          criterion.path().equals("_key")
              ? criterion.isAscending()
                  ? Combination::compareValues
                  : ((Comparator<Combination>) Combination::compareValues).reversed()
              : Comparator.comparing(Combination::bucket, criterion.comparator());
      all = one.thenComparing(all);
    }
    return all;
  }

  @Override
  public Partial merge(Partial other) {
    MultiTermsPartial right = (MultiTermsPartial) other;
    if (shards == 0) {
      return right;
    }
    if (right.shards == 0) {
      return this;
    }
    Map<List<Object>, Combination> merged = new LinkedHashMap<>();
    for (Combination one : combinations) {
      merged.put(one.values, one);
    }
    for (Combination one : right.combinations) {
      merged.merge(one.values, one, Combination::merge);
    }
    boolean isUnknown =
        error == TermsPartial.ERROR_UNKNOWN || right.error == TermsPartial.ERROR_UNKNOWN;
    return new MultiTermsPartial(
        request,
        new ArrayList<>(merged.values()),
        otherCount + right.otherCount,
        isUnknown ? TermsPartial.ERROR_UNKNOWN : error + right.error,
        shards + right.shards,
        shown);
  }

  @Override
  public Partial reduce(Reduction reduction) {
    List<Combination> all = new ArrayList<>(combinations);
    all.removeIf(one -> one.bucket.count() < request.minDocCount());
    all.sort(order(request.order()));
    List<Combination> top = all.subList(0, Math.min(request.size(), all.size()));
    long cut = 0;
    for (Combination one : all.subList(top.size(), all.size())) {
      cut += one.bucket.count();
    }
    reduction.add(top.size());
    List<Combination> reduced = new ArrayList<>(top.size());
    for (Combination one : top) {
      Results children = request.children().reduce(one.bucket.children(), reduction);
      reduced.add(new Combination(one.values, one.bucket.withChildren(children)));
    }
    return new MultiTermsPartial(
        request, reshaped(reduced), otherCount + cut, error, shards, shown);
  }

  /// Pipelines see buckets whose keys are places.
  private List<Combination> reshaped(List<Combination> reduced) {
    List<Bucket> places = new ArrayList<>(reduced.size());
    for (int i = 0; i < reduced.size(); i++) {
      Bucket bucket = reduced.get(i).bucket;
      places.add(new Bucket((long) i, bucket.count(), bucket.errorKnown(), bucket.children()));
    }
    List<Combination> reshaped = new ArrayList<>(places.size());
    for (Bucket bucket : request.children().reshape(places)) {
      int place = ((Long) bucket.key()).intValue();
      reshaped.add(new Combination(reduced.get(place).values, bucket));
    }
    return reshaped;
  }

  @Override
  public String typeName() {
    return "multi_terms";
  }

  /// Keys are places: names come from the values.
  @Override
  public List<Bucket> buckets() {
    List<Bucket> buckets = new ArrayList<>(combinations.size());
    for (int i = 0; i < combinations.size(); i++) {
      Bucket bucket = combinations.get(i).bucket;
      buckets.add(new Bucket((long) i, bucket.count(), bucket.children()));
    }
    return buckets;
  }

  @Override
  public String name(Bucket bucket) {
    return text(combinations.get(((Long) bucket.key()).intValue()).values);
  }

  private String text(List<Object> values) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < values.size(); i++) {
      text.append(i == 0 ? "" : "|").append(TermKeys.text(values.get(i), shown.get(i)));
    }
    return text.toString();
  }

  @Override
  public void render(JsonGenerator out, boolean isTyped) throws IOException {
    boolean isUnknown = error == TermsPartial.ERROR_UNKNOWN;
    out.writeNumberField("doc_count_error_upper_bound", shards <= 1 && !isUnknown ? 0 : error);
    out.writeNumberField("sum_other_doc_count", otherCount);
    out.writeArrayFieldStart("buckets");
    for (Combination one : combinations) {
      out.writeStartObject();
      out.writeArrayFieldStart("key");
      for (int i = 0; i < one.values.size(); i++) {
        if (shown.get(i).kind() == ValuesKind.BOOLEAN) {
          out.writeBoolean(TermKeys.text(one.values.get(i), shown.get(i)).equals("true"));
        } else if (shown.get(i).showsText()) {
          out.writeString(TermKeys.text(one.values.get(i), shown.get(i)));
        } else {
          TermKeys.writeValue(one.values.get(i), shown.get(i), out);
        }
      }
      out.writeEndArray();
      out.writeStringField("key_as_string", text(one.values));
      out.writeNumberField("doc_count", one.bucket.count());
      if (request.showsError()) {
        long own = shards <= 1 ? 0 : error - one.bucket.errorKnown();
        out.writeNumberField("doc_count_error_upper_bound", isUnknown ? error : own);
      }
      one.bucket.children().render(out, isTyped);
      out.writeEndObject();
    }
    out.writeEndArray();
  }

  @Override
  public void write(WireOutput out) throws IOException {
    out.writeVInt(shown.size());
    for (DisplayFormat each : shown) {
      each.write(out);
    }
    out.writeVLong(otherCount);
    out.writeZLong(error);
    out.writeVInt(shards);
    out.writeVInt(combinations.size());
    for (Combination one : combinations) {
      for (Object value : one.values) {
        Bucket.writeKey(out, value);
      }
      one.bucket.write(out);
    }
  }

  static MultiTermsPartial read(PartialInput in, MultiTerms request) throws IOException {
    WireInput data = in.data();
    int fields = data.readLength();
    List<DisplayFormat> shown = new ArrayList<>(fields);
    for (int i = 0; i < fields; i++) {
      shown.add(DisplayFormat.read(in));
    }
    long otherCount = data.readVLong();
    long error = data.readZLong();
    int shards = data.readVInt();
    int count = data.readLength();
    List<Combination> combinations = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      List<Object> values = new ArrayList<>(fields);
      for (int field = 0; field < fields; field++) {
        values.add(Bucket.readKey(data));
      }
      combinations.add(new Combination(List.copyOf(values), Bucket.read(in, request.children())));
    }
    return new MultiTermsPartial(request, combinations, otherCount, error, shards, shown);
  }
}
