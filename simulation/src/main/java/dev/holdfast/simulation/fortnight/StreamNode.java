package dev.holdfast.simulation.fortnight;

import dev.holdfast.api.document.NamedDocument;
import dev.holdfast.api.document.WriteRequests;
import dev.holdfast.api.enrich.EnrichSearches;
import dev.holdfast.api.indices.IndexCreation;
import dev.holdfast.api.indices.StreamCreation;
import dev.holdfast.api.indices.downsample.BackgroundDownsampling;
import dev.holdfast.api.indices.downsample.Downsampling;
import dev.holdfast.api.indices.stream.LifecycleRuns;
import dev.holdfast.api.indices.stream.SeriesRangeRuns;
import dev.holdfast.api.indices.stream.StreamDownsampling;
import dev.holdfast.api.ingest.IngestDraft;
import dev.holdfast.api.ingest.IngestPipelines;
import dev.holdfast.api.ingest.IngestSources;
import dev.holdfast.api.ingest.place.StoredIpDatabases;
import dev.holdfast.api.search.Scrolls;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.document.mapping.StandardMappings;
import dev.holdfast.indexing.call.IndexingShards;
import dev.holdfast.indexing.operation.WriteOperation;
import dev.holdfast.indexing.operation.WriteOperation.Condition;
import dev.holdfast.indexing.operation.WriteOperation.Kind;
import dev.holdfast.indexing.operation.WriteResult;
import dev.holdfast.objectstore.MemoryStore;
import dev.holdfast.objectstore.open.StoreClock;
import dev.holdfast.simulation.cluster.SimulatedNode;
import dev.holdfast.world.World;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// What one life of a node does about streams, wired as the product wires it: it writes to them for
/// its clients, and looks after them while it leads.
final class StreamNode {
  private final Metadata metadata;
  private final StreamCreation streams;
  private final WriteRequests writes;
  private final SeriesRangeRuns ranges;
  private final LifecycleRuns runs;

  /// @param indexing the shards, which say how hard they are written to
  /// @param coarse the same as documents of coarser times are written to them
  StreamNode(SimulatedNode node, IndexingShards indexing, IndexingShards coarse) {
    World world = node.process().world();
    MemoryStore empty = new MemoryStore(); // tells no time, and has no databases
    StoreClock storeClock = new StoreClock(world, empty);
    metadata = node.cluster();
    IndexCreation creation = new IndexCreation(world, metadata, new StandardMappings());
    streams = creation.streams();
    IngestPipelines ingest =
        new IngestPipelines(
            world,
            metadata,
            new IngestSources(
                new EnrichSearches(metadata, node.searches()),
                new StoredIpDatabases(empty, world.clock(), node.folder()),
                (base64, name, charsMax) -> {
                  throw new IllegalStateException("no documents are parsed here");
                }));
    writes = new WriteRequests(world, metadata, indexing, creation, ingest);
    ranges = new SeriesRangeRuns(metadata, world.clock(), node.nodeEphemeralId(), storeClock);
    Downsampling downsampling =
        new Downsampling(
            metadata,
            creation,
            new Scrolls(metadata, node.searches()),
            new WriteRequests(world, metadata, coarse, creation, ingest),
            indexing);
    runs =
        new LifecycleRuns(
            metadata,
            streams,
            indexing,
            world,
            node.nodeEphemeralId(),
            new StreamDownsampling(
                metadata,
                new BackgroundDownsampling(world.tasks(), metadata::current, downsampling::run),
                world.clock(),
                storeClock),
            storeClock);
  }

  /// What became of a document.
  record Written(StreamDocument document, ShardId shard, String id, WriteResult result) {}

  StreamCreation streams() {
    return streams;
  }

  /// Looks after all streams, as a leader.
  ///
  /// @param extendsRanges whether series end later, too
  void look(boolean extendsRanges) throws InterruptedException {
    if (extendsRanges) {
      ranges.run();
    }
    runs.run();
  }

  /// Writes documents of one stream, each to the index that it belongs to.
  List<Written> write(List<StreamDocument> documents) throws IOException, InterruptedException {
    Map<ShardId, List<WriteOperation>> byShard = new LinkedHashMap<>();
    List<ShardId> places = new ArrayList<>();
    List<String> ids = new ArrayList<>();
    for (StreamDocument document : documents) {
      String stream = document.stream;
      byte[] bytes = document.source();
      IndexMetadata named = writes.index(stream, true, false, Kind.CREATE, Condition.NONE, null);
      String given = document.id.isEmpty() ? null : document.id;
      IngestDraft draft =
          IngestDraft.of(stream, given, null, Condition.NONE, bytes, 0, bytes.length);
      NamedDocument at = writes.named(stream, named, Kind.CREATE, draft, Map.of());
      WriteOperation operation =
          new WriteOperation(
              places.size(),
              Kind.CREATE,
              at.id(),
              false,
              null,
              bytes,
              0,
              bytes.length,
              Condition.NONE,
              0);
      ShardId shard = WriteRequests.shard(at.index(), operation);
      byShard.computeIfAbsent(shard, _ -> new ArrayList<>()).add(operation);
      places.add(shard);
      ids.add(at.id());
    }
    WriteResult[] results = new WriteResult[documents.size()];
    writes.write(byShard, results);
    List<Written> written = new ArrayList<>();
    for (int i = 0; i < results.length; i++) {
      written.add(new Written(documents.get(i), places.get(i), ids.get(i), results[i]));
    }
    return written;
  }
}
