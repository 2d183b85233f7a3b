package dev.holdfast.document.field.ip;

import dev.holdfast.world.Refusal;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;
import org.apache.lucene.document.InetAddressPoint;
import org.apache.lucene.document.SortedSetDocValuesField;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.ConstantScoreQuery;
import org.apache.lucene.search.IndexOrDocValuesQuery;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/// Queries over addresses of 16 bytes.
public record AddressQueries(String field, boolean hasPoints, boolean hasDocValues) {
  Query term(String text) {
    int slash = text.indexOf('/');
    if (slash < 0) {
      byte[] address = Addresses.parse(text);
      return between(address, address);
    }
    Network network = network(text);
    return between(network.from(), network.to());
  }

  /// The first and the last address of a network.
  @SuppressWarnings("ArrayRecordComponent") // a carrier, never compared
  public record Network(byte[] from, byte[] to) {}

  /// Reads `10.0.0.0/8`; a plain address is a network of one.
  public static Network network(String text) {
    int slash = text.indexOf('/');
    if (slash < 0) {
      byte[] address = Addresses.parse(text);
      return new Network(address, address);
    }
    byte[] address = Addresses.parse(text.substring(0, slash));
    boolean isV4 = text.indexOf(':') < 0;
    int bits = prefixLength(text.substring(slash + 1), text, isV4) + (isV4 ? 96 : 0);
    byte[] from = address.clone();
    byte[] to = address.clone();
    for (int bit = bits; bit < 8 * Addresses.BYTES; bit++) {
      int mask = 0x80 >> (bit & 7);
      from[bit >> 3] &= (byte) ~mask;
      to[bit >> 3] |= (byte) mask;
    }
    return new Network(from, to);
  }

  private static int prefixLength(String digits, String text, boolean isV4) {
    try {
      int bits = Integer.parseInt(digits);
      if (bits >= 0 && bits <= (isV4 ? 32 : 128)) {
        return bits;
      }
    } catch (NumberFormatException e) {
      throw Refusal.badArgument("Expected [ip/prefix] but was [" + text + "]");
    }
    throw Refusal.badArgument(
        "Illegal prefix length ["
            + digits
            + "]. Must be 0-32 for IPv4 ranges, 0-128 for IPv6 ranges");
  }

  Query terms(List<String> texts) {
    if (hasPoints && texts.stream().noneMatch(text -> text.indexOf('/') >= 0)) {
      return InetAddressPoint.newSetQuery(
          field,
          texts.stream().map(text -> address(Addresses.parse(text))).toArray(InetAddress[]::new));
    }
    BooleanQuery.Builder any = new BooleanQuery.Builder();
    texts.forEach(text -> any.add(term(text), Occur.SHOULD));
    return new ConstantScoreQuery(any.build());
  }

  Query range(
      byte @Nullable [] from,
      boolean isFromInclusive,
      byte @Nullable [] to,
      boolean isToInclusive) {
    byte[] least = from == null ? new byte[Addresses.BYTES] : from;
    byte[] greatest = to == null ? full() : to;
    boolean isEmpty =
        (from != null && !isFromInclusive && !step(least, 1))
            || (to != null && !isToInclusive && !step(greatest, -1));
    return isEmpty || Arrays.compareUnsigned(least, greatest) > 0
        ? new MatchNoDocsQuery("empty range")
        : between(least, greatest);
  }

  public static byte[] full() {
    byte[] full = new byte[Addresses.BYTES];
    Arrays.fill(full, (byte) -1);
    return full;
  }

  /// Adds 1 or -1 in place; false at the end of all addresses.
  public static boolean step(byte[] address, int by) {
    for (int i = address.length - 1; i >= 0; i--) {
      address[i] += (byte) by;
      if (address[i] != (by > 0 ? 0 : -1)) {
        return true;
      }
    }
    return false;
  }

  private Query between(byte[] from, byte[] to) {
    Query values =
        SortedSetDocValuesField.newSlowRangeQuery(
            field, new BytesRef(from), new BytesRef(to), true, true);
    if (!hasPoints) {
      return values;
    }
    Query points = InetAddressPoint.newRangeQuery(field, address(from), address(to));
    return hasDocValues && !Arrays.equals(from, to)
        ? new IndexOrDocValuesQuery(points, values)
        : points;
  }

  public static InetAddress address(byte[] bytes) {
    try {
      return InetAddress.getByAddress(bytes);
    } catch (UnknownHostException e) {
      throw new IllegalStateException("16 bytes are an address", e);
    }
  }
}
