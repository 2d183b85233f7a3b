package dev.holdfast.api.snapshot.integrity;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.compoundcommit.BlobId;
import dev.holdfast.compoundcommit.blob.BlobCheck;
import dev.holdfast.indexing.repository.SnapshotRepository;
import dev.holdfast.indexing.repository.SnapshotRepository.Found;
import dev.holdfast.indexing.snapshot.SnapshotManifest;
import dev.holdfast.indexing.snapshot.SnapshottedIndex;
import dev.holdfast.indexing.snapshot.SnapshottedShard;
import dev.holdfast.objectstore.ObjectStore.Listed;
import dev.holdfast.objectstore.StoreException;
import dev.holdfast.scrub.ByteRate;
import dev.holdfast.world.CorruptObjectException;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.Reservation;
import dev.holdfast.world.StopSignal;
import dev.holdfast.world.World;
import java.io.IOException;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// One look through a repository: a GET for each snapshot, a LIST for each shard, and where blobs
/// are read, all of them once. Of one thread.
final class IntegrityCheck {
  /// What is told at most; more is counted.
  private static final int LOG_MAX = 10_000;

  private static final int LIST_MAX = 1000;

  /// Of a key that is remembered, besides its letters.
  private static final int KEY_BYTES = 64;

  private final World world;
  private final SnapshotRepository repository;
  private final Reservation memory;
  private final boolean readsBlobs;
  private final ByteRate rate;
  private final int failuresMax;

  private final ArrayNode log = Json.MAPPER.createArrayNode();
  private final Map<String, Set<String>> there = new HashMap<>();
  private final Set<String> read = new HashSet<>();
  private final Set<String> damaged = new HashSet<>();
  private final SortedMap<String, Indexed> indices = new TreeMap<>();
  private int snapshots;
  private int verified;
  private int indexSnapshots;
  private int failures;
  private long anomalies;

  /// @param bytesPerSecond of blobs; 0: none is read
  IntegrityCheck(
      World world,
      SnapshotRepository repository,
      Reservation memory,
      long bytesPerSecond,
      int failuresMax) {
    this.world = world;
    this.repository = repository;
    this.memory = memory;
    this.readsBlobs = bytesPerSecond > 0;
    this.rate = new ByteRate(world, bytesPerSecond);
    this.failuresMax = failuresMax;
  }

  /// What is known of an index, by its uuid.
  private static final class Indexed {
    final String name;
    int snapshots;
    int restorable;

    Indexed(String name) {
      this.name = name;
    }
  }

  /// @throws Refusal `illegal_state_exception` when more shards failed than may be looked at
  void run() throws IOException, InterruptedException {
    for (String name : repository.names()) {
      StopSignal.lookForCancelling();
      Found found = repository.find(name).orElse(null);
      if (found == null) {
        continue; // deleted meanwhile
      }
      snapshots++;
      SnapshotManifest manifest = found.manifest();
      if (manifest == null) {
        anomaly(
            Json.object().put("snapshot", name), null, "snapshot cannot be read", found.damage());
      } else if (manifest.state().isFinished()) {
        snapshot(manifest);
        verified++;
      }
    }
    indices.forEach(this::restorable);
  }

  private void snapshot(SnapshotManifest manifest) throws IOException, InterruptedException {
    ObjectNode shown = Json.object().put("snapshot", manifest.name()).put("uuid", manifest.uuid());
    for (SnapshottedIndex index : manifest.indices().values()) {
      String uuid = index.metadata().id().uuid();
      Indexed known = indices.computeIfAbsent(uuid, _ -> new Indexed(index.metadata().id().name()));
      known.snapshots++;
      indexSnapshots++;
      boolean isWhole = true;
      for (int number = 0; number < index.shards().size(); number++) {
        SnapshottedShard shard = index.shards().get(number);
        isWhole &= shard.isThere();
        if (shard.isThere()) {
          isWhole &= shard(shown, new ShardId(index.metadata().id(), number), shard);
        } else if (++failures > failuresMax) {
          throw new Refusal(
              ErrorType.ILLEGAL_STATE_OF_REQUEST,
              "Cannot verify the integrity of all index snapshots because this repository contains"
                  + " too many shard snapshot failures: there are more than ["
                  + failuresMax
                  + "], which is what [?max_failed_shard_snapshots] says");
        }
      }
      known.restorable += isWhole ? 1 : 0;
    }
  }

