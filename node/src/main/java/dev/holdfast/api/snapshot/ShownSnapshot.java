package dev.holdfast.api.snapshot;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.identity.Version;
import dev.holdfast.indexing.snapshot.ManifestBytes;
import dev.holdfast.indexing.snapshot.SnapshotManifest;
import dev.holdfast.indexing.snapshot.SnapshottedIndex;
import dev.holdfast.indexing.snapshot.SnapshottedShard;
import dev.holdfast.world.ByteSize;
import dev.holdfast.world.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// A snapshot as clients see it.
///
/// @param repository its name
record ShownSnapshot(String repository, SnapshotManifest manifest) {
  /// What is shown.
  ///
  /// @param isVerbose all there is; else only what it is called and has
  record Parts(
      boolean isVerbose,
      boolean hasIndexNames,
      boolean hasIndexDetails,
      boolean hasRepository,
      boolean isHuman) {
    static final Parts ALL = new Parts(true, true, false, true, false);
  }

  /// As `GET /_snapshot/…` shows it.
  ObjectNode json(Parts parts) {
    ObjectNode json = Json.object();
    json.put("snapshot", manifest.name()).put("uuid", manifest.uuid());
    if (parts.hasRepository) {
      json.put("repository", repository);
    }
    if (parts.isVerbose) {
      json.put("version_id", 9_039_003).put("version", Version.API);
    }
    if (parts.hasIndexNames) {
      ArrayNode names = json.putArray("indices");
      manifest.indices().keySet().forEach(names::add);
    }
    if (parts.hasIndexDetails) {
      ObjectNode details = json.putObject("index_details");
      manifest.indices().forEach((name, index) -> details.set(name, details(index, parts.isHuman)));
    }
    ArrayNode streams = json.putArray("data_streams");
    manifest.dataStreams().forEach(streams::add);
    if (!parts.isVerbose) {
      return json.put("state", manifest.state().shown());
    }
    json.put("include_global_state", manifest.hasGlobalState());
    if (manifest.about().has("metadata")) {
      json.set("metadata", manifest.about().get("metadata"));
    }
    json.put("state", manifest.state().shown());
    time(json, "start_time", manifest.startMillis());
    if (manifest.endMillis() > 0) {
      time(json, "end_time", manifest.endMillis());
    }
    if (parts.isHuman) {
      json.put("duration", millis(Math.max(0, durationMillis())));
    }
    json.put("duration_in_millis", Math.max(0, durationMillis()));
    failures(json.putArray("failures"));
    List<SnapshottedShard> shards = manifest.shards();
    long failed = shards.stream().filter(shard -> !shard.isThere()).count();
    json.putObject("shards")
        .put("total", shards.size())
        .put("failed", failed)
        .put("successful", shards.size() - failed);
    json.putArray("feature_states");
    return json;
  }

  long durationMillis() {
    return manifest.endMillis() - manifest.startMillis();
  }

  private static void time(ObjectNode json, String name, long millis) {
    json.put(name, Instant.ofEpochMilli(millis).toString()).put(name + "_in_millis", millis);
  }

  static String millis(long millis) {
    Duration duration = Duration.ofMillis(millis);
    if (millis < 1_000) {
      return millis == 0 ? "0s" : millis + "ms";
    }
    return duration.toSeconds() < 60
        ? Math.round(millis / 100.0) / 10.0 + "s"
        : Math.round(duration.toSeconds() / 6.0) / 10.0 + "m";
  }

  private static ObjectNode details(SnapshottedIndex index, boolean isHuman) {
    long bytes = index.shards().stream().mapToLong(SnapshottedShard::bytes).sum();
    ObjectNode json = Json.object().put("shard_count", index.shards().size());
    if (isHuman) {
      json.put("size", new ByteSize(bytes).toString());
    }
    return json.put("size_in_bytes", bytes)
        .put(
            "max_segments_per_shard",
            index.shards().stream().mapToInt(SnapshottedShard::segments).max().orElse(0));
  }

