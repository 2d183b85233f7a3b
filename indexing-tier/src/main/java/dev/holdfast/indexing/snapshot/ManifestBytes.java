package dev.holdfast.indexing.snapshot;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.clusterstate.json.StateJson;
import dev.holdfast.compoundcommit.BlobId;
import dev.holdfast.compoundcommit.blob.BlobSection;
import dev.holdfast.world.ChecksummedBytes;
import dev.holdfast.world.CorruptObjectException;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// A snapshot as bytes: sealed, compressed JSON. Members that a later build adds are passed over.
public final class ManifestBytes {
  /// Names the kind of object.
  public static final String MAGIC = "HFSN";

  private static final int VERSION = 1;

  private ManifestBytes() {}

  /// @throws Refusal `illegal_argument_exception` for one that is too large to be read again
  public static byte[] write(SnapshotManifest manifest) {
    ObjectNode json = Json.object();
    json.put("name", manifest.name()).put("uuid", manifest.uuid());
    json.put("state", manifest.state().name()).put("node", manifest.node());
    json.put("start", manifest.startMillis()).put("end", manifest.endMillis());
    json.put("global_state", manifest.hasGlobalState());
    json.set("about", manifest.about());
    ObjectNode indices = json.putObject("indices");
    manifest.indices().forEach((name, index) -> indices.set(name, index(index)));
    byte[] raw = Json.bytes(json);
    requireReadable(manifest.name(), manifest.indices().size(), raw.length);
    return ChecksummedBytes.seal(MAGIC, VERSION, BlobSection.write(raw));
  }

  static void requireReadable(String name, int indices, int rawLength) {
    if (rawLength > BlobSection.RAW_BYTES_MAX) {
      throw Refusal.badArgument(
          "snapshot ["
              + name
              + "] is too large: the metadata of its "
              + indices
              + " indices have "
              + rawLength
              + " bytes, and may have "
              + BlobSection.RAW_BYTES_MAX
              + ": take fewer indices into one snapshot");
    }
  }

  private static ObjectNode index(SnapshottedIndex index) {
    ObjectNode json = Json.object();
    json.set("metadata", StateJson.index(index.metadata()));
    ArrayNode shards = json.putArray("shards");
    for (SnapshottedShard shard : index.shards()) {
      ObjectNode one = shards.addObject();
      BlobId home = shard.home();
      if (home != null) {
        one.put("home", text(home));
        ArrayNode blobs = one.putArray("blobs");
        shard.blobs().forEach(blob -> blobs.add(text(blob)));
        one.put("documents", shard.documents());
        one.put("files", shard.files()).put("bytes", shard.bytes());
        one.put("new_files", shard.newFiles()).put("new_bytes", shard.newBytes());
        one.put("segments", shard.segments());
      }
      one.put("start", shard.startMillis()).put("took", shard.tookMillis());
      if (!shard.isThere()) {
        one.put("failure", shard.failure());
      }
    }
    return json;
  }

  /// @param key of the object, for messages
  /// @throws CorruptObjectException when the bytes are not what [#write] gave
  public static SnapshotManifest read(String key, byte[] bytes) throws IOException {
    byte[] section = ChecksummedBytes.open(MAGIC, VERSION, bytes, key);
    byte[] raw = BlobSection.read(key, section, 0, section.length);
    try {
      ObjectNode json = Json.parseObject(raw, 0, raw.length);
      SortedMap<String, SnapshottedIndex> indices = new TreeMap<>();
      for (Map.Entry<String, JsonNode> one : json.path("indices").properties()) {
        indices.put(one.getKey(), index(one.getKey(), one.getValue()));
      }
      return new SnapshotManifest(
          json.path("name").asText(),
          json.path("uuid").asText(),
          SnapshotState.valueOf(json.path("state").asText()),
          json.path("node").asText(),
          json.path("start").asLong(),
          json.path("end").asLong(),
          json.path("global_state").asBoolean(),
          (ObjectNode) json.path("about"),
          indices);
    } catch (RuntimeException e) {
      throw new CorruptObjectException(key, "a snapshot that cannot be read", e);
    }
  }

  private static SnapshottedIndex index(String name, JsonNode json) {
    List<SnapshottedShard> shards = new ArrayList<>();
    for (JsonNode one : json.path("shards")) {
      SortedSet<BlobId> blobs = new TreeSet<>();
      one.path("blobs").forEach(blob -> blobs.add(blob(blob.asText())));
      shards.add(
          new SnapshottedShard(
              home(one),
              blobs,
              one.path("documents").asLong(),
              one.path("files").asInt(),
              one.path("bytes").asLong(),
              one.path("new_files").asInt(),
              one.path("new_bytes").asLong(),
              one.path("segments").asInt(),
              one.path("start").asLong(),
              one.path("took").asLong(),
              one.path("failure").asText("")));
    }
    return new SnapshottedIndex(StateJson.index(name, json.path("metadata")), shards);
  }

  private static @Nullable BlobId home(JsonNode shard) {
    return shard.has("home") ? blob(shard.path("home").asText()) : null;
  }

  private static String text(BlobId blob) {
    return blob.primaryTerm() + "-" + blob.generation();
  }

  private static BlobId blob(String text) {
    int dash = text.indexOf('-');
    return new BlobId(
        Long.parseLong(text.substring(0, dash)), Long.parseLong(text.substring(dash + 1)));
  }
}
