package dev.holdfast.api.cost;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.api.ilm.PlannedDeletion;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.cost.CostLedger;
import dev.holdfast.cost.KeptBytes;
import dev.holdfast.cost.StorageClassPolicy;
import dev.holdfast.cost.StorageClassPolicy.Verdict;
import dev.holdfast.cost.StoreBudget;
import dev.holdfast.http.TimeValue;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.objectstore.ObjectStore.Listed;
import dev.holdfast.objectstore.RequestKind;
import dev.holdfast.objectstore.StoreException;
import dev.holdfast.objectstore.count.IndexRequests;
import dev.holdfast.objectstore.count.StorePrices;
import dev.holdfast.world.World;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Moves old blobs to the class that `store.storage_class` names, while this node leads: once a day
/// it lists all blobs and moves those that [StorageClassPolicy] judges worth it. The list says what
/// was moved before, so nothing of it is kept, and a new leader begins anew.
///
/// A move changes no byte: whoever reads, deletes or owns the blob need not know of it, and two
/// leaders do the same. A blob that is deleted meanwhile may come back; its shard's owner, or the
/// sweep, deletes it again.
final class StorageClassMoves {
  private static final Logger LOG = LoggerFactory.getLogger(StorageClassMoves.class);

  /// How often it is seen whether something is due, and how many moves are made then.
  private static final Duration EVERY = Duration.ofSeconds(1);

  private static final int MOVES_AT_ONCE = 20;

  private static final Duration WALK_EVERY = Duration.ofHours(24);

  /// After a walk that the store broke off.
  private static final Duration AGAIN_AFTER = Duration.ofMinutes(10);

  private static final String FOLDER = "shards/";
  private static final int PAGE = 1000;

  /// Days of which it must be known what was read, before that says how often blobs are.
  static final int DAYS_OF_READS_MIN = 7;

  /// Of a budget, moves take no more.
  private static final double BUDGET_SHARE = 0.1;

  private static final String NOT_MOVED =
      "the store took the change of an object's class, and kept its class";

  private final World world;
  private final Metadata metadata;
  private final ObjectStore store;
  private final String self;
  private final StorePrices prices;
  private final Account account;

  // Of the one task.
  private @Nullable StorageClassPolicy followed;
  private @Nullable Walk walk;
  private long walkNanos;
  private boolean isFirstMoveSeen;
  private double allowance;
  private long allowedNanos;

  // Guarded by this.
  private String trouble = "";
  private String waitsFor = "";
  private long moved;
  private long movedBytes;
  private long walkedMillis;
  private Map<Verdict, Long> verdicts = new EnumMap<>(Verdict.class);

  /// What the leader knows of costs.
  interface Account {
    /// Null when nothing is known.
    @Nullable CostLedger ledger();

    @Nullable KeptBytes kept();
  }

  /// What is known of an index for a walk.
  private record Facts(OptionalLong deletedAtMillis, double readsAMonth) {}

  /// One look at all blobs.
  private static final class Walk {
    final Map<String, IndexMetadata> indices = new HashMap<>();
    final Map<String, Facts> facts = new HashMap<>();
    final Map<Verdict, Long> verdicts = new EnumMap<>(Verdict.class);
    final Deque<Listed> page = new ArrayDeque<>();
    String after = "";
    boolean isAllListed;

    Walk(ClusterState state) {
      for (IndexMetadata index : state.indices().values()) {
        indices.put(index.id().uuid(), index);
      }
    }
  }

  StorageClassMoves(
      World world,
      Metadata metadata,
      ObjectStore store,
      String self,
      StorePrices prices,
      Account account) {
    this.world = world;
    this.metadata = metadata;
    this.store = store;
    this.self = self;
    this.prices = prices;
    this.account = account;
  }

  void start() {
    var _ = world.tasks().repeat("storage-class", EVERY, this::tick);
  }

