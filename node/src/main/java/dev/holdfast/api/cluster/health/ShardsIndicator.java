package dev.holdfast.api.cluster.health;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.api.stats.ShardFigures;
import dev.holdfast.api.stats.ShardRouting;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.Member;
import dev.holdfast.clusterstate.ShardAssignment;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.clusterstate.UploadMarks;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;

/// What `_health_report` says of shards (`shards_availability`): how many are not served or lack
/// copies, what that means, and of each why.
public final class ShardsIndicator {
  public static final String NAME = "shards_availability";

  private static final String ID = "holdfast:health:shards_availability:";

  /// Indices that are named as having one and the same trouble.
  private static final int NAMED_MAX = 1000;

  /// Troubles that are told; shards that lack objects are told beside them.
  private static final int CAUSES_MAX = 1000;

  /// Why shards are not served, and what a person can do about it.
  private record Cause(String id, String cause, String action) {}

  private ShardsIndicator() {}

  /// Writes the indicator.
  public static void write(ObjectNode indicator, ClusterState state, ClusterHealth health) {
    int missing = health.copiesMissing();
    int initializing = count(health, isIn(true, ShardRouting.INITIALIZING));
    int copiesInitializing = count(health, isIn(false, ShardRouting.INITIALIZING));
    indicator.put("status", health.ofShards().label()).put("symptom", symptom(health));
    indicator
        .putObject("details")
        .put("started_primaries", health.started())
        .put("initializing_primaries", initializing)
        .put("creating_primaries", 0)
        .put("restarting_primaries", 0)
        .put("unassigned_primaries", health.waiting() - initializing)
        .put("started_replicas", count(health, isIn(false, "STARTED")))
        .put("initializing_replicas", copiesInitializing)
        .put("creating_replicas", 0)
        .put("restarting_replicas", 0)
        .put("unassigned_replicas", Math.max(0, missing - copiesInitializing));
    if (health.ofShards() == ClusterHealth.Status.GREEN) {
      return;
    }
    impacts(indicator.putArray("impacts"), health);
    ArrayNode diagnosis = indicator.putArray("diagnosis");
    LostObjects.diagnose(diagnosis, state, health.damaged());
    causes(state, health)
        .forEach((cause, indices) -> {
          ObjectNode one = diagnosis.addObject();
          one.put("id", ID + "diagnosis:" + cause.id);
          one.put("cause", cause.cause);
          one.put("action", cause.action);
          one.put("help_url", "docs/operating.md");
          ArrayNode named = one.putObject("affected_resources").putArray("indices");
          indices.stream().limit(NAMED_MAX).forEach(named::add);
        });
  }

  private static Predicate<ShardRouting> isIn(boolean isPrimary, String state) {
    return place -> place.isPrimary() == isPrimary && place.state().equals(state);
  }

  private static int count(ClusterHealth health, Predicate<ShardRouting> places) {
    return (int) health.places().filter(places).count();
  }

  private static String symptom(ClusterHealth health) {
    List<String> parts = new ArrayList<>();
    if (health.waiting() > 0) {
      parts.add(counted(health.waiting(), "unavailable primary shard"));
    }
    if (health.copiesMissing() > 0) {
      parts.add(counted(health.copiesMissing(), "unavailable replica shard"));
    }
    if (!health.damaged().isEmpty()) {
      parts.add(counted(health.damaged().size(), "damaged object"));
    }
    return parts.isEmpty()
        ? "This cluster has all shards available."
        : "This cluster has " + String.join(", ", parts) + ".";
  }

  private static String counted(int number, String what) {
    return number + " " + what + (number == 1 ? "" : "s");
  }

