package dev.holdfast.benchmark.process;

import dev.holdfast.chaos.node.StartedNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Gives each process of a tier that a provisioner starts a share of its own, as soon as it is
/// there, as if it ran on a machine of that size.
final class ElasticShares implements AutoCloseable {
  private static final long LOOK_EVERY_MILLIS = 50;

  private final Path folder;
  private final Predicate<String> isMember;
  private final double cores;
  private final SortedMap<Long, CpuShare> shares = new TreeMap<>();
  private final Thread thread;
  private volatile @Nullable IOException failure;
  private volatile boolean isOver;

  /// @param folder of the provisioner: a folder with a `pid` for each process
  /// @param isMember whether the process of a name gets one
  ElasticShares(Path folder, Predicate<String> isMember, double cores) {
    this.folder = folder;
    this.isMember = isMember;
    this.cores = cores;
    thread = Thread.ofPlatform().name("shares").start(this::run);
  }

  private void run() {
    try {
      while (!isOver) {
        look();
        Thread.sleep(LOOK_EVERY_MILLIS);
      }
    } catch (IOException e) {
      failure = e;
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private void look() throws IOException {
    for (StartedNode node : StartedNode.of(folder)) {
      long pid = node.pid();
      if (isMember.test(node.name()) && node.isRunning() && !shares.containsKey(pid)) {
        CpuShare share = CpuShare.create("elastic-" + pid, cores);
        shares.put(pid, share);
        take(share, node);
      }
    }
  }

  private static void take(CpuShare share, StartedNode node) throws IOException {
    try {
      share.take(node.pid());
    } catch (IOException e) {
      if (node.isRunning()) {
        throw e;
      }
    }
  }

  /// Its processes must have ended.
  ///
  /// @throws IOException when one did not get its share
  @Override
  public void close() throws IOException {
    isOver = true;
    try {
      thread.join();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
    for (CpuShare share : shares.values()) {
      share.close();
    }
    IOException why = failure;
    if (why != null) {
      throw why;
    }
  }
}