  void tick() {
    ClusterState state = metadata.current();
    StorageClassPolicy policy =
        metadata.leaderId().equals(self) ? StorageClassPolicy.of(state, prices).orElse(null) : null;
    long nanos = world.clock().nanoTime();
    if (!Objects.equals(policy, followed)) {
      follow(policy, nanos);
    }
    if (policy == null || isStopped() || nanos - walkNanos < 0) {
      return;
    }
    try {
      step(policy, state, nanos);
    } catch (StoreException.Denied e) {
      stop(String.valueOf(e.getMessage()));
    } catch (StoreException e) {
      LOG.warn("old blobs are moved to another storage class later [why={}]", e.toString());
      walk = null;
      walkNanos = nanos + AGAIN_AFTER.toNanos();
      waitFor(
          "the store failed, and is asked again after "
              + TimeValue.exact(AGAIN_AFTER)
              + ": "
              + e.getMessage());
    }
  }

  /// From the beginning, by another policy or none.
  private void follow(@Nullable StorageClassPolicy policy, long nanos) {
    followed = policy;
    walk = null;
    walkNanos = nanos;
    isFirstMoveSeen = false;
    allowance = 0;
    allowedNanos = nanos;
    synchronized (this) {
      trouble = "";
      waitsFor = "";
      moved = 0;
      movedBytes = 0;
      walkedMillis = 0;
      verdicts = new EnumMap<>(Verdict.class);
    }
  }

  private synchronized boolean isStopped() {
    return !trouble.isEmpty();
  }

  /// Until somebody changes the setting, or another node leads.
  private void stop(String why) {
    walk = null;
    synchronized (this) {
      trouble = why;
    }
    LOG.warn(
        "no blob is moved to another storage class any more [setting={}, why={}]",
        StorageClassPolicy.SETTING,
        why);
  }

  private synchronized void waitFor(String what) {
    waitsFor = what;
  }

  private void step(StorageClassPolicy policy, ClusterState state, long nanos)
      throws StoreException {
    CostLedger ledger = account.ledger();
    KeptBytes kept = account.kept();
    long nowMillis = world.clock().epochMillis();
    if (ledger == null || kept == null) {
      waitFor("a first look at what is kept");
      return;
    }
    if (ledger.daysOfReads(nowMillis) < DAYS_OF_READS_MIN) {
      waitFor(
          "what is read is known of "
              + ledger.daysOfReads(nowMillis)
              + " days, and of "
              + DAYS_OF_READS_MIN
              + " it must be");
      return;
    }
    waitFor("");
    Walk now = walk == null ? new Walk(state) : walk;
    walk = now;
    if (now.page.isEmpty() && !now.isAllListed) {
      list(now);
    }
    int moves = 0;
    while (!now.page.isEmpty() && moves < MOVES_AT_ONCE) {
      Verdict verdict = judge(policy, now, now.page.getFirst(), ledger, kept, nowMillis);
      if (verdict == Verdict.MOVE) {
        if (!mayPay(state, nanos)) {
          return;
        }
        move(policy, now.page.getFirst());
        moves++;
      }
      now.page.removeFirst();
      if (verdict != null) {
        now.verdicts.merge(verdict, 1L, Long::sum);
      }
      if (isStopped()) {
        return;
      }
    }
    if (now.page.isEmpty() && now.isAllListed) {
      end(now, nanos);
    }
  }

  private void list(Walk now) throws StoreException {
    List<Listed> listed = store.list(FOLDER, now.after, PAGE);
    now.page.addAll(listed);
    now.isAllListed = listed.size() < PAGE;
    if (!listed.isEmpty()) {
      now.after = listed.getLast().key();
    }
  }

