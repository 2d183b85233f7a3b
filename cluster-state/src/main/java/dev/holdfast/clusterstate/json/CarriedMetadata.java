package dev.holdfast.clusterstate.json;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexId;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.world.Json;
import java.io.IOException;
import java.util.Comparator;
import java.util.Optional;

/// What the blobs of a shard carry of their index, so that a cluster state that is lost can be
/// rebuilt from them (decision 017): the index as one state had it.
///
/// @param clusterUuid of the cluster
/// @param stateTerm of the state that it was taken from
/// @param stateVersion of that state
public record CarriedMetadata(
    String clusterUuid, long stateTerm, long stateVersion, IndexMetadata index) {

  /// The one of the newer state is the greater.
  public static final Comparator<CarriedMetadata> BY_AGE =
      Comparator.comparingLong(CarriedMetadata::stateTerm)
          .thenComparingLong(CarriedMetadata::stateVersion);

  /// Empty when the state has no such index.
  public static Optional<CarriedMetadata> of(ClusterState state, IndexId index) {
    IndexMetadata found = state.indices().get(index.name());
    return found == null || !found.id().equals(index)
        ? Optional.empty()
        : Optional.of(
            new CarriedMetadata(state.clusterUuid(), state.term(), state.version(), found));
  }

  /// @param shard whose blob carries it
  public byte[] bytes(int shard) {
    ObjectNode json = Json.object();
    json.put("cluster", clusterUuid);
    json.put("state_term", stateTerm).put("state_version", stateVersion);
    json.put(CarriedHome.SHARD, shard);
    json.put("name", index.id().name());
    json.set("index", StateJson.index(index));
    return Json.bytes(json);
  }

  /// @throws IOException when the bytes are not what [#bytes] gave
  public static CarriedMetadata read(byte[] bytes) throws IOException {
    try {
      ObjectNode json = Json.parseObject(bytes, 0, bytes.length);
      return new CarriedMetadata(
          json.path("cluster").asText(),
          json.path("state_term").asLong(),
          json.path("state_version").asLong(),
          StateJson.index(json.path("name").asText(), json.path("index")));
    } catch (RuntimeException e) {
      throw new IOException("what a blob carries of its index cannot be read", e);
    }
  }
}
