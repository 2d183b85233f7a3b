package dev.holdfast.node;

import dev.holdfast.blobcache.BlobCache;
import dev.holdfast.blobcache.CacheConfig;
import dev.holdfast.clusterstate.ClusterNode;
import dev.holdfast.clusterstate.DataFolder;
import dev.holdfast.document.StandardMappings;
import dev.holdfast.indexing.IndexingConfig;
import dev.holdfast.indexing.IndexingTier;
import dev.holdfast.node.api.Apis;
import dev.holdfast.node.http.HttpCounters;
import dev.holdfast.node.http.HttpLimits;
import dev.holdfast.node.http.HttpServer;
import dev.holdfast.node.http.RequestBytes;
import dev.holdfast.node.settings.NodeSettings;
import dev.holdfast.objectstore.Counting;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.objectstore.Purpose;
import dev.holdfast.objectstore.Retrying;
import dev.holdfast.objectstore.StoreCounters;
import dev.holdfast.objectstore.StorePrices;
import dev.holdfast.objectstore.StoreProbe;
import dev.holdfast.objectstore.Stores;
import dev.holdfast.search.SearchConfig;
import dev.holdfast.search.SearchTier;
import dev.holdfast.translog.LogConfig;
import dev.holdfast.translog.NodeLog;
import dev.holdfast.world.ByteSize;
import dev.holdfast.world.World;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A running node: the rooms, wired, behind an HTTP port.
public final class Node implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Node.class);

  /// Tries of a read that a client waits for.
  private static final int READ_TRIES_MAX = 4;

  /// The share of the heap that request bodies may take: 15 of 100.
  private static final int REQUESTS_HEAP_PERCENT = 15;

  private final NodeIdentity identity;
  private final Deque<Part> parts;

  private Node(NodeIdentity identity, Deque<Part> parts) {
    this.identity = identity;
    this.parts = parts;
  }

  /// Something that was opened and is closed in reverse order.
  private record Part(String name, AutoCloseable closing) {}

  /// Starts a node and returns when it serves.
  ///
  /// @param onEvicted told once when the node lost its membership: the process must stop
  /// @throws Exception for people: [StartFailure#sentence] makes it one line; nothing is left open
  public static Node start(NodeSettings settings, World outside, Consumer<String> onEvicted)
      throws Exception {
    Deque<Part> parts = new ArrayDeque<>();
    RecordingTasks tasks = new RecordingTasks(outside.tasks());
    World world =
        new World(outside.clock(), outside.sleeper(), outside.ids(), outside.chance(), tasks);
    try {
      return start(settings, world, tasks, onEvicted, parts);
    } catch (Throwable e) {
      closeAll(parts);
      throw e;
    }
  }

  private static Node start(
      NodeSettings settings,
      World world,
      RecordingTasks tasks,
      Consumer<String> onEvicted,
      Deque<Part> parts)
      throws Exception {
    long startMillis = world.clock().epochMillis();
    int port = port(settings);
    parts.push(new Part("threads", world.tasks()));
    DataFolder data = opened(parts, "data folder", DataFolder.lock(settings.data()));
    ObjectStore store =
        opened(parts, "store", Stores.open(settings.store(), settings.storeOptions(), world));
    StoreProbe.check(store, world);
    StoreCounters counted = new StoreCounters(StorePrices.of(settings.store()));

    ClusterNode cluster =
        opened(
            parts,
            "cluster",
            ClusterNode.join(
                world,
                StorePurposes.forever(store, Purpose.CLUSTER_STATE, counted, world),
                data,
                settings.host() + ":" + port,
                onEvicted));
    NodeLog log =
        opened(
            parts,
            "translog",
            new NodeLog(
                world,
                StorePurposes.forever(store, Purpose.TRANSLOG, counted, world),
                cluster,
                logConfig(settings)));
    Path scratch = settings.data().resolve("scratch");
    BlobCache cache =
        opened(
            parts,
            "blob cache",
            new BlobCache(
                settings.data().resolve("cache"),
                cacheSize(settings),
                world,
                CacheConfig.defaults()));

    StandardMappings mappings = new StandardMappings();
    Notices notices = new Notices();
    IndexingTier indexing =
        new IndexingTier(
            world,
            new StorePurposes(store, counted, world),
            log,
            cluster,
            cluster,
            cache,
            mappings,
            notices,
            IndexingConfig.defaults(),
            scratch);
    SearchTier search =
        opened(
            parts,
            "search tier",
            new SearchTier(
                world,
                Retrying.atMost(
                    new Counting(store, Purpose.SEARCH, counted), world, READ_TRIES_MAX),
                cluster,
                cache,
                mappings,
                indexing,
                SearchConfig.of(
                    Runtime.getRuntime().availableProcessors(), Runtime.getRuntime().maxMemory())));
    notices.connect(search);
    opened(parts, "indexing tier", indexing);
    indexing.start();

    NodeIdentity identity =
        new NodeIdentity(
            cluster.nodeEphemeralId(),
            settings.nodeName(),
            settings.host(),
            port,
            settings.roles(),
            startMillis);
    RequestBytes requestBytes =
        new RequestBytes(Runtime.getRuntime().maxMemory() / 100 * REQUESTS_HEAP_PERCENT);
    HttpCounters http = new HttpCounters();
    Connections connections = new Connections();
    Instruments instruments =
        new Instruments(counted, http, requestBytes, connections, tasks.pools());
    Rooms rooms =
        new Rooms(world, settings, identity, cluster, mappings, indexing, search, instruments);
    HttpServer server = serve(settings, port, rooms);
    connections.of(server);
    parts.push(new Part("http", server));
    return new Node(identity, parts);
  }

  private static HttpServer serve(NodeSettings settings, int port, Rooms rooms) throws Exception {
    try {
      return HttpServer.start(
          settings.host(),
          port,
          new HttpLimits(settings.httpContentLengthMax(), HttpLimits.DEFAULT.connectionsMax()),
          Apis.all(rooms),
          rooms.instruments().requestBytes(),
          rooms.instruments().http(),
          rooms.world());
    } catch (IOException e) {
      throw StartFailure.cannotServe(settings.host(), port, e);
    }
  }

  /// The port to serve on. It is looked at before anything else, so that a node that cannot serve
  /// does not take the cluster from one that does.
  private static int port(NodeSettings settings) throws StartFailure {
    try (ServerSocket socket = new ServerSocket()) {
      socket.setReuseAddress(true);
      socket.bind(new InetSocketAddress(settings.host(), settings.port()));
      return socket.getLocalPort();
    } catch (IOException e) {
      throw StartFailure.cannotServe(settings.host(), settings.port(), e);
    }
  }

  private static LogConfig logConfig(NodeSettings settings) {
    boolean isFree = StorePrices.of(settings.store()).equals(StorePrices.FREE);
    return isFree ? LogConfig.unmetered() : LogConfig.defaults();
  }

  private static ByteSize cacheSize(NodeSettings settings) throws IOException {
    ByteSize size = settings.cacheSize();
    return size.bytes() > 0
        ? size
        : new ByteSize(Files.getFileStore(settings.data()).getUsableSpace() / 2);
  }

  private static <T extends AutoCloseable> T opened(Deque<Part> parts, String name, T part) {
    parts.push(new Part(name, part));
    return part;
  }

  public NodeIdentity identity() {
    return identity;
  }

  /// Stops serving, makes durable what is not, hands the cluster over.
  @Override
  public void close() {
    closeAll(parts);
    LOG.info("stopped [node={}]", identity.id());
  }

  private static synchronized void closeAll(Deque<Part> parts) {
    while (!parts.isEmpty()) {
      Part part = parts.pop();
      LOG.debug("closing [part={}]", part.name());
      try {
        part.closing().close();
      } catch (Exception e) {
        LOG.warn("could not be closed cleanly [part={}]", part.name(), e);
      }
    }
  }

  /// The number of connections of a server that is started later.
  private static final class Connections implements IntSupplier {
    private volatile @Nullable HttpServer server;

    void of(HttpServer started) {
      server = started;
    }

    @Override
    public int getAsInt() {
      HttpServer now = server;
      return now == null ? 0 : now.connections();
    }
  }
}
