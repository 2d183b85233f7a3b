package dev.holdfast.search.call;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.compoundcommit.call.WireInput;
import dev.holdfast.compoundcommit.call.WireValues;
import dev.holdfast.query.result.Lookup;
import dev.holdfast.world.Json;
import java.io.IOException;
import java.math.BigInteger;
import java.util.Objects;
import org.apache.lucene.store.DataOutput;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/// How sort values and values of fields travel: each with a byte that says what it is.
final class ValueCodec {
  private ValueCodec() {}

  static void write(DataOutput out, @Nullable Object value) throws IOException {
    switch (value) {
      case null -> out.writeByte((byte) 0);
      case Long number -> {
        out.writeByte((byte) 1);
        out.writeZLong(number);
      }
      case Integer number -> {
        out.writeByte((byte) 2);
        out.writeZInt(number);
      }
      case Float number -> {
        out.writeByte((byte) 3);
        out.writeInt(Float.floatToRawIntBits(number));
      }
      case Double number -> {
        out.writeByte((byte) 4);
        out.writeLong(Double.doubleToRawLongBits(number));
      }
      case Boolean flag -> {
        out.writeByte((byte) 5);
        WireValues.writeFlag(out, flag);
      }
      case String text -> {
        out.writeByte((byte) 6);
        out.writeString(text);
      }
      case BytesRef bytes -> {
        out.writeByte((byte) 7);
        WireValues.writeBytes(out, bytes.bytes, bytes.offset, bytes.length);
      }
      case BigInteger number -> {
        out.writeByte((byte) 8);
        out.writeString(number.toString());
      }
      case JsonNode node -> {
        out.writeByte((byte) 9);
        WireValues.writeBytes(out, Json.bytes(node));
      }
      case Lookup lookup -> {
        out.writeByte((byte) 10);
        out.writeString(lookup.index());
        WireValues.writeBytes(out, Json.bytes(lookup.search()));
      }
      default -> throw new IOException("a value of " + value.getClass() + " cannot travel");
    }
  }

  static @Nullable Object read(WireInput in) throws IOException {
    byte kind = in.readByte();
    return switch (kind) {
      case 0 -> null;
      case 1 -> in.readZLong();
      case 2 -> in.readZInt();
      case 3 -> Float.intBitsToFloat(in.readInt());
      case 4 -> Double.longBitsToDouble(in.readLong());
      case 5 -> WireValues.readFlag(in);
      case 6 -> in.readString();
      case 7 -> new BytesRef(Objects.requireNonNull(WireValues.readBytes(in)));
      case 8 -> new BigInteger(in.readString());
      case 9 -> Json.parse(Objects.requireNonNull(WireValues.readBytes(in)));
      case 10 -> {
        String index = in.readString();
        byte[] search = Objects.requireNonNull(WireValues.readBytes(in));
        yield new Lookup(index, Json.parseObject(search, 0, search.length));
      }
      default -> throw new IOException("a value of unknown kind " + kind);
    };
  }
}
