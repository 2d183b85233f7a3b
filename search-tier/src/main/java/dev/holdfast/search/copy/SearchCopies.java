package dev.holdfast.search.copy;

import dev.holdfast.blobcache.blob.BlobInputs;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.ShardAssignment;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.clusterstate.membership.Ownership;
import dev.holdfast.compoundcommit.BlobId;
import dev.holdfast.compoundcommit.CompoundCommit;
import dev.holdfast.compoundcommit.directory.SearchDirectory;
import dev.holdfast.compoundcommit.notice.CommitNotice;
import dev.holdfast.compoundcommit.notice.InUse;
import dev.holdfast.compoundcommit.notice.IndexingReads;
import dev.holdfast.compoundcommit.store.CommitStore;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.search.fielduse.FieldUse;
import dev.holdfast.search.node.SearchConfig;
import dev.holdfast.search.node.ShardTarget;
import dev.holdfast.search.node.StoredCommit;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.World;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The search copies of this node: those that the cluster state puts here, and those it has taken
/// away until their last search ends.
public final class SearchCopies implements AutoCloseable {
  private static final Duration TICK = Duration.ofSeconds(1);

  private final World world;
  private final ObjectStore store;
  private final BlobInputs inputs;
  private final Metadata metadata;
  private final Ownership ownership;
  private final IndexingReads indexing;
  private final AwaitedState states;
  private final Path folder;
  private final CopyCaches caches;
  private final ConcurrentMap<ShardId, SearchShard> copies = new ConcurrentHashMap<>();
  private final List<Retired> retired = new CopyOnWriteArrayList<>();

  /// Those retired that hold nothing yet, and are not to be closed for that.
  private final Set<SearchShard> beingOpened = ConcurrentHashMap.newKeySet();

  private final SearchCopyRecovery openings;
  private final CopyConfirmation confirmation;
  private final CopyAcquisition acquisition;
  private final LeavingCopies leavings;
  private final IdleCopies idle;
  private volatile boolean isClosed;

  /// What the state's thread was here with last.
  private volatile @Nullable ClusterState followed;

  private record Retired(ShardId shard, SearchShard copy) {}

  public SearchCopies(
      World world,
      ObjectStore store,
      BlobInputs inputs,
      Metadata metadata,
      Ownership ownership,
      IndexingReads indexing,
      SearchConfig config,
      Path folder,
      CopyWarming.Warming warming) {
    this.world = world;
    this.store = store;
    this.inputs = inputs;
    this.metadata = metadata;
    this.ownership = ownership;
    this.indexing = indexing;
    this.folder = folder;
    this.idle = new IdleCopies(config.hollowAfter().toNanos(), Runtime.getRuntime().maxMemory());
    this.states = new AwaitedState(world, metadata);
    this.openings =
        new SearchCopyRecovery(
            world, metadata, ownership, indexing, this::opened, warming, this::started);
    this.confirmation = new CopyConfirmation(metadata, ownership, openings);
    this.leavings =
        new LeavingCopies(world, metadata, ownership, shard -> !copies.containsKey(shard));
    this.acquisition =
        new CopyAcquisition(
            world,
            store,
            metadata,
            config,
            openings,
            new SearchReports(world, indexing),
            shard -> isClosed ? null : copies.get(shard),
            this::started);
    this.caches = new CopyCaches(metadata, config, world.memory());
    var _ = world.tasks().repeat("search-copies", TICK, this::tick);
  }

  /// Opens and closes copies as the state says; blocks nowhere.
  public void follow(ClusterState now) {
    if (isClosed) {
      return;
    }
    String self = ownership.nodeEphemeralId();
    ClusterState before = followed;
    followed = now;
    for (IndexMetadata index : now.indices().values()) {
      if (now.hasSame(index, before)) {
        continue;
      }
      for (int number = 0; index.isOpen() && number < index.shards(); number++) {
        ShardId shard = new ShardId(index.id(), number);
        ShardAssignment.Copy here = now.assignment(shard).copies().get(self);
        if (here != null && here != ShardAssignment.Copy.LEAVING) {
          SearchShard copy = copies.computeIfAbsent(shard, this::create);
          if (here == ShardAssignment.Copy.STARTING) {
            copy.starting();
            openings.add(shard);
          }
        }
      }
    }
    for (ShardId shard : copies.keySet()) {
      if (!isHere(now, shard)) {
        retire(shard);
      }
    }
    leavings.look();
  }

