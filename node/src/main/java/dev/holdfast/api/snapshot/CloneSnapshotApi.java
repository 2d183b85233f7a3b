package dev.holdfast.api.snapshot;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.repository.Repositories;
import dev.holdfast.http.Answer;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.indexing.repository.RepositoryStores;
import dev.holdfast.indexing.repository.SnapshotRepository;
import dev.holdfast.indexing.repository.SnapshotRepository.Found;
import dev.holdfast.indexing.snapshot.SnapshotManifest;
import dev.holdfast.indexing.snapshot.SnapshottedIndex;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/// `PUT /_snapshot/{repository}/{snapshot}/_clone/{target}`: another snapshot of some indices of
/// one.
public final class CloneSnapshotApi {
  private final Metadata metadata;
  private final RepositoryStores stores;
  private final SnapshotCreation creation;

  CloneSnapshotApi(Metadata metadata, RepositoryStores stores, SnapshotCreation creation) {
    this.metadata = metadata;
    this.stores = stores;
    this.creation = creation;
  }

  public Answer handle(ApiRequest request) throws Exception {
    String name = request.required("snapshot");
    ObjectNode body = request.body().object();
    SnapshotBodies.requireKnown(body, List.of("indices", "ignore_unavailable"));
    List<String> wanted = SnapshotBodies.names(body, "indices");
    boolean ignoresUnavailable = SnapshotBodies.flag(body, "ignore_unavailable", false);
    CreateSnapshotApi.requireFormats(metadata.current());
    SnapshotRepository repository =
        stores.open(Repositories.of(metadata.current(), request.required("repository")));
    if (wanted.isEmpty()) {
      throw new Refusal(
          ErrorType.ACTION_REQUEST_VALIDATION, "Validation Failed: 1: indices patterns are empty;");
    }
    String target =
        SnapshotNames.resolve(
            repository.name(),
            request.required("target_snapshot"),
            creation.world().clock().epochMillis());
    SnapshotManifest source = source(repository, name);
    SortedMap<String, SnapshottedIndex> indices = indices(source, wanted, ignoresUnavailable);
    if (indices.isEmpty()) {
      throw new Refusal(
          ErrorType.SNAPSHOT_OF_REQUEST,
          "["
              + repository.name()
              + ":"
              + name
              + "] No indices in the source snapshot matched requested pattern ["
              + String.join(",", wanted)
              + "]");
    }
    creation.cloned(repository, source, target, indices);
    return Answer.acknowledged();
  }

  static SnapshotManifest source(SnapshotRepository repository, String name) throws IOException {
    Found found =
        repository.find(name).orElseThrow(() -> SnapshotNames.missing(repository.name(), name));
    SnapshotManifest source = repository.required(found);
    if (!source.state().isFinished()) {
      throw SnapshotNames.missing(repository.name(), name);
    }
    return source;
  }

  /// What a clone says beside its indices. What the source was called by its maker it is not: the
  /// policy that made the source would delete the clone with its own.
  static ObjectNode about(SnapshotManifest source) {
    ObjectNode about = source.about().deepCopy();
    about.putObject("metadata");
    return about;
  }

  private static SortedMap<String, SnapshottedIndex> indices(
      SnapshotManifest source, List<String> wanted, boolean ignoresUnavailable) {
    List<String> all = List.copyOf(source.indices().keySet());
    for (String one : wanted) {
      boolean isPlain = one.indexOf('*') < 0 && !one.equals("_all") && !one.startsWith("-");
      if (isPlain && !all.contains(one) && !ignoresUnavailable) {
        throw Refusal.indexNotFound(one);
      }
    }
    SortedMap<String, SnapshottedIndex> indices = new TreeMap<>();
    for (String one : NamedSnapshots.matching(all, NamedSnapshots.ofIndices(wanted))) {
      indices.put(one, source.indices().get(one));
    }
    return indices;
  }
}
