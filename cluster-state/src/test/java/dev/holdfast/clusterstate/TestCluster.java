package dev.holdfast.clusterstate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.clusterstate.allocation.ShardLoad;
import dev.holdfast.clusterstate.local.DataFolder;
import dev.holdfast.clusterstate.membership.ClusterNode;
import dev.holdfast.clusterstate.membership.SelfReport;
import dev.holdfast.clusterstate.membership.Surroundings;
import dev.holdfast.objectstore.MemoryStore;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.world.Json;
import dev.holdfast.world.MemoryNetwork;
import dev.holdfast.world.Network;
import dev.holdfast.world.World;
import dev.holdfast.world.real.RealWorld;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/// Several nodes over one store and one network in this process, eight times as fast as real ones.
public final class TestCluster implements AutoCloseable {
  public static final ClusterConfig CONFIG = ClusterConfig.defaults().faster(8);

  public final World world = RealWorld.create();
  public final ObjectStore store;
  public final MemoryNetwork network = new MemoryNetwork(world);
  public final List<String> fenced = new CopyOnWriteArrayList<>();
  private final List<TestMember> members = new CopyOnWriteArrayList<>();
  private final Path folder;
  private final ClusterConfig config;
  private final AtomicInteger started = new AtomicInteger();

  /// Of nodes that are started from now on.
  public volatile Build build = Build.here("test");

  public TestCluster(Path folder) {
    this(folder, new MemoryStore());
  }

  public TestCluster(Path folder, ObjectStore store) {
    this(folder, store, CONFIG);
  }

  public TestCluster(Path folder, ObjectStore store, ClusterConfig config) {
    this.folder = folder;
    this.store = store;
    this.config = config;
  }

  /// One node with threads of its own, so that it can die.
  public final class TestMember {
    public final String address;
    public final World ownWorld;

    /// Its end of the network.
    public final Network wire;

    public final List<String> evictions = new CopyOnWriteArrayList<>();
    private final DataFolder data;
    public ClusterNode node;
    public volatile Map<ShardId, ShardLoad> load = Map.of();
    public volatile Set<ShardId> open = Set.of();
    public volatile Supplier<SortedSet<String>> unreached = Collections::emptySortedSet;

    TestMember(String address, Path dataFolder, Role... roles) throws Exception {
      this.address = address;
      this.data = DataFolder.lock(dataFolder);
      World threads = RealWorld.create();
      this.ownWorld =
          new World(world.clock(), world.sleeper(), world.ids(), world.chance(), threads.tasks());
      Member self =
          new Member(
              address.split(":")[0],
              address.split(":")[0],
              address,
              new TreeSet<>(List.of(roles)),
              1 << 30,
              0,
              false,
              build);
      this.wire = network.at(address);
      this.node =
          ClusterNode.join(
              new Surroundings(
                  ownWorld, store, wire, config, (node, durable, leads) -> fenced.add(node)),
              data,
              self,
              new SelfReport() {
                @Override
                public Map<ShardId, ShardLoad> loads() {
                  return load;
                }

                @Override
                public Set<ShardId> open() {
                  return open;
                }

                @Override
                public SortedSet<String> unreached() {
                  return unreached.get();
                }
              },
              evictions::add);
    }

    /// Its process dies: nothing runs, nothing answers.
    public void crash() throws IOException {
      network.crash(address);
      ownWorld.tasks().close();
      data.close();
      members.remove(this);
    }

    public void stop() throws IOException {
      node.close();
      network.crash(address);
      ownWorld.tasks().close();
      data.close();
      members.remove(this);
    }

    public boolean leads() {
      return node.leaderId().equals(node.nodeEphemeralId());
    }
  }

  public TestMember start(Role... roles) throws Exception {
    return startIn(folder.resolve("data-" + started.get()), roles);
  }

  public TestMember startIn(Path dataFolder, Role... roles) throws Exception {
    String address = "n" + started.getAndIncrement() + ":9200";
    Role[] chosen = roles.length == 0 ? Role.values() : roles;
    TestMember member = new TestMember(address, dataFolder, chosen);
    members.add(member);
    return member;
  }

  /// An index that was just created.
  public static IndexMetadata index(String name, int shards, int replicas) {
    return new IndexMetadata(
        new IndexId(name, "uuid-" + name),
        shards,
        new TreeMap<>(
            Map.of(
                "index.number_of_shards",
                Integer.toString(shards),
                "index.number_of_replicas",
                Integer.toString(replicas))),
        1,
        Json.parseObject("{\"properties\":{\"a\":{\"type\":\"long\"}}}"),
        1,
        new TreeMap<>(),
        true,
        Collections.nCopies(shards, 0L));
  }

  /// Waits for what must come true.
  public void until(String what, BooleanSupplier condition) throws InterruptedException {
    long deadline = world.clock().nanoTime() + Duration.ofSeconds(20).toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(world.clock().nanoTime()).as(what).isLessThan(deadline);
      world.sleeper().sleep(Duration.ofMillis(2));
    }
  }

  @Override
  public void close() throws IOException {
    for (TestMember member : List.copyOf(members)) {
      member.crash();
    }
    world.tasks().close();
  }
}