  private boolean isHere(ClusterState now, ShardId shard) {
    IndexMetadata index = now.indices().get(shard.index().name());
    return index != null
        && index.id().equals(shard.index())
        && index.isOpen()
        && now.assignment(shard).hasCopy(ownership.nodeEphemeralId());
  }

  private void retire(ShardId shard) {
    SearchShard copy = copies.remove(shard);
    if (copy != null) {
      retired.add(new Retired(shard, copy));
      var _ = world.tasks().start("retire-copy", () -> closeWhenIdle(copy));
    }
  }

  private void closeWhenIdle(SearchShard copy) throws IOException {
    if (copy.retire()) {
      retired.removeIf(one -> one.copy == copy);
      copy.close();
    }
  }

  private void tick() throws IOException {
    for (Retired one : retired) {
      if (!beingOpened.contains(one.copy)) {
        closeWhenIdle(one.copy);
      }
    }
    idle.look(copies.values(), world.clock().nanoTime());
    caches.keepOnly(this::isKnown);
    openings.keepOnly(this::isKnown);
    openings.look();
    leavings.look();
  }

  private boolean isKnown(ShardId shard) {
    return copies.containsKey(shard) || retired.stream().anyMatch(one -> one.shard.equals(shard));
  }

  private SearchShard create(ShardId shard) {
    CommitStore commits = new CommitStore(store, shard);
    Path fetches = folder.resolve(shard.index().uuid()).resolve(Integer.toString(shard.number()));
    SearchDirectory directory =
        new SearchDirectory(shard, inputs, commits::blob, indexing, fetches);
    return new SearchShard(
        shard,
        directory,
        caches,
        newFieldUse(),
        () -> metadata.current().primaryTerm(shard),
        world.clock().nanoTime());
  }

  /// A commit that is in the store, newest or not, kept open until released. No copy of the shard
  /// need be here.
  public OpenCommit open(ShardId shard, CompoundCommit commit) throws IOException {
    CommitStore commits = new CommitStore(store, shard);
    SearchDirectory directory = new SearchDirectory(shard, inputs, commits::blob, indexing);
    SearchShard alone =
        new SearchShard(shard, directory, caches, newFieldUse(), () -> 0, world.clock().nanoTime());
    beingOpened.add(alone);
    retired.add(new Retired(shard, alone)); // what it reads is told from now on
    OpenCommit opened = null;
    try {
      InUse _ = alone.commit(new CommitNotice(shard, commit, Optional.of(commit.home())));
      opened = alone.acquire();
    } finally {
      beingOpened.remove(alone);
      closeWhenIdle(alone);
    }
    if (opened == null || isClosed) {
      throw unavailable(shard, "");
    }
    return opened;
  }

  public InUse commit(CommitNotice notice) throws IOException {
    if (isClosed) {
      throw new Refusal(ErrorType.NODE_CLOSED, "the search tier is closed");
    }
    awaitState(notice.shard(), notice.stateVersion());
    SearchShard copy = copies.get(notice.shard());
    if (copy == null && isHere(metadata.current(), notice.shard())) {
      copy = copies.computeIfAbsent(notice.shard(), this::create);
    }
    if (copy != null) {
      InUse _ = copy.commit(notice);
    }
    return inUse(notice.shard());
  }

  /// A commit that the indexing node said is the newest.
  private void opened(CommitNotice notice) throws IOException {
    awaitState(notice.shard(), notice.stateVersion());
    SearchShard copy = copies.get(notice.shard());
    if (copy != null) {
      InUse _ = copy.commit(notice);
    }
  }

  /// Waits for a cluster state, unless this node stops.
  public void awaitState(ShardId shard, long version) throws IOException {
    states.await(shard, version, () -> isClosed);
  }

  private void started(ShardId shard) throws InterruptedException {
    SearchShard copy = copies.get(shard);
    if (copy != null) {
      confirmation.started(shard, copy);
    }
  }

  public void requireKnown(ShardId shard) {
    if (openings.isAsking(shard)) {
      throw new Refusal(
          ErrorType.UNAVAILABLE_SHARDS, "a commit is being asked for [shard=" + shard + "]");
    }
  }

