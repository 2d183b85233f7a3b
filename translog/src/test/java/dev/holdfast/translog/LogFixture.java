package dev.holdfast.translog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.clusterstate.IndexId;
import dev.holdfast.clusterstate.LogBounds;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.clusterstate.membership.Ownership;
import dev.holdfast.objectstore.LostObjectException;
import dev.holdfast.objectstore.MemoryStore;
import dev.holdfast.objectstore.ObjectBody;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.translog.Operation.Sent;
import dev.holdfast.world.World;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.AfterEach;

/// What the tests of NodeLog share.
abstract class LogFixture {
  static final ShardId SHARD = new ShardId(new IndexId("logs", "uuid-logs"), 0);

  static final ShardId OTHER = new ShardId(new IndexId("other", "uuid-other"), 3);

  final World world = World.real();

  final MemoryStore store = new MemoryStore();

  @AfterEach
  void endTasks() {
    world.tasks().close();
  }

  /// A node that is a member until it is evicted.
  static final class Member implements Ownership {
    final String id;
    final List<String> evictions = new CopyOnWriteArrayList<>();
    final CountDownLatch isEvicted = new CountDownLatch(1);

    Member(String id) {
      this.id = id;
    }

    @Override
    public String nodeEphemeralId() {
      return id;
    }

    @Override
    public boolean isStillMember() {
      return evictions.isEmpty();
    }

    @Override
    public boolean mayServe() {
      return evictions.isEmpty();
    }

    @Override
    public void evicted(String why) {
      evictions.add(why);
      isEvicted.countDown();
    }
  }

  static Operation.Index index(long seqNo, String id, String source) {
    byte[] bytes = source.getBytes(StandardCharsets.UTF_8);
    return new Operation.Index(seqNo, 1, id, null, false, bytes, 0, bytes.length, Sent.ONCE);
  }

  List<Long> replayed(ShardId shard, String node, long from) throws Exception {
    List<Long> seqNos = new ArrayList<>();
    new LogReplay(world, store, "successor")
        .replay(
            LogReplay.Wanted.of(shard, node, from),
            (term, operations) -> operations.forEach(o -> seqNos.add(o.seqNo())));
    return seqNos;
  }

  static void awaitOrdinal(Log log, long ordinal) {
    while (log.ordinal() < ordinal) {
      Thread.onSpinWait();
    }
  }

  /// Shard SHARD wrote operation n into file n.
  NodeLog logOf(int files) throws Exception {
    NodeLog log = new NodeLog(world, store, new Member("a"), LogConfig.unmetered());
    for (int i = 0; i < files; i++) {
      log.await(log.append(SHARD, 1, List.of(index(i, "id" + i, "{}"))));
    }
    return log;
  }

  List<Long> replayed(LogReplay.Wanted wanted) throws Exception {
    List<Long> seqNos = new ArrayList<>();
    new LogReplay(world, store, "successor")
        .replay(wanted, (term, operations) -> operations.forEach(o -> seqNos.add(o.seqNo())));
    return seqNos;
  }

  static LogReplay.Wanted from(long ordinal, LogBounds bounds) {
    return new LogReplay.Wanted(SHARD, "a", ordinal, bounds, false);
  }

  void assertLost(LogReplay.Wanted wanted, String key) {
    for (int tries = 0; tries < 2; tries++) { // the fence of the first is in the way of the second
      assertThatThrownBy(() -> replayed(wanted))
          .isInstanceOfSatisfying(
              LostObjectException.class, lost -> assertThat(lost.key()).isEqualTo(key));
    }
  }

  /// Holds back the first write of one key until it is let go.
  static final class Stalling implements ObjectStore {
    final MemoryStore store;
    final String key;
    final Semaphore mayLand;

    Stalling(MemoryStore store, String key, Semaphore mayLand) {
      this.store = store;
      this.key = key;
      this.mayLand = mayLand;
    }

    @Override
    public Creation putIfAbsent(String name, ObjectBody body)
        throws dev.holdfast.objectstore.StoreException {
      if (name.equals(key)) {
        mayLand.acquireUninterruptibly();
      }
      return store.putIfAbsent(name, body);
    }

    @Override
    public String name() {
      return "stalling";
    }

    @Override
    public Version put(String name, ObjectBody body)
        throws dev.holdfast.objectstore.StoreException {
      return store.put(name, body);
    }

    @Override
    public Swap compareAndSet(
        String name, @org.jspecify.annotations.Nullable Version expected, byte[] bytes) {
      return store.compareAndSet(name, expected, bytes);
    }

    @Override
    public java.util.Optional<StoredObject> get(String name) {
      return store.get(name);
    }

    @Override
    public byte[] getRange(String name, long offset, int length)
        throws dev.holdfast.objectstore.StoreException {
      return store.getRange(name, offset, length);
    }

    @Override
    public Suffix getSuffix(String name, int length)
        throws dev.holdfast.objectstore.StoreException {
      return store.getSuffix(name, length);
    }

    @Override
    public List<Listed> list(String prefix, String after, int max) {
      return store.list(prefix, after, max);
    }

    @Override
    public void copy(String from, String to) throws dev.holdfast.objectstore.StoreException {
      store.copy(from, to);
    }

    @Override
    public void deleteAll(java.util.Collection<String> keys) {
      store.deleteAll(keys);
    }

    @Override
    public void close() {}
  }
}
