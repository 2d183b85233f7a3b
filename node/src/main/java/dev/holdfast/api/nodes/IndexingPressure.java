package dev.holdfast.api.nodes;

import dev.holdfast.api.stats.StatisticsWriter;
import dev.holdfast.http.server.RequestBytes;
import dev.holdfast.indexing.node.InFlightBytes;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// `indexing_pressure` of a node. Bodies have a budget of their own; the one that is told is of
/// writes to shards of the node.
final class IndexingPressure {
  private IndexingPressure() {}

  /// @param bodies requests that are held
  /// @param requestBytes received since the node was started
  /// @param writes null for a node that owns no shards
  static void write(
      StatisticsWriter figures,
      RequestBytes bodies,
      long requestBytes,
      @Nullable InFlightBytes writes)
      throws IOException {
    figures.object(
        "memory",
        () -> {
          figures.object(
              "current",
              () -> stages(figures, bodies.bytes(), writes == null ? 0 : writes.bytes()));
          figures.object(
              "total",
              () -> {
                stages(figures, requestBytes, writes == null ? 0 : writes.admitted());
                figures.number("coordinating_rejections", bodies.tripped());
                figures.number("primary_rejections", writes == null ? 0 : writes.refused());
                figures.number("replica_rejections", 0);
              });
          figures.bytes("limit", writes == null ? bodies.bytesMax() : writes.bytesMax());
        });
  }

  private static void stages(StatisticsWriter figures, long coordinating, long primary)
      throws IOException {
    figures.bytes("combined_coordinating_and_primary", coordinating + primary);
    figures.bytes("coordinating", coordinating);
    figures.bytes("primary", primary);
    figures.bytes("replica", 0);
    figures.bytes("all", coordinating + primary);
  }
}
