package dev.holdfast.api.snapshot;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.repository.Repositories;
import dev.holdfast.clusterstate.repository.Repository;
import dev.holdfast.http.Answer;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.indexing.repository.RepositoryStores;
import dev.holdfast.indexing.repository.SnapshotRepository;
import dev.holdfast.world.Json;
import dev.holdfast.world.World;
import dev.holdfast.world.text.Wildcards;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// `DELETE /_snapshot/{repository}/{snapshot}`, `GET …/_status`, `POST
/// /_snapshot/{repository}/_cleanup`.
public final class SnapshotsApi {
  private static final Logger LOG = LoggerFactory.getLogger(SnapshotsApi.class);

  private final World world;
  private final Metadata metadata;
  private final RepositoryStores stores;
  private final SnapshotDeletion deletion;
  private final NamedSnapshots snapshots;

  SnapshotsApi(
      World world,
      Metadata metadata,
      RepositoryStores stores,
      SnapshotDeletion deletion,
      NamedSnapshots snapshots) {
    this.world = world;
    this.metadata = metadata;
    this.stores = stores;
    this.deletion = deletion;
    this.snapshots = snapshots;
  }

  public Answer delete(ApiRequest request) throws Exception {
    boolean isAwaited = request.flag("wait_for_completion", true);
    SnapshotRepository repository = writable(request);
    List<String> wanted = request.names("snapshot");
    List<String> all = repository.names();
    for (String name : wanted) {
      if (!Wildcards.isPattern(name) && !name.startsWith("-") && !all.contains(name)) {
        throw SnapshotNames.missing(repository.name(), name);
      }
    }
    List<String> names = NamedSnapshots.matching(all, wanted);
    if (isAwaited) {
      delete(repository, names);
    } else {
      var _ = world.tasks().start("snapshot-deletion", () -> deleteBehind(repository, names));
    }
    return Answer.acknowledged();
  }

  private void delete(SnapshotRepository repository, List<String> names) throws Exception {
    for (String name : names) {
      deletion.delete(repository, name);
    }
  }

  private void deleteBehind(SnapshotRepository repository, List<String> names)
      throws InterruptedException {
    try {
      delete(repository, names);
    } catch (Exception e) {
      if (e instanceof InterruptedException interrupted) {
        throw interrupted;
      }
      LOG.warn("a deletion failed [repository={}, snapshots={}]", repository.name(), names, e);
    }
  }

  private SnapshotRepository writable(ApiRequest request) {
    Repository repository = Repositories.of(metadata.current(), request.required("repository"));
    if (repository.isReadOnly()) {
      throw RepositoriesApi.readOnly(repository.name(), "repository is readonly");
    }
    return stores.open(repository);
  }

  public Answer cleanUp(ApiRequest request) throws Exception {
    List<Long> deleted = deletion.clean(writable(request));
    ObjectNode answer = Json.object();
    answer
        .putObject("results")
        .put("deleted_bytes", deleted.stream().mapToLong(Long::longValue).sum())
        .put("deleted_blobs", deleted.size());
    return Answer.of(200, answer);
  }

  /// Of named snapshots, or of those that are being made (`_all`, too). As in Elasticsearch no name
  /// is a pattern here.
  public Answer status(ApiRequest request) throws Exception {
    List<String> names = request.list("snapshot");
    boolean ignoresUnavailable = request.flag("ignore_unavailable", false);
    List<ShownSnapshot> found =
        names.isEmpty() || names.equals(List.of("_all"))
            ? snapshots.current(request.list("repository"))
            : snapshots.named(
                Repositories.of(metadata.current(), request.required("repository")),
                names,
                ignoresUnavailable);
    ObjectNode answer = Json.object();
    ArrayNode shown = answer.putArray("snapshots");
    found.forEach(one -> shown.add(one.status()));
    return Answer.of(200, answer);
  }
}
