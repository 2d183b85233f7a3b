package dev.holdfast.indexing.resend;

import dev.holdfast.indexing.operation.WriteAttempt;
import dev.holdfast.indexing.operation.WriteResult.Effect;
import dev.holdfast.indexing.version.Row;
import dev.holdfast.translog.Operation;
import dev.holdfast.translog.WriteOrigin;
import dev.holdfast.world.Clock;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/// What became of the writes to a shard that may be sent again: an attempt finds here what an
/// earlier one did, on whatever node that was. Every write says which of its node's writes may
/// still be sent again; what is older is forgotten, so there is hardly more here than is under way.
/// It is kept with each commit, and what the commit lacks is in the log: see [SavedWrites],
/// `Replaying`.
///
/// Nothing is forgotten in silence: a write older than what is known here is refused, for it may
/// have been done.
public final class RecentWrites {
  /// Writes of a shard. More are under way when a node routes so many at once; the oldest of them
  /// can't be sent again then.
  static final int WRITES_MAX = 10_000;

  /// Estimated memory of a shard's.
  static final long BYTES_MAX = 8L << 20;

  /// Longer than any node sends a write again: what is as old was left by a node that has written
  /// nothing since.
  static final Duration KEPT_MAX = Duration.ofMinutes(10);

  private static final int WRITE_BYTES = 160;

  private final Clock clock;

  // Guarded by this.
  private final Map<Long, OfNode> nodes = new HashMap<>();
  private int count;
  private long bytes;

  /// Writes that one node routes.
  static final class OfNode {
    final TreeMap<Long, Write> byNumber = new TreeMap<>();
    long oldest;
  }

  /// @param nanos when something of it was done
  record Write(List<RecentRun> runs, long nanos) {
    int bytes() {
      return WRITE_BYTES + runs.stream().mapToInt(RecentRun::bytes).sum();
    }
  }

  public RecentWrites(Clock clock) {
    this.clock = clock;
  }

  /// An attempt begins.
  ///
  /// @return what earlier ones did, in no order
  /// @throws Refusal `timeout_exception` when that may have been forgotten
  public synchronized List<RecentRun> begin(WriteOrigin origin) {
    if (origin.isNone()) {
      return List.of();
    }
    OfNode node = at(origin);
    if (origin.number() < node.oldest) {
      throw unknown("an earlier attempt at it may have been done and is not remembered");
    }
    Write write = node.byNumber.get(origin.number());
    return write == null ? List.of() : write.runs;
  }

  /// What a client is told whose write may have happened, or not.
  public static Refusal unknown(String why) {
    return new Refusal(
        ErrorType.TIMEOUT,
        "it is not known what became of the write, " + why + "; read the document to find out");
  }

  private OfNode at(WriteOrigin origin) {
    OfNode node = nodes.computeIfAbsent(origin.node(), _ -> new OfNode());
    if (origin.oldest() > node.oldest) {
      forget(node, origin.oldest());
    }
    return node;
  }

  private void forget(OfNode node, long below) {
    node.oldest = below;
    while (!node.byNumber.isEmpty() && node.byNumber.firstKey() < below) {
      count--;
      bytes -= node.byNumber.pollFirstEntry().getValue().bytes();
    }
  }

  /// Rows were numbered and are in the log.
  public void did(WriteAttempt attempt, List<Row> rows) {
    if (attempt.origin().isNone() || rows.isEmpty()) {
      return;
    }
    List<RecentRun> runs = new ArrayList<>(1);
    RecentRun.Builder builder = null;
    for (Row row : rows) {
      int ordinal = attempt.ordinal(row.slot);
      if (builder == null || !builder.add(ordinal, row.seqNo, row.version, row.effect)) {
        builder = next(runs, builder, ordinal, row.seqNo, row.primaryTerm);
        boolean _ = builder.add(ordinal, row.seqNo, row.version, row.effect);
      }
    }
    if (builder != null) {
      runs.add(builder.built());
    }
    add(attempt.origin(), runs);
  }

