package dev.holdfast.node.wiring;

import dev.holdfast.api.search.SearchTargets;
import dev.holdfast.api.stats.TierParts;
import dev.holdfast.blobcache.BlobCache;
import dev.holdfast.blobcache.CacheRoom;
import dev.holdfast.blobcache.region.CacheConfig;
import dev.holdfast.clusterstate.Role;
import dev.holdfast.clusterstate.membership.ClusterNode;
import dev.holdfast.compoundcommit.call.Caller;
import dev.holdfast.compoundcommit.notice.NoticeCalls;
import dev.holdfast.compoundcommit.notice.SearchNotices;
import dev.holdfast.document.MappingFactory;
import dev.holdfast.indexing.IndexingTier;
import dev.holdfast.indexing.call.IndexingCalls;
import dev.holdfast.indexing.call.IndexingShards;
import dev.holdfast.indexing.node.IndexingConfig;
import dev.holdfast.indexing.node.LifeConfig;
import dev.holdfast.indexing.node.LifeConfig.ManualRefreshes;
import dev.holdfast.indexing.sweep.OrphanSweep;
import dev.holdfast.indexing.sweep.SweepCalls;
import dev.holdfast.indexing.sweep.SweepConfig;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.objectstore.Purpose;
import dev.holdfast.objectstore.count.Counting;
import dev.holdfast.objectstore.count.StoreCounters;
import dev.holdfast.objectstore.count.StorePrices;
import dev.holdfast.objectstore.open.StoreClock;
import dev.holdfast.objectstore.retry.Retrying;
import dev.holdfast.routing.NamedNetwork;
import dev.holdfast.routing.RemoteMembers;
import dev.holdfast.routing.RoutedIndexing;
import dev.holdfast.scrub.Scrub;
import dev.holdfast.search.Coordinator;
import dev.holdfast.search.SearchCalls;
import dev.holdfast.search.SearchTier;
import dev.holdfast.search.Searches;
import dev.holdfast.search.node.SearchConfig;
import dev.holdfast.search.node.SearchNode;
import dev.holdfast.search.node.SearchNodes;
import dev.holdfast.settings.BuildFlavor;
import dev.holdfast.settings.CacheSettings;
import dev.holdfast.settings.GarbageSettings;
import dev.holdfast.settings.NodeSettings;
import dev.holdfast.translog.LogConfig;
import dev.holdfast.translog.NodeLog;
import dev.holdfast.world.ByteSize;
import dev.holdfast.world.Network;
import dev.holdfast.world.World;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/// The tiers of this process, as its roles say (§3), and the ways from here to those of others.
public final class TierWiring {
  private static final String SCRATCH = "scratch";
  private static final String SEARCH_SCRATCH = "scratch-search";

  /// Large requests.
  public static final String REQUESTS = "requests";

  /// The part of the heap that operations may take that wait for money.
  private static final int HELD_PART = 8;

  /// The part of the heap that a project's rooms reckon with.
  private static final int PROJECT_PART = 4;

  /// Tries of a read that a client waits for.
  private static final int READ_TRIES_MAX = 4;

  /// And no further one begins so long after the first has failed: a try that is not answered takes
  /// twenty seconds.
  private static final Duration READ_AGAIN_MAX = Duration.ofSeconds(10);

  private final NodeSettings settings;
  private final World world;
  private final ObjectStore store;
  private final StoreCounters counted;
  private final ClusterNode cluster;
  private final Network network;
  private final MappingFactory mappings;
  private final BiConsumer<String, AutoCloseable> opened;
  private final RemoteMembers peers;
  private final String self;
  private final SearchConfig searchConfig;

  private @Nullable SearchTier search;
  private @Nullable NodeLog log;

