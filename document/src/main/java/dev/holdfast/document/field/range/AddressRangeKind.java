package dev.holdfast.document.field.range;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.document.FieldType.Range;
import dev.holdfast.document.FieldType.Relation;
import dev.holdfast.document.ValueFormat;
import dev.holdfast.document.field.ip.AddressFormat;
import dev.holdfast.document.field.ip.AddressQueries;
import dev.holdfast.document.field.ip.Addresses;
import java.time.ZoneId;
import java.util.Arrays;
import org.apache.lucene.document.InetAddressRange;
import org.apache.lucene.search.Query;
import org.jspecify.annotations.Nullable;

/// Ranges of addresses of both families, and networks.
record AddressRangeKind() implements RangeKind {
  @Override
  public int bytes() {
    return Addresses.BYTES;
  }

  @Override
  public boolean read(Range range, boolean isQuery, long nowMillis, byte[] to) {
    JsonNode from = range.from();
    JsonNode until = range.to();
    byte[] least = from == null ? new byte[Addresses.BYTES] : Addresses.parse(from.asText());
    byte[] greatest = until == null ? AddressQueries.full() : Addresses.parse(until.asText());
    if (isQuery && from != null && until != null) {
      boolean isOrdered = Arrays.compareUnsigned(least, greatest) <= 0;
      RangeKind.requireOrder(isOrdered, "/" + from.asText(), "/" + until.asText());
    }
    boolean isEmpty =
        (from != null && !range.isFromInclusive() && !AddressQueries.step(least, 1))
            || (until != null && !range.isToInclusive() && !AddressQueries.step(greatest, -1));
    System.arraycopy(least, 0, to, 0, Addresses.BYTES);
    System.arraycopy(greatest, 0, to, Addresses.BYTES, Addresses.BYTES);
    return !isEmpty && Arrays.compareUnsigned(least, greatest) <= 0;
  }

  @Override
  public boolean readsText() {
    return true;
  }

  @Override
  public void readText(String text, byte[] to) {
    AddressQueries.Network network = AddressQueries.network(text);
    System.arraycopy(network.from(), 0, to, 0, Addresses.BYTES);
    System.arraycopy(network.to(), 0, to, Addresses.BYTES, Addresses.BYTES);
  }

  @Override
  public Query query(String field, byte[] ends, Relation relation) {
    var from = AddressQueries.address(Arrays.copyOf(ends, Addresses.BYTES));
    var to = AddressQueries.address(Arrays.copyOfRange(ends, Addresses.BYTES, ends.length));
    return switch (relation) {
      case INTERSECTS -> InetAddressRange.newIntersectsQuery(field, from, to);
      case CONTAINS -> InetAddressRange.newContainsQuery(field, from, to);
      case WITHIN -> InetAddressRange.newWithinQuery(field, from, to);
    };
  }

  @Override
  public @Nullable Object shown(byte[] ends, int offset, @Nullable String pattern) {
    return Addresses.text(ends, offset);
  }

  @Override
  public ValueFormat ends(@Nullable String pattern, @Nullable ZoneId zone) {
    return AddressFormat.PLAIN;
  }
}
