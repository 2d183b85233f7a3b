package dev.holdfast.search.held;

import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.compoundcommit.BlobId;
import dev.holdfast.search.copy.OpenCommit;
import dev.holdfast.search.copy.SearchCopies;
import dev.holdfast.search.figures.SearchCounters;
import dev.holdfast.search.figures.SearchFigures;
import dev.holdfast.search.node.ContextId;
import dev.holdfast.search.node.SearchConfig;
import dev.holdfast.search.node.ShardContexts;
import dev.holdfast.search.node.ShardTarget;
import dev.holdfast.search.node.StoredCommit;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Promise;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.World;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// The commits that this node keeps open: those it was asked to, and those of points in time that
/// it has opened again from their pins.
public final class HeldCommits implements AutoCloseable {
  /// Shards of all scrolls, unless `search.max_open_scroll_context` says otherwise.
  private static final int SCROLLS_MAX = 500;

  /// Shards of all points in time, unless `search.max_open_pit_context` says otherwise.
  private static final int POINTS_IN_TIME_MAX = 5_000;

  private static final Duration LOOK = Duration.ofSeconds(1);

  /// Shorter requests of scrolls are not asked for.
  private static final int SMALL_MAX_CHARACTERS = 4 << 10;

  private final World world;
  private final String node;
  private final Metadata metadata;
  private final SearchCopies copies;
  private final RestoredCommits restored;
  private final PinKeeping keeping;
  private final SearchCounters counters;
  private final AtomicLong numbers = new AtomicLong();
  private final ConcurrentMap<Long, HeldCommit> held = new ConcurrentHashMap<>();

  /// The numbers of commits that were opened from pins.
  private final ConcurrentMap<PinnedShard, Long> fromPins = new ConcurrentHashMap<>();

  /// Held while a commit is opened from its pin, so that it is opened once.
  private final ReentrantLock restoring = new ReentrantLock();

  private record PinnedShard(String pin, ShardId shard) {}

  /// @param node this node's ephemeral id
  /// @param counters are told of scrolls that end
  public HeldCommits(
      World world,
      String node,
      Metadata metadata,
      SearchCopies copies,
      RestoredCommits restored,
      PinKeeping keeping,
      SearchCounters counters) {
    this.world = world;
    this.metadata = metadata;
    this.node = node;
    this.copies = copies;
    this.restored = restored;
    this.keeping = keeping;
    this.counters = counters;
    var _ = world.tasks().repeat("held-commits", LOOK, this::closeOver);
    var _ = world.tasks().repeat("kept-pins", LOOK, () -> keeping.extend(held.values()));
  }

  /// Keeps the newest commit of a shard.
  ///
  /// @param pin null for none
  public ContextId open(
      ShardTarget target,
      ShardContexts.Kind kind,
      Duration keepAlive,
      String request,
      HeldCommit.@Nullable Pin pin)
      throws IOException, InterruptedException {
    requireRoom(kind);
    OpenCommit opened =
        copies.acquire(target.shard(), target.dividedSince(), SearchConfig.NO_TIMEOUT, () -> false);
    long now = world.clock().nanoTime();
    long deadline = now + keepAlive.toNanos();
    StoredCommit name = StoredCommit.of(target.shard(), opened.commit());
    HeldCommit commit = new HeldCommit(target, kind, name, opened, request, false, now, deadline);
    if (pin != null) {
      commit.pinned(pin);
    }
    return new ContextId(node, add(commit), kind, pin == null ? "" : pin.id());
  }

