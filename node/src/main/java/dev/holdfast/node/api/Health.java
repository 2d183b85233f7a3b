package dev.holdfast.node.api;

import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.node.Rooms;
import dev.holdfast.node.api.index.IndexExpression;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// Which shards are served now. Green: all; red: some are not, their documents cannot be reached.
/// There is no yellow: copies are caches, a lost one loses no redundancy.
///
/// @param isComplete every index that was named exists
record Health(List<OfIndex> indices, boolean isComplete) {
  /// Every index there is: open, closed and hidden ones.
  static final IndexExpression.Options EVERYTHING =
      new IndexExpression.Options(false, true, true, true, true, true);

  static Health of(Rooms rooms, String names, IndexExpression.Options options) throws IOException {
    ClusterState state = rooms.metadata().current();
    List<IndexMetadata> found;
    boolean isComplete = true;
    try {
      found = IndexExpression.resolve(state, names, options);
    } catch (Refusal e) {
      if (e.type() != ErrorType.INDEX_NOT_FOUND) {
        throw e;
      }
      found = List.of();
      isComplete = false;
    }
    List<OfIndex> indices = new ArrayList<>();
    for (IndexMetadata index : found) {
      indices.add(new OfIndex(index, ShardFigures.of(rooms.indexing(), List.of(index))));
    }
    return new Health(indices, isComplete);
  }

  Status status() {
    return isComplete && waiting() == 0 ? Status.GREEN : Status.RED;
  }

  int started() {
    return indices.stream().mapToInt(OfIndex::started).sum();
  }

  int waiting() {
    return indices.stream().mapToInt(OfIndex::waiting).sum();
  }

  /// One index.
  record OfIndex(IndexMetadata metadata, List<ShardFigures> shards) {
    Status status() {
      return waiting() == 0 ? Status.GREEN : Status.RED;
    }

    int started() {
      return (int) shards.stream().filter(ShardFigures::isStarted).count();
    }

    int waiting() {
      return shards.size() - started();
    }
  }

  /// From best to worst.
  enum Status {
    GREEN,
    YELLOW,
    RED;

    static Status of(String text) {
      return switch (text.toLowerCase(Locale.ROOT)) {
        case "green" -> GREEN;
        case "yellow" -> YELLOW;
        case "red" -> RED;
        default -> throw Refusal.badArgument("unknown cluster health status [" + text + "]");
      };
    }

    String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }
}
