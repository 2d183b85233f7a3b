package dev.holdfast.api.nodes;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import com.sun.management.HotSpotDiagnosticMXBean;
import com.sun.management.HotSpotDiagnosticMXBean.ThreadDumpFormat;
import dev.holdfast.world.FromTheWorld;
import dev.holdfast.world.Json;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The virtual threads that run at this moment, by the platform threads that carry them: the stack
/// of a carrier says nothing of what it works for. Told by the JDK's own dump, the only one that
/// knows, which goes through a file.
final class MountedThreads {
  /// A virtual thread.
  ///
  /// @param frames innermost first
  record Mounted(String name, List<String> frames) {}

  /// Reads one of many.
  private static final ObjectReader THREADS =
      Json.MAPPER.reader().without(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

  private MountedThreads() {}

  /// One at a time: all threads stand still for it, and there may be very many.
  ///
  /// @return by the number of the carrier
  @FromTheWorld
  static synchronized Map<Long, Mounted> now() throws IOException {
    HotSpotDiagnosticMXBean machine =
        ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
    Path folder = Files.createTempDirectory("holdfast-threads-");
    Path dump = folder.resolve("threads.json");
    try {
      machine.dumpThreads(dump.toAbsolutePath().toString(), ThreadDumpFormat.JSON);
      try (JsonParser in = Json.MAPPER.createParser(dump.toFile())) {
        return carried(in);
      }
    } finally {
      Files.deleteIfExists(dump);
      Files.deleteIfExists(folder);
    }
  }

  /// One thread at a time: there may be very many.
  private static Map<Long, Mounted> carried(JsonParser in) throws IOException {
    Map<Long, Mounted> byCarrier = new HashMap<>();
    for (JsonToken token = in.nextToken(); token != null; token = in.nextToken()) {
      if (token != JsonToken.START_ARRAY || !"threads".equals(in.currentName())) {
        continue;
      }
      while (in.nextToken() == JsonToken.START_OBJECT) {
        JsonNode thread = THREADS.readTree(in);
        if (thread.has("carrier")) {
          List<String> frames = new ArrayList<>();
          thread.path("stack").forEach(frame -> frames.add(frame.asText()));
          byCarrier.put(
              thread.path("carrier").asLong(), new Mounted(thread.path("name").asText(), frames));
        }
      }
    }
    return byCarrier;
  }
}
