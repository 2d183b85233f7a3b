package dev.holdfast.simulation.cluster;

import dev.holdfast.blobcache.BlobCache;
import dev.holdfast.blobcache.region.CacheConfig;
import dev.holdfast.clusterstate.Build;
import dev.holdfast.clusterstate.ClusterConfig;
import dev.holdfast.clusterstate.Member;
import dev.holdfast.clusterstate.Role;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.clusterstate.allocation.ShardLoad;
import dev.holdfast.clusterstate.local.DataFolder;
import dev.holdfast.clusterstate.membership.ClusterNode;
import dev.holdfast.clusterstate.membership.SelfReport;
import dev.holdfast.clusterstate.membership.Surroundings;
import dev.holdfast.compoundcommit.BlobId;
import dev.holdfast.compoundcommit.notice.IndexingReads;
import dev.holdfast.compoundcommit.notice.NoticeCalls;
import dev.holdfast.compoundcommit.notice.SearchNotices;
import dev.holdfast.document.mapping.StandardMappings;
import dev.holdfast.indexing.IndexingTier;
import dev.holdfast.indexing.call.IndexingCalls;
import dev.holdfast.indexing.call.IndexingShards;
import dev.holdfast.indexing.call.ShardOwner;
import dev.holdfast.indexing.node.IndexingConfig;
import dev.holdfast.indexing.node.LifeConfig;
import dev.holdfast.objectstore.budget.SpendingPace;
import dev.holdfast.objectstore.faulty.StoreFaults;
import dev.holdfast.routing.NamedNetwork;
import dev.holdfast.routing.RemoteMembers;
import dev.holdfast.routing.RoutedIndexing;
import dev.holdfast.search.Coordinator;
import dev.holdfast.search.SearchCalls;
import dev.holdfast.search.SearchTier;
import dev.holdfast.search.Searches;
import dev.holdfast.search.node.SearchConfig;
import dev.holdfast.search.node.SearchNode;
import dev.holdfast.simulation.schedule.Scheduler;
import dev.holdfast.simulation.schedule.SimulatedProcess;
import dev.holdfast.translog.LogConfig;
import dev.holdfast.translog.LogReplay;
import dev.holdfast.translog.NodeLog;
import dev.holdfast.world.ByteSize;
import dev.holdfast.world.World;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// One life of a node: the rooms wired as the product wires them, without HTTP, in a process that
/// can be frozen and killed.
public final class SimulatedNode {
  private static final int READ_TRIES_MAX = 4;

  private static final long HEAP_BYTES = 256 << 20;
  private static final SearchConfig SEARCHING = SearchConfig.of(1, 64 << 20);

  private final SimulatedProcess process;
  private final Path folder;
  private final String address;
  private final SortedSet<Role> roles;
  private final ClusterConfig timings;
  private final LifeConfig life;
  private final SimulatedNetwork.Port port;
  private final NodeStore store;
  private final Plant plant;
  private final StoreWatch watch;
  private final Scheduler scheduler;
  private final Deque<AutoCloseable> parts = new ArrayDeque<>();
  private @Nullable DataFolder data;
  private @Nullable ClusterNode cluster;
  private @Nullable IndexingShards indexing;
  private @Nullable Searches searches;
  private @Nullable SearchTier search;
  private @Nullable RemoteMembers called;
  private boolean isServing;
  private boolean isEvicted;

  SimulatedNode(
      Scheduler scheduler,
      SimulatedProcess process,
      Path folder,
      SortedSet<Role> roles,
      SimulatedNetwork network,
      ClusterShape shape,
      StoreWatch watch,
      StoreFaults faults,
      Plant plant) {
    this.scheduler = scheduler;
    this.roles = roles;
    this.timings = shape.timings();
    this.life = shape.life();
    this.address = folder.getFileName() + ":9200"; // a node that comes back has the same
    this.port = network.port(address, process);
    this.process = process;
    this.folder = folder;
    this.plant = plant;
    this.watch = watch;
    this.store = new NodeStore(watch.seenBy(process), process.world(), faults);
  }

  /// Starts the node and returns when it serves, or throws as the product does.
  void start() throws Exception {
    World world = process.world();
    data = opened(DataFolder.lock(folder));
    Member self =
        new Member(
            world.ids().uuid(),
            process.name(),
            address,
            roles,
            HEAP_BYTES,
            world.clock().epochMillis(),
            false,
            Build.here("simulation"));
    port.isOf(self.id());
    LogReplay deadLogs = new LogReplay(world, plant.fenceStore(store.forever()), self.id());
    ClusterNode joined =
        opened(
            ClusterNode.join(
                new Surroundings(
                    plant.clusterWorld(world, timings.claimPollEvery()),
                    plant.clusterStore(store.forever()),
                    port,
                    timings,
                    deadLogs::fence),
                data,
                self,
                report(),
                this::evicted));
    cluster = joined;
    StandardMappings mappings = new StandardMappings();
    String id = joined.nodeEphemeralId();
    NamedNetwork named = new NamedNetwork(port, id);
    RemoteMembers.serve(named);
    RemoteMembers peers = opened(new RemoteMembers(world, named, joined));
    called = peers;
    BlobCache cache =
        opened(
            new BlobCache(
                folder.resolve("cache"), ByteSize.mib(64), world, CacheConfig.defaults()));
    IndexingTier here = roles.contains(Role.INDEX) ? indexingTier(joined, peers, cache) : null;
    ShardOwner owner = here == null ? null : plant.owner(here);
    RoutedIndexing routed = new RoutedIndexing(world, joined, peers, id, owner);
    if (roles.contains(Role.SEARCH)) {
      boolean isAlone = here != null && world.chance().nextInt(2) == 0;
      IndexingReads reads = isAlone ? new RemoteReads(routed) : routed;
      searchTier(joined, named, peers, cache, mappings, reads);
    }
    if (here != null) {
      opened(here);
      IndexingCalls.serve(world, named, plant.owner(here));
      here.start();
    }
    indexing = routed;
    searches =
        new Coordinator(
            world,
            store.forever(),
            joined,
            member -> searchNode(peers, mappings, member),
            routed,
            SEARCHING,
            id);
    isServing = true;
  }

