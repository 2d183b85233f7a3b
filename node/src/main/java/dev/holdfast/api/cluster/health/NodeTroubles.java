package dev.holdfast.api.cluster.health;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.api.broadcast.Broadcast;
import dev.holdfast.api.broadcast.Broadcasts;
import dev.holdfast.api.stats.TierParts;
import dev.holdfast.blobcache.BlobCache;
import dev.holdfast.indexing.IndexingTier;
import dev.holdfast.indexing.node.DiskRoom;
import dev.holdfast.objectstore.StoreTrouble;
import dev.holdfast.objectstore.count.RecentTries;
import dev.holdfast.objectstore.count.StoreCounters;
import dev.holdfast.objectstore.retry.StoreHealth;
import dev.holdfast.world.Clock;
import dev.holdfast.world.Json;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Which nodes the object store fails, which have no room on their disk, and which objects any node
/// has found damaged: asked of all nodes, once a second at most.
public final class NodeTroubles {
  /// What fails for less is a hiccup.
  public static final Duration RED_AFTER = Duration.ofSeconds(5);

  private static final Duration WAIT = Duration.ofSeconds(1);
  private static final Duration FRESH = Duration.ofSeconds(1);

  /// Of each node; the rest is of the same kind.
  private static final int SHOWN_MAX = 20;

  private final Clock clock;
  private final Broadcast nodes;
  private volatile Seen seen;

  /// What all nodes have seen.
  ///
  /// @param failing by the ephemeral id of the node, a sentence: what has failed there for
  ///   [#RED_AFTER]
  /// @param unsteady the same, how many requests failed there of late, whatever came of them
  /// @param damaged by the key of the object, how it is damaged
  /// @param damagedPins the same of pins: what they may hold is not deleted
  /// @param clocks by the ephemeral id of the node, how its clock differs from the store's: it
  ///   deletes nothing by its age
  /// @param fullDisks by the ephemeral id of the node, how much its disk lacks: it takes no writes
  public record Troubles(
      SortedMap<String, String> failing,
      SortedMap<String, String> unsteady,
      SortedMap<String, String> damaged,
      SortedMap<String, String> damagedPins,
      SortedMap<String, String> clocks,
      SortedMap<String, String> fullDisks) {
    public static final Troubles NONE =
        new Troubles(
            Collections.emptySortedMap(),
            Collections.emptySortedMap(),
            Collections.emptySortedMap(),
            Collections.emptySortedMap(),
            Collections.emptySortedMap(),
            Collections.emptySortedMap());
  }

  private record Seen(long nanos, Troubles troubles) {}

  /// @param counters of this node's requests to the store
  /// @param tiers of this node, which notice damaged objects
  /// @param disk of this node's shards
  public NodeTroubles(
      Clock clock, StoreCounters counters, TierParts tiers, DiskRoom disk, Broadcasts calls) {
    this.clock = clock;
    RecentTries recent = new RecentTries(clock, counters);
    var _ = calls.world().tasks().repeat("store-tries", RecentTries.EVERY, recent::sample);
    this.nodes =
        calls.call(
            "store-troubles",
            _ -> {
              ObjectNode here = Json.object();
              here.set("failing", here(clock, counters.health()));
              RecentTries.Share share = recent.share();
              if (share.isIll()) {
                here.put("unsteady", sentence(share));
              }
              here.set("damaged", damaged(tiers.cache()));
              here.set("damaged_pins", damagedPins(tiers));
              tiers.storeClock().difference().ifPresent(said -> here.put("clock", said));
              if (tiers.indexing() != null) {
                disk.shortage().ifPresent(said -> here.put("full_disk", said));
              }
              return here;
            });
    this.seen = new Seen(clock.nanoTime() - FRESH.toNanos(), Troubles.NONE);
  }

  /// What this node's reads have found damaged.
  private static ObjectNode damaged(@Nullable BlobCache cache) {
    ObjectNode damaged = Json.object();
    if (cache != null) {
      cache.damaged().forEach(damaged::put);
    }
    return damaged;
  }

