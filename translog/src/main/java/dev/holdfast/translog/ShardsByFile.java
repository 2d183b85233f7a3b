package dev.holdfast.translog;

import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.translog.LogFile.Entry;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Which shards have operations in which files of the logs of dead nodes: told by whoever reads a
/// file's directory, so that of thousands of shards that recover from one log each reads its own
/// files only. A file never changes, so nothing that is known here gets out of date.
final class ShardsByFile {
  /// Lines of directories that are kept, of 4 bytes; of files beyond that nothing is known.
  private static final int LINES_MAX = 4 << 20;

  // All guarded by this.
  private final Map<String, Integer> numbers = new HashMap<>();
  private final Map<String, int[]> files = new HashMap<>();
  private int lines;

  /// A directory was read.
  ///
  /// @param key of the file
  synchronized void read(String key, List<Entry> entries) {
    if (files.containsKey(key) || lines + entries.size() > LINES_MAX) {
      return;
    }
    int[] shards = new int[entries.size()];
    for (int i = 0; i < shards.length; i++) {
      shards[i] =
          numbers.computeIfAbsent(LogDirectory.name(entries.get(i).shard()), _ -> numbers.size());
    }
    Arrays.sort(shards);
    files.put(key, shards);
    lines += shards.length;
  }

  /// Whether a file is known to have nothing of the shard.
  synchronized boolean isWithout(String key, ShardId shard) {
    int[] shards = files.get(key);
    if (shards == null) {
      return false;
    }
    Integer number = numbers.get(LogDirectory.name(shard));
    return number == null || Arrays.binarySearch(shards, number) < 0;
  }
}
