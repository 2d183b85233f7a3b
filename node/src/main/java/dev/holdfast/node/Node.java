package dev.holdfast.node;

import dev.holdfast.api.stats.CollectionPauses;
import dev.holdfast.api.tasks.TierUse;
import dev.holdfast.clusterstate.local.DataFolder;
import dev.holdfast.http.Routes;
import dev.holdfast.http.server.HttpCounters;
import dev.holdfast.http.server.HttpLimits;
import dev.holdfast.http.server.HttpServer;
import dev.holdfast.http.server.RequestBytes;
import dev.holdfast.http.spool.Spool;
import dev.holdfast.identity.NodeIdentity;
import dev.holdfast.identity.Version;
import dev.holdfast.node.project.ProjectHost;
import dev.holdfast.node.wiring.BoundThreads;
import dev.holdfast.node.wiring.OpenedParts;
import dev.holdfast.node.wiring.ProcessParts;
import dev.holdfast.node.wiring.Rooms;
import dev.holdfast.node.wiring.StorePurposes;
import dev.holdfast.node.wiring.TierWiring;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.objectstore.Purpose;
import dev.holdfast.objectstore.count.StoreCounters;
import dev.holdfast.objectstore.count.StorePrices;
import dev.holdfast.rpc.RpcConfig;
import dev.holdfast.rpc.RpcNetwork;
import dev.holdfast.settings.NodeSettings;
import dev.holdfast.telemetry.Traces;
import dev.holdfast.world.Tasks;
import dev.holdfast.world.World;
import dev.holdfast.world.trace.Tracer;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.SortedSet;
import java.util.function.Consumer;
import org.apache.lucene.util.IOUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A running node: the rooms, wired, behind an HTTP port.
public final class Node implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Node.class);

  private static final Duration HEAP_WATCH_EVERY = Duration.ofMillis(250);

  /// The share of the heap that request bodies may take: 15 of 100.

  private static final int REQUESTS_HEAP_PERCENT = 15;

  /// So many requests of the greatest length may be in files.
  private static final long SPOOLED_MAX = 16;

  private final Rooms rooms;
  private final RpcNetwork network;
  private final ProjectHost projects;
  private final Tasks tasks;
  private final OpenedParts parts;

  private Node(
      Rooms rooms, RpcNetwork network, ProjectHost projects, Tasks tasks, OpenedParts parts) {
    this.tasks = tasks;
    this.rooms = rooms;
    this.network = network;
    this.projects = projects;
    this.parts = parts;
  }

  /// Starts a node and returns when it serves.
  ///
  /// @param onEvicted told once when the node lost its membership: the process must stop
  /// @throws Exception for people: [StartFailure#sentence] makes it one line; nothing is left open
  public static Node start(NodeSettings settings, World outside, Consumer<String> onEvicted)
      throws Exception {
    OpenedParts parts = new OpenedParts();
    BoundThreads threads =
        BoundThreads.of(outside, outside.tasks(), outside.memory(), settings.scripts());
    try {
      return threads
          .scripts()
          .<Node, Exception>during(() -> start(settings, threads, onEvicted, parts));
    } catch (Throwable e) {
      parts.close();
      throw e;
    }
  }

  private static Node start(
      NodeSettings settings, BoundThreads threads, Consumer<String> onEvicted, OpenedParts parts)
      throws Exception {
    World world = threads.world();
    long startMillis = world.clock().epochMillis();
    parts.opened("threads", world.tasks());
    RequestBytes requestBytes =
        new RequestBytes(Runtime.getRuntime().maxMemory() / 100 * REQUESTS_HEAP_PERCENT);
    world.memory().heap().add(requestBytes::bytes);
    var _ = world.tasks().repeat("heap-watch", HEAP_WATCH_EVERY, world.memory().heap()::watch);
    HttpCounters http = new HttpCounters();
    Tracer tracer = tracer(settings, world, parts);
    DataFolder data = parts.opened("data folder", DataFolder.lock(settings.data()));
    // Of a process that is dead: it may be what fills the disk, which the store may lie on, too.
    IOUtils.rm(TierWiring.scratchFolders(settings));
    ProbedStore probing = parts.opened("store", ProbedStore.begin(settings, world));
    RpcNetwork network =
        parts.opened(
            "network",
            new RpcNetwork(
                world,
                RpcConfig.of(
                    Runtime.getRuntime().maxMemory(), settings.networking().isCompressed()),
                tracer));
    // Bound before anything is written but what the probe deletes: a node that cannot serve does
    // not take the cluster from one that does, and other nodes reach it as soon as it is a member.
    HttpServer server =
        parts.opened("http", serve(settings, network, requestBytes, http, world, tracer));
    ObjectStore store = probing.store();
    StoreCounters counted =
        new StoreCounters(
            StorePrices.of(settings.store(), settings.storeOptions()), world.clock()::nanoTime);
    ObjectStore secrets = StorePurposes.forever(store, Purpose.CLUSTER_STATE, counted, world);
    network.protect(new StoredSecret(secrets, world.ids()));
    ProcessParts process =
        new ProcessParts(
            server.port(),
            startMillis,
            http,
            network.counters(),
            requestBytes,
            server::connections,
            CollectionPauses.begin(),
            TierUse.ofNode(world.clock()));
    Rooms.Ground ground =
        new Rooms.Ground(process, settings, threads, data, store, counted, network, m -> m);
    Rooms rooms = Rooms.open(ground, parts, onEvicted);
    ProjectHost projects =
        parts.opened("projects", ProjectHost.begin(ground, rooms.cluster(), rooms.identity().id()));
    Path files = settings.data().resolve(TierWiring.REQUESTS);
    server.open(
        rooms.routes(),
        projects,
        Spool.of(
            files, requestBytes.bytesMax(), SPOOLED_MAX * settings.httpContentLengthMax().bytes()));
    network.complete();
    // Clients are turned away first of all when the node stops.
    parts.opened("http", server);
    return new Node(rooms, network, projects, world.tasks(), parts);
  }

  /// Neither the library nor a thread of it is there while nothing is recorded.
  private static Tracer tracer(NodeSettings settings, World world, OpenedParts parts) {
    if (!settings.tracing().isOn()) {
      return Tracer.OFF;
    }
    return parts.opened(
        "traces",
        Traces.open(
            settings.tracing(),
            new Traces.Instance(
                world.ids().uuid(),
                settings.nodeName(),
                settings.clusterName(),
                Version.CURRENT.holdfast())));
  }

  private static HttpServer serve(
      NodeSettings settings,
      RpcNetwork network,
      RequestBytes requestBytes,
      HttpCounters counters,
      World world,
      Tracer tracer)
      throws Exception {
    try {
      return HttpServer.start(
          settings.host(),
          settings.port(),
          new HttpLimits(
              settings.httpContentLengthMax(),
              HttpLimits.connectionsMax(Runtime.getRuntime().maxMemory()),
              settings.pages()),
          network.service(),
          requestBytes,
          counters,
          world,
          tracer);
    } catch (IOException e) {
      throw StartFailure.cannotServe(settings.host(), settings.port(), e);
    }
  }

  public NodeIdentity identity() {
    return rooms.identity();
  }

  /// The names of the calls of other nodes that it answers.
  SortedSet<String> calls() {
    return network.calls();
  }

  /// The table of its APIs.
  Routes routes() {
    return rooms.routes();
  }

  /// Gives its shards to other nodes, as far as there are others that can take them.
  public void drain() throws InterruptedException {
    Tasks.Task beside = tasks.start("drain projects", projects::drain);
    rooms.drain();
    beside.join();
  }

  /// Stops serving, makes durable what is not, hands the cluster over.
  @Override
  public void close() {
    parts.close();
    LOG.info("stopped [node={}]", identity().id());
  }
}
