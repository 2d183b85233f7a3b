package dev.holdfast.simulation.trouble;

import dev.holdfast.clusterstate.Role;
import dev.holdfast.simulation.cluster.SimulatedCluster;
import dev.holdfast.simulation.cluster.SimulatedNode;
import dev.holdfast.world.Sleeper;
import java.nio.file.Path;
import java.time.Duration;
import java.util.SortedSet;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/// Who keeps a node running at one place of a cluster: starts one when there is none, with the disk
/// of the last or an empty one, replaces one that is lost, and ends processes that were evicted.
public final class Operator {
  private final SimulatedCluster cluster;
  private final SplittableRandom random;
  private final Sleeper sleeper;
  private final SortedSet<Role> roles;
  private Path newestFolder;
  private @Nullable SimulatedNode node;
  private boolean isRetired;

  public Operator(SimulatedCluster cluster, SplittableRandom random, SortedSet<Role> roles) {
    this.cluster = cluster;
    this.random = random;
    this.sleeper = cluster.outside().world().sleeper();
    this.roles = roles;
    this.newestFolder = cluster.freshFolder();
  }

  public void operate() throws InterruptedException {
    while (!isRetired) {
      sleeper.sleep(Duration.ofMillis(100 + random.nextInt(900)));
      for (SimulatedNode evicted : cluster.alive()) {
        if (evicted.isEvicted()
            && evicted.roles().equals(roles)
            && !evicted.process().isFrozen()
            && random.nextInt(4) == 0) {
          cluster.stop(evicted, Trouble.STOP_MAX);
        }
      }
      SimulatedNode now = node;
      if (isRetired) {
        return;
      }
      if (now == null || now.process().isDead() || (isLost(now) && random.nextInt(4) == 0)) {
        startOne();
      }
    }
  }

  private static boolean isLost(SimulatedNode node) {
    return node.process().isFrozen() || node.isEvicted() || node.store().isCutOff();
  }

  /// Starts nothing from now on.
  public void retire() {
    isRetired = true;
  }

  /// Starts a node at this place.
  void startOne() throws InterruptedException {
    Path kept = newestFolder;
    boolean isFree = cluster.alive().stream().noneMatch(other -> other.folder().equals(kept));
    if (!isFree || random.nextInt(3) == 0) {
      newestFolder = cluster.freshFolder();
    }
    node = cluster.start(newestFolder, roles);
  }

  public boolean isServing() {
    SimulatedNode now = node;
    return now != null && now.isServing() && !now.isEvicted();
  }
}
