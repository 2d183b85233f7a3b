package dev.holdfast.query.aggregation.bucket.histogram;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.holdfast.compoundcommit.call.WireInput;
import dev.holdfast.compoundcommit.call.WireOutput;
import dev.holdfast.query.aggregation.kernel.Bucket;
import dev.holdfast.query.aggregation.kernel.Bucketed;
import dev.holdfast.query.aggregation.kernel.DisplayFormat;
import dev.holdfast.query.aggregation.kernel.Partial;
import dev.holdfast.query.aggregation.kernel.PartialInput;
import dev.holdfast.query.aggregation.kernel.Reduction;
import dev.holdfast.query.aggregation.kernel.Results;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Buckets of a histogram in ascending order of key; after the reduction in the order that was
/// asked for, gaps filled.
record HistogramPartial(
    HistogramRequest request,
    List<Bucket> buckets,
    HistogramRequest.Reach reach,
    DisplayFormat shown)
    implements Partial, Bucketed {

  HistogramPartial {
    buckets = List.copyOf(buckets);
  }

  @Override
  public Partial merge(Partial other) {
    HistogramPartial right = (HistogramPartial) other;
    List<Bucket> merged = new ArrayList<>(Math.max(buckets.size(), right.buckets.size()));
    int i = 0;
    int j = 0;
    while (i < buckets.size() && j < right.buckets.size()) {
      Bucket a = buckets.get(i);
      Bucket b = right.buckets.get(j);
      int order = Bucket.compareKeys(a.key(), b.key());
      merged.add(order == 0 ? a.merge(b) : order < 0 ? a : b);
      i += order <= 0 ? 1 : 0;
      j += order >= 0 ? 1 : 0;
    }
    merged.addAll(buckets.subList(i, buckets.size()));
    merged.addAll(right.buckets.subList(j, right.buckets.size()));
    return new HistogramPartial(request, merged, reach.with(right.reach), shown.or(right.shown));
  }

  @Override
  public Partial emptied(Partial empty) {
    return new HistogramPartial(request, List.of(), reach, shown);
  }

  @Override
  public Partial reduce(Reduction reduction) {
    List<Bucket> complete;
    if (request.minDocCount() == 0) {
      complete = filled(reduction);
    } else {
      complete = new ArrayList<>(buckets);
      complete.removeIf(bucket -> bucket.count() < request.minDocCount());
    }
    reduction.add(complete.size());
    List<Bucket> reduced = new ArrayList<>(complete.size());
    for (Bucket bucket : complete) {
      reduced.add(
          bucket.withChildren(
              reduction.below(request.span(bucket.key()), request.children(), bucket.children())));
    }
    if (!request.order().isByKeyAscending()) {
      reduced.sort(request.order().comparator());
    }
    return new HistogramPartial(request, request.children().reshape(reduced), reach, shown);
  }

  /// Every bucket from the first to the last key, and to the ends of the reach.
  private List<Bucket> filled(Reduction reduction) {
    Object first = reach.first();
    Object last = reach.last();
    if (!buckets.isEmpty()) {
      HistogramRequest.Reach all =
          reach.with(new HistogramRequest.Reach(buckets.getFirst().key(), buckets.getLast().key()));
      first = all.first();
      last = all.last();
    }
    List<Bucket> filled = new ArrayList<>(buckets.size());
    if (first == null || last == null) {
      return filled;
    }
    Results none = request.children().empty();
    Results empty = buckets.isEmpty() ? none : buckets.getFirst().children().emptied(none);
    int next = 0;
    for (Object key = first; Bucket.compareKeys(key, last) <= 0; key = request.next(key)) {
      if (next < buckets.size() && Bucket.compareKeys(buckets.get(next).key(), key) <= 0) {
        filled.add(buckets.get(next++));
      } else {
        reduction.hold(1);
        filled.add(new Bucket(key, 0, empty));
      }
      if (filled.size() > reduction.bucketsLeft()) {
        reduction.add(filled.size());
      }
    }
    filled.addAll(buckets.subList(next, buckets.size()));
    return filled;
  }

  @Override
  public String typeName() {
    return request.typeName();
  }

  @Override
  public void render(JsonGenerator out, boolean isTyped) throws IOException {
    if (request.isKeyed()) {
      out.writeObjectFieldStart("buckets");
    } else {
      out.writeArrayFieldStart("buckets");
    }
    for (Bucket bucket : buckets) {
      String text = request.text(bucket.key(), shown);
      if (request.isKeyed()) {
        out.writeObjectFieldStart(text);
      } else {
        out.writeStartObject();
      }
      if (shown.showsText()) {
        out.writeStringField("key_as_string", text);
      }
      writeKey(out, bucket.key());
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
  public String name(Bucket bucket) {
    return request.text(bucket.key(), shown);
  }

  private static void writeKey(JsonGenerator out, Object key) throws IOException {
    if (key instanceof Long whole) {
      out.writeNumberField("key", whole);
    } else {
      out.writeNumberField("key", (double) key);
    }
  }

  @Override
  public void write(WireOutput out) throws IOException {
    shown.write(out);
    writeEnd(out, reach.first());
    writeEnd(out, reach.last());
    out.writeVInt(buckets.size());
    for (Bucket bucket : buckets) {
      bucket.write(out);
    }
  }

  static HistogramPartial read(PartialInput in, HistogramRequest request) throws IOException {
    WireInput data = in.data();
    DisplayFormat shown = DisplayFormat.read(in);
    Object first = readEnd(data);
    Object last = readEnd(data);
    int count = data.readLength();
    List<Bucket> buckets = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      buckets.add(Bucket.read(in, request.children()));
    }
    return new HistogramPartial(request, buckets, new HistogramRequest.Reach(first, last), shown);
  }

  private static void writeEnd(WireOutput out, @Nullable Object key) throws IOException {
    out.writeByte((byte) (key == null ? 0 : 1));
    if (key != null) {
      Bucket.writeKey(out, key);
    }
  }

  private static @Nullable Object readEnd(WireInput in) throws IOException {
    return in.readByte() == 0 ? null : Bucket.readKey(in);
  }
}
