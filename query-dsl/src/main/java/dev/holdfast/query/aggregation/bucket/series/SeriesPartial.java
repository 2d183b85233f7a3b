package dev.holdfast.query.aggregation.bucket.series;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.compoundcommit.call.WireOutput;
import dev.holdfast.query.aggregation.kernel.Bucket;
import dev.holdfast.query.aggregation.kernel.Bucketed;
import dev.holdfast.query.aggregation.kernel.Group;
import dev.holdfast.query.aggregation.kernel.KeyCollecting;
import dev.holdfast.query.aggregation.kernel.Partial;
import dev.holdfast.query.aggregation.kernel.PartialInput;
import dev.holdfast.query.aggregation.kernel.Reduction;
import dev.holdfast.world.Json;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.StringJoiner;
import org.apache.lucene.util.BytesRef;

/// Series in the order of their keys, no more than the answer has.
///
/// @param buckets the key is the dimensions as JSON, in the order of their names
record SeriesPartial(SeriesBuckets request, List<Bucket> buckets) implements Partial, Bucketed {
  SeriesPartial {
    buckets = List.copyOf(buckets);
  }

  /// The first of what a shard found: every shard has them in the same order.
  static SeriesPartial first(
      SeriesBuckets request, SeriesKeys keys, List<KeyCollecting.Found> found, Group below)
      throws IOException {
    List<KeyCollecting.Found> ordered = new ArrayList<>(found);
    ordered.sort(Comparator.comparing(each -> keys.key(each.key())));
    List<Bucket> buckets = new ArrayList<>();
    for (KeyCollecting.Found each : ordered.subList(0, Math.min(request.size(), ordered.size()))) {
      buckets.add(each.bucket(keys.key(each.key()), below));
    }
    return new SeriesPartial(request, buckets);
  }

  @Override
  public Partial merge(Partial other) {
    List<Bucket> right = ((SeriesPartial) other).buckets;
    List<Bucket> merged = new ArrayList<>();
    int i = 0;
    int j = 0;
    while (merged.size() < request.size() && (i < buckets.size() || j < right.size())) {
      int order =
          i == buckets.size()
              ? 1
              : j == right.size() ? -1 : Bucket.BY_KEY.compare(buckets.get(i), right.get(j));
      if (order == 0) {
        merged.add(buckets.get(i++).merge(right.get(j++)));
      } else {
        merged.add(order < 0 ? buckets.get(i++) : right.get(j++));
      }
    }
    return new SeriesPartial(request, merged);
  }

  @Override
  public Partial reduce(Reduction reduction) {
    reduction.add(buckets.size());
    List<Bucket> reduced = new ArrayList<>(buckets.size());
    for (Bucket bucket : buckets) {
      reduced.add(bucket.withChildren(request.children().reduce(bucket.children(), reduction)));
    }
    return new SeriesPartial(request, request.children().reshape(reduced));
  }

  @Override
  public String typeName() {
    return SeriesBuckets.KIND;
  }

  private static JsonNode key(Bucket bucket) {
    BytesRef key = (BytesRef) bucket.key();
    return Json.parse(key.bytes, key.offset, key.length);
  }

  @Override
  public String name(Bucket bucket) {
    StringJoiner name = new StringJoiner(", ", "{", "}");
    key(bucket)
        .properties()
        .forEach(member -> name.add(member.getKey() + "=" + text(member.getValue())));
    return name.toString();
  }

  private static String text(JsonNode value) {
    return value.isValueNode() ? value.asText() : value.toString();
  }

  @Override
  public void render(JsonGenerator out, boolean isTyped) throws IOException {
    if (request.isKeyed()) {
      out.writeObjectFieldStart("buckets");
    } else {
      out.writeArrayFieldStart("buckets");
    }
    for (Bucket bucket : buckets) {
      if (request.isKeyed()) {
        out.writeObjectFieldStart(name(bucket));
      } else {
        out.writeStartObject();
      }
      out.writeObjectField("key", key(bucket));
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
    out.writeVInt(buckets.size());
    for (Bucket bucket : buckets) {
      bucket.write(out);
    }
  }

  static SeriesPartial read(PartialInput in, SeriesBuckets request) throws IOException {
    int count = in.data().readLength();
    List<Bucket> buckets = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      buckets.add(Bucket.read(in, request.children()));
    }
    return new SeriesPartial(request, buckets);
  }
}
