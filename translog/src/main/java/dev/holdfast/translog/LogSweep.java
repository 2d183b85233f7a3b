package dev.holdfast.translog;

import dev.holdfast.clusterstate.membership.Ownership;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.objectstore.ObjectStore.Listed;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Deletes the logs of dead nodes once every shard has a commit of its own newer than them (§6.2).
/// Fences stay for ever: nothing tells a process that is gone from one that sleeps, and one that
/// wakes must find its next name taken. A fence is one object of less than 64 bytes.
public final class LogSweep {
  private static final Logger LOG = LoggerFactory.getLogger(LogSweep.class);
  private static final String ALL_LOGS = "log/";
  private static final int LIST_MAX = 1000;
  private static final int DELETE_BATCH_MAX = 1000;

  private final ObjectStore store;
  private final Ownership ownership;
  private final LogReplay logs;

  /// @param logs puts the fence where one is missing
  public LogSweep(ObjectStore store, Ownership ownership, LogReplay logs) {
    this.store = store;
    this.ownership = ownership;
    this.logs = logs;
  }

  /// What lies in the store of one node's log.
  ///
  /// @param node its ephemeral id
  /// @param files keys of files with operations
  /// @param fences how many names are taken by fences
  public record Folder(String node, List<String> files, long bytes, int fences) {
    public Folder {
      files = List.copyOf(files);
    }
  }

  /// Every log there is, by node: a request for each thousand files. Objects that are no part of a
  /// log are not among them: who put them there deletes them.
  public SortedMap<String, Folder> folders() throws IOException {
    SortedMap<String, Folder> folders = new TreeMap<>();
    List<Listed> ofOne = new ArrayList<>();
    String after = "";
    while (true) {
      List<Listed> page = store.list(ALL_LOGS, after, LIST_MAX);
      for (Listed listed : page) {
        if (!LogFile.isKey(listed.key())) {
          continue;
        }
        if (!ofOne.isEmpty() && !node(ofOne.getFirst()).equals(node(listed))) {
          folders.put(node(ofOne.getFirst()), folder(ofOne));
          ofOne.clear();
        }
        ofOne.add(listed);
      }
      if (page.size() < LIST_MAX) {
        if (!ofOne.isEmpty()) {
          folders.put(node(ofOne.getFirst()), folder(ofOne));
        }
        return folders;
      }
      after = page.getLast().key();
    }
  }

  private static String node(Listed listed) {
    return listed.key().split("/", -1)[1];
  }

  private static Folder folder(List<Listed> ofOne) {
    List<Listed> files =
        ofOne.stream().filter(one -> one.length() > LogFile.FENCE_BYTES_MAX).toList();
    return new Folder(
        node(ofOne.getFirst()),
        files.stream().map(Listed::key).toList(),
        files.stream().mapToLong(Listed::length).sum(),
        ofOne.size() - files.size());
  }

  private void requireMember() throws IOException {
    if (!ownership.isStillMember()) {
      throw new IOException("this node is a member no more: it fences no log");
    }
  }

  /// Deletes the files of a node that is no member of the cluster, and whose log the newest commit
  /// of no shard points at; not the fences.
  ///
  /// @return files deleted; 0 when the lease does not name this node any more
  public int delete(Folder dead) throws IOException {
    if (dead.files.isEmpty() || dead.node.equals(ownership.nodeEphemeralId())) {
      return 0;
    }
    if (dead.fences == 0) {
      if (!ownership.isStillMember()) {
        return 0;
      }
      logs.fence(dead.node, -1, this::requireMember);
    }
    for (int from = 0; from < dead.files.size(); from += DELETE_BATCH_MAX) {
      if (!ownership.isStillMember()) {
        return from;
      }
      store.deleteAll(
          dead.files.subList(from, Math.min(dead.files.size(), from + DELETE_BATCH_MAX)));
    }
    LOG.info("deleted the log of a dead node [node={}, files={}]", dead.node, dead.files.size());
    return dead.files.size();
  }
}
