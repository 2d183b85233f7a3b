package dev.holdfast.query.aggregation.bucket.range;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.holdfast.compoundcommit.call.WireInput;
import dev.holdfast.compoundcommit.call.WireOutput;
import dev.holdfast.query.aggregation.kernel.AggregationTree;
import dev.holdfast.query.aggregation.kernel.Bucket;
import dev.holdfast.query.aggregation.kernel.Bucketed;
import dev.holdfast.query.aggregation.kernel.DisplayFormat;
import dev.holdfast.query.aggregation.kernel.Partial;
import dev.holdfast.query.aggregation.kernel.PartialInput;
import dev.holdfast.query.aggregation.kernel.Reduction;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.util.BytesRef;

/// The ranges of `range` or `date_range`, by their ends. Empty where no shard had the field.
record RangePartial(Request request, List<RangeBucket> ranges, DisplayFormat shown)
    implements Partial, Bucketed {

  /// What rendering needs to know.
  interface Request {
    String typeName();

    boolean isKeyed();

    AggregationTree children();

    /// The ranges of an index without the field.
    RangePartial unmapped();

    /// An end as text.
    String text(double end, DisplayFormat shown);

    /// Whether ends are shown as text beside the numbers.
    boolean showsText(DisplayFormat shown);
  }

  RangePartial {
    ranges = List.copyOf(ranges);
  }

  @Override
  public Partial emptied(Partial empty) {
    List<RangeBucket> emptied = new ArrayList<>(ranges.size());
    for (RangeBucket range : ranges) {
      emptied.add(range.with(0, range.children().emptied(request.children().empty())));
    }
    return new RangePartial(request, emptied, shown);
  }

  @Override
  public Partial merge(Partial other) {
    RangePartial right = (RangePartial) other;
    if (ranges.isEmpty()) {
      return right;
    }
    if (right.ranges.isEmpty()) {
      return this;
    }
    if (shown.isStandIn() && !right.shown.isStandIn()) {
      return right.merge(this);
    }
    List<RangeBucket> merged = new ArrayList<>(ranges.size());
    for (int i = 0; i < ranges.size(); i++) {
      merged.add(ranges.get(i).merge(right.ranges.get(i)));
    }
    return new RangePartial(request, merged, shown.or(right.shown));
  }

  @Override
  public Partial reduce(Reduction reduction) {
    RangePartial known = ranges.isEmpty() ? request.unmapped() : this;
    reduction.add(known.ranges.size());
    List<RangeBucket> reduced = new ArrayList<>(known.ranges.size());
    for (RangeBucket range : known.ranges) {
      reduced.add(
          range.with(range.count(), request.children().reduce(range.children(), reduction)));
    }
    return new RangePartial(request, reduced, known.shown);
  }

  @Override
  public String typeName() {
    return request.typeName();
  }

  @Override
  public List<Bucket> buckets() {
    return ranges.stream()
        .map(range -> new Bucket(new BytesRef(range.key()), range.count(), range.children()))
        .toList();
  }

  @Override
  public String name(Bucket bucket) {
    return ((BytesRef) bucket.key()).utf8ToString();
  }

  @Override
  public void render(JsonGenerator out, boolean isTyped) throws IOException {
    if (request.isKeyed()) {
      out.writeObjectFieldStart("buckets");
    } else {
      out.writeArrayFieldStart("buckets");
    }
    for (RangeBucket range : ranges) {
      if (request.isKeyed()) {
        out.writeObjectFieldStart(range.key());
      } else {
        out.writeStartObject();
        out.writeStringField("key", range.key());
      }
      writeEnd(out, "from", range.from());
      writeEnd(out, "to", range.to());
      out.writeNumberField("doc_count", range.count());
      range.children().render(out, isTyped);
      out.writeEndObject();
    }
    if (request.isKeyed()) {
      out.writeEndObject();
    } else {
      out.writeEndArray();
    }
  }

  private void writeEnd(JsonGenerator out, String name, double end) throws IOException {
    if (!Double.isInfinite(end)) {
      out.writeNumberField(name, end);
      if (request.showsText(shown)) {
        out.writeStringField(name + "_as_string", request.text(end, shown));
      }
    }
  }

  @Override
  public void write(WireOutput out) throws IOException {
    shown.write(out);
    out.writeVInt(ranges.size());
    for (RangeBucket range : ranges) {
      range.write(out);
    }
  }

  static RangePartial read(PartialInput in, Request request) throws IOException {
    WireInput data = in.data();
    DisplayFormat shown = DisplayFormat.read(in);
    int count = data.readLength();
    List<RangeBucket> ranges = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      ranges.add(RangeBucket.read(in, request.children()));
    }
    return new RangePartial(request, ranges, shown);
  }
}