  /// @param opened hears of each part, in the order of opening
  TierWiring(
      NodeSettings settings,
      World world,
      ObjectStore store,
      StoreCounters counted,
      ClusterNode cluster,
      Network network,
      MappingFactory mappings,
      BiConsumer<String, AutoCloseable> opened) {
    this.settings = settings;
    this.world = world;
    this.store = store;
    this.counted = counted;
    this.cluster = cluster;
    this.network = new NamedNetwork(network, cluster.nodeEphemeralId());
    this.mappings = mappings;
    this.opened = opened;
    this.peers = new RemoteMembers(world, network, cluster);
    this.self = cluster.nodeEphemeralId();
    CacheSettings caches = settings.caches();
    this.searchConfig =
        SearchConfig.of(Runtime.getRuntime().availableProcessors(), heap(settings))
            .withCaches(caches.queriesMax(), caches.queries().bytes(), caches.requests().bytes());
  }

  /// Local files of the tiers, of which nothing outlives the process.
  public static Path[] scratchFolders(NodeSettings settings) {
    return new Path[] {
      settings.data().resolve(SCRATCH),
      settings.data().resolve(SEARCH_SCRATCH),
      settings.data().resolve(REQUESTS)
    };
  }

  /// What clients' requests are given to.
  record Ways(IndexingShards indexing, Searches searches, RemoteMembers peers, TierParts parts) {}

  Ways start() throws IOException, InterruptedException {
    RemoteMembers.serve(network);
    opened("peers", peers);
    boolean isIndexing = settings.roles().contains(Role.INDEX);
    boolean isSearching = settings.roles().contains(Role.SEARCH);
    IndexingTier here = null;
    BlobCache cache = null;
    RoutedIndexing routed;
    if (isIndexing || isSearching) {
      cache =
          opened(
              "blob cache",
              new BlobCache(
                  settings.data().resolve(BlobCache.FOLDER),
                  cacheSize(settings),
                  world,
                  CacheConfig.defaults()));
      here = isIndexing ? indexingTier(cache) : null;
      routed = new RoutedIndexing(world, cluster, peers, self, here);
      if (isSearching) {
        searchTier(cache, routed);
      }
    } else {
      routed = new RoutedIndexing(world, cluster, peers, self, null);
    }
    if (here != null) {
      opened("indexing tier", here);
      IndexingCalls.serve(world, network, here);
      SweepCalls.serve(network, here);
      here.start();
    }
    Coordinator coordinator =
        new Coordinator(
            world,
            searchStore(),
            cluster,
            searchNodes(),
            routed,
            searchConfig,
            self,
            SearchTargets::lookedUp);
    StoreClock storeClock =
        new StoreClock(world, garbageStore(), settings.garbage().clockDifference());
    OrphanSweep sweep = sweep(here, storeClock);
    sweep.start();
    Scrub scrub = scrub();
    scrub.start();
    return new Ways(
        routed,
        coordinator,
        peers,
        new TierParts(here, log, search, cache, sweep, storeClock, scrub));
  }

  private IndexingTier indexingTier(BlobCache cache) throws IOException {
    NodeLog opened =
        opened(
            "translog",
            new NodeLog(
                world,
                StorePurposes.forever(store, Purpose.TRANSLOG, counted, world),
                cluster,
                logConfig(settings),
                counted.pace()));
    log = opened;
    return new IndexingTier(
        world,
        new StorePurposes(store, counted, world),
        opened,
        cluster,
        cluster,
        cache,
        mappings,
        this::ear,
        IndexingConfig.of(heap(settings), Runtime.getRuntime().availableProcessors())
            .withDeletionGrace(settings.garbage().grace())
            .withRepositories(settings.repositories()),
        lifeConfig(settings),
        settings.data().resolve(SCRATCH),
        counted.pace());
  }

  /// Bytes of the heap that are for these rooms.
  private static long heap(NodeSettings settings) {
    return Runtime.getRuntime().maxMemory() / (settings.projects().isWithin() ? PROJECT_PART : 1);
  }

