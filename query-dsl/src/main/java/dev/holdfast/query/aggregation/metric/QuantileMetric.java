package dev.holdfast.query.aggregation.metric;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.holdfast.compoundcommit.call.WireOutput;
import dev.holdfast.query.QueryContext;
import dev.holdfast.query.aggregation.column.BoundField;
import dev.holdfast.query.aggregation.column.FieldRequest;
import dev.holdfast.query.aggregation.column.LongColumn;
import dev.holdfast.query.aggregation.column.NumberBlock;
import dev.holdfast.query.aggregation.kernel.Aggregation;
import dev.holdfast.query.aggregation.kernel.Collecting;
import dev.holdfast.query.aggregation.kernel.DisplayFormat;
import dev.holdfast.query.aggregation.kernel.Label;
import dev.holdfast.query.aggregation.kernel.Partial;
import dev.holdfast.query.aggregation.kernel.PartialInput;
import dev.holdfast.query.aggregation.kernel.PerBucket;
import dev.holdfast.query.aggregation.kernel.Unmapped;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.Reservation;
import java.io.IOException;
import java.util.List;
import org.apache.lucene.index.LeafReaderContext;
import org.jspecify.annotations.Nullable;

/// A metric that follows from the [Quantiles] of a numeric field: `percentiles` and kin differ only
/// in their [Figure].
record QuantileMetric(Label label, FieldRequest field, double compression, Figure figure)
    implements Aggregation {
  private static final double COMPRESSION_DEFAULT = 100;
  private static final List<String> HINTS = List.of("default", "high_accuracy");

  /// What one kind of metric shows.
  interface Figure {
    String typeName();

    void render(Quantiles quantiles, DisplayFormat shown, JsonGenerator out) throws IOException;

    double metric(Quantiles quantiles, String property);

    /// Whether it is one number alone.
    default boolean isSingle() {
      return false;
    }
  }

  /// Reads `tdigest`.
  static double compression(JsonObject body) {
    JsonObject digest = body.object("tdigest");
    double compression = COMPRESSION_DEFAULT;
    if (digest != null) {
      compression = finiteCompression(digest, COMPRESSION_DEFAULT);
      checkHint(digest);
      digest.done();
    }
    if (compression < 0) {
      throw Refusal.badArgument(
          "[compression] must be greater than or equal to 0. Found [" + compression + "]");
    }
    return compression;
  }

  /// A digest of `NaN` has no size.
  static double finiteCompression(JsonObject body, double whenAbsent) {
    double compression = body.doubleValue("compression", whenAbsent);
    if (!Double.isFinite(compression)) {
      throw Refusal.badArgument(
          "[compression] must be a finite number. Found [" + compression + "]");
    }
    return compression;
  }

  /// `execution_hint` chooses between ways to the same values, of which there is one here.
  static void checkHint(JsonObject body) {
    String hint = body.string("execution_hint", HINTS.getFirst());
    if (!HINTS.contains(hint)) {
      throw Refusal.badArgument("Invalid execution_hint [" + hint + "], valid values are " + HINTS);
    }
  }

  @Override
  public boolean takesChildren() {
    return false;
  }

  @Override
  public Collecting bind(QueryContext context) {
    BoundField bound = field.bindNumeric(context);
    return bound == null ? new Unmapped(empty()) : new Sketching(bound, context.memory());
  }

  @Override
  public Partial empty() {
    return new Result(this, new Quantiles(compression), DisplayFormat.PLAIN_DOUBLE);
  }

  @Override
  public Partial read(PartialInput in) throws IOException {
    return new Result(this, Quantiles.read(in.data(), compression), DisplayFormat.read(in));
  }

  record Result(QuantileMetric request, Quantiles quantiles, DisplayFormat shown)
      implements Partial {
    @Override
    public Partial merge(Partial other) {
      Result right = (Result) other;
      Quantiles both = new Quantiles(request.compression);
      both.addAll(quantiles);
      both.addAll(right.quantiles);
      return new Result(request, both, shown.or(right.shown));
    }

    @Override
    public boolean isSingleNumber() {
      return request.figure.isSingle();
    }

    @Override
    public boolean hasSeveralNumbers() {
      return !isSingleNumber();
    }

    @Override
    public String typeName() {
      return request.figure.typeName();
    }

    @Override
    public void render(JsonGenerator out, boolean isTyped) throws IOException {
      request.figure.render(quantiles, shown, out);
    }

    @Override
    public double metric(String property) {
      return request.figure.metric(quantiles, property);
    }

    @Override
    public void write(WireOutput out) throws IOException {
      quantiles.write(out);
      shown.write(out);
    }
  }

  private final class Sketching implements Collecting {
    private final BoundField bound;
    private final NumberBlock numbers;
    private final PerBucket<Quantiles> sketches;

    Sketching(BoundField bound, Reservation memory) {
      this.sketches = new PerBucket<>(() -> new Quantiles(compression, memory::add), memory);
      this.bound = bound;
      this.numbers = new NumberBlock(bound);
    }

    @Override
    public @Nullable Leaf leaf(LeafReaderContext segment) throws IOException {
      LongColumn column = LongColumn.open(segment.reader(), bound);
      return column == null ? null : new Values(column);
    }

    @Override
    public Partial result(long bucket) {
      Quantiles quantiles = sketches.find(bucket);
      return quantiles == null
          ? empty()
          : new Result(QuantileMetric.this, quantiles, bound.shown());
    }

    private final class Values implements Leaf {
      private final LongColumn column;

      Values(LongColumn column) {
        this.column = column;
      }

      @Override
      public void collect(int[] docs, int from, int to, long bucket) throws IOException {
        column.read(docs, from, to);
        double[] decoded = numbers.decode(column);
        Quantiles quantiles = sketches.of(bucket);
        for (int i = 0; i < column.count; i++) {
          quantiles.add(decoded[i]);
        }
      }

      @Override
      public void collect(int[] docs, long[] buckets, int count) throws IOException {
        column.readPairs(docs, count);
        double[] decoded = numbers.decode(column);
        for (int i = 0; i < column.count; i++) {
          sketches.of(buckets[column.origin(i)]).add(decoded[i]);
        }
      }
    }
  }
}
