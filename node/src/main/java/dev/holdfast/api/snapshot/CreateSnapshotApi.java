package dev.holdfast.api.snapshot;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.api.indices.resolve.IndexExpression;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.Formats;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.repository.Repositories;
import dev.holdfast.clusterstate.stream.DataStream;
import dev.holdfast.clusterstate.stream.DataStreams;
import dev.holdfast.http.Answer;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.indexing.repository.RepositoryStores;
import dev.holdfast.indexing.snapshot.SnapshotManifest;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.World;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// `PUT /_snapshot/{repository}/{snapshot}`.
public final class CreateSnapshotApi {
  private static final int METADATA_BYTES_MAX = 1024;

  private static final List<String> MEMBERS =
      List.of(
          "indices",
          "ignore_unavailable",
          "include_global_state",
          "partial",
          "metadata",
          "feature_states",
          "expand_wildcards");

  private final World world;
  private final Metadata metadata;
  private final RepositoryStores stores;
  private final SnapshotCreation creation;
  private final SnapshotMaking making;

  CreateSnapshotApi(SnapshotMaking making) {
    this.world = making.world();
    this.metadata = making.metadata();
    this.stores = making.stores();
    this.creation = making.creation();
    this.making = making;
  }

  public Answer handle(ApiRequest request) throws Exception {
    String repository = request.required("repository");
    boolean isAwaited = request.flag("wait_for_completion", false);
    ObjectNode body = request.body().object();
    ClusterState state = metadata.current();
    var definition = Repositories.of(state, repository);
    String name =
        SnapshotNames.resolve(
            repository, request.required("snapshot"), world.clock().epochMillis());
    WantedSnapshot wanted = wanted(state, name, body);
    SnapshotCreation.Begun begun = creation.begin(stores.open(definition), wanted);
    Answer answer;
    if (isAwaited) {
      SnapshotManifest made = creation.make(begun, wanted);
      ObjectNode shown = Json.object();
      shown.set("snapshot", new ShownSnapshot(repository, made).json(ShownSnapshot.Parts.ALL));
      answer = Answer.of(200, shown);
    } else {
      var _ =
          world
              .tasks()
              .start(
                  "snapshot",
                  () -> making.make(begun, wanted, (made, why) -> {}),
                  () -> creation.abandon(begun));
      answer = Answer.of(200, Json.object().put("accepted", true));
    }
    return body.path("feature_states").isEmpty()
        ? answer
        : answer.warn("[feature_states] has no effect: there are no system indices");
  }

  /// What a body asks for.
  ///
  /// @throws Refusal for what is not understood, and for indices that are missing
  static WantedSnapshot wanted(ClusterState state, String name, ObjectNode body) {
    requireFormats(state);
    check(body);
    List<String> expressions = SnapshotBodies.names(body, "indices");
    List<String> kinds = SnapshotBodies.names(body, "expand_wildcards");
    IndexExpression.Options options =
        new IndexExpression.Options(
            SnapshotBodies.flag(body, "ignore_unavailable", false), true, true, true, true, true);
    List<IndexMetadata> indices =
        IndexExpression.resolve(
            state,
            String.join(",", expressions),
            kinds.isEmpty() ? options : options.expanding(kinds.toArray(String[]::new)));
    boolean hasGlobalState = SnapshotBodies.flag(body, "include_global_state", true);
    return new WantedSnapshot(
        name,
        List.copyOf(byName(indices).values()),
        SnapshotBodies.flag(body, "partial", false),
        hasGlobalState,
        about(state, body, byName(indices), hasGlobalState));
  }

  /// Checks a body, whatever indices there are.
  ///
  /// @throws Refusal for what is not understood
  public static void check(ObjectNode body) {
    SnapshotBodies.requireKnown(body, MEMBERS);
    List<String> _ = SnapshotBodies.names(body, "indices");
    List<String> features = SnapshotBodies.names(body, "feature_states");
    if (features.size() > 1 && features.contains("none")) {
      throw Refusal.badArgument(
          "the feature_states value [none] indicates that no feature states should be snapshotted,"
              + " but other feature states were requested: "
              + features);
    }
    List<String> kinds = SnapshotBodies.names(body, "expand_wildcards");
    if (!kinds.isEmpty()) {
      var _ =
          new IndexExpression.Options(true, true, true, true, true, true)
              .expanding(kinds.toArray(String[]::new));
    }
    for (String flag : List.of("ignore_unavailable", "include_global_state", "partial")) {
      boolean _ = SnapshotBodies.flag(body, flag, false);
    }
    requireSmall(body.path("metadata"));
  }

  private static void requireSmall(JsonNode given) {
    if (given.isMissingNode() || given.isNull()) {
      return;
    }
    if (!given.isObject()) {
      throw Refusal.badArgument("malformed metadata, should be an object");
    }
    int bytes = Json.bytes(given).length;
    if (bytes > METADATA_BYTES_MAX) {
      throw new Refusal(
          ErrorType.ACTION_REQUEST_VALIDATION,
          "Validation Failed: 1: metadata must be smaller than 1024 bytes, but was ["
              + bytes
              + "];");
    }
  }

  /// @throws Refusal while members of an earlier build, which would not know what a snapshot pins,
  ///   are in the cluster
  static void requireFormats(ClusterState state) {
    Formats.requireEnabled(state, Formats.SNAPSHOTS, "snapshots");
  }

  private static Map<String, IndexMetadata> byName(List<IndexMetadata> indices) {
    Map<String, IndexMetadata> named = new TreeMap<>();
    indices.forEach(index -> named.put(index.id().name(), index));
    return named;
  }

  private static ObjectNode about(
      ClusterState state,
      ObjectNode body,
      Map<String, IndexMetadata> indices,
      boolean hasGlobalState) {
    ObjectNode about = Json.object();
    JsonNode given = body.path("metadata");
    if (!given.isMissingNode() && !given.isNull()) {
      about.set("metadata", given);
    }
    for (DataStream stream : RestoredStreams.whole(DataStreams.all(state), indices.keySet())) {
      about.withObjectProperty("data_streams").set(stream.name(), stream.json());
    }
    if (hasGlobalState) {
      about.set("global", GlobalState.of(state));
    }
    return about;
  }
}
