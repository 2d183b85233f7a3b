package dev.holdfast.translog;

import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.objectstore.ObjectStore.Suffix;
import dev.holdfast.translog.LogFile.Entry;
import dev.holdfast.translog.LogFile.Tail;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/// Which shards have operations in the logs of dead nodes, as the directories of their files say: a
/// shard of which nobody knows where its replay begins needs none but these. A file is read once,
/// by its end. Used by one thread.
public final class LogContents {
  private static final int SUFFIX_BYTES = 64 << 10;

  private final ObjectStore store;
  private final Map<String, Set<String>> shardsOfFile = new HashMap<>();

  public LogContents(ObjectStore store) {
    this.store = store;
  }

  /// Whether a file of the log has operations of the shard.
  ///
  /// @throws IOException when a file cannot be read: it may
  public boolean hold(LogSweep.Folder log, ShardId shard) throws IOException {
    boolean holds = false;
    for (String key : log.files()) {
      Set<String> shards = shardsOfFile.get(key);
      if (shards == null) {
        shards = read(key);
        shardsOfFile.put(key, shards);
      }
      holds |= shards.contains(name(shard));
    }
    return holds;
  }

  /// Nobody asks for now.
  public void forget() {
    shardsOfFile.clear();
  }

  private Set<String> read(String key) throws IOException {
    Suffix suffix = store.getSuffix(key, SUFFIX_BYTES);
    Tail tail = LogFile.tail(suffix.bytes(), suffix.objectLength(), key);
    if (tail instanceof Tail.Longer longer) {
      suffix = store.getSuffix(key, longer.suffixBytes());
      tail = LogFile.tail(suffix.bytes(), suffix.objectLength(), key);
    }
    Set<String> shards = new HashSet<>();
    if (tail instanceof Tail.Directory directory) {
      for (Entry entry : directory.entries()) {
        shards.add(name(entry.shard()));
      }
    }
    return shards;
  }

  private static String name(ShardId shard) {
    return shard.index().uuid() + "/" + shard.number();
  }
}
