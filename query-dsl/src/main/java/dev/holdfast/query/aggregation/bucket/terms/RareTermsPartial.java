package dev.holdfast.query.aggregation.bucket.terms;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.holdfast.compoundcommit.call.WireOutput;
import dev.holdfast.query.aggregation.column.TermKeys;
import dev.holdfast.query.aggregation.kernel.Bucket;
import dev.holdfast.query.aggregation.kernel.Bucketed;
import dev.holdfast.query.aggregation.kernel.DisplayFormat;
import dev.holdfast.query.aggregation.kernel.Partial;
import dev.holdfast.query.aggregation.kernel.PartialInput;
import dev.holdfast.query.aggregation.kernel.Reduction;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Buckets of `rare_terms`: those that are rare so far, and the keys of those that are not, so that
/// a value that is rare on one shard only is left out.
record RareTermsPartial(
    RareTerms request,
    String typeName,
    List<Bucket> buckets,
    Set<Object> frequent,
    DisplayFormat shown)
    implements Partial, Bucketed {
  private static final Comparator<Bucket> RAREST_FIRST =
      Comparator.comparingLong(Bucket::count).thenComparing(Bucket.BY_KEY);

  RareTermsPartial {
    buckets = List.copyOf(buckets);
    frequent = Set.copyOf(frequent);
  }

  @Override
  public Partial merge(Partial other) {
    RareTermsPartial right = (RareTermsPartial) other;
    if (buckets.isEmpty() && frequent.isEmpty()) {
      return right;
    }
    Set<Object> never = new HashSet<>(frequent);
    never.addAll(right.frequent);
    Map<Object, Bucket> merged = new LinkedHashMap<>();
    for (Bucket bucket : buckets) {
      merged.put(bucket.key(), bucket);
    }
    for (Bucket bucket : right.buckets) {
      merged.merge(bucket.key(), bucket, Bucket::merge);
    }
    merged.keySet().removeAll(never);
    List<Bucket> rare = new ArrayList<>(merged.size());
    for (Bucket bucket : merged.values()) {
      if (bucket.count() > request.maxDocCount()) {
        never.add(bucket.key());
      } else {
        rare.add(bucket);
      }
    }
    return new RareTermsPartial(request, typeName, rare, never, shown.or(right.shown));
  }

  @Override
  public Partial reduce(Reduction reduction) {
    List<Bucket> sorted = new ArrayList<>(buckets);
    sorted.sort(RAREST_FIRST);
    reduction.add(sorted.size());
    List<Bucket> reduced = new ArrayList<>(sorted.size());
    for (Bucket bucket : sorted) {
      reduced.add(bucket.withChildren(request.children().reduce(bucket.children(), reduction)));
    }
    return new RareTermsPartial(
        request, typeName, request.children().reshape(reduced), Set.of(), shown);
  }

  @Override
  public String name(Bucket bucket) {
    return TermKeys.text(bucket.key(), shown);
  }

  @Override
  public void render(JsonGenerator out, boolean isTyped) throws IOException {
    out.writeArrayFieldStart("buckets");
    for (Bucket bucket : buckets) {
      out.writeStartObject();
      TermKeys.write(bucket.key(), shown, out);
      out.writeNumberField("doc_count", bucket.count());
      bucket.children().render(out, isTyped);
      out.writeEndObject();
    }
    out.writeEndArray();
  }

  @Override
  public void write(WireOutput out) throws IOException {
    shown.write(out);
    out.writeString(typeName);
    out.writeVInt(buckets.size());
    for (Bucket bucket : buckets) {
      bucket.write(out);
    }
    out.writeVInt(frequent.size());
    for (Object key : frequent) {
      Bucket.writeKey(out, key);
    }
  }

  static RareTermsPartial read(PartialInput in, RareTerms request) throws IOException {
    DisplayFormat shown = DisplayFormat.read(in);
    String typeName = in.data().readString();
    int count = in.data().readLength();
    List<Bucket> buckets = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      buckets.add(Bucket.read(in, request.children()));
    }
    int frequentCount = in.data().readLength();
    Set<Object> frequent = new HashSet<>();
    for (int i = 0; i < frequentCount; i++) {
      frequent.add(Bucket.readKey(in.data()));
    }
    return new RareTermsPartial(request, typeName, buckets, frequent, shown);
  }
}