  private void failures(ArrayNode failures) {
    manifest
        .indices()
        .forEach((name, index) -> {
          for (int number = 0; number < index.shards().size(); number++) {
            SnapshottedShard shard = index.shards().get(number);
            if (!shard.isThere()) {
              failures
                  .addObject()
                  .put("index", name)
                  .put("index_uuid", index.metadata().id().uuid())
                  .put("shard_id", number)
                  .put("reason", shard.failure())
                  .put("node_id", manifest.node())
                  .put("status", "INTERNAL_SERVER_ERROR");
            }
          }
        });
  }

  /// As `GET /_snapshot/…/_status` shows it.
  ObjectNode status() {
    ObjectNode json = Json.object();
    json.put("snapshot", manifest.name()).put("repository", repository);
    json.put("uuid", manifest.uuid());
    boolean isRunning = manifest.endMillis() == 0;
    json.put("state", isRunning ? "STARTED" : manifest.state().shown());
    json.put("include_global_state", manifest.hasGlobalState());
    List<SnapshottedShard> all = manifest.shards();
    counts(json, all);
    stats(json, all, manifest.startMillis(), Math.max(0, durationMillis()));
    addSelf(json.path("stats"));
    ObjectNode indices = json.putObject("indices");
    manifest
        .indices()
        .forEach((name, index) -> {
          ObjectNode one = indices.putObject(name);
          counts(one, index.shards());
          stats(one, index.shards(), manifest.startMillis(), took(index.shards()));
          ObjectNode shards = one.putObject("shards");
          for (int number = 0; number < index.shards().size(); number++) {
            SnapshottedShard shard = index.shards().get(number);
            ObjectNode shown = shards.putObject(Integer.toString(number));
            shown.put("stage", stage(shard));
            stats(shown, List.of(shard), shard.startMillis(), shard.tookMillis());
            if (!shard.isThere()) {
              shown.put("reason", shard.failure());
            }
          }
        });
    return json;
  }

  /// The snapshot itself is an object, too.
  private void addSelf(JsonNode stats) {
    int length = ManifestBytes.write(manifest).length;
    for (String kind : List.of("incremental", "total")) {
      ObjectNode sums = (ObjectNode) stats.path(kind);
      sums.put("file_count", sums.path("file_count").asInt() + 1);
      sums.put("size_in_bytes", sums.path("size_in_bytes").asLong() + length);
    }
  }

  private String stage(SnapshottedShard shard) {
    return !shard.isThere() ? "FAILURE" : manifest.endMillis() == 0 ? "STARTED" : "DONE";
  }

  private static long took(List<SnapshottedShard> shards) {
    return shards.stream().mapToLong(SnapshottedShard::tookMillis).max().orElse(0);
  }

  private void counts(ObjectNode json, List<SnapshottedShard> shards) {
    List<String> stages = new ArrayList<>(shards.stream().map(this::stage).toList());
    json.putObject("shards_stats")
        .put("initializing", 0)
        .put("started", stages.stream().filter("STARTED"::equals).count())
        .put("finalizing", 0)
        .put("done", stages.stream().filter("DONE"::equals).count())
        .put("failed", stages.stream().filter("FAILURE"::equals).count())
        .put("total", shards.size());
  }

  private static void stats(
      ObjectNode json, List<SnapshottedShard> shards, long startMillis, long tookMillis) {
    ObjectNode stats = json.putObject("stats");
    stats
        .putObject("incremental")
        .put("file_count", shards.stream().mapToInt(SnapshottedShard::newFiles).sum())
        .put("size_in_bytes", shards.stream().mapToLong(SnapshottedShard::newBytes).sum());
    stats
        .putObject("total")
        .put("file_count", shards.stream().mapToInt(SnapshottedShard::files).sum())
        .put("size_in_bytes", shards.stream().mapToLong(SnapshottedShard::bytes).sum());
    stats.put("start_time_in_millis", startMillis).put("time_in_millis", tookMillis);
  }
}
