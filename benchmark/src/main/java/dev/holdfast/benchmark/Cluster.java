package dev.holdfast.benchmark;

import dev.holdfast.blobcache.BlobCache;
import dev.holdfast.blobcache.region.CacheConfig;
import dev.holdfast.clusterstate.Build;
import dev.holdfast.clusterstate.ClusterConfig;
import dev.holdfast.clusterstate.IndexId;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.Member;
import dev.holdfast.clusterstate.Role;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.clusterstate.local.DataFolder;
import dev.holdfast.clusterstate.membership.ClusterNode;
import dev.holdfast.clusterstate.membership.SelfReport;
import dev.holdfast.clusterstate.membership.Surroundings;
import dev.holdfast.compoundcommit.BlobId;
import dev.holdfast.compoundcommit.notice.CommitNotice;
import dev.holdfast.compoundcommit.notice.IndexingReads;
import dev.holdfast.compoundcommit.store.CommitStore;
import dev.holdfast.document.mapping.StandardMappings;
import dev.holdfast.indexing.IndexingTier;
import dev.holdfast.indexing.node.IndexingConfig;
import dev.holdfast.indexing.node.LifeConfig;
import dev.holdfast.indexing.operation.WriteOperation;
import dev.holdfast.indexing.operation.WriteResult;
import dev.holdfast.objectstore.MemoryStore;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.objectstore.Purpose;
import dev.holdfast.objectstore.RequestKind;
import dev.holdfast.objectstore.budget.SpendingPace;
import dev.holdfast.objectstore.count.Counting;
import dev.holdfast.objectstore.count.StoreCounters;
import dev.holdfast.objectstore.count.StorePrices;
import dev.holdfast.objectstore.faulty.Faulty;
import dev.holdfast.objectstore.faulty.StoreFaults;
import dev.holdfast.search.Coordinator;
import dev.holdfast.search.SearchTier;
import dev.holdfast.search.Searches;
import dev.holdfast.search.node.SearchConfig;
import dev.holdfast.translog.LogConfig;
import dev.holdfast.translog.NodeLog;
import dev.holdfast.world.ByteSize;
import dev.holdfast.world.Json;
import dev.holdfast.world.World;
import dev.holdfast.world.real.RealWorld;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.LongAdder;

/// An indexing node and a search node in one process (§8.1), each with a cache of its own, over a
/// store in memory whose requests take as long as they are told to. What the nodes say to each
/// other is counted.
final class Cluster implements AutoCloseable {
  final World world = RealWorld.create();
  final StoreCounters counters = new StoreCounters(StorePrices.S3_STANDARD);
  final LongAdder chunkBytes = new LongAdder();
  final LongAdder chunks = new LongAdder();
  final IndexingTier indexing;
  final SearchTier search;
  final Searches searches;
  final NodeLog log;
  final ShardId shard;
  private final Faulty store;
  private final ClusterNode cluster;
  private final List<AutoCloseable> parts = new ArrayList<>();

  Cluster(Path folder, LogConfig logConfig, IndexingConfig indexingConfig) throws Exception {
    store = new Faulty(new MemoryStore(), world, StoreFaults.NONE);
    DataFolder data = DataFolder.lock(folder.resolve("data"));
    Member self =
        new Member(
            world.ids().uuid(),
            "benchmark",
            "127.0.0.1:9200",
            new TreeSet<>(List.of(Role.INDEX, Role.SEARCH)),
            Runtime.getRuntime().maxMemory(),
            0,
            false,
            Build.here("benchmark"));
    cluster =
        ClusterNode.join(
            new Surroundings(
                world,
                store,
                new NoNetwork(),
                ClusterConfig.defaults(),
                (member, durable, leads) -> {}),
            data,
            self,
            SelfReport.NOTHING,
            why -> {});
    log = new NodeLog(world, counted(Purpose.TRANSLOG), cluster, logConfig);
    BlobCache indexingCache = cache(folder.resolve("indexing-cache"));
    BlobCache searchCache = cache(folder.resolve("search-cache"));
    Notices notices = new Notices();
    StandardMappings mappings = new StandardMappings();
    indexing =
        new IndexingTier(
            world,
            counted(Purpose.COMMIT_UPLOAD),
            log,
            cluster,
            cluster,
            indexingCache,
            mappings,
            notices,
            indexingConfig,
            LifeConfig.defaults(),
            folder.resolve("scratch"),
            SpendingPace.unlimited());
    search =
        new SearchTier(
            world,
            counted(Purpose.SEARCH),
            cluster,
            cluster,
            searchCache,
            mappings,
            new Wire(),
            SearchConfig.of(2, 256 << 20),
            folder.resolve("scratch-search"),
            null);
    notices.search = search;
    searches =
        new Coordinator(
            world,
            counted(Purpose.SEARCH),
            cluster,
            _ -> search,
            new Wire(),
            SearchConfig.of(2, 256 << 20),
            cluster.nodeEphemeralId());
    indexing.start();
    shard = create();
    indexing.awaitOpen(shard);
    parts.addAll(List.of(indexing, search, log, cluster, searchCache, indexingCache, data));
  }

