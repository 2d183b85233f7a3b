package dev.holdfast.api.search.tile;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.WireFormat;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.lucene.util.ArrayUtil;
import org.jspecify.annotations.Nullable;

/// A layer of a vector tile being written: features with tags, whose keys and values are kept once.
/// Field numbers are those of the Mapbox Vector Tile Specification 2.1, chapter 4.1.
final class TileLayer {
  private static final int VERSION = 2;

  private final String name;
  private final int extent;
  private final Map<String, Integer> keys = new LinkedHashMap<>();
  private final Map<Object, Integer> values = new LinkedHashMap<>();
  private final ByteArrayOutputStream features = new ByteArrayOutputStream();
  private final CodedOutputStream featuresOut = CodedOutputStream.newInstance(features);
  private int[] tags = new int[16];
  private int tagCount;

  TileLayer(String name, int extent) {
    this.name = name;
    this.extent = extent;
  }

  /// Adds a tag to the next feature; null adds none, an array or an object adds its members with
  /// their names behind dots.
  void tag(String key, @Nullable Object value) {
    switch (value) {
      case null -> {}
      case JsonNode tree -> tagTree(key, tree);
      case Integer number -> put(key, number.longValue());
      case String _, Boolean _, Long _, Double _, Float _ -> put(key, value);
      default -> put(key, value.toString());
    }
  }

  private void tagTree(String key, JsonNode tree) {
    switch (tree.getNodeType()) {
      case OBJECT ->
          tree.properties().forEach(member -> tag(key + "." + member.getKey(), member.getValue()));
      case ARRAY -> {
        for (int i = 0; i < tree.size(); i++) {
          tag(key + "." + i, tree.get(i));
        }
      }
      case STRING -> put(key, tree.asText());
      case BOOLEAN -> put(key, tree.asBoolean());
      case NUMBER -> putNumber(key, tree);
      default -> {}
    }
  }

  private void putNumber(String key, JsonNode number) {
    if (number.isIntegralNumber() && number.canConvertToLong()) {
      put(key, number.longValue());
    } else if (number.isFloat()) {
      put(key, number.floatValue());
    } else {
      put(key, number.doubleValue());
    }
  }

  private void put(String key, Object value) {
    tags = ArrayUtil.grow(tags, tagCount + 2);
    tags[tagCount++] = number(keys, key);
    tags[tagCount++] = number(values, value);
  }

  private static <T> int number(Map<T, Integer> known, T one) {
    Integer number = known.putIfAbsent(one, known.size());
    return number == null ? known.size() - 1 : number;
  }

  /// Ends a feature: what was tagged since the one before belongs to it.
  void feature(TileFeature feature) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    CodedOutputStream out = CodedOutputStream.newInstance(bytes);
    writePacked(out, 2, tags, tagCount);
    out.writeEnum(3, feature.kind().number());
    writePacked(out, 4, feature.commands(), feature.commands().length);
    out.flush();
    featuresOut.writeByteArray(2, bytes.toByteArray());
    tagCount = 0;
  }

  private static void writePacked(CodedOutputStream out, int field, int[] numbers, int count)
      throws IOException {
    if (count == 0) {
      return;
    }
    int length = 0;
    for (int i = 0; i < count; i++) {
      length += CodedOutputStream.computeUInt32SizeNoTag(numbers[i]);
    }
    out.writeTag(field, WireFormat.WIRETYPE_LENGTH_DELIMITED);
    out.writeUInt32NoTag(length);
    for (int i = 0; i < count; i++) {
      out.writeUInt32NoTag(numbers[i]);
    }
  }

  /// Writes the layer into a tile.
  void write(CodedOutputStream tile) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    CodedOutputStream out = CodedOutputStream.newInstance(bytes);
    out.writeUInt32(15, VERSION);
    out.writeString(1, name);
    featuresOut.flush();
    out.writeRawBytes(features.toByteArray());
    for (String key : keys.keySet()) {
      out.writeString(3, key);
    }
    for (Object value : values.keySet()) {
      out.writeByteArray(4, value(value));
    }
    out.writeUInt32(5, extent);
    out.flush();
    tile.writeByteArray(3, bytes.toByteArray());
  }

  private static byte[] value(Object value) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    CodedOutputStream out = CodedOutputStream.newInstance(bytes);
    switch (value) {
      case Float number -> out.writeFloat(2, number);
      case Double number -> out.writeDouble(3, number);
      case Long number -> out.writeSInt64(6, number);
      case Boolean bool -> out.writeBool(7, bool);
      default -> out.writeString(1, (String) value);
    }
    out.flush();
    return bytes.toByteArray();
  }
}