  private void searchTier(BlobCache cache, RoutedIndexing routed) throws IOException {
    SearchTier tier =
        opened(
            "search tier",
            new SearchTier(
                world,
                searchStore(),
                cluster,
                cluster,
                cache,
                mappings,
                routed,
                searchConfig,
                settings.data().resolve(SEARCH_SCRATCH),
                searchNodes()));
    search = tier;
    NoticeCalls.serve(network, tier);
    SearchCalls.serve(network, tier, mappings);
  }

  private ObjectStore searchStore() {
    return Retrying.atMost(
        new Counting(store, Purpose.SEARCH, counted),
        world,
        READ_TRIES_MAX,
        READ_AGAIN_MAX,
        counted.health());
  }

  /// For what need not succeed now.
  private ObjectStore garbageStore() {
    return Retrying.atMost(
        new Counting(store, Purpose.GARBAGE_COLLECTION, counted), world, READ_TRIES_MAX);
  }

  private OrphanSweep sweep(@Nullable IndexingTier here, StoreClock storeClock) {
    GarbageSettings garbage = settings.garbage();
    return new OrphanSweep(
        world,
        StorePurposes.forever(store, Purpose.GARBAGE_COLLECTION, counted, world),
        storeClock,
        cluster,
        cluster,
        member -> member.equals(self) && here != null ? here : SweepCalls.at(peers.member(member)),
        new SweepConfig(
            garbage.sweepEvery(), garbage.sweepDelay(), garbage.grace(), garbage.trash()));
  }

  private Scrub scrub() {
    return new Scrub(
        world,
        Retrying.atMost(new Counting(store, Purpose.SCRUB, counted), world, READ_TRIES_MAX),
        () -> cluster.leaderId().equals(self),
        settings.scrub());
  }

  private SearchNotices ear(String member) {
    SearchTier here = search;
    return member.equals(self) && here != null ? here : NoticeCalls.at(peers.memberInReach(member));
  }

  private SearchNodes searchNodes() {
    return new SearchNodes() {
      @Override
      public SearchNode member(String member) {
        return searchNode(member, peers.memberInReach(member));
      }

      @Override
      public SearchNode onlyMember(String member) {
        return searchNode(member, peers.member(member));
      }
    };
  }

  private SearchNode searchNode(String member, Caller caller) {
    SearchTier here = search;
    return member.equals(self) && here != null
        ? here
        : SearchCalls.at(caller, mappings, searchConfig.queryMax());
  }

  /// Elsewhere's flavour lets clients refresh as they like, and so does a store that charges for
  /// nothing; else there is the paper's budget (§4.1).
  static LifeConfig lifeConfig(NodeSettings settings) {
    LifeConfig defaults = LifeConfig.defaults().withLentFor(settings.garbage().copyDelay());
    return settings.flavor() == BuildFlavor.SERVERLESS && isMetered(settings)
        ? defaults.withManualRefreshes(ManualRefreshes.ofPaper())
        : defaults;
  }

  private static LogConfig logConfig(NodeSettings settings) {
    boolean isFree = StorePrices.of(settings.store()).isFree();
    LogConfig config =
        isFree && !isMetered(settings) ? LogConfig.unmetered() : LogConfig.defaults();
    long held = heap(settings) / HELD_PART;
    return config.withHeldBytesMax(new ByteSize(Math.min(held, config.heldBytesMax().bytes())));
  }

  /// Whether requests to the store cost anything.
  private static boolean isMetered(NodeSettings settings) {
    return !StorePrices.of(settings.store(), settings.storeOptions()).isFree();
  }

  private static ByteSize cacheSize(NodeSettings settings) throws IOException {
    ByteSize size = settings.cacheSize();
    Path data = settings.data();
    return size.bytes() > 0 ? size : CacheRoom.of(data, data.resolve(BlobCache.FOLDER), 1);
  }

  private <T extends AutoCloseable> T opened(String name, T part) {
    opened.accept(name, part);
    return part;
  }
}
