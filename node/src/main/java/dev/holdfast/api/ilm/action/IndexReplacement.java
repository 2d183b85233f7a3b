package dev.holdfast.api.ilm.action;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.api.indices.resolve.BackingIndices;
import dev.holdfast.api.indices.resolve.CopiedSource;
import dev.holdfast.api.indices.settings.LifecycleSettings;
import dev.holdfast.api.stats.ShardFigures;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.clusterstate.stream.DataStream;
import dev.holdfast.clusterstate.stream.DataStreams;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiPredicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Puts an index that was made of another in its place, in one step: its aliases, its place in a
/// data stream, its policy.
final class IndexReplacement {
  private static final Logger LOG = LoggerFactory.getLogger(IndexReplacement.class);
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
    return new Replacing(
            context.index(),
            context.lifecycle(),
            context.policy(),
            name,
            last,
            isMadeOf,
            context.tools().nowMillis())
        .outcome(context.state());
  }

  /// One index that takes the place of another.
  ///
  /// @param source whose place it takes
  /// @param name of the one that takes it
  record Replacing(
      IndexMetadata source,
      LifecycleState lifecycle,
      String policy,
      String name,
      String last,
      BiPredicate<IndexMetadata, IndexMetadata> isMadeOf,
      long nowMillis) {

    /// What was written to the source since the other began to be made of it would be lost with it:
    /// then the source is blocked again, and another is made.
    Outcome outcome(ClusterState state) {
      IndexMetadata made = state.indices().get(name);
      return made == null || CopiedSource.isUnchanged(made, source)
          ? Outcome.done(this::replace)
          : again();
    }

    private Outcome again() {
      LOG.warn(
          "the settings of an index have changed since another was made of it, which is made again"
              + " [index={}, made={}]",
          source.id().name(),
          name);
      StepKey block =
          new StepKey(lifecycle.phase(), lifecycle.action(), WriteIndexCheck.READ_ONLY.name());
      return new Outcome.Done(this::without, kept -> kept.at(block, nowMillis), false);
    }

    private ClusterState without(ClusterState state) {
      IndexMetadata made = state.indices().get(name);
      return made != null && isMadeOf.test(made, source)
          ? BackingIndices.without(state, made)
          : state;
    }

    private ClusterState replace(ClusterState state) {
      IndexMetadata now = state.indices().get(source.id().name());
      IndexMetadata target = state.indices().get(name);
      if (now == null || !now.id().equals(source.id())) {
        return state;
      }
      if (target == null || !isMadeOf.test(target, now)) {
        throw Refusal.indexNotFound(name);
      }
      if (!CopiedSource.isUnchanged(target, now)) {
        throw Refusal.badArgument(
            "index [" + now.id().name() + "] has changed while it was replaced"); // tried again
      }
      SortedMap<String, Object> settings = new TreeMap<>(target.settings());
      settings.put(LifecycleSettings.NAME, policy);
      // It is as old as what it was made of: ages are counted from it, those of the index before
      // it in a data stream too.
      settings.put(CREATED, now.setting(CREATED, "0"));
      SortedMap<String, ObjectNode> aliases = new TreeMap<>();
      now.aliases()
          .forEach((alias, options) -> {
            ObjectNode copy = options.deepCopy();
            if (copy.has("is_write_index")) {
              copy.put("is_write_index", false);
            }
            aliases.put(alias, copy);
          });
      String place = now.id().name();
      DataStream stream = DataStreams.owning(state, place);
      if (stream == null) {
        aliases.put(place, Json.object());
      }
      StepKey key = new StepKey(lifecycle.phase(), lifecycle.action(), last);
      IndexMetadata placed =
          target
              .withSettings(settings)
              .withAliases(aliases)
              .withCustom(LifecycleState.CUSTOM, lifecycle.at(key, nowMillis).json());
      ClusterState without = state.withoutIndex(place).withIndex(placed);
      if (stream == null) {
        return without;
      }
      return DataStreams.with(without, stream.replaced(place, name));
    }
  }
}
