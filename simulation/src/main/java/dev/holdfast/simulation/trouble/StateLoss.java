package dev.holdfast.simulation.trouble;

import dev.holdfast.clusterstate.log.StateRepair;
import dev.holdfast.indexing.recovery.StateRebuild;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.objectstore.ObjectStore.Listed;
import dev.holdfast.simulation.cluster.SimulatedCluster;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;

/// All nodes die, and then somebody deletes what they knew of the cluster: nothing may start until
/// the state is repaired from what is left and from the shards' own blobs, and then everything
/// acknowledged must be there (decision 017).
public final class StateLoss {
  private static final Duration REFUSED_MAX = Duration.ofSeconds(30);
  private static final String LEASE = "cluster/lease";
  private static final String STATES = "cluster/state/";
  private static final int LIST_MAX = 1000;

  /// Every so many states one is whole, and those before it go.
  private static final int FULL_EVERY = 100;

  /// Of a fence; any state is longer.
  private static final int FENCE_BYTES_MAX = 150;

  private final SimulatedCluster cluster;
  private final SplittableRandom random;

  public StateLoss(SimulatedCluster cluster, SplittableRandom random) {
    this.cluster = cluster;
    this.random = random;
  }

  /// Happens, and is repaired.
  public void happen() throws IOException, InterruptedException {
    ObjectStore raw = cluster.watch().raw();
    List<String> lost = chosen(raw);
    if (lost.isEmpty() || !isEveryShardStored(raw)) {
      return;
    }
    cluster.loseState(lost);
    long endNanos = nanos() + REFUSED_MAX.toNanos();
    while (cluster.refusedStarts() == 0 && nanos() < endNanos) {
      cluster.outside().world().sleeper().sleep(Duration.ofMillis(200));
    }
    ObjectStore store = cluster.watch().seenBy(cluster.outside());
    StateRepair repair =
        new StateRepair(cluster.outside().world(), store, cluster.shape().timings());
    repair.begin();
    StateRebuild.Rebuilt rebuilt = new StateRebuild(store).rebuild(repair.remnant());
    cluster.tell("repaired " + rebuilt.notes());
    var _ = repair.write(rebuilt.state(), rebuilt.newestTerm());
    cluster.stateRepaired(!rebuilt.missing().isEmpty());
  }

  private long nanos() {
    return cluster.outside().world().clock().nanoTime();
  }

  private List<String> chosen(ObjectStore raw) throws IOException {
    List<Listed> states = raw.list(STATES, "", LIST_MAX);
    List<String> keys = states.stream().map(Listed::key).toList();
    return switch (random.nextInt(4)) {
      case 0 -> raw.list("cluster/", "", LIST_MAX).stream().map(Listed::key).toList();
      case 1 -> keys;
      case 2 -> List.of(LEASE);
      default -> {
        // One that others follow: that nothing was written after the last cannot always be known.
        List<String> newestTerm =
            states.stream()
                .filter(one -> one.length() > FENCE_BYTES_MAX)
                .map(Listed::key)
                .filter(key -> key.startsWith(folder(keys.getLast())))
                .filter(key -> ordinal(key) / FULL_EVERY == ordinal(keys.getLast()) / FULL_EVERY)
                .toList();
        yield newestTerm.size() < 2
            ? List.of(LEASE)
            : List.of(newestTerm.get(random.nextInt(newestTerm.size() - 1)));
      }
    };
  }

  private static long ordinal(String key) {
    return Long.parseLong(key.substring(key.lastIndexOf('/') + 1), 16);
  }

  private static String folder(String key) {
    return key.substring(0, key.lastIndexOf('/') + 1);
  }

  /// Before its first blob nothing of a shard is acknowledged, and nothing carries its index.
  private boolean isEveryShardStored(ObjectStore raw) throws IOException {
    for (var shard : cluster.shards()) {
      if (raw.list(shard.folder(), "", 1).isEmpty()) {
        return false;
      }
    }
    return true;
  }
}