  /// Keeps a commit that another node keeps for a scroll: open when the copy here is searched at
  /// it, else by its name, to be read from the store if it is ever searched.
  ///
  /// @param isUploaded whether it is in the store
  /// @throws Refusal `search_context_missing_exception` when it is neither here nor there
  public ContextId openSpare(
      ShardTarget target,
      StoredCommit commit,
      boolean isUploaded,
      ScrollPosition position,
      Duration keepAlive,
      String request)
      throws IOException {
    if (held.size() >= scrollsMax() + pointsInTimeMax()) {
      throw new Refusal(ErrorType.REJECTED_EXECUTION, "this node keeps too many commits already");
    }
    OpenCommit opened = copies.acquire(commit);
    if (opened == null && !isUploaded) {
      throw new Refusal(
          ErrorType.SEARCH_CONTEXT_MISSING,
          "a commit that is not uploaded yet is not searched here [generation="
              + commit.generation()
              + "]");
    }
    long now = world.clock().nanoTime();
    long deadline = now + keepAlive.toNanos();
    ShardContexts.Kind kind = ShardContexts.Kind.SCROLL;
    HeldCommit spare = new HeldCommit(target, kind, commit, opened, request, true, now, deadline);
    spare.settle(position);
    return new ContextId(node, add(spare), kind);
  }

  /// Blobs of commits that are kept by their names only: nobody reads them yet, and nobody may
  /// delete them.
  public SortedSet<BlobId> unopenedBlobs(ShardId shard) {
    SortedSet<BlobId> blobs = new TreeSet<>();
    for (HeldCommit commit : held.values()) {
      if (!commit.isOpen() && commit.target().shard().equals(shard)) {
        blobs.addAll(commit.commit().blobs());
      }
    }
    return blobs;
  }

  /// What a commit holds of memory beside itself: the text of the search whose pages it is for,
  /// which may be as long as a body.
  private static long bytes(HeldCommit commit) {
    int characters = commit.request().length();
    return characters > SMALL_MAX_CHARACTERS ? characters : 0;
  }

  private void reserve(HeldCommit commit) throws IOException {
    if (bytes(commit) == 0) {
      return;
    }
    try {
      world.memory().request().take(bytes(commit), "<scroll_context>");
    } catch (Refusal e) {
      commit.close();
      throw e;
    }
  }

  private long add(HeldCommit commit) throws IOException {
    reserve(commit);
    long number = numbers.incrementAndGet();
    HeldCommit before = held.put(number, commit);
    Promise.keep(before == null, "the number of a kept commit is used once", "number", number);
    return number;
  }

  private int scrollsMax() {
    return limit("search.max_open_scroll_context", SCROLLS_MAX);
  }

  private int pointsInTimeMax() {
    return limit("search.max_open_pit_context", POINTS_IN_TIME_MAX);
  }

  private int limit(String setting, int whenUnset) {
    Object set = metadata.current().setting(setting);
    return set == null ? whenUnset : Integer.parseInt(set.toString());
  }

  private void requireRoom(ShardContexts.Kind kind) {
    boolean isScroll = kind == ShardContexts.Kind.SCROLL;
    int max = isScroll ? scrollsMax() : pointsInTimeMax();
    if (open(kind) >= max) {
      String what = isScroll ? "scroll" : "pit";
      throw new Refusal(
          ErrorType.REJECTED_EXECUTION,
          "Trying to create too many "
              + what
              + " contexts. Must be less than or equal to: ["
              + max
              + "]. This limit can be set by changing the [search.max_open_"
              + what
              + "_context] setting.");
    }
  }

  public HeldCommit require(ContextId context) {
    HeldCommit commit = find(context);
    if (commit == null) {
      throw missing(context);
    }
    return commit;
  }

  public int open(ShardContexts.Kind kind) {
    return (int) held.values().stream().filter(one -> one.kind() == kind && !one.isSpare()).count();
  }

  /// What was searched on this node, and the contexts that are open.
  public Map<ShardId, SearchFigures> searched() {
    return counters.figures(openByShard(one -> true), openByShard(HeldCommits::isScroll));
  }

  private Map<ShardId, Integer> openByShard(Predicate<HeldCommit> isMeant) {
    Map<ShardId, Integer> open = new HashMap<>();
    for (HeldCommit commit : held.values()) {
      if (isMeant.test(commit) && !commit.isSpare()) {
        open.merge(commit.target().shard(), 1, Integer::sum);
      }
    }
    return open;
  }

  private static boolean isScroll(HeldCommit commit) {
    return commit.kind() == ShardContexts.Kind.SCROLL;
  }

  /// @throws Refusal `search_context_missing_exception`
  public HeldCommit keep(ContextId context, Duration keepAlive) {
    HeldCommit commit = require(context);
    commit.keepUntil(world.clock().nanoTime() + keepAlive.toNanos());
    return commit;
  }

