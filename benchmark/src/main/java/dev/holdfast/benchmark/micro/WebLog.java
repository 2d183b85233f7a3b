package dev.holdfast.benchmark.micro;

import dev.holdfast.document.Mapping;
import dev.holdfast.document.mapping.StandardMappings;
import dev.holdfast.world.Json;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.TreeMap;

/// Lines of an access log, the same in every run.
final class WebLog {
  private static final String MAPPING =
      """
      {"properties":{"@timestamp":{"type":"date"},"clientip":{"type":"ip"},
       "request":{"type":"text","fields":{"raw":{"type":"keyword"}}},
       "status":{"type":"integer"},"size":{"type":"integer"},"host":{"type":"keyword"}}}\
      """;

  private WebLog() {}

  static Mapping mapping() {
    return new StandardMappings().create(Json.parseObject(MAPPING), new TreeMap<>());
  }

  /// JSON of so many lines, of some 130 bytes each.
  static List<byte[]> lines(int count) {
    Random random = new Random(17);
    List<byte[]> lines = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      String line =
          String.format(
              Locale.ROOT,
              "{\"@timestamp\":%d,\"clientip\":\"10.%d.%d.0\",\"request\":\"GET /p%d/q%d.html"
                  + " HTTP/1.1\",\"status\":%d,\"size\":%d,\"host\":\"h%d\"}",
              1_700_000_000_000L + random.nextInt(100_000_000),
              random.nextInt(256),
              random.nextInt(256),
              random.nextInt(1_000),
              random.nextInt(20_000),
              random.nextInt(20) == 0 ? 404 : 200,
              random.nextInt(100_000),
              random.nextInt(500));
      lines.add(line.getBytes(StandardCharsets.UTF_8));
    }
    return lines;
  }
}
