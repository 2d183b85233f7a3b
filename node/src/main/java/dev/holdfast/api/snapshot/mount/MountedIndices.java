package dev.holdfast.api.snapshot.mount;

import dev.holdfast.api.indices.resolve.IndexExpression;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/// Indices that are mounted, by their settings.
public final class MountedIndices {
  /// Set by `_mount` alone, as those that follow.
  public static final String REPOSITORY = "index.store.snapshot.repository_name";

  public static final String SNAPSHOT = "index.store.snapshot.snapshot_name";
  public static final String SNAPSHOT_UUID = "index.store.snapshot.snapshot_uuid";
  public static final String INDEX = "index.store.snapshot.index_name";
  public static final String INDEX_UUID = "index.store.snapshot.index_uuid";
  public static final String PARTIAL = "index.store.snapshot.partial";

  private static final String TYPE = "index.store.type";

  private MountedIndices() {}

  /// What says of an index that it is mounted.
  ///
  /// @param isPartial whether a shared cache was asked for, and no full copy
  public static SortedMap<String, Object> settings(
      String repository,
      String snapshot,
      String snapshotUuid,
      String index,
      String indexUuid,
      boolean isPartial) {
    SortedMap<String, Object> settings = new TreeMap<>();
    settings.put(TYPE, "snapshot");
    settings.put(REPOSITORY, repository);
    settings.put(SNAPSHOT, snapshot);
    settings.put(SNAPSHOT_UUID, snapshotUuid);
    settings.put(INDEX, index);
    settings.put(INDEX_UUID, indexUuid);
    if (isPartial) {
      settings.put(PARTIAL, "true");
    }
    return settings;
  }

  static boolean isMounted(IndexMetadata index) {
    return index.settings().containsKey(SNAPSHOT);
  }

  /// The mounted ones among those that a request names.
  ///
  /// @throws Refusal 404 when there is none
  static List<IndexMetadata> of(ClusterState state, ApiRequest request) {
    List<IndexMetadata> mounted =
        IndexExpression.resolve(
                state, request.text("index", ""), IndexExpression.Options.SEARCH.of(request))
            .stream()
            .filter(MountedIndices::isMounted)
            .toList();
    if (mounted.isEmpty()) {
      throw new Refusal(ErrorType.RESOURCE_NOT_FOUND, "No searchable snapshots indices found");
    }
    return mounted;
  }
}