  /// Null for what is of no index that the state had when the walk began.
  private @Nullable Verdict judge(
      StorageClassPolicy policy,
      Walk now,
      Listed blob,
      CostLedger ledger,
      KeptBytes kept,
      long nowMillis) {
    String uuid = IndexRequests.index(blob.key());
    IndexMetadata index = now.indices.get(uuid);
    if (index == null) {
      return null;
    }
    // What the blob itself says is cheaper to know than what lifecycles and the account do.
    Verdict ofBlob = policy.judge(blob, nowMillis, OptionalLong.empty(), 0);
    if (ofBlob != Verdict.MOVE) {
      return ofBlob;
    }
    Facts facts = now.facts.get(uuid);
    if (facts == null) {
      long bytes = Math.max(1, kept.byIndex().getOrDefault(uuid, blob.length()));
      facts =
          new Facts(
              PlannedDeletion.millis(metadata.current(), index, nowMillis),
              ledger.bytesReadAMonth(uuid, nowMillis) / bytes);
      now.facts.put(uuid, facts);
    }
    return policy.judge(blob, nowMillis, facts.deletedAtMillis, facts.readsAMonth);
  }

  /// Moves never wait where there is no budget; else they get a share of it.
  private boolean mayPay(ClusterState state, long nanos) {
    OptionalDouble budget = StoreBudget.of(state);
    double price = prices.dollars(RequestKind.TRANSITION, 1);
    double seconds = 1e-9 * (nanos - allowedNanos);
    allowedNanos = nanos;
    if (budget.isEmpty()) {
      return true;
    }
    double more = seconds * BUDGET_SHARE * budget.getAsDouble() / StorePrices.MONTH_SECONDS;
    allowance = Math.min(allowance + more, MOVES_AT_ONCE * price);
    if (allowance < price) {
      return false;
    }
    allowance -= price;
    return true;
  }

  private void move(StorageClassPolicy policy, Listed blob) throws StoreException {
    try {
      store.changeClass(blob.key(), policy.target().name());
    } catch (StoreException.NotFound e) {
      LOG.debug("a blob went before it was moved to another class [key={}]", blob.key());
      return;
    }
    if (!isFirstMoveSeen) {
      isFirstMoveSeen = true;
      List<Listed> after = store.list(blob.key(), "", 1);
      if (!after.isEmpty() && prices.classes().isUsual(after.getFirst().storageClass())) {
        stop(NOT_MOVED);
        return;
      }
    }
    synchronized (this) {
      moved++;
      movedBytes += blob.length();
    }
  }

  private void end(Walk now, long nanos) {
    walk = null;
    walkNanos = nanos + WALK_EVERY.toNanos();
    long all;
    synchronized (this) {
      walkedMillis = world.clock().epochMillis();
      verdicts = now.verdicts;
      all = moved;
    }
    if (now.verdicts.containsKey(Verdict.MOVE)) {
      LOG.info("moved old blobs to another storage class [verdicts={}, all={}]", now.verdicts, all);
    }
  }

  /// Adds what becomes of old blobs, when somebody named a class.
  synchronized void tell(ClusterState state, ObjectNode json) {
    String named = StorageClassPolicy.named(state);
    if (named.isEmpty()) {
      return;
    }
    ObjectNode told = json.putObject("storage_class");
    StorageClassPolicy policy = StorageClassPolicy.of(state, prices).orElse(null);
    told.put("target", policy == null ? named : policy.target().name());
    if (policy == null) {
      told.put("trouble", "this store has no such class");
      return;
    }
    told.put("after", TimeValue.exact(policy.after()))
        .put("moved", moved)
        .put("moved_bytes", movedBytes);
    if (!trouble.isEmpty()) {
      told.put("trouble", trouble);
    }
    if (!waitsFor.isEmpty()) {
      told.put("waits_for", waitsFor);
    }
    if (walkedMillis > 0) {
      told.put("walked_at", Instant.ofEpochMilli(walkedMillis).toString());
      ObjectNode blobs = told.putObject("blobs");
      verdicts.forEach((verdict, count) -> blobs.put(verdict.label(), count));
    }
  }
}
