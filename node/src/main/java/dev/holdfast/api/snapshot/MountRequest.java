package dev.holdfast.api.snapshot;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.api.indices.settings.IndexSettings;
import dev.holdfast.api.snapshot.mount.MountedIndices;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.indexing.snapshot.SnapshotManifest;
import dev.holdfast.indexing.snapshot.SnapshottedIndex;
import dev.holdfast.world.Refusal;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// What `POST /_snapshot/{repository}/{snapshot}/_mount` asks for: an index that is read where the
/// snapshot keeps it, which is a restore of one that nobody writes to. `storage` says where
/// Elasticsearch would keep copies; here the disk is a cache of all shards alike.
final class MountRequest {
  private static final List<String> MEMBERS =
      List.of("index", "renamed_index", "index_settings", "ignore_index_settings");
  private static final List<String> STORAGES = List.of("full_copy", "shared_cache");
  private static final String WRITES = "index.blocks.write";
  private static final String COPIES = "index.number_of_replicas";

  private MountRequest() {}

  /// @throws Refusal for what is not understood
  static RestoreRequest read(ApiRequest request) {
    String storage = request.text("storage");
    if (storage != null && !STORAGES.contains(storage)) {
      throw Refusal.badArgument(
          "unknown storage type [" + storage + "], valid types are: " + STORAGES);
    }
    ObjectNode body = request.body().object();
    for (var member : body.properties()) {
      if (!MEMBERS.contains(member.getKey())) {
        throw Refusal.badArgument(
            "[mount_searchable_snapshot] unknown field [" + member.getKey() + "]");
      }
    }
    String index = SnapshotBodies.text(body, "index");
    if (index.isEmpty()) {
      throw Refusal.badArgument("Required [index]");
    }
    if (index.contains("*") || index.contains(",") || index.startsWith("-")) {
      throw Refusal.indexNotFound(index); // one index is mounted, by its name
    }
    String renamed = SnapshotBodies.text(body, "renamed_index");
    return new RestoreRequest(
        List.of(index),
        false,
        false,
        false,
        false,
        "^" + Pattern.quote(index) + "$",
        Matcher.quoteReplacement(renamed.isEmpty() ? index : renamed),
        "",
        "",
        settings(body),
        SnapshotBodies.names(body, "ignore_index_settings"),
        List.of());
  }

  /// What is asked for, with settings that say what is mounted.
  ///
  /// @param asked as [#read] has read it
  static RestoreRequest marked(
      RestoreRequest asked, ApiRequest request, String repository, SnapshotManifest manifest) {
    String index = asked.indices().getFirst();
    SnapshottedIndex there = manifest.indices().get(index);
    return there == null
        ? asked // which is refused
        : asked.with(
            MountedIndices.settings(
                repository,
                manifest.name(),
                manifest.uuid(),
                index,
                there.metadata().id().uuid(),
                "shared_cache".equals(request.text("storage"))));
  }

  private static SortedMap<String, Object> settings(ObjectNode body) {
    SortedMap<String, Object> settings = new TreeMap<>();
    settings.put(COPIES, "0");
    if (body.get("index_settings") instanceof ObjectNode given) {
      settings.putAll(IndexSettings.read(given));
    } else if (body.has("index_settings")) {
      throw Refusal.badArgument("malformed index_settings section");
    }
    IndexSettings.check(settings);
    IndexSettings.requireNoPrivate(settings);
    settings.put(WRITES, "true");
    return settings;
  }
}
