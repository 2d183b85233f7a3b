package dev.holdfast.query.aggregation.kernel;

import dev.holdfast.compoundcommit.call.WireInput;
import dev.holdfast.compoundcommit.call.WireOutput;
import java.io.IOException;
import java.util.Comparator;
import org.apache.lucene.util.BytesRef;

/// One bucket of a multi-bucket aggregation.
///
/// @param key Long, Double or BytesRef, as the aggregation compares its buckets
/// @param errorKnown of `terms`: the error bounds of the shards that returned it, summed
/// @param children results of sub-aggregations
public record Bucket(Object key, long count, long errorKnown, Results children) {
  public static final Comparator<Bucket> BY_KEY = (a, b) -> compareKeys(a.key, b.key);

  private static final byte LONG = 0;
  private static final byte DOUBLE = 1;
  private static final byte TERM = 2;

  public Bucket(Object key, long count, Results children) {
    this(key, count, 0, children);
  }

  public Bucket merge(Bucket other) {
    return new Bucket(
        key, count + other.count, errorKnown + other.errorKnown, children.merge(other.children));
  }

  public Bucket withChildren(Results changed) {
    return new Bucket(key, count, errorKnown, changed);
  }

  public double number() {
    return key instanceof Number number ? number.doubleValue() : Double.NaN;
  }

  /// `_count`, `_key`, or the path of a sub-aggregation's number.
  public double metric(String path) {
    return switch (path) {
      case "_count" -> count;
      case "_key" -> number();
      default -> children.metric(path);
    };
  }

  public static int compareKeys(Object a, Object b) {
    if (a instanceof BytesRef left && b instanceof BytesRef right) {
      return left.compareTo(right);
    }
    if (a instanceof Long left && b instanceof Long right) {
      return Long.compare(left, right);
    }
    if (a instanceof Number left && b instanceof Number right) {
      return Double.compare(left.doubleValue(), right.doubleValue());
    }
    return Boolean.compare(a instanceof BytesRef, b instanceof BytesRef);
  }

  public void write(WireOutput out) throws IOException {
    writeKey(out, key);
    out.writeVLong(count);
    out.writeZLong(errorKnown);
    children.write(out);
  }

  public static Bucket read(PartialInput in, AggregationTree tree) throws IOException {
    WireInput data = in.data();
    Object key = readKey(data);
    long count = data.readVLong();
    long errorKnown = data.readZLong();
    return new Bucket(key, count, errorKnown, tree.read(in));
  }

  public static void writeKey(WireOutput out, Object key) throws IOException {
    switch (key) {
      case Long number -> {
        out.writeByte(LONG);
        out.writeZLong(number);
      }
      case Double number -> {
        out.writeByte(DOUBLE);
        out.writeLong(Double.doubleToRawLongBits(number));
      }
      case BytesRef term -> {
        out.writeByte(TERM);
        out.writeVInt(term.length);
        out.writeBytes(term.bytes, term.offset, term.length);
      }
      default -> throw new IllegalStateException("bucket key of " + key.getClass());
    }
  }

  public static Object readKey(WireInput in) throws IOException {
    byte kind = in.readByte();
    return switch (kind) {
      case LONG -> in.readZLong();
      case DOUBLE -> Double.longBitsToDouble(in.readLong());
      case TERM -> {
        byte[] bytes = new byte[in.readLength()];
        in.readBytes(bytes, 0, bytes.length);
        yield new BytesRef(bytes);
      }
      default -> throw new IOException("unknown kind of bucket key: " + kind);
    };
  }
}
