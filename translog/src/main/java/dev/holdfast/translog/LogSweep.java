package dev.holdfast.translog;

import dev.holdfast.clusterstate.Ownership;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.objectstore.ObjectStore.Listed;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Deletes the logs of dead nodes once every shard has a commit of its own newer than them (§6.2).
/// Fences stay: a node that slept through its eviction must find its next name taken for ever.
public final class LogSweep {
  private static final Logger LOG = LoggerFactory.getLogger(LogSweep.class);
  private static final int LIST_MAX = 1000;

  private LogSweep() {}

  /// @param referenced ephemeral ids that the newest commit of some shard still points at
  /// @return files deleted
  public static int sweep(ObjectStore store, Ownership ownership, Set<String> referenced)
      throws IOException {
    TreeMap<String, List<Listed>> byNode = new TreeMap<>();
    String after = "";
    while (true) {
      List<Listed> page = store.list("log/", after, LIST_MAX);
      for (Listed listed : page) {
        byNode.computeIfAbsent(listed.key().split("/")[1], n -> new ArrayList<>()).add(listed);
      }
      if (page.size() < LIST_MAX) {
        break;
      }
      after = page.getLast().key();
    }
    byNode.keySet().removeAll(referenced);
    byNode.remove(ownership.nodeEphemeralId());
    List<String> dead =
        byNode.values().stream()
            .flatMap(List::stream)
            .filter(listed -> listed.length() > LogFile.FENCE_BYTES_MAX)
            .map(Listed::key)
            .toList();
    if (!dead.isEmpty() && ownership.isStillMember()) {
      store.deleteAll(dead);
      LOG.info("deleted the logs of dead nodes [nodes={}, files={}]", byNode.size(), dead.size());
      return dead.size();
    }
    return 0;
  }
}
