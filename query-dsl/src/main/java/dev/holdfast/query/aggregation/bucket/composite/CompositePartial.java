package dev.holdfast.query.aggregation.bucket.composite;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.holdfast.compoundcommit.call.WireInput;
import dev.holdfast.compoundcommit.call.WireOutput;
import dev.holdfast.document.date.BucketSpan;
import dev.holdfast.document.date.Rounding;
import dev.holdfast.query.aggregation.kernel.Bucket;
import dev.holdfast.query.aggregation.kernel.DisplayFormat;
import dev.holdfast.query.aggregation.kernel.Partial;
import dev.holdfast.query.aggregation.kernel.PartialInput;
import dev.holdfast.query.aggregation.kernel.Reduction;
import dev.holdfast.query.aggregation.kernel.Results;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A page of `composite` buckets, in order.
record CompositePartial(
    Composite request, List<Combination> combinations, List<DisplayFormat> shown)
    implements Partial {

  /// A combination of values with what was counted.
  record Combination(List<@Nullable Object> key, long count, Results children) {}

  CompositePartial {
    combinations = List.copyOf(combinations);
    shown = List.copyOf(shown);
  }

  @Override
  public Partial merge(Partial other) {
    CompositePartial right = (CompositePartial) other;
    Comparator<List<@Nullable Object>> order = request.order();
    List<Combination> merged = new ArrayList<>();
    int i = 0;
    int j = 0;
    while (merged.size() < request.size()
        && (i < combinations.size() || j < right.combinations.size())) {
      int sign =
          i == combinations.size()
              ? 1
              : j == right.combinations.size()
                  ? -1
                  : order.compare(combinations.get(i).key, right.combinations.get(j).key);
      if (sign == 0) {
        Combination a = combinations.get(i++);
        Combination b = right.combinations.get(j++);
        merged.add(new Combination(a.key, a.count + b.count, a.children.merge(b.children)));
      } else {
        merged.add(sign < 0 ? combinations.get(i++) : right.combinations.get(j++));
      }
    }
    return new CompositePartial(request, merged, combinations.isEmpty() ? right.shown : shown);
  }

  @Override
  public Partial reduce(Reduction reduction) {
    reduction.add(combinations.size());
    List<Combination> reduced = new ArrayList<>(combinations.size());
    for (Combination each : combinations) {
      reduced.add(
          new Combination(
              each.key,
              each.count,
              reduction.below(span(each.key), request.children(), each.children)));
    }
    return new CompositePartial(request, reduced, shown);
  }

  /// The time of a bucket; null where none of its keys, or several, are times.
  private @Nullable BucketSpan span(List<@Nullable Object> key) {
    BucketSpan span = null;
    for (int i = 0; i < key.size(); i++) {
      Rounding rounding = request.sources().get(i).rounding();
      if (rounding != null && key.get(i) instanceof Long millis) {
        if (span != null) {
          return null;
        }
        span = new BucketSpan(rounding, millis);
      }
    }
    return span;
  }

  @Override
  public String typeName() {
    return "composite";
  }

  @Override
  public void render(JsonGenerator out, boolean isTyped) throws IOException {
    if (!combinations.isEmpty()) {
      writeKey(out, "after_key", combinations.getLast());
    }
    out.writeArrayFieldStart("buckets");
    for (Combination each : combinations) {
      out.writeStartObject();
      writeKey(out, "key", each);
      out.writeNumberField("doc_count", each.count);
      each.children.render(out, isTyped);
      out.writeEndObject();
    }
    out.writeEndArray();
  }

  private void writeKey(JsonGenerator out, String name, Combination combination)
      throws IOException {
    out.writeObjectFieldStart(name);
    for (int i = 0; i < shown.size(); i++) {
      CompositeSource source = request.sources().get(i);
      Object key = combination.key.get(i);
      if (key == null) {
        out.writeNullField(source.name());
      } else {
        out.writeObjectField(source.name(), source.shown(key, shown.get(i)));
      }
    }
    out.writeEndObject();
  }

  @Override
  public void write(WireOutput out) throws IOException {
    for (DisplayFormat each : shown) {
      each.write(out);
    }
    out.writeVInt(combinations.size());
    for (Combination each : combinations) {
      for (Object key : each.key) {
        out.writeByte((byte) (key == null ? 0 : 1));
        if (key != null) {
          Bucket.writeKey(out, key);
        }
      }
      out.writeVLong(each.count);
      each.children.write(out);
    }
  }

  static CompositePartial read(PartialInput in, Composite request) throws IOException {
    WireInput data = in.data();
    int width = request.sources().size();
    List<DisplayFormat> shown = new ArrayList<>(width);
    for (int i = 0; i < width; i++) {
      shown.add(DisplayFormat.read(in));
    }
    int count = data.readLength();
    List<Combination> combinations = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      List<@Nullable Object> key = new ArrayList<>(width);
      for (int j = 0; j < width; j++) {
        key.add(data.readByte() == 0 ? null : Bucket.readKey(data));
      }
      long docs = data.readVLong();
      combinations.add(new Combination(key, docs, request.children().read(in)));
    }
    return new CompositePartial(request, combinations, shown);
  }
}
