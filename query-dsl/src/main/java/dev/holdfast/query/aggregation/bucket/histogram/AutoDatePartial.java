package dev.holdfast.query.aggregation.bucket.histogram;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.holdfast.compoundcommit.call.WireOutput;
import dev.holdfast.document.ValuesKind;
import dev.holdfast.document.date.Rounding;
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
import java.util.Map;
import java.util.TreeMap;

/// Buckets of `auto_date_histogram`, one a unit of time until the reduction joins several.
///
/// @param unit place in [AutoDateHistogram#UNITS]
/// @param multiple units a bucket spans; 1 before the reduction
/// @param buckets in ascending order; keys are milliseconds
record AutoDatePartial(
    AutoDateHistogram request, int unit, int multiple, List<Bucket> buckets, DisplayFormat shown)
    implements Partial, Bucketed {
  private static final long NANOS_PER_MILLI = 1_000_000;

  AutoDatePartial {
    buckets = List.copyOf(buckets);
  }

  @Override
  public Partial merge(Partial other) {
    AutoDatePartial right = (AutoDatePartial) other;
    int coarser = Math.max(unit, right.unit);
    List<Bucket> all = new ArrayList<>(buckets);
    all.addAll(right.buckets);
    return new AutoDatePartial(request, coarser, 1, rounded(all, coarser), shown.or(right.shown));
  }

  private List<Bucket> rounded(List<Bucket> from, int toUnit) {
    Rounding rounding = request.rounding(toUnit);
    Map<Long, Bucket> merged = new TreeMap<>();
    for (Bucket bucket : from) {
      long millis = rounding.round((Long) bucket.key());
      Bucket moved = new Bucket(millis, bucket.count(), bucket.children());
      merged.merge(millis, moved, Bucket::merge);
    }
    return new ArrayList<>(merged.values());
  }

  @Override
  public Partial reduce(Reduction reduction) {
    if (buckets.isEmpty()) {
      return this;
    }
    int fitting =
        request.fitting(unit, (Long) buckets.getFirst().key(), (Long) buckets.getLast().key());
    List<Bucket> complete = filled(rounded(buckets, fitting), request.rounding(fitting), reduction);
    int joined = 1;
    for (int candidate : AutoDateHistogram.UNITS.get(fitting).multiples()) {
      joined = candidate;
      if ((complete.size() + candidate - 1) / candidate <= request.buckets()) {
        break;
      }
    }
    List<Bucket> result = joined(complete, joined);
    reduction.add(result.size());
    List<Bucket> reduced = new ArrayList<>(result.size());
    for (Bucket bucket : result) {
      reduced.add(bucket.withChildren(request.children().reduce(bucket.children(), reduction)));
    }
    return new AutoDatePartial(
        request, fitting, joined, request.children().reshape(reduced), shown);
  }

  /// Years of far dates are more than any answer holds.
  private List<Bucket> filled(List<Bucket> some, Rounding rounding, Reduction reduction) {
    List<Bucket> filled = new ArrayList<>();
    Results none = some.getFirst().children().emptied(request.children().empty());
    int next = 0;
    for (long key = (Long) some.getFirst().key(); next < some.size(); key = rounding.next(key)) {
      if ((Long) some.get(next).key() <= key) {
        filled.add(some.get(next++));
      } else {
        reduction.hold(1);
        filled.add(new Bucket(key, 0, none));
      }
      if (filled.size() > Reduction.BUCKETS_MAX) {
        throw Reduction.tooManyBuckets(Reduction.BUCKETS_MAX);
      }
    }
    return filled;
  }

  private static List<Bucket> joined(List<Bucket> buckets, int multiple) {
    List<Bucket> joined = new ArrayList<>();
    for (int from = 0; from < buckets.size(); from += multiple) {
      Bucket all = buckets.get(from);
      for (int i = from + 1; i < Math.min(from + multiple, buckets.size()); i++) {
        all = all.merge(buckets.get(i));
      }
      joined.add(all);
    }
    return joined;
  }

  @Override
  public String typeName() {
    return "auto_date_histogram";
  }

  @Override
  public String name(Bucket bucket) {
    long millis = (Long) bucket.key();
    if (shown.kind().isFloating()) {
      return shown.showsText() ? shown.format().toText((double) millis) : Long.toString(millis);
    }
    return shown
        .format()
        .toText(shown.kind() == ValuesKind.DATE_NANOS ? millis * NANOS_PER_MILLI : millis);
  }

  @Override
  public void render(JsonGenerator out, boolean isTyped) throws IOException {
    out.writeArrayFieldStart("buckets");
    for (Bucket bucket : buckets) {
      out.writeStartObject();
      if (shown.showsText()) {
        out.writeStringField("key_as_string", name(bucket));
      }
      out.writeNumberField("key", (Long) bucket.key());
      out.writeNumberField("doc_count", bucket.count());
      bucket.children().render(out, isTyped);
      out.writeEndObject();
    }
    out.writeEndArray();
    out.writeStringField("interval", multiple + AutoDateHistogram.UNITS.get(unit).letter());
  }

  @Override
  public void write(WireOutput out) throws IOException {
    shown.write(out);
    out.writeVInt(unit);
    out.writeVInt(buckets.size());
    for (Bucket bucket : buckets) {
      bucket.write(out);
    }
  }

  static AutoDatePartial read(PartialInput in, AutoDateHistogram request) throws IOException {
    DisplayFormat shown = DisplayFormat.read(in);
    int unit = in.data().readVInt();
    int count = in.data().readLength();
    List<Bucket> buckets = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      buckets.add(Bucket.read(in, request.children()));
    }
    return new AutoDatePartial(request, unit, 1, buckets, shown);
  }
}
