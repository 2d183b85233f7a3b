package dev.holdfast.api.stats;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;

/// Parts that the APIs about nodes share.
public final class NodesJson {
  private NodesJson() {}

  /// `_nodes`: how many were asked and answered.
  public static void header(JsonGenerator out, int nodes) throws IOException {
    header(out, nodes, 0);
  }

  /// @param failed how many more were asked and did not answer
  public static void header(JsonGenerator out, int nodes, int failed) throws IOException {
    out.writeObjectFieldStart("_nodes");
    out.writeNumberField("total", nodes + failed);
    out.writeNumberField("successful", nodes);
    out.writeNumberField("failed", failed);
    out.writeEndObject();
  }

  /// `mem` of machines.
  ///
  /// @param total bytes of all of them
  public static void memory(StatisticsWriter figures, long total, long free) throws IOException {
    long used = total - free;
    long usedPercent = total == 0 ? 0 : 100 * used / total;
    figures.object(
        "mem",
        () -> {
          figures.bytes("total", total);
          figures.bytes("adjusted_total", total);
          figures.bytes("free", free);
          figures.bytes("used", used);
          figures.number("free_percent", 100 - usedPercent);
          figures.number("used_percent", usedPercent);
        });
  }
}