  /// @return whether all of the shard's blobs are there, and whole as far as they were read
  private boolean shard(ObjectNode snapshot, ShardId shard, SnapshottedShard has)
      throws IOException, InterruptedException {
    boolean isWhole = true;
    for (BlobId blob : has.blobs()) {
      String key = repository.isOwn() ? blob.key(shard) : repository.blobKey(shard, blob);
      if (!isThere(shard, key)) {
        anomaly(snapshot, shard, "blob [" + key + "] is missing", null);
        isWhole = false;
      } else if (readsBlobs && isDamaged(snapshot, shard, key)) {
        isWhole = false;
      }
    }
    return isWhole;
  }

  private boolean isThere(ShardId shard, String key) throws IOException {
    String folder =
        repository.isOwn() ? shard.folder() : key.substring(0, key.lastIndexOf('/') + 1);
    Set<String> keys = there.get(folder);
    if (keys == null) {
      keys = keys(folder);
      there.put(folder, keys);
    }
    return keys.contains(key);
  }

  private Set<String> keys(String folder) throws IOException {
    Set<String> keys = new HashSet<>();
    String after = "";
    while (true) {
      List<Listed> page = repository.store().list(folder, after, LIST_MAX);
      for (Listed one : page) {
        memory.add(2L * one.key().length() + KEY_BYTES);
        keys.add(one.key());
      }
      if (page.size() < LIST_MAX) {
        return keys;
      }
      after = page.getLast().key();
    }
  }

  private boolean isDamaged(ObjectNode snapshot, ShardId shard, String key)
      throws IOException, InterruptedException {
    if (!read.add(key)) {
      return damaged.contains(key);
    }
    StopSignal.lookForCancelling();
    try {
      BlobCheck.Result result = BlobCheck.check(repository.store(), key, rate::take);
      for (CorruptObjectException damage : result.damages()) {
        damaged.add(key);
        anomaly(snapshot, shard, "blob [" + key + "] is damaged", damage);
      }
    } catch (StoreException.NotFound e) {
      damaged.add(key);
      anomaly(snapshot, shard, "blob [" + key + "] is missing", e);
    }
    return damaged.contains(key);
  }

  private void anomaly(
      ObjectNode snapshot, @Nullable ShardId shard, String what, @Nullable IOException why) {
    anomalies++;
    ObjectNode entry = entry();
    entry.set("snapshot", snapshot);
    if (shard != null) {
      index(entry, shard.index().name(), shard.index().uuid());
      entry.put("shard_id", shard.number());
    }
    entry.put("anomaly", what);
    if (why != null) {
      entry
          .putObject("exception")
          .put("type", ErrorType.CORRUPT_INDEX.type())
          .put("reason", Objects.requireNonNullElse(why.getMessage(), why.toString()));
    }
  }

  private void restorable(String uuid, Indexed index) {
    ObjectNode entry = entry();
    index(entry, index.name, uuid);
    entry
        .putObject("snapshot_restorability")
        .put("total_snapshot_count", index.snapshots)
        .put("restorable_snapshot_count", index.restorable)
        .put(
            "restorability",
            index.restorable == index.snapshots
                ? "full"
                : index.restorable == 0 ? "none" : "partial");
  }

  private static void index(ObjectNode entry, String name, String uuid) {
    entry.putObject("index").put("name", name).put("id", uuid);
  }

  /// One more line, unless there are too many.
  private ObjectNode entry() {
    ObjectNode entry = Json.object().put("timestamp_in_millis", world.clock().epochMillis());
    if (log.size() < LOG_MAX) {
      log.add(entry);
    }
    return entry;
  }

  /// @param isHuman with times for people
  ObjectNode json(boolean isHuman) {
    ObjectNode json = Json.object();
    json.set("log", log);
    if (isHuman) {
      log.forEach(entry ->
          ((ObjectNode) entry)
              .put(
                  "timestamp",
                  Instant.ofEpochMilli(entry.path("timestamp_in_millis").asLong()).toString()));
    }
    ObjectNode results = json.putObject("results");
    ObjectNode status = results.putObject("status");
    status.putObject("repository").put("name", repository.name());
    status.putObject("snapshots").put("verified", verified).put("total", snapshots);
    status.putObject("indices").put("verified", indices.size()).put("total", indices.size());
    status
        .putObject("index_snapshots")
        .put("verified", indexSnapshots)
        .put("total", indexSnapshots);
    status.putObject("blobs").put("verified", read.size());
    results.put("total_anomalies", anomalies).put("result", anomalies == 0 ? "pass" : "fail");
    return json;
  }
}
