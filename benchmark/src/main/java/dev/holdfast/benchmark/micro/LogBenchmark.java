package dev.holdfast.benchmark.micro;

import dev.holdfast.clusterstate.IndexId;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.clusterstate.membership.Ownership;
import dev.holdfast.objectstore.MemoryStore;
import dev.holdfast.translog.LogConfig;
import dev.holdfast.translog.NodeLog;
import dev.holdfast.translog.Operation;
import dev.holdfast.world.World;
import dev.holdfast.world.real.RealWorld;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/// Frames of the log: a bulk's operations encoded, compressed, with checksums, and in a store that
/// is this process's memory.
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@SuppressWarnings("NullAway.Init") // by JMH, before anything is measured
public class LogBenchmark {
  private static final int OPERATIONS = 1_000;
  private static final ShardId SHARD = new ShardId(new IndexId("logs", "benchmark"), 0);

  private World world;
  private NodeLog log;
  private MemoryStore store;
  private List<Operation> operations;
  private long appended;

  /// Opens a log.
  @Setup(Level.Iteration)
  public void open() {
    world = RealWorld.create();
    store = new MemoryStore();
    log = new NodeLog(world, store, new Alone(), LogConfig.unmetered());
    operations = new ArrayList<>();
    for (byte[] line : WebLog.lines(OPERATIONS)) {
      long seqNo = operations.size();
      operations.add(
          new Operation.Index(
              seqNo, 1, "id" + seqNo, null, false, line, 0, line.length, Operation.Sent.ONCE));
    }
  }

  /// Closes it; what it wrote goes with it.
  @TearDown(Level.Iteration)
  public void close() throws IOException {
    log.close();
    world.tasks().close();
  }

  /// Time of one operation, from a batch of them to the store.
  @Benchmark
  @OperationsPerInvocation(OPERATIONS)
  public long operation() throws IOException, InterruptedException {
    log.await(log.append(SHARD, 1, operations));
    appended += OPERATIONS;
    return appended;
  }

  /// A node alone, never evicted.
  private static final class Alone implements Ownership {
    @Override
    public String nodeEphemeralId() {
      return "benchmark";
    }

    @Override
    public boolean isStillMember() {
      return true;
    }

    @Override
    public boolean mayServe() {
      return true;
    }

    @Override
    public void evicted(String why) {
      throw new IllegalStateException(why);
    }
  }
}
