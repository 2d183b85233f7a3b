package dev.holdfast.node.project;

import dev.holdfast.blobcache.BlobCache;
import dev.holdfast.blobcache.CacheRoom;
import dev.holdfast.clusterstate.local.DataFolder;
import dev.holdfast.cost.StoreBudget;
import dev.holdfast.http.HeaderValues;
import dev.holdfast.http.Routes;
import dev.holdfast.http.server.ServedProjects;
import dev.holdfast.http.spool.SpoolFile;
import dev.holdfast.node.wiring.BoundThreads;
import dev.holdfast.node.wiring.OpenedParts;
import dev.holdfast.node.wiring.Rooms;
import dev.holdfast.node.wiring.TierWiring;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.objectstore.PartOfStore;
import dev.holdfast.objectstore.count.StoreCounters;
import dev.holdfast.objectstore.count.StorePrices;
import dev.holdfast.project.Project;
import dev.holdfast.settings.NodeSettings;
import dev.holdfast.world.Breakers;
import dev.holdfast.world.ByteSize;
import dev.holdfast.world.World;
import dev.holdfast.world.real.RealWorld;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.apache.lucene.util.IOUtils;

/// A project's rooms in this process.
final class OpenProject implements ServedProjects.Served, AutoCloseable {
  static final String FOLDER = "projects";

  /// The part of the node's blob cache on disk that a project has beside it, and the least.
  private static final int CACHE_PART = 8;

  private static final long CACHE_BYTES_MIN = 64 << 20;

  private static final Pattern WRITES = Pattern.compile("/_(bulk|doc|create|update)([/?]|$)");

  private final Project project;
  private final BoundThreads threads;
  private final Rooms rooms;
  private final BytesPerSecond bytes;
  private final OpenedParts parts;

  private OpenProject(Project project, BoundThreads threads, Rooms rooms, OpenedParts parts) {
    this.project = project;
    this.threads = threads;
    this.rooms = rooms;
    this.parts = parts;
    this.bytes =
        new BytesPerSecond(
            threads.world().clock(), project.name(), project.limits().bulkBytesPerSecond());
  }

  /// Opens it and returns when requests can be answered; nothing is left open after a failure.
  ///
  /// @param ground of the node's own rooms
  /// @param onEvicted told once when it lost its membership: it must be closed
  static OpenProject open(
      Project project, Rooms.Ground ground, ProjectCalls calls, Consumer<String> onEvicted)
      throws Exception {
    World world = ground.threads().world();
    long heapShare = Runtime.getRuntime().maxMemory() / 100 * project.limits().heapPercent();
    Breakers memory = world.memory().apart(heapShare, heapShare / 2);
    BoundThreads threads =
        BoundThreads.of(
            world,
            new LimitedTasks(RealWorld.threads(), project.limits()),
            memory,
            ground.settings().scripts());
    OpenedParts parts = new OpenedParts();
    parts.opened("memory", memory::close);
    try {
      return threads
          .scripts()
          .<OpenProject, Exception>during(
              () -> opened(project, ground, calls, threads, parts, onEvicted));
    } catch (Throwable e) {
      parts.close();
      throw e;
    }
  }

  private static OpenProject opened(
      Project project,
      Rooms.Ground ground,
      ProjectCalls calls,
      BoundThreads threads,
      OpenedParts parts,
      Consumer<String> onEvicted)
      throws Exception {
    parts.opened("threads", threads.world().tasks());
    parts.opened("loads", ground.threads().tasks().beside(threads.tasks()));
    NodeSettings node = ground.settings();
    String prefix = project.prefix();
    NodeSettings settings =
        node.ofProject(
            project.name(),
            folder(node, project),
            node.store() + "/" + prefix.substring(0, prefix.length() - 1),
            cacheSize(node));
    DataFolder data = parts.opened("data folder", DataFolder.lock(settings.data()));
    IOUtils.rm(TierWiring.scratchFolders(settings));
    ObjectStore store = new PartOfStore(ground.store(), prefix);
    StoreCounters counted =
        new StoreCounters(
            StorePrices.of(node.store(), node.storeOptions()), threads.world().clock()::nanoTime);
    ProjectCalls.OfProject network = parts.opened("network", calls.of(project.uuid(), threads));
    Rooms rooms =
        Rooms.open(
            new Rooms.Ground(
                ground.process(),
                settings,
                threads,
                data,
                store,
                counted,
                network,
                metadata -> new LimitedMetadata(metadata, project)),
            parts,
            onEvicted);
    network.complete();
    keepBudget(rooms, project.limits().storeBudget());
    return new OpenProject(project, threads, rooms, parts);
  }

  /// Where its caches are on this machine.
  static Path folder(NodeSettings node, Project project) {
    return node.data().resolve(FOLDER).resolve(project.name() + "." + project.uuid());
  }

  private static ByteSize cacheSize(NodeSettings node) throws IOException {
    ByteSize whole =
        node.cacheSize().bytes() > 0
            ? node.cacheSize()
            : CacheRoom.of(node.data(), node.data().resolve(BlobCache.FOLDER), 1);
    return new ByteSize(Math.max(CACHE_BYTES_MIN, whole.bytes() / CACHE_PART));
  }

  /// The project's own state says it, as that of a cluster would; its users can't change it.
  private static void keepBudget(Rooms rooms, String budget) throws InterruptedException {
    String set = Objects.toString(rooms.cluster().current().setting(StoreBudget.SETTING), "");
    if (set.equals(budget)) {
      return;
    }
    var _ =
        rooms
            .cluster()
            .update(
                "the budget of the project",
                state -> {
                  SortedMap<String, Object> changed = new TreeMap<>(state.settings());
                  if (budget.isEmpty()) {
                    changed.remove(StoreBudget.SETTING);
                  } else {
                    changed.put(StoreBudget.SETTING, budget);
                  }
                  return state.withSettings(changed);
                });
  }

  Project project() {
    return project;
  }

  @Override
  public Routes routes() {
    return rooms.routes();
  }

  @Override
  public Breakers memory() {
    return threads.world().memory();
  }

  /// Searches come in whatever was written.
  @Override
  public void admit(HeaderValues headers, long bodyBytes) {
    if (isWrite(headers)) {
      bytes.take(bodyBytes);
    }
  }

  /// A write begins whose body has not come.
  void admitMore() {
    bytes.requireAny();
  }

  @Override
  public void slow(HeaderValues headers, SpoolFile body) {
    if (isWrite(headers)) {
      body.onRead(bytes.pace(threads.world()));
    }
  }

  /// Whether a request writes documents.
  static boolean isWrite(HeaderValues headers) {
    String method = headers.get(":method");
    String path = headers.get(":path");
    return path != null
        && ("PUT".equals(method) || "POST".equals(method))
        && WRITES.matcher(path).find();
  }

  @Override
  public <T> T during(Supplier<T> work) {
    return threads.scripts().<T, RuntimeException>during(work::get);
  }

  void drain() throws InterruptedException {
    rooms.drain();
  }

  /// Makes durable what is not, hands its cluster over.
  @Override
  public void close() {
    parts.close();
  }
}
