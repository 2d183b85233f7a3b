package dev.holdfast.query.aggregation.bucket.terms;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.holdfast.compoundcommit.call.WireInput;
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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Buckets of `terms`. How far counts may be off: a shard that cut its list may hold as many
/// documents of a bucket it did not return as its last bucket has.
///
/// @param otherCount documents of buckets left out
/// @param error the error bounds of all shards, summed; [#ERROR_UNKNOWN] when one has none
/// @param shards how many shards contributed
/// @param type Elasticsearch's internal name
record TermsPartial(
    Terms request,
    List<Bucket> buckets,
    long otherCount,
    long error,
    int shards,
    String type,
    DisplayFormat shown)
    implements Partial, Bucketed {
  static final String STRINGS = "sterms";
  static final String LONGS = "lterms";
  static final String DOUBLES = "dterms";
  static final String UNSIGNED = "ulterms";
  static final long ERROR_UNKNOWN = -1;

  TermsPartial {
    buckets = List.copyOf(buckets);
  }

  @Override
  public Partial merge(Partial other) {
    TermsPartial right = (TermsPartial) other;
    if (shards == 0) {
      return right;
    }
    if (right.shards == 0) {
      return this;
    }
    Map<Object, Bucket> merged = new LinkedHashMap<>();
    boolean isMixed = !type.equals(right.type);
    addAll(merged, buckets, isMixed);
    addAll(merged, right.buckets, isMixed);
    boolean isUnknown = error == ERROR_UNKNOWN || right.error == ERROR_UNKNOWN;
    TermsPartial typed = type.equals(DOUBLES) || !right.type.equals(DOUBLES) ? this : right;
    return new TermsPartial(
        request,
        new ArrayList<>(merged.values()),
        otherCount + right.otherCount,
        isUnknown ? ERROR_UNKNOWN : error + right.error,
        shards + right.shards,
        typed.type,
        typed.shown);
  }

  private static void addAll(Map<Object, Bucket> merged, List<Bucket> more, boolean isMixed) {
    for (Bucket bucket : more) {
      Object key = isMixed && bucket.key() instanceof Number ? bucket.number() : bucket.key();
      Bucket keyed = new Bucket(key, bucket.count(), bucket.errorKnown(), bucket.children());
      merged.merge(key, keyed, Bucket::merge);
    }
  }

  @Override
  public Partial reduce(Reduction reduction) {
    List<Bucket> all = new ArrayList<>(buckets.size());
    for (Bucket bucket : buckets) {
      if (bucket.count() >= request.minDocCount()) {
        all.add(bucket);
      }
    }
    all.sort(request.order().comparator());
    List<Bucket> top = all.subList(0, Math.min(request.size(), all.size()));
    long cut = 0;
    for (Bucket bucket : all.subList(top.size(), all.size())) {
      cut += bucket.count();
    }
    reduction.add(top.size());
    List<Bucket> reduced = new ArrayList<>(top.size());
    for (Bucket bucket : top) {
      reduced.add(bucket.withChildren(request.children().reduce(bucket.children(), reduction)));
    }
    return new TermsPartial(
        request, request.children().reshape(reduced), otherCount + cut, error, shards, type, shown);
  }

  @Override
  public String typeName() {
    return type;
  }

  @Override
  public String name(Bucket bucket) {
    return TermKeys.text(bucket.key(), shown);
  }

  @Override
  public void render(JsonGenerator out, boolean isTyped) throws IOException {
    out.writeNumberField(
        "doc_count_error_upper_bound", shards <= 1 && error != ERROR_UNKNOWN ? 0 : error);
    out.writeNumberField("sum_other_doc_count", otherCount);
    out.writeArrayFieldStart("buckets");
    for (Bucket bucket : buckets) {
      out.writeStartObject();
      TermKeys.write(bucket.key(), shown, out);
      out.writeNumberField("doc_count", bucket.count());
      if (request.showsError()) {
        out.writeNumberField("doc_count_error_upper_bound", errorOf(bucket));
      }
      bucket.children().render(out, isTyped);
      out.writeEndObject();
    }
    out.writeEndArray();
  }

  private long errorOf(Bucket bucket) {
    if (error == ERROR_UNKNOWN) {
      return ERROR_UNKNOWN;
    }
    return shards <= 1 ? 0 : error - bucket.errorKnown();
  }

  @Override
  public void write(WireOutput out) throws IOException {
    shown.write(out);
    out.writeString(type);
    out.writeVLong(otherCount);
    out.writeZLong(error);
    out.writeVInt(shards);
    out.writeVInt(buckets.size());
    for (Bucket bucket : buckets) {
      bucket.write(out);
    }
  }

  static TermsPartial read(PartialInput in, Terms request) throws IOException {
    WireInput data = in.data();
    DisplayFormat shown = DisplayFormat.read(in);
    String type = data.readString();
    long otherCount = data.readVLong();
    long error = data.readZLong();
    int shards = data.readVInt();
    int count = data.readLength();
    List<Bucket> buckets = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      buckets.add(Bucket.read(in, request.children()));
    }
    return new TermsPartial(request, buckets, otherCount, error, shards, type, shown);
  }
}
