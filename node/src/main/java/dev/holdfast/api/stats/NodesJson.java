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

  /// `mem` of the machine.
  public static void memory(StatisticsWriter figures, HostStats machine) throws IOException {
    long used = machine.memoryTotal() - machine.memoryFree();
    long usedPercent = machine.memoryTotal() == 0 ? 0 : 100 * used / machine.memoryTotal();
    figures.object(
        "mem",
        () -> {
          figures.bytes("total", machine.memoryTotal());
          figures.bytes("adjusted_total", machine.memoryTotal());
          figures.bytes("free", machine.memoryFree());
          figures.bytes("used", used);
          figures.number("free_percent", 100 - usedPercent);
          figures.number("used_percent", usedPercent);
        });
  }
}
