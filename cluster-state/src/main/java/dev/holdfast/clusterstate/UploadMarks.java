package dev.holdfast.clusterstate;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.world.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The marks of all shards and the bounds of all logs, as customs of the cluster state: one of each
/// index, one of each log, so that a change of the state carries no more than what changed.
///
/// ```
/// upload_marks/<index uuid>: [[term, generation, max_seq_no, node, lost, why, accepts_loss], …]
/// log_bounds/<ephemeral id>: [low, durable]
/// ```
public final class UploadMarks {
  private static final long FIRST_TERM = 1;
  private static final String MARKS = "upload_marks/";
  private static final String BOUNDS = "log_bounds/";

  private UploadMarks() {}

  /// Whether a custom is one of these: nothing that a client put there.
  public static boolean isOne(String custom) {
    return custom.startsWith(MARKS) || custom.startsWith(BOUNDS);
  }

  /// The mark of a shard; [UploadMark#NONE] when it has none.
  public static UploadMark of(ClusterState state, ShardId shard) {
    JsonNode marks = state.customs().get(MARKS + shard.index().uuid());
    return marks == null ? UploadMark.NONE : mark(marks.path(shard.number()));
  }

  /// The bounds of a node's log; null when it never acknowledged anything, or no shard needs it any
  /// more.
  public static @Nullable LogBounds bounds(ClusterState state, String nodeEphemeralId) {
    JsonNode bounds = state.customs().get(BOUNDS + nodeEphemeralId);
    return bounds == null
        ? null
        : new LogBounds(bounds.path(0).asLong(), bounds.path(1).asLong(-1));
  }

  /// The shards that lack an object, and nobody has accepted that.
  public static List<ShardId> lost(ClusterState state) {
    List<ShardId> lost = new ArrayList<>();
    for (IndexMetadata index : state.indices().values()) {
      JsonNode marks = state.customs().get(MARKS + index.id().uuid());
      for (int number = 0; marks != null && number < index.shards(); number++) {
        if (mark(marks.path(number)).isShort()) {
          lost.add(new ShardId(index.id(), number));
        }
      }
    }
    return lost;
  }

  /// Whether some shard may have operations in the log of that node that no marked blob has.
  public static boolean needsLog(ClusterState state, String nodeEphemeralId) {
    for (IndexMetadata index : state.indices().values()) {
      JsonNode marks = state.customs().get(MARKS + index.id().uuid());
      for (int number = 0; marks != null && number < index.shards(); number++) {
        if (mark(marks.path(number)).node().equals(nodeEphemeralId)) {
          return true;
        }
      }
    }
    return false;
  }

  /// @param shard of an index of the state; else nothing changes
  public static ClusterState with(ClusterState state, ShardId shard, UploadMark mark) {
    IndexMetadata index = state.indices().get(shard.index().name());
    if (index == null
        || !index.id().equals(shard.index())
        || shard.number() >= index.shards()
        || of(state, shard).equals(mark)) {
      return state;
    }
    String kind = MARKS + shard.index().uuid();
    ArrayNode marks = Json.MAPPER.createArrayNode();
    for (int number = 0; number < index.shards(); number++) {
      marks.add(json(number == shard.number() ? mark : of(state, new ShardId(index.id(), number))));
    }
    return state.withCustom(kind, marks);
  }

  /// Whether no node can have opened the shard of an index that is there: it is in its first term,
  /// has no mark, and begins with nothing. The store has nothing of it.
  public static boolean isUntouched(ClusterState state, ShardId shard) {
    IndexMetadata index = index(state, shard);
    return index != null
        && index.origin() == null
        && index.primaryTerms().get(shard.number()) == FIRST_TERM
        && of(state, shard).equals(UploadMark.NONE);
  }

  /// Whether a shard of which the store has no blob has no document either, in whatever term it is:
  /// one that is closed and opened gets another, though nobody has used it. It begins with nothing,
  /// and the state knows of a first blob before a write is acknowledged.
  public static boolean isUnmarked(ClusterState state, ShardId shard) {
    IndexMetadata index = index(state, shard);
    return index != null
        && index.origin() == null
        && index.split() == null
        && of(state, shard).equals(UploadMark.NONE);
  }

