package dev.holdfast.api.document;

import dev.holdfast.api.indices.resolve.DateMathNames;
import dev.holdfast.api.ingest.IngestDraft;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexId;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.stream.DataStream;
import dev.holdfast.clusterstate.stream.DataStreams;
import dev.holdfast.indexing.operation.WriteOperation.Kind;
import dev.holdfast.world.Clock;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The data streams that indices are behind, for the items of one request: all streams with all
/// their indices are looked through once for each index, not for each item. For one thread.
final class IndexOwners {
  private final Metadata metadata;
  private final Clock clock;
  private final Map<IndexId, Optional<DataStream>> known = new HashMap<>();
  private @Nullable ClusterState state;

  IndexOwners(Metadata metadata, Clock clock) {
    this.metadata = metadata;
    this.clock = clock;
  }

  /// Refuses what the data stream behind a name does not take.
  ///
  /// @param index that the name leads to
  void requireTaken(String name, IndexMetadata index, Kind kind, IngestDraft draft) {
    String plain = DateMathNames.resolve(name, clock.epochMillis());
    DataStream stream = of(index.id());
    StreamWrites.require(stream, plain, index, kind, draft.condition(), draft.routing());
  }

  /// @return null for an index that is behind none
  @SuppressWarnings("ReferenceEquality") // a state is one object
  @Nullable DataStream of(IndexId index) {
    ClusterState now = metadata.current();
    if (state != now) {
      known.clear();
      state = now;
    }
    return known
        .computeIfAbsent(index, id -> Optional.ofNullable(DataStreams.owning(now, id.name())))
        .orElse(null);
  }
}
