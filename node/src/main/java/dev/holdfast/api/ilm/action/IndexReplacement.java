package dev.holdfast.api.ilm.action;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.api.indices.settings.LifecycleSettings;
import dev.holdfast.api.stats.ShardFigures;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.clusterstate.stream.DataStream;
import dev.holdfast.clusterstate.stream.DataStreams;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiPredicate;

/// Puts an index that was made of another in its place, in one step: its aliases, its place in a
/// data stream, its policy.
final class IndexReplacement {
  private static final String CREATED = "index.creation_date";

  private IndexReplacement() {}

  /// Whether searches see all of an index.
  static Outcome started(StepContext context, String name) throws Exception {
    IndexMetadata target = context.state().indices().get(name);
    if (target == null) {
      throw Refusal.indexNotFound(name);
    }
    for (ShardFigures shard : ShardFigures.of(context.tools().shards(), List.of(target))) {
      if (!shard.isStarted()) {
        return Outcome.waiting(
            "shard ["
                + shard.shard().number()
                + "] of ["
                + target.id().name()
                + "] is not started");
      }
    }
    for (int number = 0; number < target.shards(); number++) {
      context.tools().shards().refresh(new ShardId(target.id(), number)); // searches see all
    }
    return Outcome.done();
  }

  /// Puts an index in the place of the one that the step works on.
  ///
  /// @param last the step that the index stands at then
  /// @param isMadeOf whether the index, the first, is made of the other
  static Outcome outcome(
      StepContext context,
      String name,
      String last,
      BiPredicate<IndexMetadata, IndexMetadata> isMadeOf) {
    long now = context.tools().nowMillis();
    StepKey key = new StepKey(context.lifecycle().phase(), context.lifecycle().action(), last);
    LifecycleState after = context.lifecycle().at(key, now);
    return Outcome.done(state -> replace(state, context, name, isMadeOf, after));
  }

  private static ClusterState replace(
      ClusterState state,
      StepContext context,
      String name,
      BiPredicate<IndexMetadata, IndexMetadata> isMadeOf,
      LifecycleState after) {
    IndexMetadata source = state.indices().get(context.name());
    IndexMetadata target = state.indices().get(name);
    if (source == null || !source.id().equals(context.index().id())) {
      return state;
    }
    if (target == null || !isMadeOf.test(target, source)) {
      throw Refusal.indexNotFound(name);
    }
    SortedMap<String, Object> settings = new TreeMap<>(target.settings());
    settings.put(LifecycleSettings.NAME, context.policy());
    // It is as old as what it was made of: ages are counted from it, those of the index before it
    // in
    // a data stream too.
    settings.put(CREATED, source.setting(CREATED, "0"));
    SortedMap<String, ObjectNode> aliases = new TreeMap<>();
    source
        .aliases()
        .forEach((alias, options) -> {
          ObjectNode copy = options.deepCopy();
          if (copy.has("is_write_index")) {
            copy.put("is_write_index", false);
          }
          aliases.put(alias, copy);
        });
    DataStream stream = DataStreams.owning(state, context.name());
    if (stream == null) {
      aliases.put(context.name(), Json.object());
    }
    IndexMetadata placed =
        target
            .withSettings(settings)
            .withAliases(aliases)
            .withCustom(LifecycleState.CUSTOM, after.json());
    ClusterState without = state.withoutIndex(context.name()).withIndex(placed);
    if (stream == null) {
      return without;
    }
    List<String> names = new ArrayList<>(stream.indices());
    names.replaceAll(each -> each.equals(context.name()) ? name : each);
    return DataStreams.with(without, stream.withIndices(DataStream.Component.DATA, names));
  }
}
