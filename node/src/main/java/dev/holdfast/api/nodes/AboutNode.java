package dev.holdfast.api.nodes;

import dev.holdfast.api.stats.HostStats;
import dev.holdfast.api.stats.ProcessGauges;
import dev.holdfast.api.stats.StatisticsWriter;
import dev.holdfast.api.stats.ThreadPools;
import dev.holdfast.world.FromTheWorld;
import java.io.IOException;

/// What a node is, which tables show beside what it counts. Nodes ask each other for it with their
/// counters, clients do not; builds before this one leave it out.
public final class AboutNode {
  public static final String SECTION = "about";

  private AboutNode() {}

  @FromTheWorld
  static void write(StatisticsWriter figures, HostStats machine, ProcessGauges gauges)
      throws IOException {
    figures.number("pid", machine.process());
    figures.text("jdk", Runtime.version().toString());
    figures.number("processors", Runtime.getRuntime().availableProcessors());
    figures.object("thread_pool", () -> ThreadPools.writeInfo(figures, gauges.pools()));
  }
}
