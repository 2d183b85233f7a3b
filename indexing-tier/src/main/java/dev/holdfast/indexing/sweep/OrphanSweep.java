package dev.holdfast.indexing.sweep;

import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexId;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.clusterstate.membership.Ownership;
import dev.holdfast.compoundcommit.BlobId;
import dev.holdfast.indexing.pin.BlobPins;
import dev.holdfast.indexing.pin.OverduePins;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.objectstore.open.StoreClock;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.World;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Finds what no shard's owner knows of (§6): folders of indices that were deleted while the
/// process that should have deleted them died, blobs that an evicted owner uploaded late, logs of
/// dead nodes. The leader runs it now and then. What of folders it may take away, [OrphanFolders]
/// says.
///
/// A LIST says only what exists. What lives is said by the cluster state, read after the LIST; by
/// the owner of a shard, who alone deletes its blobs; and by the newest commits for logs. An orphan
/// is deleted when it has been one for the whole grace, and the lease, read last, names this node.
public final class OrphanSweep {
  private static final Logger LOG = LoggerFactory.getLogger(OrphanSweep.class);

  /// How often it is looked whether something is due.
  private static final Duration LOOK_MAX = Duration.ofSeconds(30);

  private static final Duration LOOK_MIN = Duration.ofMillis(10);

  private final World world;
  private final ObjectStore store;
  private final Metadata metadata;
  private final Ownership ownership;
  private final Function<String, SweptShards> members;
  private final SweepConfig config;
  private final BlobPins pins;
  private final OrphanFolders folders;
  private final Trash trash;
  private final DeadLogs logs;
  private final OverduePins overdue;
  private final ProbeLeftovers probes;

  // Of one task alone, down to the report.

  /// Blobs that their owners want to be told of again after the grace.
  private final Map<ShardId, List<BlobId>> untidy = new HashMap<>();

  /// Hashes of what was in folders that need no second look until it changes.
  private Map<ShardId, Integer> tidy = new HashMap<>();

  /// The state that [#byUuid] is of.
  private long indexedVersion = -1;

  private Map<String, IndexId> byUuid = new HashMap<>();

  private @Nullable Long leadsSinceNanos;
  private @Nullable Long sweptNanos;
  private long askedNanos;
  private long sweeps;
  private long sweptMillis;
  private long seen;
  private long foreign;
  private long deletedPins;

  private volatile SweepReport report = SweepReport.NONE;

  /// @param store counted as garbage collection
  /// @param storeClock what is deleted by its age needs its consent
  /// @param members the shards of an indexing node, by its ephemeral id
  public OrphanSweep(
      World world,
      ObjectStore store,
      StoreClock storeClock,
      Metadata metadata,
      Ownership ownership,
      Function<String, SweptShards> members,
      SweepConfig config) {
    this.world = world;
    this.store = store;
    this.metadata = metadata;
    this.ownership = ownership;
    this.members = members;
    this.config = config;
    this.trash = new Trash(world, store, ownership, storeClock, config.trash());
    this.pins = new BlobPins(world, store, metadata);
    this.folders = new OrphanFolders(world, store, metadata, pins, trash, config.grace());
    this.overdue = new OverduePins(world, store, storeClock, config.grace());
    this.probes = new ProbeLeftovers(world, store, ownership, storeClock);
    this.logs = new DeadLogs(world, store, metadata, ownership, members, config.grace());
  }

  /// Sweeps whenever it is due and this node leads, until the process ends.
  public void start() {
    Duration look = config.grace().compareTo(config.every()) < 0 ? config.grace() : config.every();
    look = look.dividedBy(4);
    look = look.compareTo(LOOK_MAX) > 0 ? LOOK_MAX : look;
    look = look.compareTo(LOOK_MIN) < 0 ? LOOK_MIN : look;
    var _ = world.tasks().repeat("orphan-sweep", look, this::tick);
  }

  /// Pins that could not be read when a folder was to be deleted, and how they are damaged, by key.
  public SortedMap<String, String> damagedPins() {
    return pins.damaged();
  }

  /// What the sweeps of this node have found and done.
  public SweepReport report() {
    return report;
  }

  private void tick() throws InterruptedException {
    if (!metadata.leaderId().equals(ownership.nodeEphemeralId())) {
      forget();
      return;
    }
    long nowNanos = world.clock().nanoTime();
    if (leadsSinceNanos == null) {
      leadsSinceNanos = nowNanos;
    }
    boolean isDue =
        sweptNanos == null
            ? nowNanos - leadsSinceNanos >= config.delay().toNanos()
            : nowNanos - sweptNanos >= config.every().toNanos();
    try {
      if (isDue) {
        sweptNanos = nowNanos;
        sweep();
      } else if (isAnyDue(nowNanos)) {
        collect();
      }
    } catch (IOException | RuntimeException e) {
      LOG.warn("a sweep for orphans failed, will be tried again", e);
    }
  }