  private @Nullable HeldCommit find(ContextId context) {
    return context.node().equals(node) ? held.get(context.number()) : null;
  }

  /// The commit, open until it is released once more than it is held.
  ///
  /// @param target asks for it, and for how long it is to be kept
  /// @throws Refusal `search_context_missing_exception`
  public HeldCommit acquire(ContextId context, ShardTarget target) throws IOException {
    HeldCommit commit = find(context);
    if (commit == null && context.isPinned() && !context.node().equals(node)) {
      commit = fromPin(context.pin(), target.shard());
    }
    if (commit == null
        || !commit.target().shard().equals(target.shard()) // of an id that somebody made up
        || !commit.open(restored::open)
        || !commit.opened().reader().tryIncRef()) {
      throw missing(context);
    }
    if (target.keepMillis() >= 0) {
      commit.keepUntil(world.clock().nanoTime() + target.keepMillis() * 1_000_000);
    }
    return commit;
  }

  private @Nullable HeldCommit fromPin(String pin, ShardId shard) throws IOException {
    PinnedShard name = new PinnedShard(pin, shard);
    HeldCommit known = known(name);
    if (known != null) {
      return known;
    }
    restoring.lock();
    try {
      known = known(name);
      if (known == null) {
        requireRoom(ShardContexts.Kind.POINT_IN_TIME);
        known = restored.open(pin, shard);
        if (known != null) {
          fromPins.put(name, add(known));
        }
      }
      return known;
    } finally {
      restoring.unlock();
    }
  }

  private @Nullable HeldCommit known(PinnedShard name) {
    Long number = fromPins.get(name);
    return number == null ? null : held.get(number);
  }

  public static Refusal missing(ContextId context) {
    return new Refusal(
        ErrorType.SEARCH_CONTEXT_MISSING,
        "No search context found for id [" + context.number() + "]");
  }

  public boolean close(ContextId context) {
    return context.node().equals(node) && close(context.number()) != null;
  }

  private @Nullable HeldCommit close(long number) {
    HeldCommit commit = held.remove(number);
    if (commit == null) {
      return null;
    }
    world.memory().request().giveBack(bytes(commit));
    if (isScroll(commit) && !commit.isSpare()) {
      long openNanos = world.clock().nanoTime() - commit.sinceNanos();
      counters.scrolled(commit.target().shard(), openNanos);
    }
    HeldCommit.Pin pin = commit.pin();
    if (pin != null) {
      fromPins.remove(new PinnedShard(pin.id(), commit.target().shard()), number);
    }
    try {
      commit.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return commit;
  }

  /// Closes all of a kind.
  public int closeAll(ShardContexts.Kind kind) {
    int closed = 0;
    for (Map.Entry<Long, HeldCommit> one : held.entrySet()) {
      if (one.getValue().kind() == kind) {
        HeldCommit commit = close((long) one.getKey());
        closed += commit == null || commit.isSpare() ? 0 : 1;
      }
    }
    return closed;
  }

  /// Closes all of a point in time.
  public int closePinned(String id) {
    int closed = 0;
    for (Map.Entry<Long, HeldCommit> one : held.entrySet()) {
      HeldCommit.Pin pin = one.getValue().pin();
      if (pin != null && pin.id().equals(id)) {
        closed += close((long) one.getKey()) == null ? 0 : 1;
      }
    }
    return closed;
  }

  private void closeOver() {
    long now = world.clock().nanoTime();
    List<HeldCommit.Pin> over = new ArrayList<>();
    for (Map.Entry<Long, HeldCommit> one : held.entrySet()) {
      if (one.getValue().isOver(now)) {
        HeldCommit closed = close((long) one.getKey());
        HeldCommit.Pin pin = closed == null ? null : closed.pin();
        if (pin != null && pin.isKeptHere()) {
          over.add(pin);
        }
      }
    }
    over.forEach(keeping::delete);
  }

  /// Pins stay: another process goes on with them.
  @Override
  public void close() {
    for (Long number : held.keySet()) {
      HeldCommit _ = close((long) number);
    }
  }
}