  /// Nothing but whom this node calls in vain.
  private SelfReport report() {
    return new SelfReport() {
      @Override
      public Map<ShardId, ShardLoad> loads() {
        return Map.of();
      }

      @Override
      public Set<ShardId> open() {
        return Set.of();
      }

      @Override
      public SortedSet<String> unreached() {
        return called == null ? Collections.emptySortedSet() : called.lost();
      }
    };
  }

  private IndexingTier indexingTier(ClusterNode joined, RemoteMembers peers, BlobCache cache)
      throws IOException {
    World world = process.world();
    NodeLog log =
        opened(
            new NodeLog(
                world,
                plant.logStore(store.forever(plant::logTries), joined),
                joined,
                LogConfig.defaults()));
    return new IndexingTier(
        world,
        plant.shardStore(store.forever(), new AtomicReference<>(log)),
        plant.log(new WatchedLog(log, joined.nodeEphemeralId(), watch), scheduler),
        new UnsureMetadata(world, plant.metadata(joined)),
        plant.ownership(joined),
        cache,
        new StandardMappings(),
        member -> plant.notices(ear(peers, member)),
        indexingConfig(),
        life,
        folder.resolve("scratch"),
        SpendingPace.unlimited());
  }

  private void searchTier(
      ClusterNode joined,
      NamedNetwork named,
      RemoteMembers peers,
      BlobCache cache,
      StandardMappings mappings,
      IndexingReads reads)
      throws IOException {
    World world = process.world();
    SearchTier tier =
        opened(
            new SearchTier(
                world,
                store.atMost(READ_TRIES_MAX),
                joined,
                plant.ownership(joined),
                cache,
                mappings,
                reads,
                SEARCHING,
                folder.resolve("scratch-search"),
                member -> searchNode(peers, mappings, member)));
    search = tier;
    NoticeCalls.serve(named, tier);
    SearchCalls.serve(named, tier, mappings);
  }

  private SearchNotices ear(RemoteMembers peers, String member) {
    SearchTier here = search;
    return member.equals(nodeEphemeralId()) && here != null
        ? here
        : NoticeCalls.at(peers.memberInReach(member));
  }

  private SearchNode searchNode(RemoteMembers peers, StandardMappings mappings, String member) {
    SearchTier here = search;
    return member.equals(nodeEphemeralId()) && here != null
        ? here
        : SearchCalls.at(peers.memberInReach(member), mappings, SEARCHING.queryMax());
  }

  private void evicted(String why) {
    if (isServing && !store.isBuried() && why.contains("can't be written")) {
      watch.gaveUp(process, why);
    }
    isEvicted = true;
    port.tell("evicted");
    scheduler.tell("evicted " + process + ": " + why);
  }

  /// What searches read here now.
  SortedSet<BlobId> blobsRead(ShardId shard) {
    SearchTier here = search;
    return here == null || !isServing ? new TreeSet<>() : here.read(shard).blobs();
  }

  /// Everything happens sooner than in production: more of it in a simulated minute.
  private static IndexingConfig indexingConfig() {
    return IndexingConfig.of(64 << 20, 2)
        .withUploads(ByteSize.kib(256), 4, Duration.ofSeconds(3))
        .withRefreshInterval(Duration.ofSeconds(2))
        .withDeletionGrace(Duration.ofSeconds(1))
        .withMarkEvery(Duration.ofSeconds(2));
  }

  private <T extends AutoCloseable> T opened(T part) {
    parts.push(part);
    return part;
  }

  public SimulatedProcess process() {
    return process;
  }

  public String address() {
    return address;
  }

  public SortedSet<Role> roles() {
    return roles;
  }

  public Path folder() {
    return folder;
  }

  public boolean isServing() {
    return isServing && !process.isDead();
  }

  public boolean isEvicted() {
    return isEvicted;
  }

  public String nodeEphemeralId() {
    return cluster == null ? "" : cluster.nodeEphemeralId();
  }

  public ClusterNode cluster() {
    return known(cluster);
  }

  public IndexingShards indexing() {
    return known(indexing);
  }

  public Searches searches() {
    return known(searches);
  }

  private static <T> T known(@Nullable T part) {
    if (part == null) {
      throw new IllegalStateException("the node does not serve yet");
    }
    return part;
  }

  public NodeStore store() {
    return store;
  }

  /// A clean stop: shards first go to others, as far as there are others.
  void stop() throws InterruptedException {
    if (cluster != null) {
      cluster.drain();
    }
    isServing = false;
    closeParts();
  }

  /// The process dies here and now; the machine lets go of its folder.
  void kill() {
    isServing = false;
    process.kill();
    port.close();
    DataFolder locked = data;
    if (locked != null) {
      try {
        locked.close();
      } catch (IOException e) {
        scheduler.note("the folder was let go of before");
      }
    }
  }

  /// Gives back what the dead process took of this machine. Nothing that happens now can be seen.
  void bury() {
    store.bury();
    process.bury();
    closeParts();
    process.world().tasks().close();
  }

  private void closeParts() {
    while (!parts.isEmpty()) {
      try {
        parts.pop().close();
      } catch (Exception e) {
        scheduler.note("not closed cleanly");
      }
    }
  }
}