  private ObjectStore counted(Purpose purpose) {
    return new Counting(store, purpose, counters);
  }

  private BlobCache cache(Path folder) throws IOException {
    return new BlobCache(folder, ByteSize.mib(512), world, CacheConfig.defaults());
  }

  /// From now on every request takes so long.
  void latency(double millis) {
    store.faults(StoreFaults.NONE.withLatency(millis, millis * 1.1));
  }

  private ShardId create() throws InterruptedException {
    IndexId id = new IndexId("figure", "figure");
    var _ =
        cluster.update(
            "create",
            state ->
                state.withIndex(
                    new IndexMetadata(
                        id,
                        1,
                        new TreeMap<>(Map.of("index.number_of_shards", "1")),
                        1,
                        Json.parseObject("{\"properties\":{\"field\":{\"type\":\"keyword\"}}}"),
                        1,
                        new TreeMap<>(),
                        true,
                        List.of(1L))));
    return new ShardId(id, 0);
  }

  /// Writes documents by number, with a random field of 25 characters; returns when they are
  /// acknowledged.
  void write(List<Integer> numbers, java.util.Random random)
      throws IOException, InterruptedException {
    List<WriteOperation> operations = new ArrayList<>();
    for (int number : numbers) {
      byte[] bytes =
          ("{\"field\":\"" + characters(random) + "\"}").getBytes(StandardCharsets.UTF_8);
      operations.add(
          new WriteOperation(
              operations.size(),
              WriteOperation.Kind.INDEX,
              Integer.toString(number),
              false,
              null,
              bytes,
              0,
              bytes.length,
              WriteOperation.Condition.NONE,
              0));
    }
    for (WriteResult result : indexing.write(shard, operations)) {
      if (result instanceof WriteResult.Refused refused) {
        throw refused.refusal();
      }
    }
  }

  private static String characters(java.util.Random random) {
    StringBuilder characters = new StringBuilder(25);
    for (int i = 0; i < 25; i++) {
      characters.append((char) ('a' + random.nextInt(26)));
    }
    return characters.toString();
  }

  /// How many commits each blob of the shard holds, the newest blob first.
  List<Integer> commitsByBlob() throws IOException {
    CommitStore blobs = new CommitStore(store, shard);
    List<Integer> counts = new ArrayList<>();
    for (BlobId blob : blobs.list()) {
      counts.add(blobs.commits(blob).size());
    }
    return counts;
  }

  long requests(Purpose purpose, RequestKind kind) {
    return counters.snapshot().stream()
        .filter(line -> line.purpose() == purpose && line.kind() == kind)
        .mapToLong(StoreCounters.Line::requests)
        .sum();
  }

  @Override
  public void close() throws IOException {
    latency(0);
    try {
      for (AutoCloseable part : parts) {
        part.close();
      }
    } catch (IOException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IOException("the cluster did not stop", e);
    } finally {
      world.tasks().close();
    }
  }

  /// The indexing node as the search node sees it over a wire: no local files.
  private final class Wire implements IndexingReads {
    @Override
    public Optional<byte[]> chunk(ShardId of, BlobId blob, long offset, int length)
        throws IOException {
      Optional<byte[]> chunk = indexing.chunk(of, blob, offset, length);
      chunks.increment();
      chunkBytes.add(chunk.map(bytes -> bytes.length).orElse(0));
      return chunk;
    }

    @Override
    public Optional<Path> localFile(ShardId of, String file) {
      return Optional.empty();
    }

    @Override
    public RealTimeDocument get(ShardId of, String id) throws IOException {
      return indexing.get(of, id);
    }

    @Override
    public CommitNotice newest(ShardId of, String member, long stateVersion)
        throws IOException, InterruptedException {
      return indexing.newest(of, member, stateVersion);
    }

    @Override
    public void searched(ShardId of) throws IOException, InterruptedException {
      indexing.searched(of);
    }

    @Override
    public void upload(ShardId of) throws IOException, InterruptedException {
      indexing.upload(of);
    }
  }

  /// Defaults with other bounds for a batch, looked at more often than usual.
  static IndexingConfig indexing(int commitsMax, Duration refreshInterval) {
    IndexingConfig d = IndexingConfig.of(1L << 30, 2);
    return new IndexingConfig(
        new IndexingConfig.Refreshes(
            refreshInterval, d.refreshes().intervalMin(), d.refreshes().waitersMax()),
        new IndexingConfig.Uploads(
            d.uploads().size(),
            commitsMax,
            d.uploads().age(),
            d.uploads().noticeMax(),
            d.uploads().replayMax(),
            d.uploads().replayFilesMax(),
            d.uploads().markEvery()),
        d.memory(),
        d.deletionGrace(),
        d.rowsMax(),
        d.deletesRemembered(),
        d.mappingRoundsMax(),
        d.openingMax(),
        d.closingMax(),
        Duration.ofMillis(2),
        d.threads(),
        d.queueMax(),
        d.repositories());
  }
}
