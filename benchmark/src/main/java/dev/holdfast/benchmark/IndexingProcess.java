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
import dev.holdfast.document.mapping.StandardMappings;
import dev.holdfast.indexing.IndexingTier;
import dev.holdfast.indexing.node.IndexingConfig;
import dev.holdfast.indexing.node.LifeConfig;
import dev.holdfast.indexing.operation.WriteOperation;
import dev.holdfast.indexing.operation.WriteResult;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.objectstore.budget.SpendingPace;
import dev.holdfast.objectstore.faulty.Faulty;
import dev.holdfast.objectstore.faulty.StoreFaults;
import dev.holdfast.objectstore.retry.Retrying;
import dev.holdfast.translog.LogConfig;
import dev.holdfast.translog.LogReplay;
import dev.holdfast.translog.NodeLog;
import dev.holdfast.world.ByteSize;
import dev.holdfast.world.Json;
import dev.holdfast.world.Network;
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

/// One life of an indexing node, wired as the product wires it, without HTTP: over a store that
/// others use too, and whose requests take as long as they are told to. It can be killed.
final class IndexingProcess implements AutoCloseable {
  final World world = RealWorld.create();
  final ClusterNode cluster;
  final IndexingTier tier;
  private final LocalNetwork network;
  private final String address;
  private final Faulty store;
  private final DataFolder data;
  private final BlobCache cache;
  private final NodeLog log;

  /// Joins the cluster; its shards open in [IndexingTier#start].
  ///
  /// @param folder of this process alone; a process that was killed there is known to be dead
  IndexingProcess(
      Path folder,
      ObjectStore shared,
      LocalNetwork network,
      LogConfig logConfig,
      IndexingConfig config,
      LifeConfig life)
      throws IOException, InterruptedException {
    this.network = network;
    address = folder.getFileName() + ":9300";
    store = new Faulty(shared, world, StoreFaults.NONE);
    data = DataFolder.lock(folder.resolve("data"));
    Network wire = network.at(address, world);
    Member self =
        new Member(
            world.ids().uuid(),
            String.valueOf(folder.getFileName()),
            address,
            new TreeSet<>(List.of(Role.INDEX)),
            Runtime.getRuntime().maxMemory(),
            0,
            false,
            Build.here("benchmark"));
    LogReplay deadLogs = new LogReplay(world, forever(), self.id());
    cluster =
        ClusterNode.join(
            new Surroundings(world, forever(), wire, ClusterConfig.defaults(), deadLogs::fence),
            data,
            self,
            SelfReport.NOTHING,
            why -> {});
    log = new NodeLog(world, forever(), cluster, logConfig);
    cache =
        new BlobCache(folder.resolve("cache"), ByteSize.mib(512), world, CacheConfig.defaults());
    tier =
        new IndexingTier(
            world,
            forever(),
            log,
            cluster,
            cluster,
            cache,
            new StandardMappings(),
            new Notices(),
            config,
            life,
            folder.resolve("scratch"),
            SpendingPace.unlimited());
  }

  private Retrying forever() {
    return Retrying.forever(store, world);
  }

  /// From now on requests take so long: log-normal between the two.
  void latency(double medianMillis, double p99Millis) {
    store.faults(StoreFaults.NONE.withLatency(medianMillis, p99Millis));
  }

  /// Indices of that mapping, in one update of the state, and their shards.
  List<ShardId> create(List<String> names, int shards, String mapping) throws InterruptedException {
    List<ShardId> created = new ArrayList<>();
    List<IndexMetadata> indices = new ArrayList<>();
    for (String name : names) {
      IndexId id = new IndexId(name, world.ids().uuid());
      indices.add(
          new IndexMetadata(
              id,
              shards,
              new TreeMap<>(Map.of("index.number_of_shards", Integer.toString(shards))),
              1,
              Json.parseObject(mapping),
              1,
              new TreeMap<>(),
              true,
              Collections.nCopies(shards, 0L)));
      for (int number = 0; number < shards; number++) {
        created.add(new ShardId(id, number));
      }
    }
    var _ =
        cluster.update(
            "create",
            state -> {
              var changed = state;
              for (IndexMetadata index : indices) {
                changed = changed.withIndex(index);
              }
              return changed;
            });
    return created;
  }

  /// Writes documents under ids of the client's; returns when they are acknowledged.
  void write(ShardId shard, Map<String, String> documents)
      throws IOException, InterruptedException {
    List<WriteOperation> operations = new ArrayList<>();
    documents.forEach((id, json) -> {
      byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
      operations.add(
          new WriteOperation(
              operations.size(),
              WriteOperation.Kind.INDEX,
              id,
              false,
              null,
              bytes,
              0,
              bytes.length,
              WriteOperation.Condition.NONE,
              0));
    });
    for (WriteResult result : tier.write(shard, operations)) {
      if (result instanceof WriteResult.Refused refused) {
        throw refused.refusal();
      }
    }
  }

  /// The process dies: nothing of it runs, or reaches the store.
  void kill() throws IOException {
    network.kill(address);
    store.outage(true);
    world.tasks().close();
    data.close();
    cache.close();
  }

  @Override
  public void close() throws IOException {
    latency(0, 0);
    tier.close();
    log.close();
    cluster.close();
    network.kill(address);
    world.tasks().close();
    cache.close();
    data.close();
  }
}
