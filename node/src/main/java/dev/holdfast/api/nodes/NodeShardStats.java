package dev.holdfast.api.nodes;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.holdfast.api.stats.FieldFigures;
import dev.holdfast.api.stats.ShardFigures;
import dev.holdfast.api.stats.ShardStatsJson;
import dev.holdfast.api.stats.StatisticsWriter;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.search.cache.CacheFigures;
import dev.holdfast.search.figures.SearchFigures;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;

/// Counters of a node's shards one by one: `_nodes/stats` with `level=indices` or `level=shards`.
///
/// @param searched of the copies here
/// @param caches of the copies here
/// @param fields of the shards here
/// @param isShown whether a section is wanted
record NodeShardStats(
    ClusterState state,
    Map<ShardId, SearchFigures> searched,
    Map<ShardId, CacheFigures> caches,
    Map<ShardId, FieldFigures> fields,
    ShardStatsJson.Detail detail,
    Predicate<String> isShown) {
  /// Writes `indices` or `shards` into the open object; nothing for `level=node`.
  void write(StatisticsWriter figures, String level, List<ShardFigures> shards) throws IOException {
    Map<String, List<ShardFigures>> byIndex = new TreeMap<>();
    for (ShardFigures shard : shards) {
      byIndex.computeIfAbsent(shard.index().id().name(), name -> new ArrayList<>()).add(shard);
    }
    switch (level) {
      case "indices" ->
          figures.object(
              "indices",
              () -> {
                for (Map.Entry<String, List<ShardFigures>> one : byIndex.entrySet()) {
                  figures.object(one.getKey(), () -> sections(figures, one.getValue()));
                }
              });
      case "shards" ->
          figures.object(
              "shards",
              () -> {
                for (Map.Entry<String, List<ShardFigures>> one : byIndex.entrySet()) {
                  figures.out().writeArrayFieldStart(one.getKey());
                  for (ShardFigures shard : one.getValue()) {
                    shard(figures, shard);
                  }
                  figures.out().writeEndArray();
                }
              });
      default -> {}
    }
  }

  private void shard(StatisticsWriter figures, ShardFigures shard) throws IOException {
    JsonGenerator out = figures.out();
    out.writeStartObject();
    out.writeObjectFieldStart(Integer.toString(shard.shard().number()));
    shard.places(state).getFirst().writeRouting(out);
    sections(figures, List.of(shard));
    out.writeEndObject();
    out.writeEndObject();
  }

  private void sections(StatisticsWriter figures, List<ShardFigures> shards) throws IOException {
    ShardStatsJson.write(
        figures,
        ShardFigures.sum(shards),
        SearchFigures.sum(searched, shards.stream().map(ShardFigures::shard)),
        detail.with(FieldFigures.sum(fields, shards)),
        CacheFigures.sum(caches, shards.stream().map(ShardFigures::shard)),
        isShown);
  }
}