  private void forget() {
    leadsSinceNanos = null;
    sweptNanos = null;
    folders.forget();
    logs.forget();
    probes.forget();
    untidy.clear();
    tidy.clear();
  }

  private boolean isAnyDue(long nowNanos) {
    return folders.isDue(nowNanos)
        || logs.isDue(nowNanos)
        || (!untidy.isEmpty() && isOver(askedNanos, nowNanos));
  }

  private boolean isOver(long sinceNanos, long nowNanos) {
    return nowNanos - sinceNanos >= config.grace().toNanos();
  }

  /// Looks through the whole store, then deletes what is due.
  private void sweep() throws IOException, InterruptedException {
    Map<ShardId, Integer> tidyBefore = tidy;
    tidy = new HashMap<>();
    untidy.clear();
    folders.begin();
    seen = 0;
    askedNanos = world.clock().nanoTime();
    foreign =
        new BlobFolders(store)
            .visitAll((folder, blobs) -> {
              seen += blobs.size();
              ShardId shard = known(folder);
              if (shard == null) {
                folders.orphan(folder);
              } else {
                folders.owned();
                visit(shard, blobs, tidyBefore);
              }
            });
    sweeps++;
    sweptMillis = world.clock().epochMillis();
    collect();
    deletedPins += overdue.sweep();
    trash.sweep();
    probes.sweep();
    publish();
  }

  private void visit(ShardId shard, List<BlobId> blobs, Map<ShardId, Integer> tidyBefore)
      throws InterruptedException {
    Integer hash = blobs.hashCode();
    boolean isTidy = blobs.size() == 1 || hash.equals(tidyBefore.get(shard));
    if (isTidy || ask(shard, blobs) == 0) {
      tidy.put(shard, hash);
    } else {
      untidy.put(shard, List.copyOf(blobs));
    }
  }

  /// The shard with its index's name; null when no index of the state, read now, has that id.
  private @Nullable ShardId known(ShardId folder) {
    ClusterState now = metadata.current();
    if (now.version() != indexedVersion) {
      indexedVersion = now.version();
      byUuid = new HashMap<>();
      now.indices().values().forEach(index -> byUuid.put(index.id().uuid(), index.id()));
    }
    IndexId index = byUuid.get(folder.index().uuid());
    return index == null ? null : new ShardId(index, folder.number());
  }

  /// How many blobs the owner wants to be told of again; all when there is no owner.
  private int ask(ShardId shard, List<BlobId> blobs) throws InterruptedException {
    String owner = metadata.current().assignment(shard).owner();
    if (owner.isEmpty()) {
      return blobs.size();
    }
    try {
      return members.apply(owner).found(shard, blobs);
    } catch (IOException | Refusal e) {
      LOG.debug("the owner of a shard can't be asked about its blobs [shard={}]", shard, e);
      return blobs.size();
    }
  }

  /// Deletes what has been an orphan for the whole grace.
  private void collect() throws IOException, InterruptedException {
    try {
      folders.collect();
      if (isOver(askedNanos, world.clock().nanoTime())) {
        askedNanos = world.clock().nanoTime();
        for (Map.Entry<ShardId, List<BlobId>> one : List.copyOf(untidy.entrySet())) {
          if (known(one.getKey()) == null || ask(one.getKey(), one.getValue()) == 0) {
            untidy.remove(one.getKey());
          }
        }
      }
      logs.collect(folders.unknownShards());
    } finally {
      publish();
    }
  }

  private void publish() {
    long nowNanos = world.clock().nanoTime();
    SortedMap<String, Long> orphans = folders.waiting(nowNanos);
    logs.unneededSinceNanos()
        .forEach((node, since) -> orphans.put("log/" + node, leftMillis(since, nowNanos)));
    DeadLogs.Seen dead = logs.seen();
    report =
        new SweepReport(
            sweeps,
            sweptMillis,
            seen,
            foreign,
            dead.files(),
            dead.fences(),
            dead.unreadableShards(),
            orphans,
            dead.held(),
            folders.deletedBlobs(),
            logs.deleted(),
            deletedPins,
            folders.unknown(),
            trash.objects());
  }

  private long leftMillis(long sinceNanos, long nowNanos) {
    return Math.max(0, (config.grace().toNanos() - (nowNanos - sinceNanos)) / 1_000_000);
  }
}
