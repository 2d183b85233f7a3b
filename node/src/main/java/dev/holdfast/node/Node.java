package dev.holdfast.node;

import dev.holdfast.api.ApiDependencies;
import dev.holdfast.api.Apis;
import dev.holdfast.api.NodeInstruments;
import dev.holdfast.api.stats.CollectionPauses;
import dev.holdfast.api.stats.ProcessGauges;
import dev.holdfast.api.synonyms.SynonymMappings;
import dev.holdfast.clusterstate.Member;
import dev.holdfast.clusterstate.local.DataFolder;
import dev.holdfast.clusterstate.membership.ClusterNode;
import dev.holdfast.clusterstate.membership.ClusterSecret;
import dev.holdfast.clusterstate.membership.Surroundings;
import dev.holdfast.document.MappingFactory;
import dev.holdfast.document.mapping.StandardMappings;
import dev.holdfast.http.Routes;
import dev.holdfast.http.server.HttpCounters;
import dev.holdfast.http.server.HttpLimits;
import dev.holdfast.http.server.HttpServer;
import dev.holdfast.http.server.RequestBytes;
import dev.holdfast.http.spool.Spool;
import dev.holdfast.identity.NodeIdentity;
import dev.holdfast.identity.Version;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.objectstore.Purpose;
import dev.holdfast.objectstore.budget.SpendingPace;
import dev.holdfast.objectstore.count.Counting;
import dev.holdfast.objectstore.count.StoreCounters;
import dev.holdfast.objectstore.count.StorePrices;
import dev.holdfast.objectstore.retry.Retrying;
import dev.holdfast.provision.Provisioner;
import dev.holdfast.routing.NamedNetwork;
import dev.holdfast.rpc.RpcConfig;
import dev.holdfast.rpc.RpcNetwork;
import dev.holdfast.script.CompiledScripts;
import dev.holdfast.settings.NodeSettings;
import dev.holdfast.telemetry.Traces;
import dev.holdfast.translog.Log;
import dev.holdfast.translog.LogReplay;
import dev.holdfast.world.World;
import dev.holdfast.world.trace.Tracer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.SortedSet;
import java.util.function.Consumer;
import org.apache.lucene.util.IOUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A running node: the rooms, wired, behind an HTTP port.
public final class Node implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Node.class);

  /// The share of the heap that request bodies may take: 15 of 100.
  private static final int REQUESTS_HEAP_PERCENT = 15;

  /// So many requests of the greatest length may be in files.
  private static final long SPOOLED_MAX = 16;

  /// Tries of a request to the store that an operator waits for.
  private static final int LOOKS_MAX = 3;

  private final NodeIdentity identity;
  private final ClusterNode cluster;
  private final Provisioner provisioner;
  private final RpcNetwork network;
  private final Deque<Part> parts;

  private final Routes routes;
  private final SpendingPace pace;

  private Node(
      NodeIdentity identity,
      ClusterNode cluster,
      Provisioner provisioner,
      RpcNetwork network,
      Routes routes,
      SpendingPace pace,
      Deque<Part> parts) {
    this.identity = identity;
    this.cluster = cluster;
    this.provisioner = provisioner;
    this.network = network;
    this.routes = routes;
    this.pace = pace;
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
    CompiledScripts scripts = new CompiledScripts(settings.scripts());
    World world =
        new World(
            outside.clock(),
            outside.sleeper(),
            outside.ids(),
            outside.chance(),
            new CarryingTasks(tasks, scripts),
            outside.memory());
    try {
      return scripts.<Node, Exception>during(
          () -> start(settings, world, tasks, scripts, onEvicted, parts));
    } catch (Throwable e) {
      closeAll(parts);
      throw e;
    }
  }

  private static Node start(
      NodeSettings settings,
      World world,
      RecordingTasks tasks,
      CompiledScripts scripts,
      Consumer<String> onEvicted,
      Deque<Part> parts)
      throws Exception {
    long startMillis = world.clock().epochMillis();
    parts.push(new Part("threads", world.tasks()));
    RequestBytes requestBytes =
        new RequestBytes(Runtime.getRuntime().maxMemory() / 100 * REQUESTS_HEAP_PERCENT);
    world.memory().heap().add(requestBytes::bytes);
    HttpCounters http = new HttpCounters();
    Tracer tracer = tracer(settings, world, parts);
    DataFolder data = opened(parts, "data folder", DataFolder.lock(settings.data()));
    // Of a process that is dead: it may be what fills the disk, which the store may lie on, too.
    IOUtils.rm(TierWiring.scratchFolders(settings));
    ProbedStore probing = opened(parts, "store", ProbedStore.begin(settings, world));
    RpcNetwork network =
        opened(
            parts,
            "network",
            new RpcNetwork(
                world,
                RpcConfig.of(
                    Runtime.getRuntime().maxMemory(), settings.networking().isCompressed()),
                tracer));
    // Bound before anything is written but what the probe deletes: a node that cannot serve does
    // not take the cluster from one that does, and other nodes reach it as soon as it is a member.
    HttpServer server =
        opened(parts, "http", serve(settings, network, requestBytes, http, world, tracer));
    ObjectStore store = probing.store();
    StoreCounters counted =
        new StoreCounters(
            StorePrices.of(settings.store(), settings.storeOptions()), world.clock()::nanoTime);

    ObjectStore stateStore = StorePurposes.forever(store, Purpose.CLUSTER_STATE, counted, world);
    network.protect(() -> ClusterSecret.read(stateStore, world.ids()));

    Member self = SelfMember.self(settings, server.port(), startMillis, world);
    LogReplay deadLogs =
        new LogReplay(
            world, StorePurposes.forever(store, Purpose.TRANSLOG, counted, world), self.id());
    NodeReport report = new NodeReport();
    ClusterNode cluster =
        opened(
            parts,
            "cluster",
            ClusterNode.join(
                new Surroundings(
                    world, stateStore, network, settings.networking().cluster(), deadLogs::fence),
                data,
                self,
                report,
                onEvicted));
    BreakerLimits.follow(cluster, world.memory());
    LoggerLevels.follow(cluster);
    ScriptLimits.follow(cluster, scripts, world.clock());
    MappingFactory mappings = new SynonymMappings(new StandardMappings(), cluster);
    TierWiring.Ways ways =
        new TierWiring(
                settings,
                world,
                store,
                counted,
                cluster,
                network,
                mappings,
                (name, part) -> parts.push(new Part(name, part)))
            .start();
    report.of(ways.parts().indexing(), ways.peers());

    NodeIdentity identity =
        new NodeIdentity(
            cluster.nodeEphemeralId(),
            settings.nodeName(),
            SelfMember.host(settings),
            server.port(),
            settings.roles(),
            startMillis);
    NodeInstruments instruments =
        new NodeInstruments(
            counted,
            new ProcessGauges(
                http,
                network.counters(),
                requestBytes,
                server::connections,
                tasks.pools(),
                world.memory(),
                cluster::mayServe,
                CollectionPauses.begin(),
                scripts),
            ways.parts(),
            new NamedNetwork(network, cluster.nodeEphemeralId()),
            ways.peers(),
            Retrying.atMost(new Counting(store, Purpose.OPERATORS, counted), world, LOOKS_MAX));
    Provisioner provisioner = Provisioner.of(settings.provisioner(), world);
    parts.push(new Part("provisioner", () -> end(provisioner, cluster)));
    ApiDependencies rooms =
        new ApiDependencies(
            world,
            settings,
            identity,
            cluster,
            mappings,
            ways.indexing(),
            ways.searches(),
            instruments,
            provisioner);
    Routes routes = Apis.all(rooms);
    Path files = settings.data().resolve(TierWiring.REQUESTS);
    server.open(
        routes,
        Spool.of(
            files, requestBytes.bytesMax(), SPOOLED_MAX * settings.httpContentLengthMax().bytes()));
    network.complete();
    parts.push(new Part("spending", counted.pace()::end));
    // Clients are turned away first of all when the node stops.
    parts.push(new Part("http", server));
    return new Node(identity, cluster, provisioner, network, routes, counted.pace(), parts);
  }

  /// Neither the library nor a thread of it is there while nothing is recorded.
  private static Tracer tracer(NodeSettings settings, World world, Deque<Part> parts) {
    if (!settings.tracing().isOn()) {
      return Tracer.OFF;
    }
    return opened(
        parts,
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

  private static <T extends AutoCloseable> T opened(Deque<Part> parts, String name, T part) {
    parts.push(new Part(name, part));
    return part;
  }

  public NodeIdentity identity() {
    return identity;
  }

  /// The names of the calls of other nodes that it answers.
  SortedSet<String> calls() {
    return network.calls();
  }

  /// The table of its APIs.
  Routes routes() {
    return routes;
  }

  /// Gives its shards to other nodes, as far as there are others that can take them.
  public void drain() throws InterruptedException {
    pace.end(); // nobody waits for money when the next node waits for what this one has
    try {
      end(provisioner, cluster);
    } catch (IOException e) {
      LOG.warn("what this node started goes on", e);
    }
    cluster.drain();
  }

  /// A cluster that has given this node up goes on with the nodes that it started.
  private static void end(Provisioner provisioner, ClusterNode cluster) throws IOException {
    if (cluster.mayServe()) {
      provisioner.close();
    }
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
      } catch (Log.EvictedException e) {
        LOG.debug("an evicted node has nothing to finish [part={}]", part.name(), e);
      } catch (Exception e) {
        LOG.warn("could not be closed cleanly [part={}, why={}]", part.name(), e.toString());
        LOG.debug("could not be closed cleanly [part={}]", part.name(), e);
      }
    }
  }
}