  private static @Nullable IndexMetadata index(ClusterState state, ShardId shard) {
    String uuid = shard.index().uuid();
    IndexMetadata index = state.indices().get(shard.index().name());
    if (index == null || !index.id().uuid().equals(uuid)) {
      // Whoever begins with another index knows it by its UUID only.
      index =
          state.indices().values().stream()
              .filter(one -> one.id().uuid().equals(uuid))
              .findFirst()
              .orElse(null);
    }
    return index;
  }

  /// Many at once.
  ///
  /// @param marks of shards; those of indices that are not there change nothing
  public static ClusterState with(ClusterState state, Map<ShardId, UploadMark> marks) {
    SortedMap<String, JsonNode> customs = new TreeMap<>(state.customs());
    boolean isChanged = false;
    for (Map.Entry<ShardId, UploadMark> one : marks.entrySet()) {
      ShardId shard = one.getKey();
      IndexMetadata index = state.indices().get(shard.index().name());
      String kind = MARKS + shard.index().uuid();
      JsonNode before = customs.get(kind);
      JsonNode mark = json(one.getValue());
      if (index == null
          || !index.id().equals(shard.index())
          || shard.number() >= index.shards()
          || (before != null && mark.equals(before.path(shard.number())))) {
        continue;
      }
      ArrayNode changed = Json.MAPPER.createArrayNode();
      for (int number = 0; number < index.shards(); number++) {
        JsonNode known = before == null ? null : before.get(number);
        changed.add(
            number == shard.number() ? mark : known == null ? json(UploadMark.NONE) : known);
      }
      customs.put(kind, changed);
      isChanged = true;
    }
    return isChanged ? state.withCustoms(customs) : state;
  }

  public static ClusterState with(ClusterState state, String nodeEphemeralId, LogBounds bounds) {
    return bounds.equals(bounds(state, nodeEphemeralId))
        ? state
        : state.withCustom(
            BOUNDS + nodeEphemeralId,
            Json.MAPPER.createArrayNode().add(node(bounds.low())).add(node(bounds.durable())));
  }

  /// No shard needs the log of that node any more.
  public static ClusterState withoutBounds(ClusterState state, String nodeEphemeralId) {
    return state.withoutCustom(BOUNDS + nodeEphemeralId);
  }

  /// The same without the bounds of any log.
  public static ClusterState withoutBounds(ClusterState state) {
    ClusterState without = state;
    for (String custom : state.customs().keySet()) {
      without = custom.startsWith(BOUNDS) ? without.withoutCustom(custom) : without;
    }
    return without;
  }

  /// The index is deleted.
  static ClusterState withoutMarks(ClusterState state, String indexUuid) {
    return state.withoutCustom(MARKS + indexUuid);
  }

  private static JsonNode json(UploadMark mark) {
    ArrayNode json = Json.MAPPER.createArrayNode();
    if (!mark.equals(UploadMark.NONE)) {
      json.add(node(mark.primaryTerm())).add(node(mark.generation()));
      json.add(node(mark.maxSeqNo())).add(mark.node());
    }
    if (!mark.lost().isEmpty()) {
      json.add(mark.lost()).add(mark.why()).add(mark.acceptsLoss());
    }
    return json;
  }

  /// As it would be parsed: states are compared.
  private static JsonNode node(long number) {
    return number == (int) number ? IntNode.valueOf((int) number) : LongNode.valueOf(number);
  }

  private static UploadMark mark(JsonNode json) {
    return json.isEmpty()
        ? UploadMark.NONE
        : new UploadMark(
            json.path(0).asLong(),
            json.path(1).asLong(),
            json.path(2).asLong(),
            json.path(3).asText(),
            json.path(4).asText(),
            json.path(5).asText(),
            json.path(6).asBoolean());
  }

  /// For people.
  public static ObjectNode shown(UploadMark mark) {
    ObjectNode json = Json.object();
    json.put("primary_term", mark.primaryTerm()).put("generation", mark.generation());
    json.put("max_seq_no", mark.maxSeqNo());
    if (!mark.lost().isEmpty()) {
      json.put("lost", mark.lost()).put("why", mark.why());
      json.put("accepts_loss", mark.acceptsLoss());
    }
    return json;
  }
}
