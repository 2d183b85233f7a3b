package dev.holdfast.api.cost;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.api.broadcast.Broadcast;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.cost.CostLedger;
import dev.holdfast.cost.KeptBytes;
import dev.holdfast.cost.LedgerBytes;
import dev.holdfast.cost.Spent;
import dev.holdfast.cost.StoredLedger;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.objectstore.ObjectStore.Swap;
import dev.holdfast.objectstore.ObjectStore.Version;
import dev.holdfast.world.Json;
import dev.holdfast.world.World;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/// The leader's account of what the cluster spends: it asks nodes, puts the account into the store
/// now and then, and takes up the one that it finds there. What a node spent after it was last
/// asked is not in it when the node ends; nor is, after the leader has ended, what was not put down
/// of nodes that have ended too. It lists the store to see what is kept.
final class CostAccount implements StorageClassMoves.Account {
  private static final Logger LOG = LoggerFactory.getLogger(CostAccount.class);

  /// How often it is seen whether something is due.
  private static final Duration EVERY = Duration.ofSeconds(1);

  private static final Duration HEAR_EVERY = Duration.ofSeconds(5);
  private static final Duration ANSWERS_MAX = Duration.ofSeconds(5);

  /// Four cents a month.
  private static final Duration PUT_DOWN_EVERY = Duration.ofMinutes(5);

  private static final Duration PUT_DOWN_FIRST_AFTER = Duration.ofSeconds(3);

  /// A cluster of a million objects pays 60 cents a month for it.
  private static final Duration LOOK_EVERY = Duration.ofHours(6);

  /// A new leader has more urgent things to do.
  private static final Duration LOOK_AFTER = Duration.ofSeconds(30);

  private final World world;
  private final Metadata metadata;
  private final ObjectStore store;
  private final String self;
  private final Broadcast nodes;

  // Of the one task.
  private @Nullable Version version;
  private long heardNanos;
  private long putDownNanos;
  private long lookNanos;
  private boolean isLate; // which is said once

  // Guarded by this.
  private @Nullable CostLedger ledger;
  private @Nullable KeptBytes kept;
  private final Deque<Sample> samples = new ArrayDeque<>();

  /// Dollars of all requests so far.
  private record Sample(long nanos, double dollars) {}

  /// @param nodes answers what each has spent since it began
  CostAccount(World world, Metadata metadata, ObjectStore store, String self, Broadcast nodes) {
    this.world = world;
    this.metadata = metadata;
    this.store = store;
    this.self = self;
    this.nodes = nodes;
  }

  void start() {
    var _ = world.tasks().repeat("cost", EVERY, this::tick);
  }

  private void tick() throws InterruptedException {
    if (!metadata.leaderId().equals(self)) {
      forget();
      return;
    }
    try {
      CostLedger before = ledger();
      long now = world.clock().nanoTime();
      if (before == null || now - heardNanos >= HEAR_EVERY.toNanos()) {
        heardNanos = now;
        keep(hear(before == null ? takeUp() : before));
      }
      if (now - putDownNanos >= PUT_DOWN_EVERY.toNanos()) {
        putDown(now);
      }
      if (now - lookNanos >= 0) {
        lookNanos = now + LOOK_EVERY.toNanos();
        looked(KeptBytes.look(store, world.clock().epochMillis()));
      }
      isLate = false;
    } catch (IOException e) {
      LOG.atLevel(isLate ? Level.DEBUG : Level.WARN)
          .log("the account of the store's costs is told late [why={}]", e.toString());
      isLate = true;
    }
  }

  private synchronized void forget() {
    ledger = null;
    kept = null;
    samples.clear();
  }

  private synchronized void looked(KeptBytes found) {
    kept = found;
  }

  /// What is known; null when this node does not lead, or has just begun to.
  @Override
  public synchronized @Nullable CostLedger ledger() {
    return ledger;
  }

  @Override
  public synchronized @Nullable KeptBytes kept() {
    return kept;
  }

  private CostLedger takeUp() throws IOException {
    long now = world.clock().nanoTime();
    putDownNanos = now - PUT_DOWN_EVERY.minus(PUT_DOWN_FIRST_AFTER).toNanos();
    lookNanos = now + LOOK_AFTER.toNanos();
    StoredLedger stored = StoredLedger.read(store, world.clock().epochMillis());
    version = stored.version();
    return stored.ledger();
  }

  /// With what nodes say now.
  private CostLedger hear(CostLedger before) throws InterruptedException {
    Broadcast.Seen seen = nodes.ask(Json.object(), ANSWERS_MAX, _ -> true);
    SortedMap<String, Spent> said = new TreeMap<>();
    long since = before.sinceMillis();
    for (Map.Entry<String, JsonNode> one : seen.nodes().entrySet()) {
      JsonNode spent = one.getValue().path("spent");
      if (spent.isObject()) { // a build that counts them
        said.put(one.getKey(), Spent.read(spent));
        if (before.days().isEmpty()) {
          since = Math.min(since, one.getValue().path("since_millis").asLong(since));
        }
      }
    }
    String day = CostLedger.day(world.clock().epochMillis());
    return new CostLedger(since, before.days(), before.heard())
        .with(day, said, seen.silent().keySet());
  }

  private synchronized void keep(CostLedger now) {
    ledger = now;
    long nanos = world.clock().nanoTime();
    samples.addLast(new Sample(nanos, now.all().total().dollars()));
    while (nanos - samples.getFirst().nanos() > Rate.LONGEST.toNanos()) {
      samples.removeFirst();
    }
  }

  /// Another leader may have put down its own: that is taken up next.
  private void putDown(long now) throws IOException, InterruptedException {
    putDownNanos = now;
    CostLedger mine = ledger();
    if (mine == null) {
      return;
    }
    switch (store.compareAndSet(LedgerBytes.KEY, version, LedgerBytes.write(mine))) {
      case Swap.Swapped swapped -> version = swapped.version();
      case Swap.Conflict _ -> forget();
    }
  }

  /// How fast the cluster spends.
  ///
  /// @param dollarsPerSecond 0 when nothing is known yet
  record Rate(Duration within, double dollarsPerSecond) {
    static final Duration LONGEST = Duration.ofHours(1);
    static final Duration SHORT = Duration.ofMinutes(5);
  }

  /// Of so much of the last hour as this node has led.
  synchronized Rate rate(Duration within) {
    Sample last = samples.peekLast();
    if (last == null) {
      return new Rate(Duration.ZERO, 0);
    }
    Sample first = last;
    for (Sample sample : samples) {
      if (last.nanos() - sample.nanos() <= within.toNanos()) {
        first = sample;
        break;
      }
    }
    double seconds = 1e-9 * (last.nanos() - first.nanos());
    return new Rate(
        Duration.ofNanos(last.nanos() - first.nanos()),
        seconds <= 0 ? 0 : Math.max(0, last.dollars() - first.dollars()) / seconds);
  }
}
