package dev.holdfast.api.snapshot;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.Formats;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.clusterstate.SnapshotReference;
import dev.holdfast.clusterstate.repository.Repositories;
import dev.holdfast.document.MappingFactory;
import dev.holdfast.http.Answer;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.indexing.call.IndexingShards;
import dev.holdfast.indexing.repository.RepositoryStores;
import dev.holdfast.indexing.repository.SnapshotRepository;
import dev.holdfast.indexing.repository.SnapshotRepository.Found;
import dev.holdfast.indexing.snapshot.SnapshotManifest;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.World;
import dev.holdfast.world.concurrent.FanOut;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Function;

/// `POST /_snapshot/{repository}/{snapshot}/_restore`: indices appear that begin with what the
/// snapshot has (decision 027), and are searched as soon as their shards are open.
public final class RestoreSnapshotApi {
  private static final int SHARDS_AT_ONCE = 16;

  private final World world;
  private final Metadata metadata;
  private final RepositoryStores stores;
  private final IndexingShards indexing;
  private final MappingFactory mappings;
  private final String node;

  /// @param node this node's ephemeral id
  RestoreSnapshotApi(
      World world,
      Metadata metadata,
      RepositoryStores stores,
      IndexingShards indexing,
      MappingFactory mappings,
      String node) {
    this.world = world;
    this.metadata = metadata;
    this.stores = stores;
    this.indexing = indexing;
    this.mappings = mappings;
    this.node = node;
  }

  public Answer handle(ApiRequest request) throws Exception {
    return restore(
        request,
        ofBody -> RestoreRequest.read(ofBody.body().object()),
        (asked, repository, manifest) -> asked);
  }

  /// `POST /_snapshot/{repository}/{snapshot}/_mount`.
  public Answer mount(ApiRequest request) throws Exception {
    return restore(
        request,
        MountRequest::read,
        (asked, repository, manifest) -> MountRequest.marked(asked, request, repository, manifest));
  }

  /// What is known of a restore once its snapshot is.
  private interface Marking {
    RestoreRequest of(RestoreRequest asked, String repository, SnapshotManifest manifest);
  }

  private Answer restore(
      ApiRequest request, Function<ApiRequest, RestoreRequest> reading, Marking marking)
      throws Exception {
    boolean isAwaited = request.flag("wait_for_completion", false);
    String name = request.required("snapshot");
    ClusterState state = metadata.current();
    SnapshotRepository repository =
        stores.open(Repositories.of(state, request.required("repository")));
    CreateSnapshotApi.requireFormats(state);
    RestoreRequest asked = reading.apply(request);
    SnapshotManifest manifest = finished(repository, name);
    RestoreRequest wanted = marking.of(asked, repository.name(), manifest);
    requireThere(repository, manifest, wanted);
    RestoredIndices indices =
        new RestoredIndices(
            repository.name(),
            manifest,
            wanted,
            world.ids()::uuid,
            repository.isOwn() && Formats.areEnabled(metadata.current(), Formats.LENT_BLOBS)
                ? repository.key(manifest.name())
                : null);
    indices.requireReadable(mappings);
    ClusterState restored = begin(repository, manifest, indices);
    Answer answer =
        Answer.of(
            200,
            isAwaited ? done(name, indices, await(indices)) : Json.object().put("accepted", true));
    return wanted.hasGlobalState() ? told(answer, restored) : answer;
  }

  private static Answer told(Answer answer, ClusterState restored) {
    List<String> streams = GlobalState.streamsWithout(restored);
    return streams.isEmpty()
        ? answer
        : answer.warn(
            "data streams "
                + streams
                + " have no index template in the restored global state, and cannot be rolled over"
                + " before they have one");
  }

