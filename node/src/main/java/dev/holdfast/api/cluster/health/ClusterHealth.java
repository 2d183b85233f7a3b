package dev.holdfast.api.cluster.health;

import dev.holdfast.api.indices.resolve.IndexExpression;
import dev.holdfast.api.stats.ShardFigures;
import dev.holdfast.api.stats.ShardRouting;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.indexing.call.IndexingShards;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/// Which shards are served now. Green: all; yellow: some have fewer search copies than wanted and
/// possible, nothing is lost by that; red: some are not served, their documents cannot be reached.
///
/// @param isComplete every index that was named exists
/// @param storeTroubles nodes that the object store fails, and why: nothing that they write becomes
///   durable
public record ClusterHealth(
    List<OfIndex> indices, boolean isComplete, SortedMap<String, String> storeTroubles) {
  /// Every index there is: open, closed and hidden ones.
  public static final IndexExpression.Options EVERYTHING =
      new IndexExpression.Options(false, true, true, true, true, true);

  static ClusterHealth of(
      ClusterState state, IndexingShards indexing, String names, IndexExpression.Options options)
      throws IOException {
    List<IndexMetadata> found;
    boolean isComplete = true;
    try {
      found = IndexExpression.resolve(state, names, options);
    } catch (Refusal e) {
      if (e.type() != ErrorType.INDEX_NOT_FOUND) {
        throw e;
      }
      found = List.of();
      // A pattern that is expanded to nothing is not waited for.
      isComplete = Arrays.stream(names.split(",")).allMatch(name -> name.indexOf('*') >= 0);
    }
    List<OfIndex> indices = new ArrayList<>();
    for (IndexMetadata index : found) {
      indices.add(OfIndex.of(state, index, ShardFigures.of(indexing, List.of(index))));
    }
    return new ClusterHealth(indices, isComplete, Collections.emptySortedMap());
  }

  /// The same, red when the store fails any node, or any node has found an object of one of the
  /// indices damaged.
  public ClusterHealth with(NodeTroubles.Troubles troubles) {
    return new ClusterHealth(
        indices.stream().map(index -> index.with(troubles.damaged())).toList(),
        isComplete,
        troubles.failing());
  }

  public Status status() {
    return storeTroubles.isEmpty() ? ofShards() : Status.RED;
  }

  /// Of the shards alone, whatever the store does.
  public Status ofShards() {
    Status worst = isComplete ? Status.GREEN : Status.RED;
    for (OfIndex index : indices) {
      worst = worst.compareTo(index.status()) >= 0 ? worst : index.status();
    }
    return worst;
  }

  /// Objects that some node has found damaged, and how.
  public SortedMap<String, String> damaged() {
    SortedMap<String, String> all = new TreeMap<>();
    indices.forEach(index -> all.putAll(index.damaged()));
    return all;
  }

  /// Indexing shards and copies, by where they are.
  public Stream<ShardRouting> places() {
    return indices.stream().flatMap(OfIndex::all);
  }

  public int started() {
    return indices.stream().mapToInt(OfIndex::started).sum();
  }

  /// Search copies that are wanted, and have not started.
  int copiesMissing() {
    return indices.stream().mapToInt(OfIndex::copiesMissing).sum();
  }

  public int waiting() {
    return indices.stream().mapToInt(OfIndex::waiting).sum();
  }

  /// One index.
  ///
  /// @param places of each shard
  /// @param copiesMissing search copies that have not started
  /// @param damaged objects of it that some node has found damaged, and how
  public record OfIndex(
      IndexMetadata metadata,
      List<ShardFigures> shards,
      List<List<ShardRouting>> places,
      int copiesMissing,
      SortedMap<String, String> damaged) {
    public static OfIndex of(ClusterState state, IndexMetadata index, List<ShardFigures> shards) {
      int missing =
          shards.stream()
              .mapToInt(
                  shard -> MissingCopies.missing(state, index, state.assignment(shard.shard())))
              .sum();
      return new OfIndex(
          index,
          shards,
          index.isOpen()
              ? shards.stream().map(shard -> shard.places(state)).toList()
              : Collections.nCopies(index.shards(), List.of(ShardRouting.IN_STORE)),
          missing,
          Collections.emptySortedMap());
    }

    OfIndex with(SortedMap<String, String> damagedObjects) {
      String folder = "/" + metadata.id().uuid() + "/";
      SortedMap<String, String> ours = new TreeMap<>(damagedObjects);
      ours.keySet().removeIf(key -> !key.contains(folder));
      return new OfIndex(metadata, shards, places, copiesMissing, ours);
    }

    public Status status() {
      return waiting() > 0 || !damaged.isEmpty()
          ? Status.RED
          : copiesMissing > 0 ? Status.YELLOW : Status.GREEN;
    }

    public Stream<ShardRouting> all() {
      return places.stream().flatMap(List::stream);
    }

    /// Indexing shards that are served.
    int started() {
      // A closed index is in the store and needs nobody: all its shards are well.
      return metadata.isOpen()
          ? (int) all().filter(place -> place.isPrimary() && place.isActive()).count()
          : metadata.shards();
    }

    /// Indexing shards that are not.
    int waiting() {
      return metadata.isOpen() ? shards.size() - started() : 0;
    }
  }

  /// From best to worst.
  public enum Status {
    GREEN,
    YELLOW,
    RED;

    public static Status of(String text) {
      return switch (text.toLowerCase(Locale.ROOT)) {
        case "green" -> GREEN;
        case "yellow" -> YELLOW;
        case "red" -> RED;
        default -> throw Refusal.badArgument("unknown cluster health status [" + text + "]");
      };
    }

    public String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }
}
