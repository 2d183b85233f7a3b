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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// `PUT /_snapshot/{repository}/{snapshot}`.
public final class CreateSnapshotApi {
  private static final Logger LOG = LoggerFactory.getLogger(CreateSnapshotApi.class);

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

  CreateSnapshotApi(
      World world, Metadata metadata, RepositoryStores stores, SnapshotCreation creation) {
    this.world = world;
    this.metadata = metadata;
    this.stores = stores;
    this.creation = creation;
  }

  public Answer handle(ApiRequest request) throws Exception {
    String repository = request.required("repository");
    boolean isAwaited = request.flag("wait_for_completion", false);
    ObjectNode body = request.body().object();
    ClusterState state = metadata.current();
    var definition = Repositories.of(state, repository);
    WantedSnapshot wanted = wanted(state, repository, request.required("snapshot"), body);
    SnapshotCreation.Begun begun = creation.begin(stores.open(definition), wanted);
    Answer answer;
    if (isAwaited) {
      SnapshotManifest made = creation.make(begun, wanted);
      ObjectNode shown = Json.object();
      shown.set("snapshot", new ShownSnapshot(repository, made).json(ShownSnapshot.Parts.ALL));
      answer = Answer.of(200, shown);
    } else {
      var _ = world.tasks().start("snapshot", () -> make(begun, wanted));
      answer = Answer.of(200, Json.object().put("accepted", true));
    }
    return body.path("feature_states").isEmpty()
        ? answer
        : answer.warn("[feature_states] has no effect: there are no system indices");
  }

  private void make(SnapshotCreation.Begun begun, WantedSnapshot wanted)
      throws InterruptedException {
    try {
      var _ = creation.make(begun, wanted);
    } catch (Exception e) {
      if (e instanceof InterruptedException interrupted) {
        throw interrupted;
      }
      LOG.warn("a snapshot failed [snapshot={}]", wanted.name(), e);
    }
  }

  /// What a body asks for.
  ///
  /// @throws Refusal for what is not understood, and for indices that are missing
  static WantedSnapshot wanted(
      ClusterState state, String repository, String name, ObjectNode body) {
    SnapshotNames.require(repository, name);
    requireFormats(state);
    SnapshotBodies.requireKnown(body, MEMBERS);
    List<String> expressions = SnapshotBodies.names(body, "indices");
    List<String> _ = SnapshotBodies.names(body, "feature_states");
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

  /// @throws Refusal while members of an earlier build, which would not know what a snapshot pins,
  ///   are in the cluster
  static void requireFormats(ClusterState state) {
    if (!Formats.areEnabled(state, Formats.SNAPSHOTS)) {
      throw new Refusal(
          ErrorType.ILLEGAL_STATE_OF_REQUEST,
          "snapshots need a cluster that speaks version "
              + Formats.SNAPSHOTS
              + " of its formats, this one speaks "
              + state.minimumVersion()
              + ": upgrade all nodes, and let ["
              + Formats.HOLD
              + "] go");
    }
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
      about.set("metadata", given);
    }
    for (DataStream stream : DataStreams.all(state)) {
      if (stream.indices().stream().anyMatch(indices::containsKey)) {
        about.withObjectProperty("data_streams").set(stream.name(), stream.json());
      }
    }
    if (hasGlobalState) {
      about.set("global", GlobalState.of(state));
    }
    return about;
  }
}