  /// Nobody deletes the snapshot from the first step on: the second cannot be taken back where an
  /// index comes in the place of a closed one.
  private ClusterState begin(
      SnapshotRepository repository, SnapshotManifest manifest, RestoredIndices indices)
      throws IOException, InterruptedException {
    RestoreReservation reservation =
        new RestoreReservation(
            world.ids().uuid(),
            node,
            new SnapshotReference(repository.name(), manifest.name(), manifest.uuid()));
    metadata.update("reserve a restore [" + manifest.name() + "]", reservation::addedTo);
    boolean hasBegun = false;
    try {
      requireKept(repository, manifest);
      ClusterState restored =
          metadata.update(
              "restore_snapshot [" + manifest.name() + "]",
              state -> reservation.takenFrom(indices.addedTo(state)));
      hasBegun = true;
      return restored;
    } finally {
      if (!hasBegun) {
        metadata.update("give up a restore [" + manifest.name() + "]", reservation::takenFrom);
      }
    }
  }

  private static SnapshotManifest finished(SnapshotRepository repository, String name)
      throws IOException {
    Found found = repository.find(name).orElse(null);
    if (found == null) {
      throw refused(repository.name(), name, "snapshot does not exist");
    }
    SnapshotManifest manifest;
    try {
      manifest = found.whole();
    } catch (IOException e) {
      throw new Refusal(
          ErrorType.SNAPSHOT,
          "[" + repository.name() + ":" + name + "] cannot be read: " + e.getMessage(),
          e);
    }
    if (!manifest.state().isFinished()) {
      throw refused(
          repository.name(), name, "unsupported snapshot state [" + manifest.state().shown() + "]");
    }
    return manifest;
  }

  private static Refusal refused(String repository, String name, String why) {
    return new Refusal(ErrorType.SNAPSHOT_RESTORE, "[" + repository + ":" + name + "] " + why);
  }

  private static void requireThere(
      SnapshotRepository repository, SnapshotManifest manifest, RestoreRequest wanted) {
    String of = manifest.name() + "/" + manifest.uuid();
    if (wanted.hasGlobalState() && !manifest.hasGlobalState()) {
      throw refused(
          repository.name(),
          of,
          "cannot restore global state since the snapshot was created without global state");
    }
    List<String> features =
        wanted.features().stream().filter(feature -> !feature.equals("none")).toList();
    if (!features.isEmpty()) {
      throw refused(
          repository.name(),
          of,
          "requested feature states [" + features + "] are not present in snapshot");
    }
  }

  /// Whoever deletes the snapshot marks it before he looks for restores of it; who looks at the
  /// mark after his restore is there misses none.
  private static void requireKept(SnapshotRepository repository, SnapshotManifest manifest)
      throws IOException {
    Found now = repository.find(manifest.name()).orElse(null);
    SnapshotManifest there = now == null ? null : now.manifest();
    if (there != null && there.uuid().equals(manifest.uuid()) && there.state().isFinished()) {
      return;
    }
    throw new Refusal(
        ErrorType.CONCURRENT_SNAPSHOT,
        "["
            + repository.name()
            + ":"
            + manifest.name()
            + "] cannot restore a snapshot while a snapshot deletion is in-progress");
  }

  /// How many shards are open and searched.
  private long await(RestoredIndices indices) throws InterruptedException {
    List<Callable<Boolean>> pieces = new ArrayList<>();
    for (IndexMetadata index : indices.all().values()) {
      for (int number = 0; number < index.shards(); number++) {
        ShardId shard = new ShardId(index.id(), number);
        pieces.add(() -> {
          indexing.awaitOpen(shard);
          indexing.refresh(shard);
          return true;
        });
      }
    }
    return FanOut.of(world, "restore").atOnce(SHARDS_AT_ONCE).outcomes(pieces).stream()
        .filter(FanOut.Done.class::isInstance)
        .count();
  }

  private static ObjectNode done(String name, RestoredIndices indices, long successful) {
    int total = indices.all().values().stream().mapToInt(IndexMetadata::shards).sum();
    ObjectNode answer = Json.object();
    ObjectNode snapshot = answer.putObject("snapshot").put("snapshot", name);
    ArrayNode names = snapshot.putArray("indices");
    indices.all().keySet().forEach(names::add);
    snapshot
        .putObject("shards")
        .put("total", total)
        .put("failed", total - successful)
        .put("successful", successful);
    return answer;
  }
}
