package dev.holdfast.query.aggregation.bucket.range;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.holdfast.document.ValuesKind;
import dev.holdfast.document.field.ip.Addresses;
import dev.holdfast.query.QueryContext;
import dev.holdfast.query.aggregation.bucket.filter.KeyedPartial;
import dev.holdfast.query.aggregation.column.BoundField;
import dev.holdfast.query.aggregation.column.FieldRequest;
import dev.holdfast.query.aggregation.column.ParsedField;
import dev.holdfast.query.aggregation.kernel.Aggregation;
import dev.holdfast.query.aggregation.kernel.AggregationTree;
import dev.holdfast.query.aggregation.kernel.Bucket;
import dev.holdfast.query.aggregation.kernel.BucketOrder;
import dev.holdfast.query.aggregation.kernel.Collecting;
import dev.holdfast.query.aggregation.kernel.Definition;
import dev.holdfast.query.aggregation.kernel.KeyCollecting;
import dev.holdfast.query.aggregation.kernel.KeySet;
import dev.holdfast.query.aggregation.kernel.Label;
import dev.holdfast.query.aggregation.kernel.Partial;
import dev.holdfast.query.aggregation.kernel.PartialInput;
import dev.holdfast.query.aggregation.kernel.Unmapped;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.SortedSetDocValues;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.BytesRefHash;

/// Addresses by the network that their first bits name.
public record IpPrefixes(
    Label label,
    FieldRequest field,
    int prefixLength,
    boolean isIpv6,
    long minDocCount,
    boolean isKeyed,
    boolean appendsLength,
    AggregationTree children)
    implements Aggregation, KeyedPartial.Request {
  private static final int IPV4_OFFSET_BYTES = 12;
  private static final int IPV4_BITS = 32;
  private static final int IPV6_BITS = 128;

  public static Aggregation parse(Definition definition) {
    JsonObject body = definition.body();
    FieldRequest field = FieldRequest.parse(body);
    body.required("prefix_length");
    int prefixLength = body.integer("prefix_length", -1);
    boolean isIpv6 = body.bool("is_ipv6", false);
    int most = isIpv6 ? IPV6_BITS : IPV4_BITS;
    if (prefixLength < 0 || prefixLength > most) {
      throw Refusal.badArgument(
          "[prefix_length] must be in range [0, "
              + most
              + "] while value is ["
              + prefixLength
              + "]");
    }
    long minDocCount = body.longValue("min_doc_count", 1);
    ParsedField.check(
        minDocCount >= 1,
        body.context(),
        "min_doc_count",
        "[minDocCount] must be greater than or equal to 1. Found ["
            + minDocCount
            + "] in ["
            + definition.label().name()
            + "]");
    return new IpPrefixes(
        definition.label(),
        field,
        prefixLength,
        isIpv6,
        minDocCount,
        body.bool("keyed", false),
        body.bool("append_prefix_length", false),
        definition.children());
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
    BytesRefHash networks = new BytesRefHash();
    return new KeyCollecting(
        segment -> open(segment, bound, networks),
        children.group(context),
        (found, _, below) -> {
          List<Bucket> buckets = new ArrayList<>(found.size());
          for (KeyCollecting.Found each : found) {
            BytesRef network = BytesRef.deepCopyOf(networks.get((int) each.key(), new BytesRef()));
            buckets.add(each.bucket(network, below));
          }
          return new KeyedPartial(this, buckets, 0);
        });
  }

  private KeyCollecting.Keys open(
      LeafReaderContext segment, BoundField bound, BytesRefHash networks) throws IOException {
    SortedSetDocValues values = DocValues.getSortedSet(segment.reader(), bound.field());
    BytesRef missing = bound.missingTerm();
    return (doc, into) -> {
      if (values.advanceExact(doc)) {
        for (int i = values.docValueCount(); i > 0; i--) {
          add(values.lookupOrd(values.nextOrd()), networks, into);
        }
      } else if (missing != null) {
        add(missing, networks, into);
      }
    };
  }

  private void add(BytesRef address, BytesRefHash networks, KeySet into) {
    if (isIpv4(address) != isIpv6) {
      int number = networks.add(network(address));
      into.add(number < 0 ? -number - 1 : number);
    }
  }

  private BytesRef network(BytesRef address) {
    byte[] bytes =
        Arrays.copyOfRange(address.bytes, address.offset, address.offset + address.length);
    int bits = prefixLength + (isIpv6 ? 0 : IPV4_OFFSET_BYTES * Byte.SIZE);
    for (int i = 0; i < bytes.length; i++) {
      int kept = Math.clamp(bits - i * (long) Byte.SIZE, 0, Byte.SIZE);
      bytes[i] = (byte) (bytes[i] & (0xff << (Byte.SIZE - kept)));
    }
    return new BytesRef(bytes);
  }

  private static boolean isIpv4(BytesRef address) {
    for (int i = 0; i < IPV4_OFFSET_BYTES; i++) {
      int wanted = i < 10 ? 0 : 0xff;
      if ((address.bytes[address.offset + i] & 0xff) != wanted) {
        return false;
      }
    }
    return true;
  }

  /// An address of 16 bytes as text.
  static String text(BytesRef address) {
    return Addresses.text(address.bytes, address.offset);
  }

  @Override
  public Partial empty() {
    return new KeyedPartial(this, List.of(), 0);
  }

  @Override
  public Partial read(PartialInput in) throws IOException {
    return KeyedPartial.read(in, this);
  }

  @Override
  public String typeName() {
    return "ip_prefix";
  }

  @Override
  public int size() {
    return Integer.MAX_VALUE;
  }

  @Override
  public BucketOrder order() {
    return BucketOrder.KEY_ASCENDING;
  }

  @Override
  public String text(Object key) {
    String network = text((BytesRef) key);
    return appendsLength ? network + "/" + prefixLength : network;
  }

  @Override
  public void writeKey(Object key, JsonGenerator out) throws IOException {
    if (!isKeyed) {
      out.writeStringField("key", text(key));
    }
    out.writeBooleanField("is_ipv6", isIpv6);
    out.writeNumberField("prefix_length", prefixLength);
    if (!isIpv6) {
      long mask = prefixLength == 0 ? 0 : 0xffff_ffffL << (IPV4_BITS - prefixLength) & 0xffff_ffffL;
      out.writeStringField(
          "netmask",
          (mask >>> 24)
              + "."
              + (mask >>> 16 & 255)
              + "."
              + (mask >>> 8 & 255)
              + "."
              + (mask & 255));
    }
  }
}