  /// Operations that a commit lacks are read from the log, in order.
  public void replayed(long primaryTerm, List<Operation> operations) {
    int from = 0;
    while (from < operations.size()) {
      WriteOrigin origin = operations.get(from).sent().origin();
      int to = from + 1;
      while (to < operations.size() && operations.get(to).sent().origin().equals(origin)) {
        to++;
      }
      if (!origin.isNone()) {
        add(origin, runs(primaryTerm, operations.subList(from, to)));
      }
      from = to;
    }
  }

  private static List<RecentRun> runs(long primaryTerm, List<Operation> operations) {
    List<RecentRun> runs = new ArrayList<>(1);
    RecentRun.Builder builder = null;
    for (Operation operation : operations) {
      int ordinal = operation.sent().ordinal();
      Effect effect = effect(operation);
      if (builder == null
          || !builder.add(ordinal, operation.seqNo(), operation.version(), effect)) {
        builder = next(runs, builder, ordinal, operation.seqNo(), primaryTerm);
        boolean _ = builder.add(ordinal, operation.seqNo(), operation.version(), effect);
      }
    }
    if (builder != null) {
      runs.add(builder.built());
    }
    return runs;
  }

  private static RecentRun.Builder next(
      List<RecentRun> runs,
      RecentRun.@Nullable Builder before,
      int ordinal,
      long seqNo,
      long primaryTerm) {
    if (before != null) {
      runs.add(before.built());
    }
    return new RecentRun.Builder(ordinal, seqNo, primaryTerm);
  }

  private static Effect effect(Operation operation) {
    boolean found = operation.sent().found();
    return switch (operation) {
      case Operation.Index _ -> found ? Effect.UPDATED : Effect.CREATED;
      case Operation.Delete _ -> found ? Effect.DELETED : Effect.NOT_FOUND;
    };
  }

  private synchronized void add(WriteOrigin origin, List<RecentRun> runs) {
    OfNode node = at(origin);
    if (origin.number() < node.oldest) {
      return; // its node has given it up meanwhile
    }
    Write before = node.byNumber.get(origin.number());
    List<RecentRun> all = runs;
    if (before != null) {
      all = new ArrayList<>(before.runs);
      all.addAll(runs);
      bytes -= before.bytes();
      count--;
    }
    Write now = new Write(List.copyOf(all), clock.nanoTime());
    node.byNumber.put(origin.number(), now);
    bytes += now.bytes();
    count++;
    while (count > WRITES_MAX || bytes > BYTES_MAX) {
      forgetSome();
    }
  }

  /// The oldest write of the node that has most.
  private void forgetSome() {
    OfNode most = null;
    for (OfNode node : nodes.values()) {
      if (most == null || node.byNumber.size() > most.byNumber.size()) {
        most = node;
      }
    }
    if (most == null || most.byNumber.isEmpty()) {
      throw new IllegalStateException(
          "writes are counted that are not there [count=" + count + "]");
    }
    forget(most, most.byNumber.firstKey() + 1);
  }

  /// Forgets what nobody can send again: writes of nodes that have left the cluster, and old ones.
  ///
  /// @param isMember of the names of nodes
  public synchronized void tidy(LongPredicate isMember) {
    long beforeNanos = clock.nanoTime() - KEPT_MAX.toNanos();
    nodes
        .values()
        .removeIf(node -> {
          while (!node.byNumber.isEmpty()
              && node.byNumber.firstEntry().getValue().nanos - beforeNanos < 0) {
            forget(node, node.byNumber.firstKey() + 1);
          }
          return false;
        });
    nodes
        .entrySet()
        .removeIf(entry -> {
          boolean isGone = !isMember.test(entry.getKey());
          if (isGone) {
            forget(entry.getValue(), Long.MAX_VALUE);
          }
          return isGone;
        });
  }

  /// As it is kept with a commit.
  ///
  /// @param maxSeqNo every operation up to it is in the commit; those above are read from the log
  public synchronized String save(long maxSeqNo) {
    return SavedWrites.write(nodes, maxSeqNo);
  }

  /// Takes in what a commit has.
  public synchronized void load(String saved) {
    SavedWrites.read(
        saved,
        (origin, runs) -> {
          if (runs.isEmpty()) {
            OfNode _ = at(origin);
          } else {
            add(origin, runs);
          }
        });
  }

  synchronized int count() {
    return count;
  }
}
