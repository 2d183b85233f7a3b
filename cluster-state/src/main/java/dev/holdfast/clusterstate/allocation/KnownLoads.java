package dev.holdfast.clusterstate.allocation;

import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.IndexSplit;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.world.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/// What the leader has heard of the loads of shards: a guess that no state holds and that the next
/// leader gathers anew. A load belongs to the shard, not to its owner: it stays with a shard that
/// moves or recovers, and its new owner's reports take over little by little. One that is divided
/// (decision 031) shares its load with the new shard at once. What allocation is told changes only
/// when a load has changed by half, so that noise moves nothing.
public final class KnownLoads {
  /// So long, and a change has half its effect.
  static final Duration HALF_LIFE = Duration.ofMinutes(1);

  /// What is told stays while the load is less than so many times as large, or as small.
  private static final double CHANGE_MIN = 1.5;

  private final Clock clock;

  // Guarded by this.
  private final Map<String, Known> shards = new HashMap<>();
  private final SortedSet<String> heard = new TreeSet<>();
  private final RestingIndices resting = new RestingIndices();

  public KnownLoads(Clock clock) {
    this.clock = clock;
  }

  /// One shard.
  private static final class Known {
    /// No division is later than this.
    private static final long NOT_SEEN = Long.MAX_VALUE;

    String reportedBy = "";

    /// Of the newest state that was looked at: a division under a later term is news.
    long dividedSince = NOT_SEEN;

    double writes;
    double bytes;
    double toldWrites;
    double toldBytes;
    long nanos;

    ShardLoad told() {
      return new ShardLoad(toldWrites, (long) toldBytes);
    }

    /// What is written goes to the parts of a shard that is divided; each has all its bytes until
    /// merges have dropped what is the other's.
    ///
    /// @param share of what is written to this one that goes to the new one
    Known divided(double share) {
      Known part = new Known();
      part.writes = writes * share;
      part.toldWrites = toldWrites * share;
      part.bytes = bytes;
      part.toldBytes = toldBytes;
      part.nanos = nanos;
      writes -= part.writes;
      toldWrites -= part.toldWrites;
      return part;
    }
  }

  public synchronized void heard(String member, LoadReport report) {
    heard.add(member);
    long now = clock.nanoTime();
    report
        .shards()
        .forEach((shard, load) -> {
          Known known = shards.get(shard);
          if (known == null) {
            known = new Known();
            known.writes = load.writes();
            known.bytes = load.bytes();
            known.nanos = now;
            shards.put(shard, known);
          }
          known.reportedBy = member;
          approach(known, load, now);
        });
    shards.forEach((shard, known) -> {
      if (known.reportedBy.equals(member) && !report.shards().containsKey(shard)) {
        approach(known, ShardLoad.NONE, now);
      }
    });
    shards
        .values()
        .removeIf(known ->
            known.toldWrites == 0
                && known.toldBytes == 0
                && known.writes < LoadReport.WRITES_MIN
                && known.bytes < LoadReport.BYTES_MIN);
  }

  private static void approach(Known known, ShardLoad load, long now) {
    double left = Math.pow(0.5, (now - known.nanos) / (double) HALF_LIFE.toNanos());
    known.writes = load.writes() + (known.writes - load.writes()) * left;
    known.bytes = load.bytes() + (known.bytes - load.bytes()) * left;
    known.toldWrites = told(known.toldWrites, known.writes, LoadReport.WRITES_MIN);
    known.toldBytes = told(known.toldBytes, known.bytes, LoadReport.BYTES_MIN);
    known.nanos = now;
  }

  private static double told(double told, double now, double least) {
    if (now < least / CHANGE_MIN) {
      return 0;
    }
    boolean isNear = now <= told * CHANGE_MIN && now * CHANGE_MIN >= told;
    return isNear || (told == 0 && now < least) ? told : now;
  }

  /// What is known, for a state.
  ///
  /// @param cuts by member, those that it does not reach
  public synchronized AllocationInputs figures(
      ClusterState state, SortedMap<String, SortedSet<String>> cuts) {
    heard.retainAll(state.members().keySet());
    if (!shards.isEmpty()) {
      state.indices().values().forEach(this::divide);
    }
    SortedMap<String, ShardLoad> told = new TreeMap<>();
    SortedSet<String> named = new TreeSet<>();
    for (ShardId shard : shards.isEmpty() ? List.<ShardId>of() : Allocation.shards(state)) {
      String key = LoadReport.key(shard);
      Known known = shards.get(key);
      if (known != null) {
        named.add(key);
        told.put(key, known.told());
        known.dividedSince = dividedSince(state, shard);
        if (!state.members().containsKey(known.reportedBy)) {
          known.reportedBy = state.assignment(shard).owner();
        }
      }
    }
    shards.keySet().retainAll(named);
    return new AllocationInputs(told, heard, cuts, resting.of(state, clock.nanoTime()));
  }

  /// Gives shards that are new in a state their share of the load of their sources.
  private void divide(IndexMetadata index) {
    IndexSplit split = index.split();
    if (split == null) {
      return;
    }
    for (int number = split.base(); number < index.shards(); number++) {
      IndexSplit.Part part = Objects.requireNonNull(split.part(number));
      Known source = shards.get(LoadReport.key(new ShardId(index.id(), part.source())));
      if (source != null && part.primaryTerm() > source.dividedSince) {
        Known divided = source.divided(share(split, number));
        Known _ = shards.putIfAbsent(LoadReport.key(new ShardId(index.id(), number)), divided);
      }
    }
  }

  /// The part of a source's documents that its new shard gets: it gives as much to each.
  private static double share(IndexSplit split, int number) {
    int given = number / split.from(); // by the source, with this one
    return 1.0 / Math.max(2, split.to() / split.from() - given + 1);
  }

  private static long dividedSince(ClusterState state, ShardId shard) {
    IndexMetadata index = state.indices().get(shard.index().name());
    IndexSplit split = index == null ? null : index.split();
    return split == null ? IndexSplit.NEVER : split.dividedSince(shard.number());
  }
}
