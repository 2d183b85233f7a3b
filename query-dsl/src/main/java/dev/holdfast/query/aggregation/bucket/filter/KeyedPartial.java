package dev.holdfast.query.aggregation.bucket.filter;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.holdfast.compoundcommit.call.WireOutput;
import dev.holdfast.query.aggregation.kernel.AggregationTree;
import dev.holdfast.query.aggregation.kernel.Bucket;
import dev.holdfast.query.aggregation.kernel.BucketOrder;
import dev.holdfast.query.aggregation.kernel.Bucketed;
import dev.holdfast.query.aggregation.kernel.Partial;
import dev.holdfast.query.aggregation.kernel.PartialInput;
import dev.holdfast.query.aggregation.kernel.Reduction;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.lucene.util.BytesRef;

/// Buckets known by their keys, summed over shards, cut to a size at the end.
///
/// @param otherCount documents of buckets that a shard left out
public record KeyedPartial(Request request, List<Bucket> buckets, long otherCount)
    implements Partial, Bucketed {

  /// What a kind says of its buckets.
  public interface Request {
    String typeName();

    AggregationTree children();

    /// How many buckets the answer has at most.
    int size();

    BucketOrder order();

    /// Documents that a bucket of the answer has at least.
    default long minDocCount() {
      return 1;
    }

    /// The key as text.
    default String text(Object key) {
      return ((BytesRef) key).utf8ToString();
    }

    /// Writes `"key": …` and what belongs to it.
    default void writeKey(Object key, JsonGenerator out) throws IOException {
      out.writeStringField("key", text(key));
    }

    /// Writes what stands beside the buckets.
    default void writeBeside(long otherCount, JsonGenerator out) throws IOException {}

    default boolean isKeyed() {
      return false;
    }
  }

  public KeyedPartial {
    buckets = List.copyOf(buckets);
  }

  /// The best `size` of a shard's buckets.
  public static KeyedPartial best(Request request, List<Bucket> buckets, int size) {
    List<Bucket> sorted = new ArrayList<>(buckets);
    sorted.sort(request.order().comparator());
    List<Bucket> kept = sorted.subList(0, Math.min(size, sorted.size()));
    long cut = 0;
    for (Bucket bucket : sorted.subList(kept.size(), sorted.size())) {
      cut += bucket.count();
    }
    return new KeyedPartial(request, kept, cut);
  }

  @Override
  public Partial merge(Partial other) {
    KeyedPartial right = (KeyedPartial) other;
    Map<Object, Bucket> merged = new LinkedHashMap<>();
    for (Bucket bucket : buckets) {
      merged.put(bucket.key(), bucket);
    }
    for (Bucket bucket : right.buckets) {
      merged.merge(bucket.key(), bucket, Bucket::merge);
    }
    return new KeyedPartial(
        request, new ArrayList<>(merged.values()), otherCount + right.otherCount);
  }

  @Override
  public Partial reduce(Reduction reduction) {
    List<Bucket> enough = new ArrayList<>(buckets);
    enough.removeIf(bucket -> bucket.count() < request.minDocCount());
    KeyedPartial best = best(request, enough, request.size());
    reduction.add(best.buckets.size());
    List<Bucket> reduced = new ArrayList<>(best.buckets.size());
    for (Bucket bucket : best.buckets) {
      reduced.add(bucket.withChildren(request.children().reduce(bucket.children(), reduction)));
    }
    return new KeyedPartial(
        request, request.children().reshape(reduced), otherCount + best.otherCount);
  }

  @Override
  public String typeName() {
    return request.typeName();
  }

  @Override
  public String name(Bucket bucket) {
    return request.text(bucket.key());
  }

  @Override
  public void render(JsonGenerator out, boolean isTyped) throws IOException {
    request.writeBeside(otherCount, out);
    if (request.isKeyed()) {
      out.writeObjectFieldStart("buckets");
    } else {
      out.writeArrayFieldStart("buckets");
    }
    for (Bucket bucket : buckets) {
      if (request.isKeyed()) {
        out.writeObjectFieldStart(request.text(bucket.key()));
      } else {
        out.writeStartObject();
      }
      request.writeKey(bucket.key(), out);
      out.writeNumberField("doc_count", bucket.count());
      bucket.children().render(out, isTyped);
      out.writeEndObject();
    }
    if (request.isKeyed()) {
      out.writeEndObject();
    } else {
      out.writeEndArray();
    }
  }

  @Override
  public void write(WireOutput out) throws IOException {
    out.writeVLong(otherCount);
    out.writeVInt(buckets.size());
    for (Bucket bucket : buckets) {
      bucket.write(out);
    }
  }

  public static KeyedPartial read(PartialInput in, Request request) throws IOException {
    long otherCount = in.data().readVLong();
    int count = in.data().readLength();
    List<Bucket> buckets = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      buckets.add(Bucket.read(in, request.children()));
    }
    return new KeyedPartial(request, buckets, otherCount);
  }
}
