package dev.holdfast.document.series;

import dev.holdfast.document.SeriesId;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.lucene.util.StringHelper;

/// The dimensions of one document, and what they are hashed to. Values of a dimension count each as
/// often as it comes, in whatever order.
final class Dimensions {
  private static final int SEED = 0;

  private final SortedMap<String, List<byte[]>> values = new TreeMap<>();
  private final SortedMap<String, List<byte[]>> routing = new TreeMap<>();

  void add(String path, byte[] value, boolean routes) {
    values.computeIfAbsent(path, _ -> new ArrayList<>()).add(value);
    if (routes) {
      routing.computeIfAbsent(path, _ -> new ArrayList<>()).add(value);
    }
  }

  boolean haveRouting() {
    return !routing.isEmpty();
  }

  /// Documents with the same dimensions lie side by side, so the bytes begin with a hash of their
  /// names, and then with one of what routes; the rest tells every series from every other.
  byte[] series() {
    ByteBuffer series = ByteBuffer.allocate(SeriesId.SERIES_BYTES);
    byte[] names = String.join("\0", values.keySet()).getBytes(StandardCharsets.UTF_8);
    series.putInt(StringHelper.murmurhash3_x86_32(names, 0, names.length, SEED));
    series.putInt(routing());
    byte[] all = bytes(values);
    long[] hash = StringHelper.murmurhash3_x64_128(all, 0, all.length, SEED);
    return series.putLong(hash[0]).putLong(hash[1]).array();
  }

  int routing() {
    byte[] all = bytes(routing);
    return StringHelper.murmurhash3_x86_32(all, 0, all.length, SEED);
  }

  private static byte[] bytes(SortedMap<String, List<byte[]>> dimensions) {
    List<byte[]> parts = new ArrayList<>();
    for (Map.Entry<String, List<byte[]>> dimension : dimensions.entrySet()) {
      parts.add(dimension.getKey().getBytes(StandardCharsets.UTF_8));
      List<byte[]> sorted = new ArrayList<>(dimension.getValue());
      sorted.sort(Arrays::compareUnsigned);
      parts.add(ByteBuffer.allocate(Integer.BYTES).putInt(sorted.size()).array());
      parts.addAll(sorted);
    }
    int length = parts.stream().mapToInt(part -> Integer.BYTES + part.length).sum();
    ByteBuffer all = ByteBuffer.allocate(length);
    parts.forEach(part -> all.putInt(part.length).put(part));
    return all.array();
  }
}