  public InUse inUse(ShardId shard) {
    SortedSet<Long> generations = new TreeSet<>();
    SortedSet<BlobId> blobs = new TreeSet<>();
    for (Retired one : retired) {
      if (one.shard.equals(shard)) {
        generations.addAll(one.copy.inUse().generations());
        blobs.addAll(one.copy.inUse().blobs());
      }
    }
    SearchShard copy = copies.get(shard);
    long since = -1;
    if (copy != null) {
      InUse now = copy.inUse();
      generations.addAll(now.generations());
      blobs.addAll(now.blobs());
      since = copy.recency.sinceSearchMillis(world.clock().nanoTime());
    }
    return new InUse(
        Collections.unmodifiableSortedSet(generations),
        Collections.unmodifiableSortedSet(blobs),
        since);
  }

  /// The newest commit of a shard, for a question that has no timeout and is not cancelled.
  ///
  /// @throws Refusal as below
  public OpenCommit acquire(ShardId shard) throws IOException, InterruptedException {
    return acquire(shard, ShardTarget.ANY, SearchConfig.NO_TIMEOUT, () -> false);
  }

  /// The newest commit of a shard, to be searched.
  ///
  /// @param dividedSince as in [ShardTarget]
  /// @param timeoutMillis of the search; negative for none
  /// @throws Refusal `no_shard_available_action_exception` with what is known of the cause when
  ///   there is no copy here, or it did not open in time; `task_cancelled_exception`; a
  ///   `StaleTarget` when the shard has given documents away since
  public OpenCommit acquire(
      ShardId shard, long dividedSince, long timeoutMillis, BooleanSupplier isCancelled)
      throws IOException, InterruptedException {
    return acquire(shard, dividedSince, openingMax(timeoutMillis), isCancelled);
  }

  /// The same.
  ///
  /// @param max how long a copy is waited for that is not open; nothing or less: one that is not is
  ///   begun to be opened
  public OpenCommit acquire(
      ShardId shard, long dividedSince, Duration max, BooleanSupplier isCancelled)
      throws IOException, InterruptedException {
    return acquisition.acquire(shard, dividedSince, max, isCancelled);
  }

  /// How long a search waits for copies that are not open.
  ///
  /// @param timeoutMillis what is left of its timeout; negative for none
  public Duration openingMax(long timeoutMillis) {
    return acquisition.openingMax(timeoutMillis);
  }

  /// The damage that keeps a copy from being opened; null when none does that is known.
  public @Nullable Refusal damage(ShardId shard) {
    return openings.damage(shard);
  }

  /// The newest commit of a shard, neither opened nor kept open for that; null when it is not open.
  public @Nullable OpenCommit acquireIfOpen(ShardId shard) {
    SearchShard copy = copies.get(shard);
    return copy == null ? null : copy.acquire();
  }

  /// A commit, if it is the one that the copy here is searched at.
  public @Nullable OpenCommit acquire(StoredCommit wanted) throws IOException {
    SearchShard copy = copies.get(wanted.shard());
    OpenCommit opened = copy == null ? null : copy.acquire();
    if (opened != null && !wanted.is(opened.commit())) {
      opened.release();
      return null;
    }
    return opened;
  }

  /// @param why in a few words; empty when nothing is known
  public static Refusal unavailable(ShardId shard, String why) {
    return new Refusal(
            ErrorType.NO_SHARD_AVAILABLE,
            "No shard available for " + shard + (why.isEmpty() ? "" : ": " + why))
        .with("index", shard.index().name())
        .with("shard", String.valueOf(shard.number()));
  }

  public CopyCaches caches() {
    return caches;
  }

  public Map<ShardId, FieldUse> fieldUse(Predicate<ShardId> isMeant) {
    Map<ShardId, FieldUse> uses = new HashMap<>();
    copies.forEach((shard, copy) -> {
      if (isMeant.test(shard)) {
        uses.put(shard, copy.fieldUse());
      }
    });
    return uses;
  }

  private FieldUse newFieldUse() {
    return new FieldUse(world.ids().uuid(), world.clock().epochMillis());
  }

  public List<SearchCopyInfo> sights() {
    long nowNanos = world.clock().nanoTime();
    return Stream.concat(copies.values().stream(), retired.stream().map(Retired::copy))
        .map(copy -> copy.sight(nowNanos))
        .toList();
  }

  /// Copies that hold no reader.
  public int hollow() {
    return (int) copies.values().stream().filter(SearchShard::isHollow).count();
  }

  @Override
  public void close() throws IOException {
    isClosed = true;
    for (SearchShard copy : List.copyOf(copies.values())) {
      copies.values().remove(copy);
      copy.close();
    }
    for (Retired one : retired) {
      one.copy.close();
    }
  }
}
