package dev.holdfast.api.search.tile;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.WireFormat;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Reads vector tiles, by the Mapbox Vector Tile Specification 2.1.
final class TileReading {
  private TileReading() {}

  /// @param path commands with absolute places in pixels
  record Feature(int kind, Map<String, Object> tags, List<String> path) {}

  record Layer(long extent, List<Feature> features) {}

  static Map<String, Layer> read(byte[] tile) throws IOException {
    Map<String, Layer> layers = new LinkedHashMap<>();
    CodedInputStream in = CodedInputStream.newInstance(tile);
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      readLayer(in.readByteArray(), layers);
    }
    return layers;
  }

  private static void readLayer(byte[] bytes, Map<String, Layer> to) throws IOException {
    String name = "";
    long extent = 0;
    List<byte[]> features = new ArrayList<>();
    List<String> keys = new ArrayList<>();
    List<Object> values = new ArrayList<>();
    CodedInputStream in = CodedInputStream.newInstance(bytes);
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      switch (WireFormat.getTagFieldNumber(tag)) {
        case 1 -> name = in.readString();
        case 2 -> features.add(in.readByteArray());
        case 3 -> keys.add(in.readString());
        case 4 -> values.add(value(in.readByteArray()));
        case 5 -> extent = in.readUInt32();
        default -> in.skipField(tag);
      }
    }
    List<Feature> read = new ArrayList<>();
    for (byte[] feature : features) {
      read.add(feature(feature, keys, values));
    }
    to.put(name, new Layer(extent, read));
  }

  private static Object value(byte[] bytes) throws IOException {
    CodedInputStream in = CodedInputStream.newInstance(bytes);
    return switch (WireFormat.getTagFieldNumber(in.readTag())) {
      case 1 -> in.readString();
      case 2 -> in.readFloat();
      case 3 -> in.readDouble();
      case 6 -> in.readSInt64();
      case 7 -> in.readBool();
      default -> throw new IOException("unknown kind of value");
    };
  }

  private static Feature feature(byte[] bytes, List<String> keys, List<Object> values)
      throws IOException {
    int kind = 0;
    List<Integer> tags = List.of();
    List<Integer> commands = List.of();
    CodedInputStream in = CodedInputStream.newInstance(bytes);
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      switch (WireFormat.getTagFieldNumber(tag)) {
        case 2 -> tags = numbers(in.readByteArray());
        case 3 -> kind = in.readEnum();
        case 4 -> commands = numbers(in.readByteArray());
        default -> in.skipField(tag);
      }
    }
    Map<String, Object> named = new LinkedHashMap<>();
    for (int i = 0; i < tags.size(); i += 2) {
      named.put(keys.get(tags.get(i)), values.get(tags.get(i + 1)));
    }
    return new Feature(kind, named, path(commands));
  }

  private static List<Integer> numbers(byte[] bytes) throws IOException {
    List<Integer> numbers = new ArrayList<>();
    CodedInputStream in = CodedInputStream.newInstance(bytes);
    while (!in.isAtEnd()) {
      numbers.add(in.readUInt32());
    }
    return numbers;
  }

  private static List<String> path(List<Integer> commands) {
    List<String> path = new ArrayList<>();
    int x = 0;
    int y = 0;
    for (int i = 0; i < commands.size(); ) {
      int command = commands.get(i) & 7;
      int count = commands.get(i++) >>> 3;
      if (command == 7) {
        path.add("close");
        continue;
      }
      for (int n = 0; n < count; n++) {
        x += CodedInputStream.decodeZigZag32(commands.get(i++));
        y += CodedInputStream.decodeZigZag32(commands.get(i++));
        path.add((command == 1 ? "move " : "line ") + x + " " + y);
      }
    }
    return path;
  }
}
