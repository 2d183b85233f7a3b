package dev.holdfast.api.ingest.place;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Writes small databases of IPv4 networks in the format MMDB.
final class MmdbFile {
  private static final int SEPARATOR = 16;
  private static final int RECORD_BITS = 24;
  private static final int NONE = -1;

  private final List<int[]> nodes = new ArrayList<>(List.of(new int[] {NONE, NONE}));
  private final ByteArrayOutputStream data = new ByteArrayOutputStream();

  /// @param networks what is told, by network: `10.0.0.0/8`
  static byte[] of(String type, Map<String, Map<String, Object>> networks) {
    MmdbFile file = new MmdbFile();
    new TreeMap<>(networks).forEach(file::add);
    return file.bytes(type);
  }

  /// Nodes are numbers from 0; what is told at offset n of the data is -2 - n until all are known.
  private void add(String network, Map<String, Object> told) {
    String[] parts = network.split("[./]");
    long address = 0;
    for (int i = 0; i < 4; i++) {
      address = address << 8 | Integer.parseInt(parts[i]);
    }
    int length = Integer.parseInt(parts[4]);
    int at = 0;
    for (int i = 0; i < length - 1; i++) {
      int bit = (int) (address >> (31 - i)) & 1;
      if (nodes.get(at)[bit] < 0) {
        nodes.add(new int[] {NONE, NONE});
        nodes.get(at)[bit] = nodes.size() - 1;
      }
      at = nodes.get(at)[bit];
    }
    nodes.get(at)[(int) (address >> (32 - length)) & 1] = -2 - data.size();
    write(data, told);
  }

  private byte[] bytes(String type) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (int[] node : nodes) {
      for (int record : node) {
        int value =
            record >= 0
                ? record
                : record == NONE ? nodes.size() : nodes.size() + SEPARATOR + (-2 - record);
        out.write(value >> 16);
        out.write(value >> 8);
        out.write(value);
      }
    }
    out.writeBytes(new byte[SEPARATOR]);
    out.writeBytes(data.toByteArray());
    out.writeBytes(new byte[] {(byte) 0xAB, (byte) 0xCD, (byte) 0xEF});
    out.writeBytes("MaxMind.com".getBytes(StandardCharsets.US_ASCII));
    Map<String, Object> metadata = new TreeMap<>();
    metadata.put("binary_format_major_version", 2);
    metadata.put("binary_format_minor_version", 0);
    metadata.put("build_epoch", 1_700_000_000L);
    metadata.put("database_type", type);
    metadata.put("description", Map.of("en", "for tests"));
    metadata.put("ip_version", 4);
    metadata.put("languages", List.of("en"));
    metadata.put("node_count", nodes.size());
    metadata.put("record_size", RECORD_BITS);
    write(out, metadata);
    return out.toByteArray();
  }

  private static void write(ByteArrayOutputStream out, Object value) {
    switch (value) {
      case String text -> {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        head(out, 2, utf8.length);
        out.writeBytes(utf8);
      }
      case Double number -> {
        head(out, 3, Double.BYTES);
        number(out, Double.doubleToLongBits(number), Double.BYTES);
      }
      case Integer number -> {
        head(out, 6, Integer.BYTES);
        number(out, number, Integer.BYTES);
      }
      case Long number -> {
        head(out, 9, Long.BYTES);
        number(out, number, Long.BYTES);
      }
      case Boolean flag -> head(out, 14, flag ? 1 : 0);
      case List<?> list -> {
        head(out, 11, list.size());
        list.forEach(one -> write(out, one));
      }
      case Map<?, ?> map -> {
        head(out, 7, map.size());
        map.forEach((name, one) -> {
          write(out, name);
          write(out, one);
        });
      }
      default -> throw new IllegalArgumentException(String.valueOf(value));
    }
  }

  private static void head(ByteArrayOutputStream out, int type, int size) {
    int small = Math.min(size, 29);
    out.write((type > 7 ? 0 : type) << 5 | small);
    if (type > 7) {
      out.write(type - 7);
    }
    if (small == 29) {
      out.write(size - 29);
    }
  }

  private static void number(ByteArrayOutputStream out, long number, int bytes) {
    for (int i = bytes - 1; i >= 0; i--) {
      out.write((int) (number >> (8 * i)));
    }
  }
}