  private static void impacts(ArrayNode impacts, ClusterHealth health) {
    SortedSet<String> unserved = names(health, ClusterHealth.OfIndex::waiting);
    if (!unserved.isEmpty()) {
      impacts
          .addObject()
          .put("id", ID + "impact:primary_unassigned")
          .put("severity", 1)
          .put(
              "description",
              "Cannot add data to "
                  + counted(unserved)
                  + ". Searches might return incomplete results.")
          .putArray("impact_areas")
          .add("ingest")
          .add("search");
    }
    SortedSet<String> slow = names(health, ClusterHealth.OfIndex::copiesMissing);
    if (!slow.isEmpty()) {
      impacts
          .addObject()
          .put("id", ID + "impact:replica_unassigned")
          .put("severity", 2)
          .put(
              "description",
              "Searches might be slower than usual, or wait, on "
                  + counted(slow)
                  + ". No data are at risk: they are in the object store.")
          .putArray("impact_areas")
          .add("search");
    }
  }

  private static SortedSet<String> names(
      ClusterHealth health, ToIntFunction<ClusterHealth.OfIndex> number) {
    SortedSet<String> names = new TreeSet<>();
    for (ClusterHealth.OfIndex index : health.indices()) {
      if (number.applyAsInt(index) > 0) {
        names.add(index.metadata().id().name());
      }
    }
    return names;
  }

  private static String counted(SortedSet<String> names) {
    List<String> first = names.stream().limit(10).toList();
    return names.size()
        + (names.size() == 1 ? " index [" : " indices [")
        + String.join(", ", first)
        + (first.size() < names.size() ? ", ...]" : "]");
  }

  private static Map<Cause, SortedSet<String>> causes(ClusterState state, ClusterHealth health) {
    Map<Cause, SortedSet<String>> causes = new LinkedHashMap<>();
    for (ClusterHealth.OfIndex index : health.indices()) {
      String name = index.metadata().id().name();
      for (ShardFigures figures : index.shards()) {
        if (!figures.isStarted() && !UploadMarks.of(state, figures.shard()).isShort()) {
          add(causes, name, unserved(state, figures));
        }
        if (MissingCopies.missing(state, index.metadata(), state.assignment(figures.shard())) > 0) {
          add(causes, name, lacksCopies(state, figures.shard()));
        }
      }
    }
    return causes;
  }

  private static void add(Map<Cause, SortedSet<String>> causes, String index, Cause cause) {
    if (causes.size() < CAUSES_MAX || causes.containsKey(cause)) {
      causes.computeIfAbsent(cause, _ -> new TreeSet<>()).add(index);
    }
  }

  private static Cause unserved(ClusterState state, ShardFigures figures) {
    String owner = state.assignment(figures.shard()).owner();
    if (!owner.isEmpty()) {
      return new Cause(
          "not_open",
          "The owner [" + name(state, owner) + "] has not opened the shard: " + figures.why(),
          "Nothing is to be done as long as shards wait for others, or for the object store: it is"
              + " tried again by itself. See POST /_cluster/allocation/explain for a shard.");
    }
    return UnassignedReason.lacksIndexNode(state)
        ? new Cause(
            "no_index_node",
            "No node with the role [index] is there to own shards, whose data are in the object"
                + " store.",
            "Start a node with the role [index].")
        : new Cause(
            "no_owner",
            "The leader has not given the shard to a node yet.",
            "Nothing is to be done: the leader does with its next change of the state.");
  }

  private static Cause lacksCopies(ClusterState state, ShardId shard) {
    List<String> opening = new ArrayList<>();
    state
        .assignment(shard)
        .copies()
        .forEach((node, copy) -> {
          if (copy == ShardAssignment.Copy.STARTING) {
            opening.add(name(state, node));
          }
        });
    if (opening.isEmpty()) {
      return new Cause(
          "no_copy",
          "Fewer search copies are assigned than are wanted and have room.",
          "Nothing is to be done: the leader assigns them with its next change of the state.");
    }
    return new Cause(
        "copy_not_open",
        "Search copies are being opened by "
            + opening
            + ", on the word of the owners of their"
            + " shards.",
        "Nothing is to be done if it passes: they are opened once the owners and the object store"
            + " answer. Else the logs of these nodes say what keeps them.");
  }

  private static String name(ClusterState state, String node) {
    Member member = state.members().get(node);
    return member == null ? node : member.name();
  }
}
