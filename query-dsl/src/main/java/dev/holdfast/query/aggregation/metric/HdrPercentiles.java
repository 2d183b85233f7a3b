package dev.holdfast.query.aggregation.metric;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
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
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.Reservation;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.HdrHistogram.DoubleHistogram;
import org.HdrHistogram.PackedDoubleHistogram;
import org.apache.lucene.index.LeafReaderContext;
import org.jspecify.annotations.Nullable;

/// `percentiles` and `percentile_ranks` by a histogram with so many significant digits, instead of
/// a digest.
///
/// @param keys percents, or values whose ranks are asked for
record HdrPercentiles(
    Label label,
    FieldRequest field,
    int digits,
    List<Double> keys,
    boolean isRanks,
    boolean isKeyed)
    implements Aggregation {
  private static final int DIGITS_DEFAULT = 3;
  private static final int DIGITS_MAX = 5;
  private static final double ALL = 100;

  /// What a histogram takes before anything is in it, by its digits: megabytes for five.
  private static final int[] EMPTY_BYTES =
      IntStream.rangeClosed(0, DIGITS_MAX)
          .map(digits -> growing(digits).getEstimatedFootprintInBytes())
          .toArray();

  /// Reads `hdr`.
  static int digits(JsonObject body) {
    JsonObject options = Objects.requireNonNull(body.object("hdr"));
    JsonNode given = options.take("number_of_significant_value_digits");
    int digits = given == null ? DIGITS_DEFAULT : given.isBoolean() ? -1 : given.asInt(-1);
    if (digits < 0 || digits > DIGITS_MAX) {
      throw Refusal.badArgument("[numberOfSignificantValueDigits] must be between 0 and 5");
    }
    options.done();
    return digits;
  }

  /// A histogram of any range.
  private static DoubleHistogram growing(int digits) {
    DoubleHistogram histogram = new DoubleHistogram(digits);
    histogram.setAutoResize(true);
    return histogram;
  }

  @Override
  public boolean takesChildren() {
    return false;
  }

  @Override
  public Collecting bind(QueryContext context) {
    BoundField bound = field.bindNumeric(context);
    return bound == null ? new Unmapped(empty()) : new Recording(bound, context.memory());
  }

  @Override
  public Partial empty() {
    return new Result(this, new PackedDoubleHistogram(digits), DisplayFormat.PLAIN_DOUBLE);
  }

  @Override
  public Partial read(PartialInput in) throws IOException {
    byte[] bytes = new byte[in.data().readLength()];
    in.data().readBytes(bytes, 0, bytes.length);
    // Packed: a few bytes on the wire may stand for megabytes of counters, nearly all 0.
    DoubleHistogram histogram =
        PackedDoubleHistogram.decodeFromByteBuffer(ByteBuffer.wrap(bytes), 0);
    histogram.setAutoResize(true);
    return new Result(this, histogram, DisplayFormat.read(in));
  }

  /// @param histogram never changed once it is here
  record Result(HdrPercentiles request, DoubleHistogram histogram, DisplayFormat shown)
      implements Partial {
    @Override
    public Partial merge(Partial other) {
      Result right = (Result) other;
      if (histogram.getTotalCount() == 0) {
        return right;
      }
      if (right.histogram.getTotalCount() == 0) {
        return this;
      }
      DoubleHistogram both = new PackedDoubleHistogram(request.digits);
      both.setAutoResize(true);
      both.add(histogram);
      both.add(right.histogram);
      return new Result(request, both, shown.or(right.shown));
    }

    @Override
    public boolean hasSeveralNumbers() {
      return true;
    }

    @Override
    public String typeName() {
      return request.isRanks ? "hdr_percentile_ranks" : "hdr_percentiles";
    }

    private double at(double key) {
      if (histogram.getTotalCount() == 0) {
        return Double.NaN;
      }
      return request.isRanks ? rank(key) : histogram.getValueAtPercentile(nearest(key));
    }

    /// The library knows no negative numbers, of which there are none here.
    private double rank(double value) {
      return value < 0 ? 0 : Math.min(ALL, histogram.getPercentileAtOrBelowValue(value));
    }

    /// The library takes the next value up where a percentile lies between two; Elasticsearch's
    /// edition of it takes the nearer one.
    private double nearest(double percent) {
      double total = histogram.getTotalCount();
      double rank = Math.clamp(Math.floor(percent / ALL * total + 0.5), 1, total);
      return (rank - 0.5) * ALL / total;
    }

    @Override
    public double metric(String property) {
      return at(Percentiles.number(property));
    }

    @Override
    public void render(JsonGenerator out, boolean isTyped) throws IOException {
      DisplayFormat values = request.isRanks ? DisplayFormat.PLAIN_DOUBLE : shown;
      Percentiles.write(request.keys, this::at, request.isKeyed, values, out);
    }

    @Override
    public void write(WireOutput out) throws IOException {
      ByteBuffer buffer = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
      histogram.encodeIntoByteBuffer(buffer);
      out.writeVInt(buffer.position());
      out.writeBytes(buffer.array(), buffer.position());
      shown.write(out);
    }
  }

  private final class Recording implements Collecting {
    private final BoundField bound;
    private final NumberBlock numbers;
    private final Reservation memory;
    private final PerBucket<DoubleHistogram> histograms;

    Recording(BoundField bound, Reservation memory) {
      this.memory = memory;
      this.histograms = new PerBucket<>(this::first, memory);
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
      DoubleHistogram histogram = histograms.find(bucket);
      return histogram == null
          ? empty()
          : new Result(HdrPercentiles.this, histogram, bound.shown());
    }

    private DoubleHistogram first() {
      memory.add(EMPTY_BYTES[digits]);
      return growing(digits);
    }

    private void record(long bucket, double number) {
      DoubleHistogram histogram = histograms.of(bucket);
      if (number < 0) {
        throw new Refusal(
            ErrorType.ILLEGAL_ARGUMENT, "Negative values are not supported by HDR aggregation");
      }
      int before = histogram.getEstimatedFootprintInBytes();
      try {
        histogram.recordValue(number);
      } catch (ArrayIndexOutOfBoundsException e) {
        throw new Refusal(ErrorType.ILLEGAL_ARGUMENT, String.valueOf(e.getMessage()), e);
      }
      int after = histogram.getEstimatedFootprintInBytes();
      if (after > before) {
        memory.add(after - before);
      }
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
        for (int i = 0; i < column.count; i++) {
          record(bucket, decoded[i]);
        }
      }

      @Override
      public void collect(int[] docs, long[] buckets, int count) throws IOException {
        column.readPairs(docs, count);
        double[] decoded = numbers.decode(column);
        for (int i = 0; i < column.count; i++) {
          record(buckets[column.origin(i)], decoded[i]);
        }
      }
    }
  }
}
