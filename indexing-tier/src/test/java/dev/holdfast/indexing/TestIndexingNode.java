package dev.holdfast.indexing;

import dev.holdfast.blobcache.BlobCache;
import dev.holdfast.blobcache.region.CacheConfig;
import dev.holdfast.clusterstate.Build;
import dev.holdfast.clusterstate.ClusterConfig;
import dev.holdfast.clusterstate.IndexId;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.IndexOrigin;
import dev.holdfast.clusterstate.Member;
import dev.holdfast.clusterstate.Role;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.clusterstate.local.DataFolder;
import dev.holdfast.clusterstate.membership.ClusterNode;
import dev.holdfast.clusterstate.membership.SelfReport;
import dev.holdfast.clusterstate.membership.Surroundings;
import dev.holdfast.document.mapping.StandardMappings;
import dev.holdfast.indexing.node.IndexingConfig;
import dev.holdfast.indexing.node.LifeConfig;
import dev.holdfast.indexing.operation.WriteOperation;
import dev.holdfast.indexing.operation.WriteOperation.Condition;
import dev.holdfast.indexing.operation.WriteOperation.Kind;
import dev.holdfast.indexing.operation.WriteResult;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.objectstore.budget.SpendingPace;
import dev.holdfast.translog.LogConfig;
import dev.holdfast.translog.NodeLog;
import dev.holdfast.world.ByteSize;
import dev.holdfast.world.Json;
import dev.holdfast.world.MemoryNetwork;
import dev.holdfast.world.ThreadShortage;
import dev.holdfast.world.World;
import dev.holdfast.world.real.RealWorld;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// One process with the indexing tier in it, over real everything: cluster state, log, cache,
/// mappings and a small search tier.
public final class TestIndexingNode {
  /// What the node's threads come from.
  public final ThreadShortage threads = new ThreadShortage(RealWorld.create().tasks());

  public final World world = threads.in(RealWorld.create());
  final DataFolder data;
  public final ClusterNode cluster;

  /// The cluster state as the tier changes it.
  public final HeldChanges changes;

  /// How fast its uploads may cost money; not its log.
  public final SpendingPace pace;

  final NodeLog log;
  final BlobCache cache;
  public final SearchCopy search;
  public final IndexingTier tier;
  final List<String> evictions = new CopyOnWriteArrayList<>();

  public TestIndexingNode(ObjectStore store, Path folder, IndexingConfig config) throws Exception {
    this(store, folder, folder, config);
  }

  /// @param dataFolder remembers which node is dead
  public TestIndexingNode(ObjectStore store, Path dataFolder, Path folder, IndexingConfig config)
      throws Exception {
    data = DataFolder.lock(dataFolder);
    Surroundings around =
        new Surroundings(
            world,
            store,
            new MemoryNetwork(world).at("127.0.0.1:9200"),
            ClusterConfig.defaults(),
            (node, durable, leads) -> {});
    Member self =
        new Member(
            world.ids().uuid(),
            "node",
            "127.0.0.1:9200",
            new TreeSet<>(List.of(Role.values())),
            1 << 30,
            0,
            false,
            Build.here("test"));
    cluster = ClusterNode.join(around, data, self, SelfReport.NOTHING, evictions::add);
    changes = new HeldChanges(cluster);
    pace = new SpendingPace(world.clock()::nanoTime, 5e-6);
    log = new NodeLog(world, store, cluster, LogConfig.unmetered());
    cache = new BlobCache(folder.resolve("cache"), ByteSize.mib(64), world, CacheConfig.defaults());
    search = new SearchCopy(store, cache);
    tier =
        new IndexingTier(
            world,
            store,
            log,
            changes,
            cluster,
            cache,
            new StandardMappings(),
            member -> search,
            config,
            LifeConfig.defaults().withDivisionPace(0),
            folder.resolve("scratch"),
            pace);
    search.reads(tier);
    tier.start();
  }

  /// Waits until every shard of an open index is open here.
  public void awaitShards() throws InterruptedException {
    for (IndexMetadata index : cluster.current().indices().values()) {
      for (int number = 0; index.isOpen() && number < index.shards(); number++) {
        tier.awaitOpen(new ShardId(index.id(), number));
      }
    }
  }

  /// Defaults, but nothing happens by itself and blobs go at once.
  public static IndexingConfig config() {
    IndexingConfig defaults = IndexingConfig.of(1L << 30, 2);
    return defaults
        .withReplayMax(defaults.uploads().replayMax(), Integer.MAX_VALUE)
        .withRefreshInterval(java.time.Duration.ofHours(1))
        .withMarkEvery(java.time.Duration.ZERO)
        .withDeletionGrace(java.time.Duration.ZERO);
  }

  public ShardId create(String name) throws InterruptedException {
    return create(name, 1, null).getFirst();
  }

  /// @param origin what it begins with; null for nothing
  public List<ShardId> create(String name, int shards, @Nullable IndexOrigin origin)
      throws InterruptedException {
    IndexId id = new IndexId(name, "uuid-" + name);
    cluster.update(
        "create",
        state ->
            state.withIndex(
                new IndexMetadata(
                    id,
                    shards,
                    new TreeMap<>(Map.of("index.number_of_shards", Integer.toString(shards))),
                    1,
                    Json.object(),
                    1,
                    new TreeMap<>(),
                    true,
                    Collections.nCopies(shards, 0L),
                    origin,
                    Json.object())));
    return IntStream.range(0, shards).mapToObj(number -> new ShardId(id, number)).toList();
  }

  public List<WriteResult> write(ShardId shard, WriteOperation... operations)
      throws IOException, InterruptedException {
    return tier.write(shard, List.of(operations));
  }

  public WriteResult.Done done(ShardId shard, WriteOperation operation)
      throws IOException, InterruptedException {
    return switch (write(shard, operation).getFirst()) {
      case WriteResult.Done done -> done;
      case WriteResult.Refused refused -> throw refused.refusal();
    };
  }

  public static WriteOperation index(String id, String json) {
    return operation(Kind.INDEX, id, json, Condition.NONE, 0);
  }

  public static WriteOperation append(String id, String json) {
    byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
    return new WriteOperation(
        0, Kind.CREATE, id, true, null, bytes, 0, bytes.length, Condition.NONE, 0);
  }

  public static WriteOperation delete(String id) {
    return operation(Kind.DELETE, id, "", Condition.NONE, 0);
  }

  public static WriteOperation update(String id, String json) {
    return operation(Kind.UPDATE, id, json, Condition.NONE, 3);
  }

  public static WriteOperation operation(
      Kind kind, String id, String json, Condition condition, int retries) {
    byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
    return new WriteOperation(0, kind, id, false, null, bytes, 0, bytes.length, condition, retries);
  }

  public @Nullable String source(ShardId shard, String id) throws IOException {
    byte[] source = tier.get(shard, id).source();
    return source == null ? null : SearchCopy.text(source);
  }

  /// The process dies: its threads stop where they are, nothing is closed.
  public void crash() throws IOException {
    world.tasks().close(); // waits for merges: a dead process would not go on writing files either
    data.close();
  }

  /// The process stops cleanly.
  public void close() throws Exception {
    tier.close();
    log.close();
    cluster.close();
    List<AutoCloseable> rest = new ArrayList<>(List.of(cache, data));
    world.tasks().close();
    for (AutoCloseable one : rest) {
      one.close();
    }
  }
}
