package dev.holdfast.query.aggregation.bucket.range;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.compoundcommit.call.WireOutput;
import dev.holdfast.document.ValuesKind;
import dev.holdfast.document.field.ip.Addresses;
import dev.holdfast.query.QueryContext;
import dev.holdfast.query.aggregation.column.BoundField;
import dev.holdfast.query.aggregation.column.FieldRequest;
import dev.holdfast.query.aggregation.kernel.Aggregation;
import dev.holdfast.query.aggregation.kernel.AggregationTree;
import dev.holdfast.query.aggregation.kernel.Bucket;
import dev.holdfast.query.aggregation.kernel.Bucketed;
import dev.holdfast.query.aggregation.kernel.Collecting;
import dev.holdfast.query.aggregation.kernel.Definition;
import dev.holdfast.query.aggregation.kernel.KeyCollecting;
import dev.holdfast.query.aggregation.kernel.Label;
import dev.holdfast.query.aggregation.kernel.Partial;
import dev.holdfast.query.aggregation.kernel.PartialInput;
import dev.holdfast.query.aggregation.kernel.Reduction;
import dev.holdfast.query.aggregation.kernel.Results;
import dev.holdfast.query.aggregation.kernel.Unmapped;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.apache.lucene.document.InetAddressPoint;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/// Buckets of an address field by ranges or networks, each from its lower end up to but without its
/// upper end.
public record IpRanges(
    Label label, FieldRequest field, List<Range> ranges, boolean isKeyed, AggregationTree children)
    implements Aggregation {

  /// @param from first address as 16 bytes; null for open
  /// @param to address past the last; null for open
  record Range(String key, @Nullable BytesRef from, @Nullable BytesRef to) {}

  public static Aggregation parse(Definition definition) {
    JsonObject body = definition.body();
    FieldRequest field = FieldRequest.parse(body);
    JsonNode given = body.take("ranges");
    List<Range> ranges = new ArrayList<>();
    if (given != null) {
      for (JsonNode each : given.isObject() ? List.of(given) : given) {
        ranges.add(range(each));
      }
    }
    if (ranges.isEmpty()) {
      throw Refusal.badArgument(
          "No [ranges] specified for the [" + definition.label().name() + "] aggregation");
    }
    ranges.sort(
        Comparator.comparing(Range::from, Comparator.nullsFirst(Comparator.naturalOrder()))
            .thenComparing(Range::to, Comparator.nullsLast(Comparator.naturalOrder())));
    return new IpRanges(
        definition.label(),
        field,
        List.copyOf(ranges),
        body.bool("keyed", false),
        definition.children());
  }

  private static Range range(JsonNode node) {
    JsonObject range = JsonObject.ofKinds("ip_range", node);
    String mask = range.string("mask");
    String from = range.stringOrNull("from");
    String to = range.stringOrNull("to");
    String key = range.string("key");
    range.done();
    if (mask != null) {
      return network(mask, key == null ? mask : key);
    }
    return new Range(
        key == null ? (from == null ? "*" : from) + "-" + (to == null ? "*" : to) : key,
        from == null ? null : address(from),
        to == null ? null : address(to));
  }

  private static Range network(String mask, String key) {
    int slash = mask.indexOf('/');
    try {
      byte[] address = InetAddress.ofLiteral(mask.substring(0, Math.max(0, slash))).getAddress();
      int prefix = Integer.parseInt(mask.substring(slash + 1));
      if (prefix < 0 || prefix > address.length * Byte.SIZE) {
        throw Refusal.badArgument(
            "illegal prefix length ["
                + prefix
                + "] in ["
                + mask
                + "]. Must be 0-32 for IPv4 ranges, 0-128 for IPv6 ranges");
      }
      byte[] encoded = InetAddressPoint.encode(InetAddress.getByAddress(address));
      int bits = prefix + (encoded.length - address.length) * Byte.SIZE;
      BigInteger size = BigInteger.ONE.shiftLeft(encoded.length * Byte.SIZE - bits);
      BigInteger first = new BigInteger(1, encoded).divide(size).multiply(size);
      return new Range(key, bytes(first), bytes(first.add(size)));
    } catch (UnknownHostException | IllegalArgumentException e) {
      throw e instanceof NumberFormatException || !(e instanceof IllegalArgumentException)
          ? Refusal.badArgument("Expected [ip/prefix] but was [" + mask + "]")
          : Refusal.badArgument(
              "'" + mask.substring(0, Math.max(0, slash)) + "' is not an IP string literal.");
    }
  }

  /// @return null past the largest address
  private static @Nullable BytesRef bytes(BigInteger address) {
    byte[] bytes = address.toByteArray();
    if (address.bitLength() > InetAddressPoint.BYTES * Byte.SIZE) {
      return null;
    }
    byte[] padded = new byte[InetAddressPoint.BYTES];
    int length = Math.min(bytes.length, padded.length);
    System.arraycopy(bytes, bytes.length - length, padded, padded.length - length, length);
    return new BytesRef(padded);
  }

  private static BytesRef address(String text) {
    try {
      return new BytesRef(InetAddressPoint.encode(InetAddress.ofLiteral(text)));
    } catch (IllegalArgumentException e) {
      throw Refusal.badArgument("'" + text + "' is not an IP string literal.");
    }
  }

  @Override
  public Collecting bind(QueryContext context) throws IOException {
    BoundField bound = field.bind(context, ValuesKind.IP);
    if (bound == null) {
      return new Unmapped(empty());
    }
    if (bound.kind() != ValuesKind.IP) {
      throw field.unsupported(bound);
    }
    AddressRanges places = new AddressRanges(ranges);
    return new KeyCollecting(
        segment ->
            places.open(
                DocValues.getSortedSet(segment.reader(), bound.field()),
                segment.reader().numDocs(),
                bound.missingTerm()),
        children.group(context),
        (found, _, below) -> {
          below.hold(ranges.size());
          long[] counts = new long[ranges.size()];
          Results[] results = new Results[ranges.size()];
          Arrays.fill(results, children.empty());
          for (KeyCollecting.Found each : found) {
            counts[(int) each.key()] = each.count();
            results[(int) each.key()] = below.results(each.ordinal());
          }
          List<Bucket> buckets = new ArrayList<>();
          for (int i = 0; i < counts.length; i++) {
            buckets.add(new Bucket((long) i, counts[i], results[i]));
          }
          return new Result(this, buckets);
        });
  }

  @Override
  public long bucketsAlways() {
    return children.bucketsAlways(ranges.size());
  }

  @Override
  public Partial empty() {
    List<Bucket> buckets = new ArrayList<>();
    Results below = children.empty();
    for (int i = 0; i < ranges.size(); i++) {
      buckets.add(new Bucket((long) i, 0, below));
    }
    return new Result(this, buckets);
  }

  @Override
  public Partial read(PartialInput in) throws IOException {
    List<Bucket> buckets = new ArrayList<>();
    for (int i = 0; i < ranges.size(); i++) {
      buckets.add(Bucket.read(in, children));
    }
    return new Result(this, buckets);
  }

  /// @param buckets one a range, in their order; the key is the range's place
  record Result(IpRanges request, List<Bucket> buckets) implements Partial, Bucketed {
    Result {
      buckets = List.copyOf(buckets);
    }

    @Override
    public Partial merge(Partial other) {
      List<Bucket> merged = new ArrayList<>();
      for (int i = 0; i < buckets.size(); i++) {
        merged.add(buckets.get(i).merge(((Result) other).buckets.get(i)));
      }
      return new Result(request, merged);
    }

    @Override
    public Partial reduce(Reduction reduction) {
      reduction.add(buckets.size());
      List<Bucket> reduced = new ArrayList<>();
      for (Bucket bucket : buckets) {
        reduced.add(bucket.withChildren(request.children.reduce(bucket.children(), reduction)));
      }
      return new Result(request, reduced);
    }

    @Override
    public String typeName() {
      return "ip_range";
    }

    @Override
    public String name(Bucket bucket) {
      return range(bucket).key;
    }

    private Range range(Bucket bucket) {
      return request.ranges.get(((Long) bucket.key()).intValue());
    }

    @Override
    public void render(JsonGenerator out, boolean isTyped) throws IOException {
      if (request.isKeyed) {
        out.writeObjectFieldStart("buckets");
      } else {
        out.writeArrayFieldStart("buckets");
      }
      for (Bucket bucket : buckets) {
        Range range = range(bucket);
        if (request.isKeyed) {
          out.writeObjectFieldStart(range.key);
        } else {
          out.writeStartObject();
          out.writeStringField("key", range.key);
        }
        write("from", range.from, out);
        write("to", range.to, out);
        out.writeNumberField("doc_count", bucket.count());
        bucket.children().render(out, isTyped);
        out.writeEndObject();
      }
      if (request.isKeyed) {
        out.writeEndObject();
      } else {
        out.writeEndArray();
      }
    }

    private static void write(String name, @Nullable BytesRef address, JsonGenerator out)
        throws IOException {
      if (address != null) {
        out.writeStringField(name, Addresses.text(address.bytes, address.offset));
      }
    }

    @Override
    public void write(WireOutput out) throws IOException {
      for (Bucket bucket : buckets) {
        bucket.write(out);
      }
    }
  }
}