  private static ObjectNode damagedPins(TierParts tiers) {
    ObjectNode damaged = Json.object();
    tiers.sweep().damagedPins().forEach(damaged::put);
    IndexingTier indexing = tiers.indexing();
    if (indexing != null) {
      indexing.damagedPins().forEach(damaged::put);
    }
    return damaged;
  }

  /// What fails here, the longest first.
  public static ArrayNode here(Clock clock, StoreHealth health) {
    long now = clock.nanoTime();
    ArrayNode failing = Json.object().putArray("failing");
    List<StoreTrouble> all = health.failing(now, Duration.ZERO);
    for (StoreTrouble trouble : all.subList(0, Math.min(SHOWN_MAX, all.size()))) {
      failing
          .addObject()
          .put("reason", trouble.failure().label())
          .put("request", trouble.request())
          .put("key", trouble.key())
          .put("since_millis", (now - trouble.sinceNanos()) / 1_000_000)
          .put("tries", trouble.tries())
          .put("message", trouble.message())
          .put("advice", trouble.failure().advice());
    }
    return failing;
  }

  /// What all nodes have seen. Nodes that do not answer are left out: they are in trouble of
  /// another kind.
  public Troubles now() throws InterruptedException {
    Seen last = seen;
    if (clock.nanoTime() - last.nanos < FRESH.toNanos()) {
      return last.troubles;
    }
    SortedMap<String, String> failing = new TreeMap<>();
    SortedMap<String, String> unsteady = new TreeMap<>();
    SortedMap<String, String> damaged = new TreeMap<>();
    SortedMap<String, String> damagedPins = new TreeMap<>();
    SortedMap<String, String> clocks = new TreeMap<>();
    SortedMap<String, String> fullDisks = new TreeMap<>();
    nodes
        .ask(Json.object(), WAIT, _ -> true)
        .nodes()
        .forEach((node, answer) -> {
          JsonNode longest = answer.path("failing").path(0);
          if (longest.path("since_millis").asLong() >= RED_AFTER.toMillis()) {
            failing.put(node, sentence(longest));
          }
          if (answer.path("unsteady").isTextual()) {
            unsteady.put(node, answer.path("unsteady").asText());
          }
          addAll(answer.path("damaged"), damaged);
          addAll(answer.path("damaged_pins"), damagedPins);
          if (answer.path("full_disk").isTextual()) {
            fullDisks.put(node, answer.path("full_disk").asText());
          }
          if (answer.path("clock").isTextual()) {
            clocks.put(
                node,
                "nothing is deleted by its age, or rolled over: " + answer.path("clock").asText());
          }
        });
    Troubles troubles = new Troubles(failing, unsteady, damaged, damagedPins, clocks, fullDisks);
    seen = new Seen(clock.nanoTime(), troubles);
    return troubles;
  }

  private static void addAll(JsonNode found, SortedMap<String, String> all) {
    found.properties().forEach(one -> all.put(one.getKey(), one.getValue().asText()));
  }

  private static String sentence(RecentTries.Share share) {
    return "the object store failed "
        + share.failed()
        + " of "
        + share.all()
        + " requests of the last "
        + share.within().toSeconds()
        + "s, which were sent again: the log has the reasons";
  }

  private static String sentence(JsonNode trouble) {
    return "the object store fails its requests [reason="
        + trouble.path("reason").asText()
        + ", for="
        + trouble.path("since_millis").asLong() / 1000
        + "s]: "
        + trouble.path("message").asText()
        + ": "
        + trouble.path("advice").asText();
  }

  /// Adds `store_troubles` when there are any.
  public static void write(ObjectNode answer, SortedMap<String, String> troubles) {
    if (!troubles.isEmpty()) {
      ObjectNode named = answer.putObject("store_troubles");
      troubles.forEach(named::put);
    }
  }
}
