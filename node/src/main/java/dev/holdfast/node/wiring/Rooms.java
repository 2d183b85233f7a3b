package dev.holdfast.node.wiring;

import dev.holdfast.api.ApiDependencies;
import dev.holdfast.api.Apis;
import dev.holdfast.api.NodeInstruments;
import dev.holdfast.api.stats.ProcessGauges;
import dev.holdfast.api.synonyms.SynonymMappings;
import dev.holdfast.blobcache.BlobCache;
import dev.holdfast.clusterstate.Member;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.lease.ConfirmedAbsence;
import dev.holdfast.clusterstate.local.DataFolder;
import dev.holdfast.clusterstate.membership.ClusterNode;
import dev.holdfast.clusterstate.membership.Surroundings;
import dev.holdfast.document.MappingFactory;
import dev.holdfast.document.mapping.StandardMappings;
import dev.holdfast.http.Routes;
import dev.holdfast.identity.NodeIdentity;
import dev.holdfast.indexing.lent.SnapshotLenders;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.objectstore.Purpose;
import dev.holdfast.objectstore.count.Counting;
import dev.holdfast.objectstore.count.StoreCounters;
import dev.holdfast.objectstore.lent.LentObjects;
import dev.holdfast.objectstore.retry.Retrying;
import dev.holdfast.provision.Provisioner;
import dev.holdfast.routing.NamedNetwork;
import dev.holdfast.settings.NodeSettings;
import dev.holdfast.translog.LogReplay;
import dev.holdfast.world.Network;
import dev.holdfast.world.World;
import java.io.IOException;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.apache.lucene.util.IOUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The rooms of one cluster in this process, wired, from its store to the table of its APIs: those
/// of the node, or those of a project.
///
/// @param counted what it asks of the store, and at which pace
public record Rooms(
    NodeIdentity identity,
    ClusterNode cluster,
    Provisioner provisioner,
    Routes routes,
    StoreCounters counted) {
  private static final Logger LOG = LoggerFactory.getLogger(Rooms.class);

  /// Tries of a request to the store that an operator waits for.
  private static final int LOOKS_MAX = 3;

  /// What they are made of.
  ///
  /// @param data locked
  /// @param metadata as APIs change them
  public record Ground(
      ProcessParts process,
      NodeSettings settings,
      BoundThreads threads,
      DataFolder data,
      ObjectStore store,
      StoreCounters counted,
      Network network,
      UnaryOperator<Metadata> metadata) {}

  /// Opens them and returns when requests can be answered.
  ///
  /// @param parts hears of what is opened; who fails closes it
  /// @param onEvicted told once when they lost their membership: they must be closed
  public static Rooms open(Ground ground, OpenedParts parts, Consumer<String> onEvicted)
      throws IOException, InterruptedException {
    NodeSettings settings = ground.settings();
    World world = ground.threads().world();
    StoreCounters counted = ground.counted();
    ProcessParts process = ground.process();
    SnapshotLenders lenders =
        new SnapshotLenders(
            Retrying.atMost(
                new Counting(ground.store(), Purpose.RECOVERY, counted), world, LOOKS_MAX),
            world.clock());
    ObjectStore store = new LentObjects(ground.store(), lenders);
    Member self = SelfMember.self(settings, process.port(), process.startMillis(), world);
    LogReplay deadLogs =
        new LogReplay(
            world, StorePurposes.forever(store, Purpose.TRANSLOG, counted, world), self.id());
    NodeReport report = new NodeReport();
    ClusterNode cluster =
        parts.opened(
            "cluster",
            ClusterNode.join(
                new Surroundings(
                    world,
                    clusterStore(store, counted, world),
                    ground.network(),
                    settings.networking().cluster(),
                    deadLogs::fence,
                    settings.clusterName()),
                ground.data(),
                self,
                report,
                onEvicted));
    if (ground.data().isAhead()) {
      // Its pages are known by the names of their blobs, which are given a second time now.
      IOUtils.rm(settings.data().resolve(BlobCache.FOLDER));
    }
    lenders.follow(cluster);
    if (!settings.projects().isWithin()) { // what is the process's is set for all of it
      BreakerLimits.follow(cluster, world.memory());
      LoggerLevels.follow(cluster);
    }
    ScriptLimits.follow(cluster, ground.threads().scripts(), world.clock());
    MappingFactory mappings = new SynonymMappings(new StandardMappings(), cluster);
    TierWiring.Ways ways =
        new TierWiring(
                settings,
                world,
                store,
                counted,
                cluster,
                ground.network(),
                mappings,
                (name, part) -> parts.opened(name, part))
            .start();
    report.of(ways.parts().indexing(), ways.peers());
    NodeIdentity identity =
        new NodeIdentity(
            cluster.nodeEphemeralId(),
            settings.nodeName(),
            SelfMember.host(settings),
            process.port(),
            settings.roles(),
            process.startMillis());
    NodeInstruments instruments =
        new NodeInstruments(
            counted,
            new ProcessGauges(
                process.http(),
                process.calls(),
                process.requestBytes(),
                process.connections(),
                ground.threads().pools(),
                ground.threads().tasks()::allPools,
                world.memory(),
                cluster::mayServe,
                process.pauses(),
                ground.threads().scripts()),
            ways.parts(),
            new NamedNetwork(ground.network(), cluster.nodeEphemeralId()),
            ways.peers(),
            Retrying.atMost(new Counting(store, Purpose.OPERATORS, counted), world, LOOKS_MAX),
            settings.projects().isWithin()
                ? parts.opened("use", process.use().ofProject())
                : process.use());
    Provisioner provisioner = Provisioner.of(settings.provisioner(), world);
    parts.opened("provisioner", () -> end(provisioner, cluster));
    ApiDependencies dependencies =
        new ApiDependencies(
            world,
            settings,
            identity,
            ground.metadata().apply(cluster),
            mappings,
            ways.indexing(),
            ways.searches(),
            instruments,
            provisioner);
    Routes routes = Apis.all(dependencies);
    parts.opened("spending", counted.pace()::end);
    return new Rooms(identity, cluster, provisioner, routes, counted);
  }

  private static ObjectStore clusterStore(ObjectStore store, StoreCounters counted, World world) {
    return Retrying.forever(
        new ConfirmedAbsence(new Counting(store, Purpose.CLUSTER_STATE, counted)),
        world,
        counted.health());
  }

  /// Gives the shards to other nodes, as far as there are others that can take them.
  public void drain() throws InterruptedException {
    counted.pace().end(); // nobody waits for money when the next node waits for what this one has
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
}
